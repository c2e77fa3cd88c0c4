//! Draws the model of a recording: its meshes, skinned by the pose.

use std::collections::HashMap;

use bevy::{
    camera::visibility::NoFrustumCulling,
    ecs::hierarchy::ChildSpawnerCommands,
    math::DAffine3,
    mesh::{
        Indices, PrimitiveTopology, VertexAttributeValues,
        skinning::{SkinnedMesh, SkinnedMeshInverseBindposes},
    },
    prelude::*,
};

use super::{
    appearance::{Appearance, PartAssets},
    look::mix_with_tint,
    material::Paint,
    morph::{self, MorphedMesh},
    subject::{PartContext, Subject, Subjects, visibility_if},
    texture,
};
use crate::{Recording, RecordingNode, stage::Tint};
use mutoscope_core::clip::{NodeId, Piece, Texture};

pub(super) const APPEARANCE: Appearance = Appearance {
    applies_to: |clip| clip.model().is_some(),
    spawn,
    node_bounds: |clip| clip.model().map_or_else(Vec::new, |model| model.node_bounds()),
    ..Appearance::NONE
};

const GLOSS: f32 = 0.05;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct ExactFollower(RecordingNode);

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct ModelMesh(RecordingNode);

fn spawn(root: &mut ChildSpawnerCommands, parts: &PartContext<'_>, assets: &mut PartAssets<'_>) {
    let character_model = assets.skin.0.character_model(parts.clip);
    let Some(model) = character_model.as_ref().or(parts.clip.model().map(|model| &**model)) else {
        return;
    };
    let textures: Vec<_> =
        model.textures.iter().map(|texture| create_image(texture, assets)).collect();
    for (index, piece) in model.pieces.iter().enumerate() {
        let texture = piece.texture.and_then(|index| textures.get(index)?.clone());
        let entity = spawn_piece(root, parts, piece, texture, assets);
        if let Some(morphing) = MorphedMesh::from_piece(parts, index, piece) {
            // Do not cull the mesh, because morph targets may move it out of its own bounds.
            root.commands().entity(entity).insert((morphing, NoFrustumCulling));
        }
    }
}

fn create_image(texture: &Texture, assets: &mut PartAssets<'_>) -> Option<Handle<Image>> {
    let image = texture::image(texture);
    let image = image.inspect_err(|error| warn!("the texture {:?}: {error}", texture.name)).ok()?;
    Some(assets.images.add(image))
}

fn piece_paint(piece: &Piece, tint: Tint, texture: Option<Handle<Image>>) -> Paint {
    let [red, green, blue, alpha] = piece.color;
    let color = mix_with_tint(tint, LinearRgba::new(red, green, blue, alpha).into());
    Paint {
        gloss: GLOSS,
        cutoff: piece.alpha_cutoff.unwrap_or_default(),
        texture,
        transparent: piece.is_blended,
        ..Paint::matte(color)
    }
}

fn spawn_piece(
    root: &mut ChildSpawnerCommands,
    parts: &PartContext<'_>,
    piece: &Piece,
    texture: Option<Handle<Image>>,
    assets: &mut PartAssets<'_>,
) -> Entity {
    let of = |node: usize| parts.node_ref(NodeId::new(node));
    let mesh = (
        ModelMesh(of(piece.node)),
        Mesh3d(assets.meshes.add(piece_mesh(piece))),
        MeshMaterial3d(assets.paints.add(piece_paint(piece, parts.tint, texture))),
        Visibility::Hidden,
    );
    let Some(skin) = &piece.skin else {
        return root.spawn((mesh, ExactFollower(of(piece.node)), Transform::default())).id();
    };
    // Give a joint only a global transform, because a `Transform` cannot represent shear.
    let joint = |&node: &usize| (ExactFollower(of(node)), GlobalTransform::default());
    let joints = skin.joints.iter().map(|node| root.spawn(joint(node)).id()).collect();
    let inverse_bindposes =
        assets.bindings.add(SkinnedMeshInverseBindposes::from(skin.inverse_bind.clone()));
    // Do not cull the mesh, because the joints may move it out of its own bounds.
    root.spawn((mesh, SkinnedMesh { inverse_bindposes, joints }, NoFrustumCulling)).id()
}

fn piece_mesh(piece: &Piece) -> Mesh {
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, morph::asset_usage(piece))
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, piece.positions.clone())
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, piece.normals.clone())
        .with_inserted_indices(Indices::U32(piece.triangles.clone()));
    if !piece.uvs.is_empty() {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, piece.uvs.clone());
    }
    if !piece.colors.is_empty() {
        mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, piece.colors.clone());
    }
    if let Some(skin) = &piece.skin {
        let influences = VertexAttributeValues::Uint16x4(skin.influences.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, influences);
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, skin.weights.clone());
    }
    mesh
}

pub(super) fn move_models(
    mut joints: Query<(&ExactFollower, &mut GlobalTransform), Without<Transform>>,
    mut rigid: Query<(&ExactFollower, &mut Transform)>,
    mut meshes: Query<(&ModelMesh, &mut Visibility), Without<Recording>>,
    mut matrices: Local<HashMap<Entity, Vec<DAffine3>>>,
    subjects: Subjects,
) {
    matrices.retain(|recording, _| subjects.get(*recording).is_some());
    for subject in subjects.iter().filter(|subject| subject.clip().model().is_some()) {
        let matrices = matrices.entry(subject.entity).or_default();
        subject.clip().nodes.fill_world_matrices(subject.pose(), matrices);
    }
    let matrices_of = |of: RecordingNode| {
        let staged = subjects.get(of.recording)?.staged;
        let mut matrix = *matrices.get(&of.recording)?.get(of.node.index())?;
        matrix.translation -=
            staged.bounds.origin + staged.removed_root_motion - staged.displacement;
        Some((staged.space.affine(), matrix.as_affine3a()))
    };
    for (ExactFollower(of), mut transform) in &mut joints {
        if let Some((space, matrix)) = matrices_of(*of) {
            *transform = GlobalTransform::from(space * matrix);
        }
    }
    for (ExactFollower(of), mut transform) in &mut rigid {
        if let Some((_, matrix)) = matrices_of(*of) {
            *transform = Transform::from_matrix(matrix.into());
        }
    }
    for (ModelMesh(of), mut visibility) in &mut meshes {
        let is_there =
            |subject: Subject<'_>| subject.view.model && subject.drawn_pose(of.node).is_some();
        visibility.set_if_neq(visibility_if(subjects.get(of.recording).is_some_and(is_there)));
    }
}
