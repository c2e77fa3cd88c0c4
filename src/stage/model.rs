//! The model on the skeleton: its meshes, skinned by the pose.

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
    appearance::{Appearance, Workshop},
    look::tinted,
    material::Paint,
    morph::{self, Morphing},
    subject::{Parts, Subject, Subjects, visible},
    texture,
};
use crate::recording::{Recording, RecordingNode, Tint};
use mutoscope_core::clip::{NodeId, Piece, Texture};

/// The meshes of a model: the recording's own, or that of the skeleton it is on.
pub(super) const APPEARANCE: Appearance = Appearance {
    draws: |clip| clip.model().is_some(),
    spawn,
    reaches: |clip| clip.model().map_or_else(Vec::new, |model| model.reaches()),
    ..Appearance::NONE
};

/// How strong the highlight on a model is.
const GLOSS: f32 = 0.05;

/// An entity with exactly the transform of a node, scale and shear included.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Carried(RecordingNode);

/// A mesh of the model, and the node that it belongs to.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct ModelMesh(RecordingNode);

/// How many of the clip's nodes, from the first on, the model is drawn in place of.
pub(super) fn covered(subject: &Subject<'_>) -> usize {
    if subject.view.model { subject.clip().model_node_count() } else { 0 }
}

fn spawn(root: &mut ChildSpawnerCommands, parts: &Parts<'_>, workshop: &mut Workshop<'_>) {
    let dressed = workshop.skin.0.model_of(parts.clip);
    let Some(model) = dressed.as_ref().or(parts.clip.model().map(|model| &**model)) else { return };
    let textures: Vec<_> = model.textures.iter().map(|one| image(one, workshop)).collect();
    for (index, piece) in model.pieces.iter().enumerate() {
        let texture = piece.texture.and_then(|index| textures.get(index)?.clone());
        let entity = spawn_piece(root, parts, piece, texture, workshop);
        if let Some(morphing) = Morphing::of(parts, index, piece) {
            // Its shapes may reach beyond the bounds that it has without them.
            root.commands().entity(entity).insert((morphing, NoFrustumCulling));
        }
    }
}

/// The image of a texture; nothing, with a warning, if it cannot be decoded.
fn image(texture: &Texture, workshop: &mut Workshop<'_>) -> Option<Handle<Image>> {
    let image = texture::image(texture);
    let image = image.inspect_err(|error| warn!("the texture {:?}: {error}", texture.name)).ok()?;
    Some(workshop.images.add(image))
}

fn paint(piece: &Piece, tint: Tint, texture: Option<Handle<Image>>) -> Paint {
    let [red, green, blue, alpha] = piece.color;
    let color = tinted(tint, LinearRgba::new(red, green, blue, alpha).into());
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
    parts: &Parts<'_>,
    piece: &Piece,
    texture: Option<Handle<Image>>,
    workshop: &mut Workshop<'_>,
) -> Entity {
    let of = |node: usize| parts.of(NodeId::new(node));
    let mesh = (
        ModelMesh(of(piece.node)),
        Mesh3d(workshop.meshes.add(mesh(piece))),
        MeshMaterial3d(workshop.paints.add(paint(piece, parts.tint, texture))),
        Visibility::Hidden,
    );
    let Some(skin) = &piece.skin else {
        return root.spawn((mesh, Carried(of(piece.node)), Transform::default())).id();
    };
    // Joints have a global transform and no other: it is set as a whole, shear included.
    let joint = |&node: &usize| (Carried(of(node)), GlobalTransform::default());
    let joints = skin.joints.iter().map(|node| root.spawn(joint(node)).id()).collect();
    let inverse_bindposes =
        workshop.bindings.add(SkinnedMeshInverseBindposes::from(skin.inverse_bind.clone()));
    // Its joints place it, so its own bounds are not used for culling.
    root.spawn((mesh, SkinnedMesh { inverse_bindposes, joints }, NoFrustumCulling)).id()
}

fn mesh(piece: &Piece) -> Mesh {
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, morph::usage(piece))
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

/// Moves models to where the poses have their nodes.
pub(super) fn follow(
    mut joints: Query<(&Carried, &mut GlobalTransform), Without<Transform>>,
    mut rigid: Query<(&Carried, &mut Transform)>,
    mut meshes: Query<(&ModelMesh, &mut Visibility), Without<Recording>>,
    mut places: Local<HashMap<Entity, Vec<DAffine3>>>,
    subjects: Subjects,
) {
    places.retain(|recording, _| subjects.get(*recording).is_some());
    for subject in subjects.iter().filter(|subject| subject.clip().model().is_some()) {
        let places = places.entry(subject.entity).or_default();
        subject.clip().nodes.matrices(subject.pose(), places);
    }
    let place = |of: RecordingNode| {
        let staged = subjects.get(of.recording)?.staged;
        let mut place = *places.get(&of.recording)?.get(of.node.index())?;
        place.translation -= staged.bounds.origin + staged.gone - staged.displacement;
        Some((staged.space.affine(), place.as_affine3a()))
    };
    for (Carried(of), mut transform) in &mut joints {
        if let Some((space, place)) = place(*of) {
            *transform = GlobalTransform::from(space * place);
        }
    }
    for (Carried(of), mut transform) in &mut rigid {
        if let Some((_, place)) = place(*of) {
            *transform = Transform::from_matrix(place.into());
        }
    }
    for (ModelMesh(of), mut visibility) in &mut meshes {
        let is_there =
            |subject: Subject<'_>| subject.view.model && subject.drawn(of.node).is_some();
        visibility.set_if_neq(visible(subjects.get(of.recording).is_some_and(is_there)));
    }
}
