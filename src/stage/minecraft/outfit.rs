//! Armour and held items: shells over the body, and plain shapes in the hands.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, TakeOf,
    figure::{fill, following, pixels},
    palette, playing_take,
};
use crate::{
    formats::mcmocap::{Part, Slot, Take, short, spoken},
    recording::Recording,
    stage::{
        Tag,
        material::Paint,
        player_skin::PIXEL,
        subject::{Subjects, visible},
    },
};

/// How far armour stands off the body, in metres.
const THICKNESS: f32 = 0.9 * PIXEL;

/// A shape that is shown while an item is in a slot.
#[derive(Component, Clone, Debug)]
pub(super) struct Wear {
    /// Whose.
    take: TakeOf,
    slot: Slot,
    /// Which things it is the shape of.
    shape: Shape,
    paints: Arc<HashMap<Arc<str>, Handle<Paint>>>,
}

/// Shapes of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Armour.
    Shell,
    /// Wings.
    Wings,
    /// A tool, a weapon: anything that is not one of the others.
    Stick,
    /// A shield.
    Plate,
}

impl Shape {
    fn of(slot: Slot, id: &str) -> Self {
        match (slot, short(id)) {
            (Slot::MainHand | Slot::OffHand, "shield") => Self::Plate,
            (Slot::MainHand | Slot::OffHand, _) => Self::Stick,
            (_, "elytra") => Self::Wings,
            _ => Self::Shell,
        }
    }
}

/// Everything that the player of the recording at `index` of the scene ever wears or holds.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    for slot in [Slot::MainHand, Slot::OffHand, Slot::Feet, Slot::Legs, Slot::Chest, Slot::Head] {
        let items = &take.recording.player.items[slot as usize];
        let mut paints = HashMap::new();
        for item in items.values().iter().flatten() {
            let color = match slot {
                Slot::MainHand | Slot::OffHand => palette::of_stuff(&item.id),
                _ => palette::of_armour(&item.id),
            };
            paints.insert(item.id.clone(), props.palette.solid(color));
        }
        if paints.is_empty() {
            continue;
        }
        let (paints, any) = (Arc::new(paints), props.palette.solid(palette::SHIRT));
        let whose = props.of(index);
        let shapes = shapes(slot, take, props.slim(take));
        for (index_of_shape, &(part, shape, place)) in shapes.iter().enumerate() {
            // Of a pair of things that are one, one has its name.
            let is_named = !shapes[..index_of_shape].iter().any(|before| before.1 == shape);
            root.spawn(following(props.parts.of(take.part(part)), take.size as f32, slot.name()))
                .with_children(|limb| {
                    let mut thing = limb.spawn((
                        Wear { take: whose, slot, shape, paints: paints.clone() },
                        Mesh3d(props.parts.look.cube.clone()),
                        MeshMaterial3d(any.clone()),
                        place,
                        Visibility::Hidden,
                    ));
                    if is_named {
                        thing.insert(Tag::new(""));
                    }
                });
        }
    }
}

/// Where things of each shape are, on which part of the body.
fn shapes(slot: Slot, take: &Take, slim: bool) -> Vec<(Part, Shape, Transform)> {
    let shell = |part: Part, from: f32, to: f32| {
        // From and to: how much of the part's height is covered, from below.
        let whole = fill(part.cuboid(slim));
        let size = whole.scale + Vec3::splat(2.0 * THICKNESS);
        let covered = size * Vec3::new(1.0, to - from, 1.0);
        let rise = size.y * ((from + to) / 2.0 - 0.5);
        let place = Transform::from_translation(whole.translation + Vec3::Y * rise);
        (part, Shape::Shell, place.with_scale(covered))
    };
    let is_right_handed = *take.recording.player.main_hand_right.at(0);
    let hand = |is_right: bool| {
        let part = if is_right { Part::RightArm } else { Part::LeftArm };
        let x = if is_right { 1.0 } else { -1.0 };
        vec![
            (part, Shape::Stick, pixels([x - 0.6, -10.0, -9.0], [1.2, 1.2, 11.0])),
            (part, Shape::Plate, pixels([x * 3.0 - 0.5, -13.0, -5.0], [1.0, 12.0, 9.0])),
        ]
    };
    match slot {
        Slot::MainHand => hand(is_right_handed),
        Slot::OffHand => hand(!is_right_handed),
        Slot::Head => vec![shell(Part::Head, 0.6, 1.0)],
        Slot::Chest => vec![
            shell(Part::Body, 0.2, 1.0),
            shell(Part::RightArm, 0.55, 1.0),
            shell(Part::LeftArm, 0.55, 1.0),
            (Part::Body, Shape::Wings, pixels([0.5, -16.0, 2.2], [9.0, 17.0, 1.0])),
            (Part::Body, Shape::Wings, pixels([-9.5, -16.0, 2.2], [9.0, 17.0, 1.0])),
        ],
        Slot::Legs => vec![shell(Part::RightLeg, 0.4, 1.0), shell(Part::LeftLeg, 0.4, 1.0)],
        Slot::Feet => vec![shell(Part::RightLeg, 0.0, 0.35), shell(Part::LeftLeg, 0.0, 0.35)],
        Slot::Body | Slot::Saddle => Vec::new(),
    }
}

/// A thing that is worn or held, and what changes about it.
type Worn<'a> = (&'a Wear, &'a mut Visibility, &'a mut MeshMaterial3d<Paint>, Option<&'a mut Tag>);

/// Shows what is worn and held now.
pub(super) fn dress(mut things: Query<Worn, Without<Recording>>, subjects: Subjects) {
    for (wear, mut visibility, mut material, tag) in &mut things {
        let Some((take, frame)) = playing_take(&subjects, wear.take) else { continue };
        let item = take.recording.player.item(wear.slot, frame);
        let item = item.filter(|item| Shape::of(wear.slot, &item.id) == wear.shape);
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
