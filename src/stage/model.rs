//! The model that wears the skeleton: its meshes, bent by the pose.

use std::sync::Arc;

use bevy::{
    asset::RenderAssetUsages,
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
    Staged, View,
    material::Paint,
    staged::{Presence, presence, visible},
};
use crate::{
    clip::{Clip, Model, NodeId, Piece},
    player::Player,
};

/// How strong the highlight on a model is.
const GLOSS: f32 = 0.05;

/// The model that is on the stage.
#[derive(Resource, Debug, Default)]
pub(super) struct Worn {
    /// What it was made of.
    model: Option<Arc<Model>>,
    /// The parent of every entity of it.
    root: Option<Entity>,
}

/// Something that stands exactly where a node stands, its size and shear included.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Carried(NodeId);

/// A mesh of the model, and the node that carries it.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Cloth(NodeId);

/// What entities of a model are made of.
type Made<'a> =
    (&'a mut Assets<Mesh>, &'a mut Assets<SkinnedMeshInverseBindposes>, &'a mut Assets<Paint>);

/// The model that the clip's skeleton wears, if it has one.
fn model(clip: &Clip) -> Option<&Arc<Model>> {
    clip.skeleton.attached().map(|attached| &attached.model).filter(|model| !model.is_empty())
}

/// How many of the clip's nodes, from the first on, the model is drawn in place of.
pub(super) fn covered(player: &Player, view: &View) -> usize {
    let attached = player.clip().filter(|_| view.model).and_then(|clip| clip.skeleton.attached());
    let worn = attached.filter(|attached| !attached.model.is_empty());
    worn.map_or(0, |attached| attached.matched.len() + attached.resting.len())
}

/// Puts the model of another recording on the stage, and takes the last one off.
pub(super) fn wear(
    mut commands: Commands,
    mut worn: ResMut<Worn>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut bindings: ResMut<Assets<SkinnedMeshInverseBindposes>>,
    mut paints: ResMut<Assets<Paint>>,
    player: Res<Player>,
) {
    let wanted = player.clip().and_then(|clip| model(clip));
    let is_same = match (&worn.model, wanted) {
        (Some(worn), Some(wanted)) => Arc::ptr_eq(worn, wanted),
        (None, None) => true,
        _ => false,
    };
    if is_same {
        return;
    }
    worn.model = wanted.cloned();
    if let Some(root) = worn.root.take() {
        commands.entity(root).despawn();
    }
    let Some(wanted) = wanted else { return };
    let mut root =
        commands.spawn((Name::new("Model"), Transform::default(), Visibility::default()));
    worn.root = Some(root.id());
    let mut made = (&mut *meshes, &mut *bindings, &mut *paints);
    root.with_children(|root| {
        for piece in &wanted.pieces {
            spawn(root, piece, &mut made);
        }
    });
}

fn spawn(root: &mut ChildSpawnerCommands, piece: &Piece, made: &mut Made) {
    let (meshes, bindings, paints) = made;
    let [red, green, blue, alpha] = piece.color;
    let paint = Paint {
        color: LinearRgba::new(red, green, blue, alpha),
        lit: 1.0,
        gloss: GLOSS,
        transparent: alpha < 1.0,
    };
    let cloth = (
        Cloth(NodeId::new(piece.node)),
        Mesh3d(meshes.add(mesh(piece))),
        MeshMaterial3d(paints.add(paint)),
        Visibility::Hidden,
    );
    let Some(skin) = &piece.skin else {
        root.spawn((cloth, Carried(NodeId::new(piece.node)), Transform::default()));
        return;
    };
    // Joints have a global transform and no other: it is set as a whole, shear included.
    let joint = |&node: &usize| (Carried(NodeId::new(node)), GlobalTransform::default());
    let joints = skin.joints.iter().map(|node| root.spawn(joint(node)).id()).collect();
    let inverse_bindposes =
        bindings.add(SkinnedMeshInverseBindposes::from(skin.inverse_bind.clone()));
    // Where it is, its joints say, and not its own bounds.
    root.spawn((cloth, SkinnedMesh { inverse_bindposes, joints }, NoFrustumCulling));
}

fn mesh(piece: &Piece) -> Mesh {
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, piece.positions.clone())
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, piece.normals.clone())
        .with_inserted_indices(Indices::U32(piece.triangles.clone()));
    if let Some(skin) = &piece.skin {
        let influences = VertexAttributeValues::Uint16x4(skin.influences.clone());
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, influences);
        mesh.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, skin.weights.clone());
    }
    mesh
}

/// Moves the model to where the pose has its nodes.
pub(super) fn follow(
    mut joints: Query<(&Carried, &mut GlobalTransform), Without<Transform>>,
    mut rigid: Query<(&Carried, &mut Transform)>,
    mut cloths: Query<(&Cloth, &mut Visibility)>,
    mut places: Local<Vec<DAffine3>>,
    player: Res<Player>,
    view: Res<View>,
    staged: Res<Staged>,
) {
    let Some(clip) = player.clip().filter(|clip| model(clip).is_some()) else { return };
    fill_places(&mut places, clip, &player);
    let place = |id: NodeId| {
        let mut place = places[id.index()];
        place.translation -= staged.survey.origin + staged.gone;
        place.as_affine3a()
    };
    for (Carried(node), mut transform) in &mut joints {
        *transform = GlobalTransform::from(place(*node));
    }
    for (Carried(node), mut transform) in &mut rigid {
        *transform = Transform::from_matrix(place(*node).into());
    }
    for (Cloth(node), mut visibility) in &mut cloths {
        let is_there = presence(&player, &view, *node) != Presence::Gone;
        visibility.set_if_neq(visible(view.model && is_there));
    }
}

/// Where every node stands, its size and shear included, in the viewer's space.
fn fill_places(places: &mut Vec<DAffine3>, clip: &Clip, player: &Player) {
    places.clear();
    places.resize(clip.nodes.len(), DAffine3::IDENTITY);
    for &id in clip.nodes.parents_first() {
        let local = &player.pose().nodes[id.index()].local;
        let local = DAffine3::from_scale_rotation_translation(
            local.scale,
            local.rotation,
            local.translation,
        );
        let parent = clip.nodes[id].parent.map(|parent| places[parent.index()]);
        places[id.index()] = parent.map_or(local, |parent| parent * local);
    }
}
