//! Fire around who burns, and arrows that stick in players.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{Props, Who, figure::following, playing_take};
use crate::{
    recording::Recording,
    stage::{
        player_skin::PIXEL,
        subject::{Subjects, visible},
    },
};
use mutoscope_minecraft::{
    Actor, EntityFlags, Part, Size, Take,
    shapes::{Shape, ShapeBox, creature_of},
};

/// More arrows than this are not drawn.
const MOST_ARROWS: i32 = 24;

/// How visible flames are: who burns is seen through them.
const FLAME_ALPHA: f32 = 0.6;

/// Flames around somebody.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Flames(Who);

/// An arrow in a player: it is there while this many others are.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Stuck {
    who: Who,
    others: i32,
}

/// Flames, if it ever burns: as wide and high as the game has them for its size.
pub(super) fn spawn_fire(
    root: &mut ChildSpawnerCommands,
    who: Who,
    actor: &Actor,
    size: Size,
    props: &mut Props<'_>,
) {
    if !actor.entity_flags.values().iter().any(|flags| flags & EntityFlags::ON_FIRE != 0) {
        return;
    }
    let mesh = props.mesh(&flames(size), 1.0 / 16.0, Vec3::ZERO);
    root.spawn((
        Flames(who),
        Mesh3d(mesh),
        MeshMaterial3d(props.palette.translucent(Color::WHITE, FLAME_ALPHA)),
        Transform::default(),
        Visibility::Hidden,
    ));
}

/// Tongues of fire on four sides, in sixteenths of a block: 1.4 of the width, up to the height.
fn flames(size: Size) -> Shape {
    const COLORS: [u32; 3] = [0xff6a1a, 0xffa62e, 0xffe08a];
    let half = (size.width * 1.4 / 2.0 * 16.0) as f32;
    let high = (size.height * 16.0) as f32;
    let mut boxes = Vec::new();
    for side in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * side as f32);
        for tongue in 0..4 {
            let width = half / 2.0;
            let x = -half + width * tongue as f32;
            // Neighbouring tongues differ in height.
            let top = high * [0.95, 0.6, 1.05, 0.75][(tongue + side) % 4];
            for (index, color) in COLORS.into_iter().enumerate() {
                let (inset, share) = ([0.0, 0.15, 0.3][index] * width, [1.0, 0.6, 0.3][index]);
                let z = half + 0.1 * index as f32;
                let (min, max) = ([x + inset, 0.0, z], [x + width - inset, top * share, z + 0.1]);
                boxes.push(ShapeBox::between(min, max, color).turned(turn, [0.0; 3]));
            }
        }
    }
    boxes.into()
}

/// Arrows in the player of the recording at `index` of the scene, as many as there ever are.
pub(super) fn spawn_arrows(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    props: &mut Props<'_>,
) {
    let who = Who { take: props.of(index), entity: None };
    let arrows = take.recording.player.arrows.values().iter().max().copied().unwrap_or(0);
    let size = Size { width: 0.5, height: 0.5 };
    let Some(arrow) = creature_of("minecraft:arrow", "", size) else { return };
    let mesh = props.mesh(&arrow.parts[0].shape, arrow.scale, Vec3::ZERO);
    for others in 0..arrows.clamp(0, MOST_ARROWS) {
        let (part, place) = stuck(others as u64);
        let limb = following(props.parts.of(take.part(part)), take.size as f32, "arrow");
        root.spawn(limb).with_children(|limb| {
            limb.spawn((
                Stuck { who, others },
                Mesh3d(mesh.clone()),
                MeshMaterial3d(props.palette.solid(Color::WHITE)),
                place,
                Visibility::Hidden,
            ));
        });
    }
}

/// Where an arrow sticks: in some part of the body at some point, which stays the same; it points as
/// the game has it, from the point's side of the part to the other.
fn stuck(seed: u64) -> (Part, Transform) {
    let part = Part::ALL[(chance(seed, 0) * Part::ALL.len() as f32) as usize % Part::ALL.len()];
    let point = Vec3::new(chance(seed, 1), chance(seed, 2), chance(seed, 3));
    let bounds = part.cuboid(false);
    let (min, max) = (bounds.min.as_vec3(), bounds.max.as_vec3());
    let inwards = (Vec3::splat(1.0) - 2.0 * point).normalize_or(Vec3::NEG_Z);
    let up = if inwards.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
    let place = Transform::from_translation(min + (max - min) * point)
        .looking_to(inwards, up)
        .with_scale(Vec3::splat(PIXEL * 16.0));
    (part, place)
}

/// A number from 0 to 1 that is always the same for a seed: by SplitMix64.
fn chance(seed: u64, number: u64) -> f32 {
    let mixed = (4 * seed + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
}

/// Shows flames while somebody burns.
pub(super) fn burn(
    mut flames: Query<(&Flames, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (Flames(who), mut visibility) in &mut flames {
        let Some((take, frame)) = playing_take(&subjects, who.take) else { continue };
        let burns = who.actor(take).is_some_and(|actor| {
            actor.has_flag(EntityFlags::ON_FIRE, frame) && !*actor.spectator.at(frame)
        });
        visibility.set_if_neq(visible(burns));
    }
}

/// Shows as many arrows as stick in a player.
pub(super) fn stick(
    mut arrows: Query<(&Stuck, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (stuck, mut visibility) in &mut arrows {
        let Some((take, frame)) = playing_take(&subjects, stuck.who.take) else { continue };
        let count = stuck.who.actor(take).map_or(0, |actor| *actor.arrows.at(frame));
        visibility.set_if_neq(visible(stuck.others < count));
    }
}
