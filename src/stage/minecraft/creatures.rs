//! Entities as jointed figures: they walk as far as the recording has them move.

use bevy::{ecs::hierarchy::ChildSpawnerCommands, prelude::*};

use super::{
    Props, Who, armour,
    figure::Body,
    hands::{self, Hands},
    playing_take_at,
};
use crate::stage::subject::Subjects;
use mutoscope_core::clip;
use mutoscope_minecraft::{
    Actor, Part, Take,
    shapes::{Creature, CreaturePart, CreatureState, Joint},
};

/// A part of an entity's figure.
#[derive(Component, Clone, Debug)]
pub(super) struct CreatureLimb {
    who: Who,
    /// In the figure; shared by all of it.
    creature: std::sync::Arc<Creature>,
    part: usize,
}

/// The parts of a figure, with what they hold and wear.
pub(super) fn spawn(
    root: &mut ChildSpawnerCommands,
    who: Who,
    creature: Creature,
    actor: &Actor,
    props: &mut Props<'_>,
) {
    let creature = std::sync::Arc::new(creature);
    let flesh = props.palette.flesh(Color::WHITE);
    let held = hands::meshes(actor, props);
    for (index, part) in creature.parts.iter().enumerate() {
        let mesh = props.mesh(&part.shape, creature.scale, Vec3::ZERO);
        let limb = CreatureLimb { who, creature: creature.clone(), part: index };
        let place = (Transform::default(), Visibility::Inherited);
        root.spawn((limb, place)).with_children(|limb| {
            limb.spawn((
                Mesh3d(mesh),
                MeshMaterial3d(flesh.sound.clone()),
                Body { who, flesh: flesh.clone() },
                Transform::default(),
            ));
            if let Joint::Arm { is_right, .. } = part.joint {
                let hands = Hands { who, is_right, hand: creature.hand(is_right) };
                hands::spawn(limb, hands, &held, props);
            }
            if creature.is_humanoid {
                armour::spawn_on_limb(limb, who, actor, part, creature.scale, props);
            }
        });
    }
}

/// The part of a player that a part of a figure is like, if it is like one.
pub(super) fn like(part: &CreaturePart) -> Option<Part> {
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

/// Moves the parts of all figures that are there.
pub(super) fn pose(mut limbs: Query<(&CreatureLimb, &mut Transform)>, subjects: Subjects) {
    // The parts of one figure come one after the other.
    let mut last: Option<(Who, Option<CreatureState>)> = None;
    for (limb, mut transform) in &mut limbs {
        let known = last.filter(|(who, _)| *who == limb.who).map(|(_, state)| state);
        let state = known.unwrap_or_else(|| state(limb.who, &subjects));
        last = Some((limb.who, state));
        let part = limb.creature.parts.get(limb.part);
        if let Some((state, part)) = state.zip(part) {
            transform.set_if_neq(placed(&state.place(&limb.creature, part)));
        }
    }
}

/// The current state of a figure; `None` while it is absent.
fn state(who: Who, subjects: &Subjects) -> Option<CreatureState> {
    let (take, moment): (&Take, _) = playing_take_at(subjects, who.take)?;
    let Some(index) = who.entity else { return Some(take.player_state(moment)) };
    let entity = take.recording.entities.get(index)?;
    entity.is_shown(moment.frame).then(|| take.creature_state(entity, moment))
}

/// As the engine has it.
pub(super) fn placed(place: &clip::Transform) -> Transform {
    Transform {
        translation: place.translation.as_vec3(),
        rotation: place.rotation.as_quat(),
        scale: place.scale.as_vec3(),
    }
}
