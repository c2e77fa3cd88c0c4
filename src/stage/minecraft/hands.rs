//! Items in hands, turned as the game turns them.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Props, Who, creatures::placed, playing_take};
use crate::{
    recording::Recording,
    stage::{
        Tag,
        subject::{Subjects, visible},
    },
};
use mutoscope_core::clip;
use mutoscope_minecraft::{Actor, Slot, Take, shapes::item_shape, spoken};

/// The hand of somebody.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hands {
    pub(super) who: Who,
    pub(super) is_right: bool,
    /// Where it holds things, relative to its arm.
    pub(super) hand: clip::Transform,
}

/// The meshes of all items that somebody ever holds, by their ids.
pub(super) type HeldMeshes = Arc<HashMap<Arc<str>, Handle<Mesh>>>;

/// The item in a hand.
#[derive(Component, Clone, Debug)]
pub(super) struct HeldItem {
    of: Hands,
    meshes: HeldMeshes,
}

#[cfg(test)]
impl HeldItem {
    pub(super) fn is_right(&self) -> bool {
        self.of.is_right
    }
}

/// The meshes of all that somebody ever holds.
pub(super) fn meshes(actor: &Actor, props: &mut Props<'_>) -> HeldMeshes {
    let mut meshes = HashMap::new();
    for slot in [Slot::MainHand, Slot::OffHand] {
        for item in actor.items[slot as usize].values().iter().flatten() {
            if !meshes.contains_key(&item.id) {
                let mesh = props.mesh(&item_shape(&item.id), 1.0 / 16.0, Vec3::ZERO);
                meshes.insert(item.id.clone(), mesh);
            }
        }
    }
    Arc::new(meshes)
}

/// The item in a hand, if there ever is one: a child of its arm.
pub(super) fn spawn(
    arm: &mut ChildSpawnerCommands,
    of: Hands,
    meshes: &HeldMeshes,
    props: &mut Props<'_>,
) {
    if meshes.is_empty() {
        return;
    }
    arm.spawn((
        HeldItem { of, meshes: meshes.clone() },
        Mesh3d(props.parts.look.cube.clone()),
        MeshMaterial3d(props.palette.solid(Color::WHITE)),
        Transform::default(),
        Visibility::Hidden,
        Tag::new(""),
    ));
}

/// An item in a hand, and what changes about it.
type Held<'a> = (&'a HeldItem, &'a mut Visibility, &'a mut Mesh3d, &'a mut Transform, &'a mut Tag);

/// Shows what is held now.
pub(super) fn hold(mut items: Query<Held, Without<Recording>>, subjects: Subjects) {
    for (item, mut visibility, mut mesh, mut transform, mut tag) in &mut items {
        let Some((take, frame)) = playing_take(&subjects, item.of.who.take) else { continue };
        let found = shown(item, take, frame);
        visibility.set_if_neq(visible(found.is_some()));
        let Some((id, known, place)) = found else { continue };
        mesh.set_if_neq(Mesh3d(known.clone()));
        transform.set_if_neq(place);
        if **tag.text() != *spoken(id) {
            *tag = Tag::new(&spoken(id));
        }
    }
}

/// The item that is in a hand in a frame: its id, its mesh and its place.
fn shown<'a>(
    item: &'a HeldItem,
    take: &'a Take,
    frame: u32,
) -> Option<(&'a str, &'a Handle<Mesh>, Transform)> {
    let Hands { who, is_right, hand } = item.of;
    let actor = who.actor(take)?;
    let (held_item, place) = actor.held_at(is_right, frame)?;
    let mesh = item.meshes.get(&held_item.id)?;
    Some((&held_item.id, mesh, placed(&hand.compose(&place))))
}
