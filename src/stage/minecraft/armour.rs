//! Armour and wings: shells over the body.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, Who, creatures,
    figure::{fill, following, pixels},
    palette, playing_take,
};
use crate::{
    recording::Recording,
    stage::{
        Tag,
        material::Paint,
        player_skin::PIXEL,
        subject::{Subjects, visible},
    },
};
use mutoscope_minecraft::{Actor, Part, Slot, Take, shapes::CreaturePart, short, spoken};

/// The distance of armour from the body, in metres.
const THICKNESS: f32 = 0.9 * PIXEL;

/// Where something is worn.
const WORN: [Slot; 4] = [Slot::Feet, Slot::Legs, Slot::Chest, Slot::Head];

/// A shape that is shown while an item is in a slot.
#[derive(Component, Clone, Debug)]
pub(super) struct Wear {
    /// The wearer.
    who: Who,
    slot: Slot,
    /// Whether it is of wings, and not of armour.
    is_wing: bool,
    paints: Paints,
}

/// The materials of all that is ever worn in a slot, by the ids of items.
type Paints = Arc<HashMap<Arc<str>, Handle<Paint>>>;

/// The cover of a part of the body: from and to which part of its height, from below.
const COVERS: [(Slot, Part, f32, f32); 8] = [
    (Slot::Head, Part::Head, 0.6, 1.0),
    (Slot::Chest, Part::Body, 0.2, 1.0),
    (Slot::Chest, Part::RightArm, 0.55, 1.0),
    (Slot::Chest, Part::LeftArm, 0.55, 1.0),
    (Slot::Legs, Part::RightLeg, 0.4, 1.0),
    (Slot::Legs, Part::LeftLeg, 0.4, 1.0),
    (Slot::Feet, Part::RightLeg, 0.0, 0.35),
    (Slot::Feet, Part::LeftLeg, 0.0, 0.35),
];

/// Everything that the player of the recording at `index` of the scene ever wears.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    let who = Who { take: props.of(index), entity: None };
    let slim = props.slim(take);
    for slot in WORN {
        let Some(paints) = paints(&take.recording.player, slot, props) else { continue };
        let mut is_named = true;
        let covers = COVERS.iter().filter(|cover| cover.0 == slot);
        let shells = covers.map(|&(_, part, from, to)| {
            (part, false, shell(fill(part.cuboid(slim)), THICKNESS, from, to))
        });
        let wings =
            [0.5, -9.5].map(|x| (Part::Body, true, pixels([x, -16.0, 2.2], [9.0, 17.0, 1.0])));
        let wings = wings.into_iter().filter(|_| slot == Slot::Chest);
        for (part, is_wing, place) in shells.chain(wings).collect::<Vec<_>>() {
            let wear = Wear { who, slot, is_wing, paints: paints.clone() };
            let limb = following(props.parts.of(take.part(part)), take.size as f32, slot.name());
            root.spawn(limb).with_children(|limb| spawn_shell(limb, wear, place, is_named, props));
            // Of things that are one, one has its name.
            is_named = is_wing;
        }
    }
}

/// The same of an entity, on one of its parts.
pub(super) fn spawn_on_limb(
    limb: &mut ChildSpawnerCommands,
    who: Who,
    actor: &Actor,
    of: &CreaturePart,
    scale: f32,
    props: &mut Props<'_>,
) {
    let Some(part) = creatures::like(of) else { return };
    let Some(first) = of.shape.boxes.first() else { return };
    // Of arms in sleeves, all of it.
    let [least, most] = if part == Part::Head { [first.min, first.max] } else { of.shape.bounds() };
    let (least, most) = (least * scale, most * scale);
    let whole = Transform::from_translation((least + most) / 2.0).with_scale(most - least);
    for &(slot, _, from, to) in COVERS.iter().filter(|cover| cover.1 == part) {
        let Some(paints) = paints(actor, slot, props) else { continue };
        let wear = Wear { who, slot, is_wing: false, paints };
        let place = shell(whole, 0.9 * scale, from, to);
        spawn_shell(limb, wear, place, matches!(part, Part::Head | Part::Body), props);
    }
}

fn spawn_shell(
    limb: &mut ChildSpawnerCommands,
    wear: Wear,
    place: Transform,
    is_named: bool,
    props: &mut Props<'_>,
) {
    let any = props.palette.solid(Color::WHITE);
    let mut shell = limb.spawn((
        wear,
        Mesh3d(props.parts.look.cube.clone()),
        MeshMaterial3d(any),
        place,
        Visibility::Hidden,
    ));
    if is_named {
        shell.insert(Tag::new(""));
    }
}

/// The materials of all items that are ever in a slot; nothing if it is always empty.
fn paints(actor: &Actor, slot: Slot, props: &mut Props<'_>) -> Option<Paints> {
    let items = actor.items[slot as usize].values().iter().flatten();
    let paint = |item: &mutoscope_minecraft::Item| {
        (item.id.clone(), props.palette.solid(palette::of_armour(&item.id)))
    };
    let paints: HashMap<_, _> = items.map(paint).collect();
    (!paints.is_empty()).then(|| Arc::new(paints))
}

/// The transform of a shell around a part of a box's height, `thickness` off its surface.
fn shell(whole: Transform, thickness: f32, from: f32, to: f32) -> Transform {
    let size = whole.scale + Vec3::splat(2.0 * thickness);
    let covered = size * Vec3::new(1.0, to - from, 1.0);
    let rise = size.y * ((from + to) / 2.0 - 0.5);
    Transform::from_translation(whole.translation + Vec3::Y * rise).with_scale(covered)
}

/// A thing that is worn, and what changes about it.
type Worn<'a> = (&'a Wear, &'a mut Visibility, &'a mut MeshMaterial3d<Paint>, Option<&'a mut Tag>);

/// Shows what is worn now.
pub(super) fn dress(mut things: Query<Worn, Without<Recording>>, subjects: Subjects) {
    for (wear, mut visibility, mut material, tag) in &mut things {
        let Some((take, frame)) = playing_take(&subjects, wear.who.take) else { continue };
        let item = wear.who.actor(take).and_then(|actor| actor.item(wear.slot, frame));
        let item = item.filter(|item| (short(&item.id) == "elytra") == wear.is_wing);
        visibility.set_if_neq(visible(item.is_some()));
        let Some(item) = item else { continue };
        if let Some(paint) = wear.paints.get(&item.id).filter(|paint| material.0 != **paint) {
            material.0 = paint.clone();
        }
        if let Some(mut tag) = tag
            && **tag.text() != *spoken(&item.id)
        {
            *tag = Tag::new(&spoken(&item.id));
        }
    }
}
