//! Fire around burning actors, and arrows that stick in players.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{ActorRef, SceneAssets, figure::node_follower, playing_take};
use crate::{
    Recording,
    stage::{
        player_skin::PIXEL_SIZE,
        subject::{Subjects, visibility_if},
    },
};
use mutoscope_minecraft::{
    Actor, EntityFlags, Part, Size, Take,
    shapes::{Shape, ShapeBox, creature_for_entity},
};

const MAX_ARROWS: i32 = 24;

/// The flames are translucent, so that the burning actor is visible through them.
const FLAME_ALPHA: f32 = 0.6;

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Flames(ActorRef);

/// An arrow that sticks in a player. The arrow is visible while more than `others` arrows stick in
/// the player.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct StuckArrow {
    actor_ref: ActorRef,
    others: i32,
}

pub(super) fn spawn_fire(
    root: &mut ChildSpawnerCommands,
    actor_ref: ActorRef,
    actor: &Actor,
    size: Size,
    assets: &mut SceneAssets<'_>,
) {
    if !actor.entity_flags.values().iter().any(|flags| flags & EntityFlags::ON_FIRE != 0) {
        return;
    }
    let mesh = assets.shape_mesh(&flame_shape(size), 1.0 / 16.0, Vec3::ZERO);
    root.spawn((
        Flames(actor_ref),
        Mesh3d(mesh),
        MeshMaterial3d(assets.palette.translucent(Color::WHITE, FLAME_ALPHA)),
        Transform::default(),
        Visibility::Hidden,
    ));
}

/// Returns four tongues of fire on each of four sides, in sixteenths of a block. The fire is 1.4
/// times as wide as the actor, and about as high.
fn flame_shape(size: Size) -> Shape {
    const COLORS: [u32; 3] = [0xff6a1a, 0xffa62e, 0xffe08a];
    let half = (size.width * 1.4 / 2.0 * 16.0) as f32;
    let height = (size.height * 16.0) as f32;
    let mut boxes = Vec::new();
    for side in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * side as f32);
        for tongue in 0..4 {
            let width = half / 2.0;
            let x = -half + width * tongue as f32;
            // Give neighbouring tongues different heights.
            let top = height * [0.95, 0.6, 1.05, 0.75][(tongue + side) % 4];
            for (index, color) in COLORS.into_iter().enumerate() {
                let (inset, share) = ([0.0, 0.15, 0.3][index] * width, [1.0, 0.6, 0.3][index]);
                let z = half + 0.1 * index as f32;
                let (min, max) = ([x + inset, 0.0, z], [x + width - inset, top * share, z + 0.1]);
                boxes.push(ShapeBox::between(min, max, color).rotated_about(turn, [0.0; 3]));
            }
        }
    }
    boxes.into()
}

pub(super) fn spawn_arrows(
    root: &mut ChildSpawnerCommands,
    index: usize,
    take: &Take,
    assets: &mut SceneAssets<'_>,
) {
    let actor_ref = ActorRef { take: assets.take_ref(index), entity: None };
    let arrows = take.recording.player.arrows.values().iter().max().copied().unwrap_or(0);
    let size = Size { width: 0.5, height: 0.5 };
    let Some(arrow) = creature_for_entity("minecraft:arrow", "", size) else { return };
    let mesh = assets.shape_mesh(&arrow.parts[0].shape, arrow.scale, Vec3::ZERO);
    for others in 0..arrows.clamp(0, MAX_ARROWS) {
        let (part, transform) = arrow_placement(others as u64);
        let limb = node_follower(
            assets.parts.node_ref(take.part_node(part)),
            take.actor_scale as f32,
            "arrow",
        );
        root.spawn(limb).with_children(|limb| {
            limb.spawn((
                StuckArrow { actor_ref, others },
                Mesh3d(mesh.clone()),
                MeshMaterial3d(assets.palette.solid(Color::WHITE)),
                transform,
                Visibility::Hidden,
            ));
        });
    }
}

/// Returns the body part that an arrow sticks in, and the transform of the arrow. Equal seeds give
/// equal results. As in the game, the arrow starts at a random point of the part and points through
/// the centre to the opposite side.
fn arrow_placement(seed: u64) -> (Part, Transform) {
    let part =
        Part::ALL[(random_unit(seed, 0) * Part::ALL.len() as f32) as usize % Part::ALL.len()];
    let point = Vec3::new(random_unit(seed, 1), random_unit(seed, 2), random_unit(seed, 3));
    let bounds = part.cuboid(false);
    let (min, max) = (bounds.min.as_vec3(), bounds.max.as_vec3());
    let inwards = (Vec3::splat(1.0) - 2.0 * point).normalize_or(Vec3::NEG_Z);
    let up = if inwards.y.abs() > 0.99 { Vec3::X } else { Vec3::Y };
    let transform = Transform::from_translation(min + (max - min) * point)
        .looking_to(inwards, up)
        .with_scale(Vec3::splat(PIXEL_SIZE * 16.0));
    (part, transform)
}

/// Returns a pseudorandom number from 0 to 1, computed with SplitMix64.
fn random_unit(seed: u64, number: u64) -> f32 {
    let mixed = (4 * seed + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
}

pub(super) fn update_flames(
    mut flames: Query<(&Flames, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (Flames(actor_ref), mut visibility) in &mut flames {
        let Some((take, frame)) = playing_take(&subjects, actor_ref.take) else { continue };
        let is_burning = actor_ref.actor(take).is_some_and(|actor| {
            actor.has_flag(EntityFlags::ON_FIRE, frame) && !*actor.spectator.at_frame(frame)
        });
        visibility.set_if_neq(visibility_if(is_burning));
    }
}

pub(super) fn update_arrows(
    mut arrows: Query<(&StuckArrow, &mut Visibility), Without<Recording>>,
    subjects: Subjects,
) {
    for (arrow, mut visibility) in &mut arrows {
        let Some((take, frame)) = playing_take(&subjects, arrow.actor_ref.take) else { continue };
        let count = arrow.actor_ref.actor(take).map_or(0, |actor| *actor.arrows.at_frame(frame));
        visibility.set_if_neq(visibility_if(arrow.others < count));
    }
}
