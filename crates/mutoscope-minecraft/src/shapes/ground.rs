//! Derives the ground from the recorded movement. Recordings do not contain it, but there must be
//! ground where a player stands on it.

use std::collections::{BTreeMap, HashSet};

use glam::{DVec3, IVec3, Vec3};

use super::{
    super::{PoseName, Recording},
    shape::{Rgb, ShapeMesh},
};

const MAX_TILES: usize = 8_000;

/// The colour of all tiles. Tiles of players who stand side by side overlap, so different colours
/// would flicker.
const GROUND_COLOR: Rgb = 0x3a473a;

/// The heights of the ground's surfaces in sixteenths of a block, by column. A column is the x and
/// z of a block.
type Columns = BTreeMap<[i32; 2], Vec<i32>>;

/// Returns a mesh with a tile for each block on which the player stands in any frame, and for the
/// blocks next to it. The tiles are slightly below the feet. `to_scene` transforms each corner. The
/// mesh is empty if the player is never on the ground.
pub fn ground_mesh(recording: &Recording, to_scene: &dyn Fn(DVec3) -> Vec3) -> ShapeMesh {
    /// The gap between tiles, in blocks. The gaps make it possible to count the blocks.
    const TILE_GAP: f64 = 0.04;
    /// The distance of the tiles below the feet in metres. It keeps the tiles below lines that are
    /// drawn on the ground.
    const TILE_DEPTH_M: f64 = 0.012;
    let mut mesh = ShapeMesh::default();
    let stood_on = surfaces_stood_on(recording);
    let neighbours = neighbouring_surfaces(&stood_on);
    for ([x, z], heights) in stood_on.iter().chain(&neighbours) {
        for height in heights {
            let corner =
                DVec3::new(f64::from(*x), f64::from(*height) / 16.0 - TILE_DEPTH_M, f64::from(*z));
            let corners =
                [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(|[x, z]: [f64; 2]| {
                    let inset = |side: f64| side + TILE_GAP * (0.5 - side);
                    to_scene(corner + DVec3::new(inset(x), 0.0, inset(z)))
                });
            mesh.add_tile(corners, GROUND_COLOR);
        }
    }
    mesh
}

/// Returns the surfaces on which the player stands. Blocks in the recording are omitted, because
/// these blocks are drawn separately.
fn surfaces_stood_on(recording: &Recording) -> Columns {
    let player = &recording.player;
    let recorded_blocks: HashSet<[i32; 3]> =
        recording.blocks.positions().map(|to_scene| to_scene.to_array()).collect();
    let mut columns = Columns::new();
    let mut count = 0;
    for (index, frame) in player.path.frames().iter().enumerate() {
        // Skip frames in which the player swims. A swimmer can be on the ground only at the bottom
        // of the water, and a tile there would hide the body.
        let swims = *player.pose.at_frame(*frame) == PoseName::Swimming;
        if swims
            || !*player.on_ground.at_frame(*frame)
            || recording.vehicle.at_frame(*frame).is_some()
        {
            continue;
        }
        let feet = player.path.positions()[index];
        if !is_in_world(feet) {
            continue;
        }
        // Round the height to a sixteenth of a block, because otherwise tiny differences in height
        // would create several tiles.
        let height = (feet.y * 16.0).round() as i32;
        let below =
            IVec3::new(feet.x.floor() as i32, (height - 1).div_euclid(16), feet.z.floor() as i32);
        let heights = columns.entry([below.x, below.z]).or_default();
        if !heights.contains(&height) && !recorded_blocks.contains(&below.to_array()) {
            heights.push(height);
            count += 1;
        }
        if count >= MAX_TILES / 9 {
            break;
        }
    }
    columns
}

fn is_in_world(feet: DVec3) -> bool {
    feet.is_finite() && feet.abs().max_element() < 3.2e7
}

/// Returns the surfaces next to the given ones, at the same height. A surface is omitted if its
/// column has another surface less than two blocks above or below. Otherwise staircases would have
/// ledges.
fn neighbouring_surfaces(stood_on: &Columns) -> Columns {
    const MIN_HEIGHT_DIFFERENCE: i32 = 32;
    let mut neighbours = Columns::new();
    for ([x, z], heights) in stood_on {
        for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
            let column = [x + dx, z + dz];
            for height in heights {
                let is_near = |other: &i32| (other - height).abs() < MIN_HEIGHT_DIFFERENCE;
                let is_stood_on = stood_on.get(&column).is_some_and(|all| all.iter().any(is_near));
                let heights_beside = neighbours.entry(column).or_default();
                if !is_stood_on && !heights_beside.iter().any(is_near) {
                    heights_beside.push(*height);
                }
            }
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActorTransform;

    fn recording_at_positions(positions: &[([f64; 3], bool)]) -> Recording {
        let mut recording = Recording::standing_still();
        for (frame, (to_scene, on_ground)) in (0..).zip(positions) {
            let transform =
                ActorTransform { position: (*to_scene).into(), ..ActorTransform::default() };
            recording.player.path.set(frame, 0, transform, false);
            recording.player.on_ground.set(frame, 0, *on_ground);
        }
        recording
    }

    fn to_vec3(point: DVec3) -> Vec3 {
        point.as_vec3()
    }

    #[test]
    fn mirrored_ground_is_seen_from_above() {
        let walk = recording_at_positions(&[([0.5, 64.0, 0.5], true)]);
        let mirrored = ground_mesh(&walk, &|point| point.as_vec3() * Vec3::new(-1.0, 1.0, 1.0));
        for mesh in [ground_mesh(&walk, &to_vec3), mirrored] {
            for triangle in mesh.indices.chunks(3) {
                let [a, b, c] =
                    [0, 1, 2].map(|index| Vec3::from(mesh.positions[triangle[index] as usize]));
                assert!((b - a).cross(c - a).y > 0.0);
            }
        }
    }

    fn corners(mesh: &ShapeMesh) -> Vec<[i32; 3]> {
        let mut corners: Vec<_> = mesh
            .positions
            .chunks(4)
            .map(|tile| tile[0].map(|number| (number + 0.05).floor() as i32))
            .collect();
        corners.sort_unstable();
        corners
    }

    #[test]
    fn ground_covers_the_feet_and_their_neighbours() {
        let mesh = ground_mesh(
            &recording_at_positions(&[([0.5, 64.0, -0.5], true), ([0.6, 64.0, -0.5], true)]),
            &to_vec3,
        );
        let expected: Vec<_> = (-1..=1).flat_map(|x| (-2..=0).map(move |z| [x, 64, z])).collect();
        assert_eq!(corners(&mesh), expected);
        let heights = mesh.positions.iter().map(|to_scene| to_scene[1]);
        assert!(heights.clone().all(|height| (63.95..64.0).contains(&height)));
    }

    #[test]
    fn jumping_flying_and_swimming_players_have_no_ground() {
        let mut swimmer = recording_at_positions(&[([0.5, 64.0, 0.5], true)]);
        swimmer.player.pose.set(0, 0, PoseName::Swimming);
        assert_eq!(ground_mesh(&swimmer, &to_vec3), ShapeMesh::default());
        assert_eq!(
            ground_mesh(&recording_at_positions(&[([0.5, 65.2, 0.5], false)]), &to_vec3),
            ShapeMesh::default()
        );
        let long_walk = recording_at_positions(&[([1e18, 64.0, f64::MAX], true)]);
        assert_eq!(ground_mesh(&long_walk, &to_vec3), ShapeMesh::default());
    }

    #[test]
    fn stairs_have_no_ledges_over_their_steps() {
        let steps: Vec<_> = (0..4)
            .map(|step| ([f64::from(step) + 0.5, 64.0 + f64::from(step), 0.5], true))
            .collect();
        let corners = corners(&ground_mesh(&recording_at_positions(&steps), &to_vec3));
        let on_path: Vec<_> = corners.iter().filter(|corner| corner[2] == 0).collect();
        let steps_only = [[0, 64, 0], [1, 65, 0], [2, 66, 0], [3, 67, 0]];
        assert_eq!(on_path[1..on_path.len() - 1], steps_only.iter().collect::<Vec<_>>()[..]);
    }

    #[test]
    fn ground_of_a_long_walk_is_bounded() {
        let long_walk: Vec<_> =
            (0..20_000).map(|step| ([f64::from(step) * 3.0, 64.0, 0.5], true)).collect();
        assert!(
            ground_mesh(&recording_at_positions(&long_walk), &to_vec3).positions.len()
                <= 4 * MAX_TILES
        );
    }
}
