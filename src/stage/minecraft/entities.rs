//! Entities: the figure of their kind with their name, or a box of their size where there is none.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Props, Who, creatures, distress, figure::following};
use crate::stage::Tag;
use mutoscope_core::clip::NodeId;
use mutoscope_minecraft::{Actor, Cuboid, Size, Take, shapes::creature_or_box, short, spoken};

/// An actor to spawn: an entity, or the entity that plays a recording in the player's place.
pub(super) struct Someone<'a> {
    pub(super) who: Who,
    pub(super) node: NodeId,
    pub(super) kind: &'a str,
    pub(super) nbt: &'a str,
    pub(super) size: Size,
    pub(super) actor: &'a Actor,
    /// How much larger a scene draws it.
    pub(super) scale: f64,
    /// Its own name.
    pub(super) name: Option<String>,
}

/// The figures of the entities of the recording at `index` of the scene.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    for (position, entity) in take.recording.entities.iter().enumerate() {
        let someone = Someone {
            who: Who { take: props.of(index), entity: Some(position) },
            node: take.entity(position),
            kind: &entity.kind,
            nbt: &entity.nbt,
            size: entity.size,
            actor: &entity.actor,
            scale: if entity.is_living() { take.placement.scale() } else { 1.0 },
            name: entity.custom_name(),
        };
        spawn_one(root, someone, props);
    }
}

/// A figure and its name.
pub(super) fn spawn_one(
    root: &mut ChildSpawnerCommands,
    someone: Someone<'_>,
    props: &mut Props<'_>,
) {
    let Someone { who, node, kind, nbt, size, actor, scale, name } = someone;
    let figure = creature_or_box(kind, nbt, size);
    root.spawn(following(props.parts.of(node), scale as f32, short(kind))).with_children(|root| {
        if let Some(figure) = figure {
            creatures::spawn(root, who, figure, actor, props);
        }
        distress::spawn_fire(root, who, actor, size, props);
        let above = Transform::from_xyz(0.0, size.height as f32 + 0.1, 0.0);
        let name = name.unwrap_or_else(|| spoken(kind).into_owned());
        root.spawn((Tag::new(&name), above, Visibility::Inherited));
    });
}

/// All of something that stands on the ground.
pub(super) fn bounds(Size { width, height }: Size) -> Cuboid {
    let half = width / 2.0;
    Cuboid { min: [-half, 0.0, -half].into(), max: [half, height, half].into() }
}
