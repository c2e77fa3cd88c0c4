//! Items in hands, rotated as in the game.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{ActorRef, SceneAssets, creatures::to_bevy_transform, playing_take};
use crate::{
    Recording,
    stage::{
        Tag,
        subject::{Subjects, visibility_if},
    },
};
use mutoscope_core::clip;
use mutoscope_minecraft::{Actor, Slot, Take, display_name, shapes::item_shape};

#[derive(Clone, Copy, Debug)]
pub(super) struct HandRef {
    pub(super) actor_ref: ActorRef,
    pub(super) is_right: bool,
    pub(super) grip: clip::Transform,
}

pub(super) type HeldMeshes = Arc<HashMap<Arc<str>, Handle<Mesh>>>;

#[derive(Component, Clone, Debug)]
pub(super) struct HeldItem {
    of: HandRef,
    meshes: HeldMeshes,
}

#[cfg(test)]
impl HeldItem {
    pub(super) fn is_right(&self) -> bool {
        self.of.is_right
    }
}

pub(super) fn held_item_meshes(actor: &Actor, assets: &mut SceneAssets<'_>) -> HeldMeshes {
    let mut meshes = HashMap::new();
    for slot in [Slot::MainHand, Slot::OffHand] {
        for item in actor.items[slot as usize].values().iter().flatten() {
            if !meshes.contains_key(&item.id) {
                let mesh = assets.shape_mesh(&item_shape(&item.id), 1.0 / 16.0, Vec3::ZERO);
                meshes.insert(item.id.clone(), mesh);
            }
        }
    }
    Arc::new(meshes)
}

pub(super) fn spawn(
    arm: &mut ChildSpawnerCommands,
    of: HandRef,
    meshes: &HeldMeshes,
    assets: &mut SceneAssets<'_>,
) {
    if meshes.is_empty() {
        return;
    }
    arm.spawn((
        HeldItem { of, meshes: meshes.clone() },
        Mesh3d(assets.parts.look.cube.clone()),
        MeshMaterial3d(assets.palette.solid(Color::WHITE)),
        Transform::default(),
        Visibility::Hidden,
        Tag::new(""),
    ));
}

type HeldItemQueryData<'a> =
    (&'a HeldItem, &'a mut Visibility, &'a mut Mesh3d, &'a mut Transform, &'a mut Tag);

pub(super) fn update_held_items(
    mut items: Query<HeldItemQueryData, Without<Recording>>,
    subjects: Subjects,
) {
    for (item, mut visibility, mut mesh, mut transform, mut tag) in &mut items {
        let Some((take, frame)) = playing_take(&subjects, item.of.actor_ref.take) else { continue };
        let current = current_item(item, take, frame);
        visibility.set_if_neq(visibility_if(current.is_some()));
        let Some((id, item_mesh, item_transform)) = current else { continue };
        mesh.set_if_neq(Mesh3d(item_mesh.clone()));
        transform.set_if_neq(item_transform);
        if **tag.text() != *display_name(id) {
            *tag = Tag::new(&display_name(id));
        }
    }
}

fn current_item<'a>(
    item: &'a HeldItem,
    take: &'a Take,
    frame: u32,
) -> Option<(&'a str, &'a Handle<Mesh>, Transform)> {
    let HandRef { actor_ref, is_right, grip: hand } = item.of;
    let actor = actor_ref.actor(take)?;
    let (held_item, transform) = actor.held_item_transform(is_right, frame)?;
    let mesh = item.meshes.get(&held_item.id)?;
    Some((&held_item.id, mesh, to_bevy_transform(&hand.compose(&transform))))
}
