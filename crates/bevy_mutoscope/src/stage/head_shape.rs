//! Generates the mesh of a head, so that no model file is needed.

use bevy::{
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

/// The centre of the skull, in metres relative to the eyes: +Y is up, and the eyes look along −Z.
const CENTRE: Vec3 = Vec3::new(0.0, 0.012, 0.1);

/// Half the width of the skull, in metres.
const HALF_WIDTH: f32 = 0.076;
/// The distances from the centre to the crown and to the chin, in metres.
const HALF_HEIGHTS: [f32; 2] = [0.108, 0.114];
/// The distances from the centre to the face and to the back of the head, in metres.
const HALF_DEPTHS: [f32; 2] = [0.094, 0.1];

const POINTS_PER_RING: usize = 36;
const RING_COUNT: usize = 24;

pub(super) fn skull() -> Mesh {
    let direction = |ring: usize, step: usize| {
        let polar = std::f32::consts::PI * ring as f32 / RING_COUNT as f32;
        let turn = std::f32::consts::TAU * step as f32 / POINTS_PER_RING as f32;
        Vec3::new(polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin())
    };
    let grid = (0..=RING_COUNT)
        .flat_map(|ring| (0..POINTS_PER_RING).map(move |step| direction(ring, step)));
    let directions: Vec<Vec3> = grid.collect();
    let positions: Vec<Vec3> =
        directions.iter().map(|direction| surface_point(*direction)).collect();
    let normals: Vec<Vec3> =
        directions.iter().map(|direction| surface_normal(*direction)).collect();
    let at = |ring: usize, step: usize| (ring * POINTS_PER_RING + step % POINTS_PER_RING) as u32;
    let quads = (0..RING_COUNT).flat_map(|ring| (0..POINTS_PER_RING).map(move |step| (ring, step)));
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

fn surface_point(direction: Vec3) -> Vec3 {
    // The exponent of a superellipsoid. 2 would be an ellipsoid, which looks like an egg.
    const EXPONENT: f32 = 2.5;
    let round = direction.abs().to_array().map(|part| part.powf(EXPONENT)).iter().sum::<f32>();
    let Vec3 { x, y, z } = direction * round.powf(-1.0 / EXPONENT);
    let low = smoothstep(0.25, -0.95, y);
    let width = HALF_WIDTH * (1.0 - 0.27 * low) * (1.0 + 0.05 * smoothstep(0.0, 0.6, y));
    let height = if y > 0.0 { HALF_HEIGHTS[0] } else { HALF_HEIGHTS[1] };
    // The lower part of the head (`low`) differs from a superellipsoid: the jaw is narrower, the
    // neck is cut out below the back of the head, and the chin is farther forward.
    let depth = if z < 0.0 {
        HALF_DEPTHS[0] * (1.0 - 0.08 * low)
    } else {
        HALF_DEPTHS[1] * (1.0 - 0.5 * low)
    };
    CENTRE + Vec3::new(x * width, y * height, z * depth - 0.012 * low * low)
}

fn surface_normal(direction: Vec3) -> Vec3 {
    const STEP: f32 = 0.02;
    let (across, along) = direction.any_orthonormal_pair();
    let neighbour = |offset: Vec3| surface_point((direction + STEP * offset).normalize());
    let [across, along] = [across, along].map(|offset| neighbour(offset) - neighbour(-offset));
    let normal = across.cross(along).normalize_or(direction);
    if normal.dot(direction) < 0.0 { -normal } else { normal }
}

fn smoothstep(from: f32, to: f32, at: f32) -> f32 {
    let part = ((at - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_has_human_proportions() {
        let surface_towards =
            |x: f32, y: f32, z: f32| surface_point(Vec3::new(x, y, z).normalize());
        let height = surface_towards(0.0, 1.0, 0.0).y - surface_towards(0.0, -1.0, 0.0).y;
        let width = surface_towards(1.0, 0.0, 0.0).x - surface_towards(-1.0, 0.0, 0.0).x;
        let depth = surface_towards(0.0, 0.0, 1.0).z - surface_towards(0.0, 0.0, -1.0).z;
        assert!((0.2..0.25).contains(&height) && (0.14..0.17).contains(&width), "{height} {width}");
        assert!((0.18..0.21).contains(&depth), "{depth}");
        let [chin, nape] = [surface_towards(0.0, -1.0, -0.6), surface_towards(0.0, -1.0, 0.6)];
        assert!(
            CENTRE.z - chin.z > 1.3 * (nape.z - CENTRE.z),
            "the chin is in front: {chin} {nape}"
        );
    }

    #[test]
    fn skull_faces_outwards() {
        let mesh = skull();
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap().as_float3().unwrap();
        let normals = mesh.attribute(Mesh::ATTRIBUTE_NORMAL).unwrap().as_float3().unwrap();
        let pairs = positions.iter().zip(normals);
        let outwards = |(position, normal): (&[f32; 3], &[f32; 3])| {
            (Vec3::from_array(*position) - CENTRE).dot(Vec3::from_array(*normal)) > 0.0
        };
        assert!(pairs.into_iter().all(outwards));
        let Some(Indices::U32(triangles)) = mesh.indices() else { panic!("indices") };
        for corners in triangles.chunks_exact(3) {
            let [a, b, c] =
                [0, 1, 2].map(|corner| Vec3::from_array(positions[corners[corner] as usize]));
            let normal = (b - a).cross(c - a);
            assert!(normal.length() < 1e-9 || normal.dot(a + b + c - 3.0 * CENTRE) > 0.0);
        }
    }
}
