//! Entities as jointed figures, which walk as far as their recorded positions move.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    ActorRef, SceneAssets, armour,
    figure::Body,
    hands::{self, HandRef},
    playing_take_with_time,
};
use crate::stage::subject::Subjects;
use mutoscope_core::clip;
use mutoscope_minecraft::{
    Actor, Part, Take,
    shapes::{Creature, CreaturePart, CreatureState, Joint},
};

#[derive(Component, Clone, Debug)]
pub(super) struct CreatureLimb {
    actor_ref: ActorRef,
    creature: std::sync::Arc<Creature>,
    part: usize,
}

pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    actor_ref: ActorRef,
    creature: Creature,
    actor: &Actor,
    assets: &mut SceneAssets<'_>,
) {
    let creature = std::sync::Arc::new(creature);
    let materials = assets.palette.skin_materials(Color::WHITE);
    let held = hands::held_item_meshes(actor, assets);
    for (index, part) in creature.parts.iter().enumerate() {
        let mesh = assets.shape_mesh(&part.shape, creature.scale, Vec3::ZERO);
        let limb = CreatureLimb { actor_ref, creature: creature.clone(), part: index };
        let spatial = (Transform::default(), Visibility::Inherited);
        root.spawn((limb, spatial)).with_children(|limb| {
            limb.spawn((
                Mesh3d(mesh),
                MeshMaterial3d(materials.normal.clone()),
                Body { actor_ref, materials: materials.clone() },
                Transform::default(),
            ));
            if let Joint::Arm { is_right, .. } = part.joint {
                let hands =
                    HandRef { actor_ref, is_right, grip: creature.held_item_origin(is_right) };
                hands::spawn(limb, hands, &held, assets);
            }
            if creature.is_humanoid {
                armour::spawn_on_limb(limb, actor_ref, actor, part, creature.scale, assets);
            }
        });
    }
}

pub(super) fn player_part(part: &CreaturePart) -> Option<Part> {
    Some(match part.joint {
        Joint::Head => Part::Head,
        Joint::Body => Part::Body,
        Joint::Arm { is_right: true, .. } => Part::RightArm,
        Joint::Arm { is_right: false, .. } => Part::LeftArm,
        Joint::Leg { is_right: true, .. } => Part::RightLeg,
        Joint::Leg { is_right: false, .. } => Part::LeftLeg,
        _ => return None,
    })
}

pub(super) fn pose_creatures(
    mut limbs: Query<(&CreatureLimb, &mut Transform)>,
    subjects: Subjects,
) {
    // Keep the state of the last figure, because the query returns all parts of a figure one after
    // the other.
    let mut last: Option<(ActorRef, Option<CreatureState>)> = None;
    for (limb, mut transform) in &mut limbs {
        let cached =
            last.filter(|(actor_ref, _)| *actor_ref == limb.actor_ref).map(|(_, state)| state);
        let state = cached.unwrap_or_else(|| creature_state(limb.actor_ref, &subjects));
        last = Some((limb.actor_ref, state));
        let part = limb.creature.parts.get(limb.part);
        if let Some((state, part)) = state.zip(part) {
            transform.set_if_neq(to_bevy_transform(&state.part_transform(&limb.creature, part)));
        }
    }
}

fn creature_state(actor_ref: ActorRef, subjects: &Subjects) -> Option<CreatureState> {
    let (take, moment): (&Take, _) = playing_take_with_time(subjects, actor_ref.take)?;
    let Some(index) = actor_ref.entity else { return Some(take.player_state(moment)) };
    let entity = take.recording.entities.get(index)?;
    entity.is_shown(moment.frame).then(|| take.creature_state(entity, moment))
}

pub(super) fn to_bevy_transform(transform: &clip::Transform) -> Transform {
    Transform {
        translation: transform.translation.as_vec3(),
        rotation: transform.rotation.as_quat(),
        scale: transform.scale.as_vec3(),
    }
}
