//! Computes the state that an entity's figure is posed with.

use super::Take;
use crate::{
    Actor, ActorTransform, ClientState, Entity, Item, LivingFlags, SampleTime, Size, Slot,
    shapes::{CreatureState, ItemFamily, held_item_transform},
    state::wrap_degrees,
};
use mutoscope_core::clip::Transform;

const MAX_HEAD_TURN_DEGREES: f64 = 75.0;

const BABY_STEP_RATIO: f64 = 3.0;

impl Take {
    /// Returns the state of an entity from which the pose of its figure is computed.
    pub fn creature_state(&self, entity: &Entity, moment: SampleTime) -> CreatureState {
        let client = entity.client(moment, self.recording.frames);
        let transform = entity.actor.path.sample(moment);
        let is_young =
            entity.is_living() && entity.size.height < 0.75 * Size::for_kind(&entity.kind).height;
        let steps = if is_young { BABY_STEP_RATIO } else { 1.0 };
        let state = self.pose_state(&entity.actor, client, transform, transform.yaw, moment);
        CreatureState {
            walk_position: state.walk_position * steps,
            age: f64::from(entity.age(moment.frame)) + moment.t,
            ..state
        }
    }

    /// Returns the state of the player from which the pose of a figure is computed, for scenes in
    /// which an entity plays the recording of the player.
    pub fn player_state(&self, moment: SampleTime) -> CreatureState {
        let recording = &self.recording;
        let client = recording.client(moment);
        let state = self.pose_state(
            &recording.player,
            client,
            recording.look(moment),
            client.body_yaw,
            moment,
        );
        let is_riding = recording.vehicle.at_frame(moment.frame).is_some();
        let walk_speed = if is_riding { 0.0 } else { state.walk_speed };
        CreatureState { walk_speed, age: f64::from(moment.frame) + moment.t, ..state }
    }

    fn pose_state(
        &self,
        actor: &Actor,
        client: ClientState,
        transform: ActorTransform,
        body_yaw: f64,
        moment: SampleTime,
    ) -> CreatureState {
        let SampleTime { frame, t } = moment;
        let turn = self.placement.transform_yaw(transform.head_yaw)
            - self.placement.transform_yaw(body_yaw);
        let is_right_handed = *actor.main_hand_right.at_frame(frame);
        let swings_right = is_right_handed != client.off_hand;
        let is_dead = client.death_time > 0;
        CreatureState {
            walk_position: client.walk_position,
            walk_speed: if is_dead { 0.0 } else { client.walk_speed },
            head_turn: wrap_degrees(turn)
                .clamp(-MAX_HEAD_TURN_DEGREES, MAX_HEAD_TURN_DEGREES)
                .to_radians(),
            pitch: transform.pitch.to_radians(),
            attack: if swings_right { client.attack } else { 0.0 },
            death_time: if is_dead { f64::from(client.death_time) + t } else { 0.0 },
            age: 0.0,
            holds: [true, false].map(|is_right| actor.held_item(is_right, frame).is_some()),
        }
    }
}

impl Actor {
    /// Returns the item in the right or the left hand in a frame, or `None` if the hand is empty.
    pub fn held_item(&self, is_right: bool, frame: u32) -> Option<&Item> {
        self.item(self.hand_slot(is_right, frame), frame)
    }

    /// Returns the item in a hand in a frame, and its transform relative to the hand. The item's
    /// model is centred at its origin and measured in blocks.
    pub fn held_item_transform(&self, is_right: bool, frame: u32) -> Option<(&Item, Transform)> {
        let item = self.held_item(is_right, frame)?;
        let flags = *self.living_flags.at_frame(frame);
        let is_off_hand = flags & LivingFlags::IN_OFF_HAND != 0;
        let used = if is_off_hand { Slot::OffHand } else { Slot::MainHand };
        let is_used =
            flags & LivingFlags::USES_ITEM != 0 && self.hand_slot(is_right, frame) == used;
        Some((item, held_item_transform(ItemFamily::from_id(&item.id), is_right, is_used)))
    }

    /// Returns the slot of the right or the left hand in a frame.
    pub fn hand_slot(&self, is_right: bool, frame: u32) -> Slot {
        match is_right == *self.main_hand_right.at_frame(frame) {
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
    use crate::{Life, Recording, recording::DEATH_TICKS};

    fn take() -> Take {
        let mut actor = Actor::new(ActorTransform::default());
        actor.path.set(0, 0, ActorTransform::default(), true);
        for frame in 1..=10 {
            let position = DVec3::Z * 0.2 * f64::from(frame);
            actor.path.set(
                frame,
                0,
                ActorTransform { position, head_yaw: 30.0, ..ActorTransform::default() },
                false,
            );
        }
        actor.dead.set(20, 0, true);
        let life = Life { from: 0, killed: Some(20), to: None };
        let kind = "minecraft:cow".to_owned();
        let mut recording = Recording::standing_still();
        recording.frames = 20 + DEATH_TICKS;
        recording.entities = vec![Entity::new(1, kind, "{}".into(), actor, vec![life])];
        Take { recording: Arc::new(recording), ..Take::from_recording(Recording::standing_still()) }
    }

    fn state(frame: u32) -> CreatureState {
        let take = take();
        take.creature_state(&take.recording.entities[0], SampleTime { frame, t: 0.0 })
    }

    /// By the game's formula, in each tick the speed approaches 4 · 0.2 by 0.4 of the difference.
    #[test]
    fn steps_follow_the_distance_walked() {
        let speed = |ticks: i32| 0.8 * (1.0 - 0.6_f64.powi(ticks));
        let walked = state(10);
        assert!((walked.walk_speed - speed(10)).abs() < 1e-9, "{walked:?}");
        let position: f64 = (1..=10).map(speed).sum();
        assert!((walked.walk_position - position).abs() < 1e-9, "{walked:?}");
        assert_eq!(state(0).walk_position, 0.0);
        assert!(state(19).walk_speed < 0.02, "it came to rest");
    }

    #[test]
    fn heads_follow_the_look_and_dead_entities_fall() {
        assert!((state(10).head_turn - 30.0_f64.to_radians()).abs() < 1e-6);
        assert_eq!((state(19).death_time, state(20).death_time), (0.0, 1.0));
        assert_eq!(state(33).death_time, 14.0);
    }
}
