//! The state of the player or of an entity while a recording is rewritten.

use std::borrow::Cow;

use glam::DVec3;

use super::{
    actions,
    byte_writer::ByteWriter,
    movement::{self, DecoderState, TargetMovement},
    states::LastingStates,
};
use crate::{Action, Coordinate, ItemData, Movement, Slot, Update};

#[derive(Clone, Debug)]
pub(super) struct RewrittenActor<'a> {
    pub(super) position: DVec3,
    pub(super) written_position: DVec3,
    /// Pitch, yaw and head yaw, in degrees.
    pub(super) angles: [f32; 3],
    pub(super) on_ground: bool,
    added_angles: [f32; 3],
    /// The encoded angles and the ground flag that were written last. `None` before the first
    /// write.
    written_look: Option<([i16; 3], bool)>,
    /// The frame of the death. `None` while the actor lives.
    pub(super) death_frame: Option<u32>,
    pub(super) order: u32,
    pub(super) nbt: Cow<'a, str>,
    pub(super) states: LastingStates<'a>,
    /// The item in each slot. In dialects that keep unnamed slots, a change of items does not
    /// repeat items that stay, so we need the previous ones.
    items: [ItemData<'a>; Slot::ALL.len()],
}

impl<'a> RewrittenActor<'a> {
    pub(super) fn new(position: DVec3, angles: [f32; 3]) -> Self {
        Self {
            position,
            written_position: position,
            angles,
            on_ground: false,
            added_angles: angles,
            written_look: None,
            death_frame: None,
            order: 0,
            nbt: Cow::Borrowed(""),
            states: LastingStates::default(),
            items: std::array::from_fn(|_| ItemData::None),
        }
    }

    pub(super) fn apply_movement(&mut self, movement: &Movement, start: DVec3) -> bool {
        for axis in 0..3 {
            let to = match movement.position[axis] {
                Coordinate::Same => continue,
                Coordinate::FromLast(by) => self.position[axis] + by,
                Coordinate::FromStart(by) => start[axis] + by,
                Coordinate::Absolute(to) => to,
            };
            // Ignore numbers that are not finite, because the reader ignores them as well.
            if to.is_finite() {
                self.position[axis] = to;
            }
        }
        let turns = [movement.pitch, movement.yaw, movement.head_yaw];
        for (angle, to) in self.angles.iter_mut().zip(turns) {
            if let Some(to) = to.filter(|to| to.is_finite()) {
                *angle = to;
            }
        }
        self.on_ground = movement.on_ground.unwrap_or(self.on_ground);
        turns.iter().any(Option::is_some)
    }

    pub(super) fn merge_items(&mut self, items: &[ItemData<'a>]) -> &[ItemData<'a>] {
        for (slot, item) in self.items.iter_mut().zip(items) {
            if *item != ItemData::None {
                slot.clone_from(item);
            }
        }
        &self.items
    }

    pub(super) fn write_movement(
        &mut self,
        out: &mut ByteWriter,
        start: DVec3,
        turns: bool,
        angle: fn(f32) -> i16,
    ) {
        let written = TargetMovement {
            position: Some(self.position),
            angles: turns.then(|| self.angles.map(angle)),
            on_ground: self.on_ground,
        };
        let from = DecoderState { start, last: self.written_position };
        self.written_position = movement::write_movement(out, from, &written);
        self.written_look = Some((self.angles.map(angle), self.on_ground));
    }

    pub(super) fn has_turned(&self, angle: fn(f32) -> i16) -> bool {
        self.written_look.is_none_or(|(angles, _)| angles != self.angles.map(angle))
    }

    pub(super) fn has_moved(&self) -> bool {
        self.written_position != self.position
            || self.written_look.is_none_or(|(_, on_ground)| on_ground != self.on_ground)
    }

    pub(super) fn write_start_look(
        &mut self,
        out: &mut ByteWriter,
        start: DVec3,
        angle: fn(f32) -> i16,
    ) {
        let [_, yaw, head] = self.angles;
        if head != yaw || self.on_ground {
            self.write_movement(out, start, head != yaw, angle);
        }
    }

    pub(super) fn write_new_entity(
        &mut self,
        out: &mut ByteWriter,
        id: i32,
        start: DVec3,
        angle: fn(f32) -> i16,
    ) {
        let update = Update::Add { nbt: self.nbt.clone(), position: self.position };
        actions::write_action(out, &Action::Update { entity: id, update });
        self.written_position = self.position;
        self.states.write_states(out, Some(id));
        actions::write_actor_prefix(out, Some(id));
        // Readers take the first angles of an entity from its data, which are more precise than
        // written angles. Write the angles only if they have changed since the entity was added.
        self.write_movement(out, start, self.angles != self.added_angles, angle);
        if self.death_frame.is_some() {
            actions::write_action(out, &Action::Update { entity: id, update: Update::Kill });
        }
    }

    pub(super) fn position_error(&self) -> f64 {
        self.written_position.distance(self.position)
    }
}
