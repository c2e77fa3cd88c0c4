//! Applies the morph targets of models: moves the vertices of a mesh by the weights of the pose,
//! before skinning.
//!
//! The vertices are moved on the CPU. Only meshes whose weights have changed since the last frame
//! are uploaded again, and all meshes can use the same shader.

use bevy::{asset::RenderAssetUsages, prelude::*};

use super::subject::{PartContext, Subjects};
use mutoscope_core::clip::{MorphWeights, Piece};

#[derive(Component, Clone, Debug)]
pub(super) struct MorphedMesh {
    recording: Entity,
    piece: usize,
    weights: MorphWeights,
    uploaded_weights: Vec<f32>,
}

impl MorphedMesh {
    pub(super) fn from_piece(parts: &PartContext<'_>, index: usize, piece: &Piece) -> Option<Self> {
        let weights = MorphWeights::new(parts.clip, piece);
        let recording = parts.recording;
        (!weights.is_empty()).then(|| Self {
            recording,
            piece: index,
            weights,
            uploaded_weights: Vec::new(),
        })
    }
}

/// Returns the asset usage of a mesh. Meshes with morph targets must stay in main memory, so that
/// they can be changed.
pub(super) fn asset_usage(piece: &Piece) -> RenderAssetUsages {
    match piece.morph_targets.is_empty() {
        true => RenderAssetUsages::RENDER_WORLD,
        false => RenderAssetUsages::default(),
    }
}

pub(super) fn apply_morph_targets(
    mut pieces: Query<(&mut MorphedMesh, &Mesh3d)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut weights: Local<Vec<f32>>,
    subjects: Subjects,
) {
    for (mut morphing, mesh) in &mut pieces {
        let Some(subject) = subjects.get(morphing.recording).filter(|it| it.view.model) else {
            continue;
        };
        let model = subject.clip().model();
        let Some(piece) = model.and_then(|model| model.pieces.get(morphing.piece)) else {
            continue;
        };
        morphing.weights.fill_from_pose(subject.pose(), &mut weights);
        if *weights == morphing.uploaded_weights {
            continue;
        }
        let Some(mut mesh) = meshes.get_mut(&mesh.0) else { continue };
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        piece.morph_into(&weights, &mut positions, &mut normals);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
        morphing.uploaded_weights.clone_from(&weights);
    }
}

#[cfg(test)]
mod tests {
    use bevy::mesh::VertexAttributeValues;

    use super::*;
    use crate::stage::tests::{app_with, seek};
    use mutoscope_core::{ReadOptions, decode};
    use mutoscope_testing::fixtures;

    fn vectors(mesh: &Mesh, attribute: bevy::mesh::MeshVertexAttribute) -> Vec<Vec3> {
        match mesh.attribute(attribute) {
            Some(VertexAttributeValues::Float32x3(vectors)) => {
                vectors.iter().map(|vector| Vec3::from(*vector)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn expected(row: &serde_json::Value, offset: Vec3) -> Vec<Vec3> {
        let vector = |row: &serde_json::Value| {
            Vec3::from_array(std::array::from_fn(|axis| row[axis].as_f64().unwrap() as f32))
                - offset
        };
        row.as_array().unwrap().iter().map(vector).collect()
    }

    #[test]
    fn meshes_follow_the_morph_weights_of_the_pose() {
        let bytes = std::fs::read(fixtures::path("gltf/morphs.gltf")).unwrap();
        let clip = decode(&bytes, &ReadOptions::default()).unwrap();
        let mut app = app_with(clip, 0.0);
        let rows = fixtures::json("gltf/morphs.json")["rows"].as_array().unwrap().clone();
        let within = |row: &&serde_json::Value| row["time"].as_f64().unwrap() >= 0.0;
        for row in rows.iter().filter(within) {
            seek(&mut app, row["time"].as_f64().unwrap());
            let world = app.world_mut();
            let mut pieces = world.query::<(&MorphedMesh, &Mesh3d)>();
            let mesh = pieces.iter(world).find(|(morphing, _)| morphing.piece == 0).unwrap().1;
            let mesh = world.resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
            for (attribute, name, offset) in [
                (Mesh::ATTRIBUTE_POSITION, "moving", Vec3::Y),
                (Mesh::ATTRIBUTE_NORMAL, "normals", Vec3::ZERO),
            ] {
                let found = vectors(mesh, attribute);
                let pairs = found.iter().zip(expected(&row[name], offset));
                let max_error =
                    pairs.map(|(found, expected)| found.distance(expected)).fold(0.0, f32::max);
                assert!(
                    found.len() == 8 && max_error < 1e-5,
                    "{name} at {}: {max_error}",
                    row["time"]
                );
            }
        }
    }
}
