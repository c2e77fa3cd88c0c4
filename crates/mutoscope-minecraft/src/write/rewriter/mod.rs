//! Rewrites a recording of any version as version 5, action by action.

mod actor_actions;
mod entities;

use std::{
    collections::{HashMap, HashSet},
    ops::RangeInclusive,
};

use glam::DVec3;

use super::{
    RewriteOptions, Rewritten, actions,
    actor::RewrittenActor,
    byte_writer::ByteWriter,
    change_counts::ChangeCounts,
    deferred_tick::DeferredTick,
    header,
    movement::{encode_decoded_angle, encode_truncated_angle},
    ticks::TickWriter,
};
use crate::{Action, Dialect, Document, Step, Update, recording::DEATH_TICKS, time::frame_time};
use mutoscope_core::diagnostics::{Error, Severity, SourceLocation};

pub(super) struct Rewriter<'a> {
    document: &'a Document<'a>,
    options: &'a RewriteOptions,
    dialect: Dialect,
    frames: RangeInclusive<u32>,
    frame: u32,
    /// The start of the written recording. `None` until its first frame is reached.
    start: Option<DVec3>,
    player: RewrittenActor<'a>,
    entities: HashMap<i32, RewrittenActor<'a>>,
    filtered_out: HashSet<i32>,
    added_count: u32,
    vehicle: Option<i32>,
    /// The actor whose movement is delayed, because in old versions the head may still turn in the
    /// same tick. `Some(None)` is the player.
    pending_movement: Option<Option<i32>>,
    deferred_tick: DeferredTick,
    out: ByteWriter,
    ticks: TickWriter,
    has_open_tick: bool,
    counts: ChangeCounts,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(document: &'a Document<'a>, options: &'a RewriteOptions) -> Self {
        let header = &document.header;
        let angles = [header.start_pitch, header.start_yaw, header.start_yaw];
        let dialect = document.layout.dialect;
        let mut rewriter = Self {
            document,
            options,
            dialect,
            frames: options.frames.clone().unwrap_or(0..=u32::MAX),
            frame: 0,
            start: None,
            player: RewrittenActor::new(header.start, angles),
            entities: HashMap::new(),
            filtered_out: HashSet::new(),
            added_count: 0,
            vehicle: None,
            pending_movement: None,
            deferred_tick: DeferredTick::new(dialect),
            out: ByteWriter::default(),
            ticks: TickWriter::default(),
            has_open_tick: false,
            counts: ChangeCounts::default(),
        };
        rewriter.start_if_in_range();
        rewriter
    }

    pub(super) fn is_past_range(&self) -> bool {
        self.frame > *self.frames.end()
    }

    pub(super) fn rewrite_step(&mut self, step: Step<'a>) {
        let is_move = matches!(step.action, Action::Move(_));
        if self.pending_movement.is_some_and(|moved| !is_move || moved != step.entity) {
            self.write_pending_movement();
        }
        if self.deferred_tick.release_before(&step) {
            self.end_ticks(1);
        }
        if self.is_past_range() {
            return;
        }
        match (step.action, step.entity) {
            (Action::Ticks(count), None) => {
                if !self.deferred_tick.hold_back(count) {
                    self.end_ticks(count);
                }
            }
            // Skip these actions, because the game performs them only for the player. The decoder
            // skips them as well.
            (Action::Ticks(_) | Action::Die | Action::Respawn, Some(_)) => {}
            (Action::Update { entity, update }, _) => self.rewrite_update(entity, update),
            (action, entity) => self.rewrite_action(entity, action),
        }
    }

    fn end_ticks(&mut self, count: u8) {
        for _ in 0..count {
            if self.frames.contains(&self.frame) {
                self.ticks.end_ticks(1);
                self.has_open_tick = false;
            }
            self.frame += 1;
            self.start_if_in_range();
        }
    }

    fn open_output(&mut self) -> Option<&mut ByteWriter> {
        self.start?;
        self.ticks.flush(&mut self.out);
        self.has_open_tick = true;
        Some(&mut self.out)
    }

    fn start_if_in_range(&mut self) {
        if self.start.is_some() || self.frame < *self.frames.start() {
            return;
        }
        let start = self.player.position;
        let [pitch, yaw, _] = self.player.angles;
        self.start = Some(start);
        self.player.written_position = start;
        header::write_header(&mut self.out, &self.document.header, start, [yaw, pitch]);
        if self.frame > 0 {
            self.write_first_tick(start);
        }
    }

    fn write_first_tick(&mut self, start: DVec3) {
        let angle = self.angle_encoder();
        let frame = self.frame;
        let out = &mut self.out;
        self.has_open_tick = true;
        self.player.states.write_states(out, None);
        self.player.write_start_look(out, start, angle);
        if self.player.death_frame.is_some() {
            actions::write_action(out, &Action::Die);
        }
        // Remove entities whose bodies have vanished since their death. The recording writes no
        // further actions for these entities.
        self.entities
            .retain(|_, entity| entity.death_frame.is_none_or(|died| died + DEATH_TICKS > frame));
        let mut entities: Vec<_> = self.entities.iter_mut().collect();
        entities.sort_unstable_by_key(|(_, entity)| entity.order);
        for (&id, entity) in entities {
            entity.write_new_entity(out, id, start, angle);
        }
        if let Some(id) = self.vehicle.filter(|id| self.entities.contains_key(id)) {
            actions::write_action(out, &Action::Update { entity: id, update: Update::Mount });
        }
    }

    fn angle_encoder(&self) -> fn(f32) -> i16 {
        if self.has_f32_angles() { encode_truncated_angle } else { encode_decoded_angle }
    }

    /// Returns `true` if the version stores angles as `f32`. These versions rotate the head by a
    /// separate action.
    fn has_f32_angles(&self) -> bool {
        self.dialect <= Dialect::V4
    }

    fn tracked(&mut self, entity: Option<i32>) -> Option<&mut RewrittenActor<'a>> {
        match entity {
            None => Some(&mut self.player),
            Some(id) => self.entities.get_mut(&id),
        }
    }

    pub(super) fn finish(mut self) -> Result<Rewritten, Error> {
        self.write_pending_movement();
        if self.deferred_tick.release() {
            self.end_ticks(1);
        }
        if self.start.is_none() || *self.frames.start() > 0 && self.ticks.count == 0 {
            let expected = format!(
                "a range that overlaps the {} s of the recording",
                frame_time(self.document.ticks)
            );
            return Err(Error::malformed(SourceLocation::File, expected, "a range without ticks"));
        }
        let refusal = self.counts.refusal_message().filter(|_| !self.options.drops_numeric_ids);
        if let Some(message) = refusal {
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        if self.has_open_tick && !self.is_past_range() {
            // End the last tick, because readers would treat the actions after the last end of a
            // tick as one more frame.
            self.end_ticks(1);
        }
        let mut messages = self.counts.messages();
        if self.has_f32_angles() {
            let message = "angles are rounded to 1/65536 of a turn, the precision of version 5";
            messages.push((Severity::Info, message.to_owned()));
        }
        if self.dialect.writes_entities_late() && self.added_count > 0 {
            let message = format!(
                "actions of entities are one tick earlier than in the recording, because {} wrote them \
                 after the end of their tick",
                self.dialect
            );
            messages.push((Severity::Info, message));
        }
        let reaches_end = self.frames.end().saturating_add(1) >= self.document.ticks;
        if self.document.header.ends_with_death() && reaches_end {
            self.write_action(None, &Action::Die);
            self.ticks.end_ticks(DEATH_TICKS);
            // The derived state of a recording does not change after its last frame. Only the added
            // ticks change that state, so the message names the time of the last frame.
            let last = self.document.ticks.saturating_sub(1);
            let message = format!(
                "the death at the end takes {DEATH_TICKS} extra ticks: from {} s of the recording on, \
                 the limbs finish their motion and the player falls",
                frame_time(last)
            );
            messages.push((Severity::Info, message));
        }
        self.ticks.flush(&mut self.out);
        if let Some(error) = self.document.stopped.as_ref().filter(|_| reaches_end) {
            let message = format!(
                "damaged at {}: {}; loaded up to {} s",
                error.location(),
                error.message(),
                frame_time(self.document.ticks)
            );
            messages.push((Severity::Warning, message));
        }
        Ok(Rewritten { bytes: self.out.0, ticks: self.ticks.count, messages })
    }
}
