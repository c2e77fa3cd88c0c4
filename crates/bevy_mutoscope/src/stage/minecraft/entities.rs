//! Entities: a figure for each known kind and a box for any other, with their names.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{ActorRef, SceneAssets, creatures, figure::node_follower, fire_and_arrows};
use crate::stage::Tag;
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{
    Actor, Cuboid, Size, Take, display_name, shapes::creature_or_box, short_name,
};

pub(super) struct ActorSpawn<'a> {
    pub(super) actor_ref: ActorRef,
    pub(super) node: NodeId,
    pub(super) kind: &'a str,
    pub(super) nbt: &'a str,
    pub(super) size: Size,
    pub(super) actor: &'a Actor,
    pub(super) scale: f64,
    pub(super) name: Option<String>,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    assets: &mut SceneAssets<'_>,
) {
    for (position, entity) in take.recording.entities.iter().enumerate() {
        let actor_spawn = ActorSpawn {
            actor_ref: ActorRef { take: assets.take_ref(index), entity: Some(position) },
            node: take.entity_node(position),
            kind: &entity.kind,
            nbt: &entity.nbt,
            size: entity.size,
            actor: &entity.actor,
            scale: if entity.is_living() { take.placement.scale() } else { 1.0 },
            name: entity.custom_name(),
        };
        spawn_actor(root, actor_spawn, assets);
    }
}

pub(super) fn spawn_actor(
    root: &mut ChildSpawnerCommands,
    actor_spawn: ActorSpawn<'_>,
    assets: &mut SceneAssets<'_>,
) {
    let ActorSpawn { actor_ref, node, kind, nbt, size, actor, scale, name } = actor_spawn;
    let figure = creature_or_box(kind, nbt, size);
    root.spawn(node_follower(assets.parts.node_ref(node), scale as f32, short_name(kind)))
        .with_children(|root| {
            if let Some(figure) = figure {
                creatures::spawn(root, actor_ref, figure, actor, assets);
            }
            fire_and_arrows::spawn_fire(root, actor_ref, actor, size, assets);
            let above = Transform::from_xyz(0.0, size.height as f32 + 0.1, 0.0);
            let name = name.unwrap_or_else(|| display_name(kind).into_owned());
            root.spawn((Tag::new(&name), above, Visibility::Inherited));
        });
}

pub(super) fn standing_bounds(Size { width, height }: Size) -> Cuboid {
    let half = width / 2.0;
    Cuboid { min: [-half, 0.0, -half].into(), max: [half, height, half].into() }
}
