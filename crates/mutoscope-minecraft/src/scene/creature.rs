//! The state of entities' figures at a moment.

use super::Take;
use crate::{
    Actor, ClientState, Entity, Item, LivingFlags, SampleTime, Size, Slot, Stand,
    shapes::{CreatureState, ItemFamily, held},
    state::wrapped,
};
use mutoscope_core::clip::Transform;

/// No entity turns its head farther than this from its body, in degrees.
const FARTHEST: f64 = 75.0;

/// The number of steps that a young one takes for one of a grown one.
const SMALL_STEPS: f64 = 3.0;

impl Take {
    /// The state of an entity at a moment that its figure's parts depend on.
    pub fn creature_state(&self, entity: &Entity, moment: SampleTime) -> CreatureState {
        let client = entity.client(moment, self.recording.frames);
        let stand = entity.actor.path.value(moment);
        let is_young =
            entity.is_living() && entity.size.height < 0.75 * Size::of_kind(&entity.kind).height;
        let steps = if is_young { SMALL_STEPS } else { 1.0 };
        let state = self.state_of(&entity.actor, client, stand, stand.yaw, moment);
        CreatureState {
            walk_position: state.walk_position * steps,
            age: f64::from(entity.age(moment.frame)) + moment.t,
            ..state
        }
    }

    /// The same of the player, where a scene has an entity play it.
    pub fn player_state(&self, moment: SampleTime) -> CreatureState {
        let recording = &self.recording;
        let client = recording.client(moment);
        let state = self.state_of(
            &recording.player,
            client,
            recording.look(moment),
            client.body_yaw,
            moment,
        );
        let is_riding = recording.vehicle.at(moment.frame).is_some();
        let walk_speed = if is_riding { 0.0 } else { state.walk_speed };
        CreatureState { walk_speed, age: f64::from(moment.frame) + moment.t, ..state }
    }

    fn state_of(
        &self,
        actor: &Actor,
        client: ClientState,
        stand: Stand,
        body_yaw: f64,
        moment: SampleTime,
    ) -> CreatureState {
        let SampleTime { frame, t } = moment;
        let turn = self.placement.yaw(stand.head_yaw) - self.placement.yaw(body_yaw);
        let is_right_handed = *actor.main_hand_right.at(frame);
        let swings_right = is_right_handed != client.off_hand;
        let is_dead = client.death_time > 0;
        CreatureState {
            walk_position: client.walk_position,
            walk_speed: if is_dead { 0.0 } else { client.walk_speed },
            head_turn: wrapped(turn).clamp(-FARTHEST, FARTHEST).to_radians(),
            pitch: stand.pitch.to_radians(),
            attack: if swings_right { client.attack } else { 0.0 },
            death_time: if is_dead { f64::from(client.death_time) + t } else { 0.0 },
            age: 0.0,
            holds: [true, false].map(|is_right| actor.held(is_right, frame).is_some()),
        }
    }
}

impl Actor {
    /// The item in its right hand or its left one, in a frame.
    pub fn held(&self, is_right: bool, frame: u32) -> Option<&Item> {
        self.item(self.slot_in(is_right, frame), frame)
    }

    /// The item in a hand in a frame, and where it is relative to the place of the hand: for its
    /// model about its middle, in blocks.
    pub fn held_at(&self, is_right: bool, frame: u32) -> Option<(&Item, Transform)> {
        let item = self.held(is_right, frame)?;
        let flags = *self.living_flags.at(frame);
        let is_off_hand = flags & LivingFlags::IN_OFF_HAND != 0;
        let used = if is_off_hand { Slot::OffHand } else { Slot::MainHand };
        let is_used = flags & LivingFlags::USES_ITEM != 0 && self.slot_in(is_right, frame) == used;
        Some((item, held(ItemFamily::of(&item.id), is_right, is_used)))
    }

    /// The slot of its right hand or its left one, in a frame.
    pub fn slot_in(&self, is_right: bool, frame: u32) -> Slot {
        match is_right == *self.main_hand_right.at(frame) {
            true => Slot::MainHand,
            false => Slot::OffHand,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{Life, Recording, recording::DYING};

    /// A cow that walks 0.2 blocks a tick for ten ticks, looks aside and dies in tick 20.
    fn take() -> Take {
        let mut actor = Actor::new(Stand::default());
        actor.path.set(0, 0, Stand::default(), true);
        for frame in 1..=10 {
            let position = DVec3::Z * 0.2 * f64::from(frame);
            actor.path.set(frame, 0, Stand { position, head_yaw: 30.0, ..Stand::default() }, false);
        }
        actor.dead.set(20, 0, true);
        let life = Life { from: 0, killed: Some(20), to: None };
        let kind = "minecraft:cow".to_owned();
        let mut recording = Recording::at_rest();
        recording.frames = 20 + DYING;
        recording.entities = vec![Entity::of_kind(1, kind, "{}".into(), actor, vec![life])];
        Take { recording: Arc::new(recording), ..Take::alone(Recording::at_rest()) }
    }

    fn state(frame: u32) -> CreatureState {
        let take = take();
        take.creature_state(&take.recording.entities[0], SampleTime { frame, t: 0.0 })
    }

    /// By the game's formula, worked out by hand: speed grows by 0.4 of the way to 4 · 0.2 each tick.
    #[test]
    fn entities_walk_by_the_distance_they_go() {
        let speed = |ticks: i32| 0.8 * (1.0 - 0.6_f64.powi(ticks));
        let walked = state(10);
        assert!((walked.walk_speed - speed(10)).abs() < 1e-9, "{walked:?}");
        let position: f64 = (1..=10).map(speed).sum();
        assert!((walked.walk_position - position).abs() < 1e-9, "{walked:?}");
        assert_eq!(state(0).walk_position, 0.0);
        assert!(state(19).walk_speed < 0.02, "it came to rest");
    }

    #[test]
    fn heads_turn_with_the_look_and_the_dead_fall() {
        assert!((state(10).head_turn - 30.0_f64.to_radians()).abs() < 1e-6);
        assert_eq!((state(19).death_time, state(20).death_time), (0.0, 1.0));
        assert_eq!(state(33).death_time, 14.0);
    }
}
