//! The morph targets of models: the vertices of a mesh by the weights of the pose, before its skin.
//!
//! Vertices are moved here and not on the graphics card: only what has another weight than in the last
//! frame is sent there again, and the shader stays the one of all meshes.

use bevy::{asset::RenderAssetUsages, prelude::*};

use super::subject::{Parts, Subjects};
use mutoscope_core::clip::{MorphWeights, Piece};

/// A mesh of a model that takes on other shapes.
#[derive(Component, Clone, Debug)]
pub(super) struct Morphing {
    /// The entity of the recording.
    recording: Entity,
    /// The index of the mesh in the model.
    piece: usize,
    weights: MorphWeights,
    /// The weights that it is drawn with.
    drawn: Vec<f32>,
}

impl Morphing {
    /// For the mesh of the model with this index; nothing if it has one shape only.
    pub(super) fn of(parts: &Parts<'_>, index: usize, piece: &Piece) -> Option<Self> {
        let weights = MorphWeights::of(parts.clip, piece);
        let recording = parts.recording;
        (!weights.is_empty()).then(|| Self { recording, piece: index, weights, drawn: Vec::new() })
    }
}

/// The place where the vertices of a mesh are kept: also where they can be changed, if they will be.
pub(super) fn usage(piece: &Piece) -> RenderAssetUsages {
    match piece.morph_targets.is_empty() {
        true => RenderAssetUsages::RENDER_WORLD,
        false => RenderAssetUsages::default(),
    }
}

/// Gives meshes the shape of the weights of their poses.
pub(super) fn shape(
    mut pieces: Query<(&mut Morphing, &Mesh3d)>,
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
        morphing.weights.fill(subject.pose(), &mut weights);
        if *weights == morphing.drawn {
            continue;
        }
        let Some(mut mesh) = meshes.get_mut(&mesh.0) else { continue };
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        piece.morphed(&weights, &mut positions, &mut normals);
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
        morphing.drawn.clone_from(&weights);
    }
}

#[cfg(test)]
mod tests {
    use bevy::mesh::VertexAttributeValues;

    use super::*;
    use crate::stage::tests::{app_with, seek};
    use mutoscope_core::formats::{self, DecodeRequest};
    use mutoscope_testing::fixtures;

    fn vectors(mesh: &Mesh, attribute: bevy::mesh::MeshVertexAttribute) -> Vec<Vec3> {
        match mesh.attribute(attribute) {
            Some(VertexAttributeValues::Float32x3(vectors)) => {
                vectors.iter().map(|vector| Vec3::from(*vector)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn expected(row: &serde_json::Value, less: Vec3) -> Vec<Vec3> {
        let vector = |row: &serde_json::Value| {
            Vec3::from_array(std::array::from_fn(|axis| row[axis].as_f64().unwrap() as f32)) - less
        };
        row.as_array().unwrap().iter().map(vector).collect()
    }

    #[test]
    fn meshes_take_on_the_shape_of_the_weights_of_the_pose() {
        let bytes = std::fs::read(fixtures::path("gltf/morphs.gltf")).unwrap();
        let clip = formats::decode(&bytes, &DecodeRequest::default()).unwrap();
        let mut app = app_with(clip, 0.0);
        let rows = fixtures::json("gltf/morphs.json")["rows"].as_array().unwrap().clone();
        let within = |row: &&serde_json::Value| row["time"].as_f64().unwrap() >= 0.0;
        for row in rows.iter().filter(within) {
            seek(&mut app, row["time"].as_f64().unwrap());
            let world = app.world_mut();
            let mut pieces = world.query::<(&Morphing, &Mesh3d)>();
            let mesh = pieces.iter(world).find(|(morphing, _)| morphing.piece == 0).unwrap().1;
            let mesh = world.resource::<Assets<Mesh>>().get(&mesh.0).unwrap();
            for (attribute, name, less) in [
                (Mesh::ATTRIBUTE_POSITION, "moving", Vec3::Y),
                (Mesh::ATTRIBUTE_NORMAL, "normals", Vec3::ZERO),
            ] {
                let found = vectors(mesh, attribute);
                let pairs = found.iter().zip(expected(&row[name], less));
                let off = pairs.map(|(one, other)| one.distance(other)).fold(0.0, f32::max);
                assert!(found.len() == 8 && off < 1e-5, "{name} at {}: {off}", row["time"]);
            }
        }
    }
}
