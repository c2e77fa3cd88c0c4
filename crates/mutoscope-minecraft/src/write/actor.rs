//! The state of the player or of an entity while a recording is rewritten.

use std::borrow::Cow;

use glam::DVec3;

use super::{
    actions,
    movement::{self, From, Written},
    out::Out,
    states::States,
};
use crate::{Action, Coordinate, ItemData, Movement, Slot, Update};

/// Where the player or an entity is, as it was recorded and as it is written, and what it holds.
#[derive(Clone, Debug)]
pub(super) struct Tracked<'a> {
    /// By the recording.
    pub(super) position: DVec3,
    /// By what is written.
    pub(super) written: DVec3,
    /// Pitch, yaw and the head's yaw, in degrees.
    pub(super) angles: [f32; 3],
    pub(super) on_ground: bool,
    /// Where it looked when it came to be there.
    added_angles: [f32; 3],
    /// The look and the ground flag that a reader gets from the written data.
    written_look: Option<([i16; 3], bool)>,
    /// The frame in which it died, if it is dead.
    pub(super) died: Option<u32>,
    /// How many entities were added before it.
    pub(super) order: u32,
    /// The data of an entity when it is added.
    pub(super) nbt: Cow<'a, str>,
    /// Its lasting states.
    pub(super) states: States<'a>,
    /// The items that it holds and wears, slot by slot, where unnamed slots stay as they were.
    items: [ItemData<'a>; Slot::ALL.len()],
}

impl<'a> Tracked<'a> {
    /// Something that is there, and looks so: pitch, yaw and the head's yaw.
    pub(super) fn new(position: DVec3, angles: [f32; 3]) -> Self {
        Self {
            position,
            written: position,
            angles,
            on_ground: false,
            added_angles: angles,
            written_look: None,
            died: None,
            order: 0,
            nbt: Cow::Borrowed(""),
            states: States::default(),
            items: std::array::from_fn(|_| ItemData::None),
        }
    }

    /// Goes where a movement leads, from `start` on where that counts; `true` if it turns.
    pub(super) fn follow(&mut self, movement: &Movement, start: DVec3) -> bool {
        for axis in 0..3 {
            let to = match movement.position[axis] {
                Coordinate::Same => continue,
                Coordinate::FromLast(by) => self.position[axis] + by,
                Coordinate::FromStart(by) => start[axis] + by,
                Coordinate::Absolute(to) => to,
            };
            // A non-finite number leaves it where it was, as it is read.
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

    /// Takes over the items that a change names; all slots with what is in them from then on.
    pub(super) fn take_items(&mut self, items: &[ItemData<'a>]) -> &[ItemData<'a>] {
        for (slot, item) in self.items.iter_mut().zip(items) {
            if *item != ItemData::None {
                slot.clone_from(item);
            }
        }
        &self.items
    }

    /// Writes that it is where it now is, and if it `turns`, where it looks; by `angle` angles
    /// become the format's own.
    pub(super) fn write(
        &mut self,
        out: &mut Out,
        start: DVec3,
        turns: bool,
        angle: fn(f32) -> i16,
    ) {
        let written = Written {
            position: Some(self.position),
            angles: turns.then(|| self.angles.map(angle)),
            on_ground: self.on_ground,
        };
        let from = From { start, last: self.written };
        self.written = movement::write(out, from, &written);
        self.written_look = Some((self.angles.map(angle), self.on_ground));
    }

    /// Whether it looks elsewhere than is written.
    pub(super) fn has_turned(&self, angle: fn(f32) -> i16) -> bool {
        self.written_look.is_none_or(|(angles, _)| angles != self.angles.map(angle))
    }

    /// Whether it is elsewhere than is written, or has left the ground or come back to it.
    pub(super) fn has_moved(&self) -> bool {
        self.written != self.position
            || self.written_look.is_none_or(|(_, on_ground)| on_ground != self.on_ground)
    }

    /// Writes the look and the ground flag of a player whose look is already read as its yaw and
    /// pitch.
    pub(super) fn write_place(&mut self, out: &mut Out, start: DVec3, angle: fn(f32) -> i16) {
        let [_, yaw, head] = self.angles;
        if head != yaw || self.on_ground {
            self.write(out, start, head != yaw, angle);
        }
    }

    /// Writes all that is known of an entity, which is not there yet for readers.
    pub(super) fn write_whole(
        &mut self,
        out: &mut Out,
        id: i32,
        start: DVec3,
        angle: fn(f32) -> i16,
    ) {
        let update = Update::Add { nbt: self.nbt.clone(), position: self.position };
        actions::write(out, &Action::Update { entity: id, update });
        self.written = self.position;
        self.states.write(out, Some(id));
        actions::whose(out, Some(id));
        // As it is added it looks where it did when it was: numbers of any precision.
        self.write(out, start, self.angles != self.added_angles, angle);
        if self.died.is_some() {
            actions::write(out, &Action::Update { entity: id, update: Update::Kill });
        }
    }

    /// How far what was written is from what was recorded, in blocks.
    pub(super) fn error(&self) -> f64 {
        self.written.distance(self.position)
    }
}
