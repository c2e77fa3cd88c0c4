//! The ground under the feet: no recording has it, but where a player stands on it, it is there.

use std::collections::{BTreeMap, HashSet};

use glam::{DVec3, IVec3, Vec3};

use super::{
    super::{PoseName, Recording},
    shape::{Rgb, ShapeMesh},
};

/// More cells than this are not drawn.
const MOST: usize = 8_000;

/// All of one colour: where players of a scene stand side by side, their grounds coincide.
const COLOR: Rgb = 0x3a473a;

/// A cell of the ground: a column of blocks and the height of its surface, in sixteenths of a block.
type Columns = BTreeMap<[i32; 2], Vec<i32>>;

/// The surface of the blocks that the player touches in any frame, and of their neighbours, a little below
/// the feet. `place` transforms each corner; the mesh is empty if the player is never on the ground.
pub fn ground(recording: &Recording, place: &dyn Fn(DVec3) -> Vec3) -> ShapeMesh {
    /// Tiles do not touch, so that blocks can be counted.
    const GAP: f64 = 0.04;
    /// So far below the feet, in metres: lines on the ground are above it.
    const BELOW: f64 = 0.012;
    let mut mesh = ShapeMesh::default();
    let trodden = trodden(recording);
    let around = around(&trodden);
    for ([x, z], heights) in trodden.iter().chain(&around) {
        for height in heights {
            let corner =
                DVec3::new(f64::from(*x), f64::from(*height) / 16.0 - BELOW, f64::from(*z));
            let corners =
                [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]].map(|[x, z]: [f64; 2]| {
                    let inset = |side: f64| side + GAP * (0.5 - side);
                    place(corner + DVec3::new(inset(x), 0.0, inset(z)))
                });
            mesh.add_tile(corners, COLOR);
        }
    }
    mesh
}

/// The cells on which the player stands. Blocks that the recording knows of are drawn themselves.
fn trodden(recording: &Recording) -> Columns {
    let player = &recording.player;
    let known: HashSet<[i32; 3]> =
        recording.blocks.places().map(|place| place.to_array()).collect();
    let mut columns = Columns::new();
    let mut count = 0;
    for (index, frame) in player.path.frames().iter().enumerate() {
        // A swimmer touches the bottom at most: the surface would hide the body.
        let swims = *player.pose.at(*frame) == PoseName::Swimming;
        if swims || !*player.on_ground.at(*frame) || recording.vehicle.at(*frame).is_some() {
            continue;
        }
        let feet = player.path.positions()[index];
        if !is_within_reach(feet) {
            continue;
        }
        // A tenth of a block off is still on the same surface.
        let height = (feet.y * 16.0).round() as i32;
        let below =
            IVec3::new(feet.x.floor() as i32, (height - 1).div_euclid(16), feet.z.floor() as i32);
        let heights = columns.entry([below.x, below.z]).or_default();
        if !heights.contains(&height) && !known.contains(&below.to_array()) {
            heights.push(height);
            count += 1;
        }
        if count >= MOST / 9 {
            break;
        }
    }
    columns
}

/// Whether a position is within a world of the game.
fn is_within_reach(feet: DVec3) -> bool {
    feet.is_finite() && feet.abs().max_element() < 3.2e7
}

/// The cells next to these, as high, where no other is near that height: a staircase has no ledges.
fn around(trodden: &Columns) -> Columns {
    const NEAR: i32 = 32;
    let mut around = Columns::new();
    for ([x, z], heights) in trodden {
        for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
            let column = [x + dx, z + dz];
            for height in heights {
                let is_near = |other: &i32| (other - height).abs() < NEAR;
                let is_trodden = trodden.get(&column).is_some_and(|all| all.iter().any(is_near));
                let beside = around.entry(column).or_default();
                if !is_trodden && !beside.iter().any(is_near) {
                    beside.push(*height);
                }
            }
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stand;

    /// A player at these places, one a tick, on the ground or not.
    fn walk(places: &[([f64; 3], bool)]) -> Recording {
        let mut recording = Recording::at_rest();
        for (frame, (place, on_ground)) in (0..).zip(places) {
            let stand = Stand { position: (*place).into(), ..Stand::default() };
            recording.player.path.set(frame, 0, stand, false);
            recording.player.on_ground.set(frame, 0, *on_ground);
        }
        recording
    }

    fn there(point: DVec3) -> Vec3 {
        point.as_vec3()
    }

    #[test]
    fn mirrored_ground_is_seen_from_above() {
        let walk = walk(&[([0.5, 64.0, 0.5], true)]);
        let mirrored = ground(&walk, &|point| point.as_vec3() * Vec3::new(-1.0, 1.0, 1.0));
        for mesh in [ground(&walk, &there), mirrored] {
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
    fn ground_is_under_the_feet_and_beside_them() {
        let mesh = ground(&walk(&[([0.5, 64.0, -0.5], true), ([0.6, 64.0, -0.5], true)]), &there);
        let expected: Vec<_> = (-1..=1).flat_map(|x| (-2..=0).map(move |z| [x, 64, z])).collect();
        assert_eq!(corners(&mesh), expected);
        let heights = mesh.positions.iter().map(|place| place[1]);
        assert!(heights.clone().all(|height| (63.95..64.0).contains(&height)));
    }

    #[test]
    fn nothing_is_under_who_jumps_flies_or_swims() {
        let mut swimmer = walk(&[([0.5, 64.0, 0.5], true)]);
        swimmer.player.pose.set(0, 0, PoseName::Swimming);
        assert_eq!(ground(&swimmer, &there), ShapeMesh::default());
        assert_eq!(ground(&walk(&[([0.5, 65.2, 0.5], false)]), &there), ShapeMesh::default());
        let far = walk(&[([1e18, 64.0, f64::MAX], true)]);
        assert_eq!(ground(&far, &there), ShapeMesh::default());
    }

    #[test]
    fn stairs_have_no_ledges_over_their_steps() {
        let steps: Vec<_> = (0..4)
            .map(|step| ([f64::from(step) + 0.5, 64.0 + f64::from(step), 0.5], true))
            .collect();
        let corners = corners(&ground(&walk(&steps), &there));
        let on_path: Vec<_> = corners.iter().filter(|corner| corner[2] == 0).collect();
        let steps_only = [[0, 64, 0], [1, 65, 0], [2, 66, 0], [3, 67, 0]];
        assert_eq!(on_path[1..on_path.len() - 1], steps_only.iter().collect::<Vec<_>>()[..]);
    }

    #[test]
    fn ground_of_a_long_walk_is_bounded() {
        let far: Vec<_> =
            (0..20_000).map(|step| ([f64::from(step) * 3.0, 64.0, 0.5], true)).collect();
        assert!(ground(&walk(&far), &there).positions.len() <= 4 * MOST);
    }
}
