//! Armour and elytra, drawn as shells over the body.

use std::{collections::HashMap, sync::Arc};

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    ActorRef, SceneAssets, creatures,
    figure::{cuboid_transform, node_follower, pixel_box_transform},
    palette, playing_take,
};
use crate::{
    Recording,
    stage::{
        Tag,
        material::Paint,
        player_skin::PIXEL_SIZE,
        subject::{Subjects, visibility_if},
    },
};
use mutoscope_minecraft::{
    Actor, Part, Slot, Take, display_name, shapes::CreaturePart, short_name,
};

/// The distance of armour from the body, in metres.
const ARMOUR_OFFSET: f32 = 0.9 * PIXEL_SIZE;

const WORN_SLOTS: [Slot; 4] = [Slot::Feet, Slot::Legs, Slot::Chest, Slot::Head];

#[derive(Component, Clone, Debug)]
pub(super) struct WornShape {
    actor_ref: ActorRef,
    slot: Slot,
    is_wing: bool,
    paints: SlotPaints,
}

type SlotPaints = Arc<HashMap<Arc<str>, Handle<Paint>>>;

/// The parts of the body that a slot covers. The two numbers are the heights at which the cover
/// starts and ends, from 0 (bottom of the part) to 1 (top).
const COVERED_PARTS: [(Slot, Part, f32, f32); 8] = [
    (Slot::Head, Part::Head, 0.6, 1.0),
    (Slot::Chest, Part::Body, 0.2, 1.0),
    (Slot::Chest, Part::RightArm, 0.55, 1.0),
    (Slot::Chest, Part::LeftArm, 0.55, 1.0),
    (Slot::Legs, Part::RightLeg, 0.4, 1.0),
    (Slot::Legs, Part::LeftLeg, 0.4, 1.0),
    (Slot::Feet, Part::RightLeg, 0.0, 0.35),
    (Slot::Feet, Part::LeftLeg, 0.0, 0.35),
];

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    assets: &mut SceneAssets<'_>,
) {
    let actor_ref = ActorRef { take: assets.take_ref(index), entity: None };
    let slim = assets.has_slim_arms(take);
    for slot in WORN_SLOTS {
        let Some(paints) = slot_paints(&take.recording.player, slot, assets) else { continue };
        let mut is_named = true;
        let covers = COVERED_PARTS.iter().filter(|cover| cover.0 == slot);
        let shells = covers.map(|&(_, part, from, to)| {
            (
                part,
                false,
                shell_transform(cuboid_transform(part.cuboid(slim)), ARMOUR_OFFSET, from, to),
            )
        });
        let wings = [0.5, -9.5]
            .map(|x| (Part::Body, true, pixel_box_transform([x, -16.0, 2.2], [9.0, 17.0, 1.0])));
        let wings = wings.into_iter().filter(|_| slot == Slot::Chest);
        for (part, is_wing, transform) in shells.chain(wings).collect::<Vec<_>>() {
            let worn_shape = WornShape { actor_ref, slot, is_wing, paints: paints.clone() };
            let limb = node_follower(
                assets.parts.node_ref(take.part_node(part)),
                take.actor_scale as f32,
                slot.name(),
            );
            root.spawn(limb)
                .with_children(|limb| spawn_shell(limb, worn_shape, transform, is_named, assets));
            // Add a name label to only one of several shapes of the same item.
            is_named = is_wing;
        }
    }
}

pub(super) fn spawn_on_limb(
    limb: &mut ChildSpawnerCommands,
    actor_ref: ActorRef,
    actor: &Actor,
    of: &CreaturePart,
    scale: f32,
    assets: &mut SceneAssets<'_>,
) {
    let Some(part) = creatures::player_part(of) else { return };
    let Some(first_box) = of.shape.boxes.first() else { return };
    // Cover only the first box of a head, because other boxes are details such as a nose. Cover all
    // boxes of an arm, because some arms have sleeves.
    let [min, max] =
        if part == Part::Head { [first_box.min, first_box.max] } else { of.shape.bounds() };
    let (min, max) = (min * scale, max * scale);
    let whole = Transform::from_translation((min + max) / 2.0).with_scale(max - min);
    for &(slot, _, from, to) in COVERED_PARTS.iter().filter(|cover| cover.1 == part) {
        let Some(paints) = slot_paints(actor, slot, assets) else { continue };
        let worn_shape = WornShape { actor_ref, slot, is_wing: false, paints };
        let transform = shell_transform(whole, 0.9 * scale, from, to);
        spawn_shell(limb, worn_shape, transform, matches!(part, Part::Head | Part::Body), assets);
    }
}

fn spawn_shell(
    limb: &mut ChildSpawnerCommands,
    worn_shape: WornShape,
    transform: Transform,
    is_named: bool,
    assets: &mut SceneAssets<'_>,
) {
    let placeholder = assets.palette.solid(Color::WHITE);
    let mut shell = limb.spawn((
        worn_shape,
        Mesh3d(assets.parts.look.cube.clone()),
        MeshMaterial3d(placeholder),
        transform,
        Visibility::Hidden,
    ));
    if is_named {
        shell.insert(Tag::new(""));
    }
}

fn slot_paints(actor: &Actor, slot: Slot, assets: &mut SceneAssets<'_>) -> Option<SlotPaints> {
    let items = actor.items[slot as usize].values().iter().flatten();
    let paint = |item: &mutoscope_minecraft::Item| {
        (item.id.clone(), assets.palette.solid(palette::armour_color(&item.id)))
    };
    let paints: HashMap<_, _> = items.map(paint).collect();
    (!paints.is_empty()).then(|| Arc::new(paints))
}

fn shell_transform(whole: Transform, thickness: f32, from: f32, to: f32) -> Transform {
    let size = whole.scale + Vec3::splat(2.0 * thickness);
    let covered_size = size * Vec3::new(1.0, to - from, 1.0);
    let rise = size.y * ((from + to) / 2.0 - 0.5);
    Transform::from_translation(whole.translation + Vec3::Y * rise).with_scale(covered_size)
}

type WornQueryData<'a> =
    (&'a WornShape, &'a mut Visibility, &'a mut MeshMaterial3d<Paint>, Option<&'a mut Tag>);

pub(super) fn update_worn_items(
    mut worn: Query<WornQueryData, Without<Recording>>,
    subjects: Subjects,
) {
    for (worn_shape, mut visibility, mut material, tag) in &mut worn {
        let Some((take, frame)) = playing_take(&subjects, worn_shape.actor_ref.take) else {
            continue;
        };
        let item =
            worn_shape.actor_ref.actor(take).and_then(|actor| actor.item(worn_shape.slot, frame));
        let item = item.filter(|item| (short_name(&item.id) == "elytra") == worn_shape.is_wing);
        visibility.set_if_neq(visibility_if(item.is_some()));
        let Some(item) = item else { continue };
        if let Some(paint) = worn_shape.paints.get(&item.id).filter(|paint| material.0 != **paint) {
            material.0 = paint.clone();
        }
        if let Some(mut tag) = tag
            && **tag.text() != *display_name(&item.id)
        {
            *tag = Tag::new(&display_name(&item.id));
        }
    }
}
