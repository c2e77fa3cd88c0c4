//! The shape of a head, seen from the eyes: made here, so that it needs no file.

use bevy::{
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// The middle of the skull, in metres from the eyes: +Y is up, −Z is where they look.
const MIDDLE: Vec3 = Vec3::new(0.0, 0.012, 0.1);

/// Half the width of the skull, in metres.
const HALF_WIDTH: f32 = 0.076;
/// From its middle up to the crown and down to the chin.
const UP_DOWN: [f32; 2] = [0.108, 0.114];
/// From its middle to the face and to the back.
const FRONT_BACK: [f32; 2] = [0.094, 0.1];

/// How many points a circle of the skull has.
const AROUND: usize = 36;
/// How many circles there are from the crown to the chin.
const RINGS: usize = 24;

/// The skull, its jaw and its chin.
pub(super) fn skull() -> Mesh {
    let direction = |ring: usize, step: usize| {
        let polar = std::f32::consts::PI * ring as f32 / RINGS as f32;
        let turn = std::f32::consts::TAU * step as f32 / AROUND as f32;
        Vec3::new(polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin())
    };
    let grid = (0..=RINGS).flat_map(|ring| (0..AROUND).map(move |step| direction(ring, step)));
    let directions: Vec<Vec3> = grid.collect();
    let positions: Vec<Vec3> = directions.iter().map(|direction| surface(*direction)).collect();
    let normals: Vec<Vec3> = directions.iter().map(|direction| facing(*direction)).collect();
    let at = |ring: usize, step: usize| (ring * AROUND + step % AROUND) as u32;
    let quads = (0..RINGS).flat_map(|ring| (0..AROUND).map(move |step| (ring, step)));
    let triangles = quads.flat_map(|(ring, step)| {
        let [a, b] = [at(ring, step), at(ring, step + 1)];
        let [c, d] = [at(ring + 1, step + 1), at(ring + 1, step)];
        [a, b, c, a, c, d]
    });
    Mesh::new(PrimitiveTopology::TriangleList, default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_indices(Indices::U32(triangles.collect()))
}

/// Where the skull is in a direction from its middle.
fn surface(direction: Vec3) -> Vec3 {
    // Boxier than a ball: less of an egg.
    const SQUARE: f32 = 2.5;
    let round = direction.abs().to_array().map(|part| part.powf(SQUARE)).iter().sum::<f32>();
    let Vec3 { x, y, z } = direction * round.powf(-1.0 / SQUARE);
    let low = smooth(0.25, -0.95, y);
    let width = HALF_WIDTH * (1.0 - 0.27 * low) * (1.0 + 0.05 * smooth(0.0, 0.6, y));
    let height = if y > 0.0 { UP_DOWN[0] } else { UP_DOWN[1] };
    // The jaw narrows, the neck is cut out below the back of the head, the chin comes forward.
    let depth = if z < 0.0 {
        FRONT_BACK[0] * (1.0 - 0.08 * low)
    } else {
        FRONT_BACK[1] * (1.0 - 0.5 * low)
    };
    MIDDLE + Vec3::new(x * width, y * height, z * depth - 0.012 * low * low)
}

/// The normal of the skull's surface in this direction from its middle.
fn facing(direction: Vec3) -> Vec3 {
    const NEAR: f32 = 0.02;
    let (across, along) = direction.any_orthonormal_pair();
    let beside = |way: Vec3| surface((direction + NEAR * way).normalize());
    let [across, along] = [across, along].map(|way| beside(way) - beside(-way));
    let normal = across.cross(along).normalize_or(direction);
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

/// From 0 at `from` to 1 at `to`, with a soft start and end.
fn smooth(from: f32, to: f32, at: f32) -> f32 {
    let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_is_as_large_as_a_head_and_no_egg() {
        let at = |x: f32, y: f32, z: f32| surface(Vec3::new(x, y, z).normalize());
        let height = at(0.0, 1.0, 0.0).y - at(0.0, -1.0, 0.0).y;
        let width = at(1.0, 0.0, 0.0).x - at(-1.0, 0.0, 0.0).x;
        let depth = at(0.0, 0.0, 1.0).z - at(0.0, 0.0, -1.0).z;
        assert!((0.2..0.25).contains(&height) && (0.14..0.17).contains(&width), "{height} {width}");
        assert!((0.18..0.21).contains(&depth), "{depth}");
        let [chin, nape] = [at(0.0, -1.0, -0.6), at(0.0, -1.0, 0.6)];
        assert!(
            MIDDLE.z - chin.z > 1.3 * (nape.z - MIDDLE.z),
            "the chin is in front: {chin} {nape}"
        );
    }

    #[test]
    fn skull_faces_outwards() {
        let mesh = skull();
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap().as_float3().unwrap();
        let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).unwrap().as_float3().unwrap();
        let pairs = positions.iter().zip(normals);
        let outwards = |(place, normal): (&[f32; 3], &[f32; 3])| {
            (Vec3::from_array(*place) - MIDDLE).dot(Vec3::from_array(*normal)) > 0.0
        };
        assert!(pairs.into_iter().all(outwards));
        let Some(Indices::U32(triangles)) = mesh.indices() else { panic!("indices") };
        for corners in triangles.chunks_exact(3) {
            let [a, b, c] =
                [0, 1, 2].map(|corner| Vec3::from_array(positions[corners[corner] as usize]));
            let normal = (b - a).cross(c - a);
            assert!(normal.length() < 1e-9 || normal.dot(a + b + c - 3.0 * MIDDLE) > 0.0);
        }
    }
}
