//! Step by step from a recording of any version to one of version 5.

mod doing;
mod entities;

use std::{
    collections::{HashMap, HashSet},
    ops::RangeInclusive,
};

use glam::DVec3;

use super::{
    Rewrite, Rewritten, actions,
    actor::Tracked,
    header,
    late::LateTick,
    movement::{nearest_angle, same_angle},
    out::Out,
    remarks::Counts,
    ticks::Ticks,
};
use crate::{Action, Dialect, Document, Step, Update, recording::DYING, time::time_of};
use mutoscope_core::diagnostics::{Error, Severity, SourceLocation};

/// Rewrites a recording, step by step.
pub(super) struct Rewriter<'a> {
    document: &'a Document<'a>,
    how: &'a Rewrite,
    dialect: Dialect,
    frames: RangeInclusive<u32>,
    /// The frame that is being read.
    frame: u32,
    /// Where the written recording starts, once it has begun.
    start: Option<DVec3>,
    player: Tracked<'a>,
    entities: HashMap<i32, Tracked<'a>>,
    /// The skipped entities.
    left_out: HashSet<i32>,
    /// How many were added so far.
    added: u32,
    vehicle: Option<i32>,
    /// The actor that has moved and may still turn its head in the same tick, in old versions.
    moved: Option<Option<i32>>,
    late: LateTick,
    out: Out,
    ticks: Ticks,
    /// Whether anything was written since the last tick ended.
    is_open: bool,
    counts: Counts,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(document: &'a Document<'a>, how: &'a Rewrite) -> Self {
        let header = &document.header;
        let angles = [header.start_pitch, header.start_yaw, header.start_yaw];
        let dialect = document.layout.dialect;
        let mut rewriter = Self {
            document,
            how,
            dialect,
            frames: how.frames.clone().unwrap_or(0..=u32::MAX),
            frame: 0,
            start: None,
            player: Tracked::new(header.start, angles),
            entities: HashMap::new(),
            left_out: HashSet::new(),
            added: 0,
            vehicle: None,
            moved: None,
            late: LateTick::new(dialect),
            out: Out::default(),
            ticks: Ticks::default(),
            is_open: false,
            counts: Counts::default(),
        };
        rewriter.begin_if_due();
        rewriter
    }

    /// Whether all that is wanted has been written.
    pub(super) fn is_over(&self) -> bool {
        self.frame > *self.frames.end()
    }

    pub(super) fn step(&mut self, step: Step<'a>) {
        let is_move = matches!(step.action, Action::Move(_));
        if self.moved.is_some_and(|moved| !is_move || moved != step.entity) {
            self.write_moved();
        }
        if self.late.is_due(&step) {
            self.end_ticks(1);
        }
        if self.is_over() {
            return;
        }
        match (step.action, step.entity) {
            (Action::Ticks(count), None) => {
                if !self.late.holds(count) {
                    self.end_ticks(count);
                }
            }
            // As it is read: none of them is an entity's.
            (Action::Ticks(_) | Action::Die | Action::Respawn, Some(_)) => {}
            (Action::Update { entity, update }, _) => self.update(entity, update),
            (action, entity) => self.act(entity, action),
        }
    }

    fn end_ticks(&mut self, count: u8) {
        for _ in 0..count {
            if self.frames.contains(&self.frame) {
                self.ticks.end(1);
                self.is_open = false;
            }
            self.frame += 1;
            self.begin_if_due();
        }
    }

    /// Where to write, if what comes now is to be written.
    fn output(&mut self) -> Option<&mut Out> {
        self.start?;
        self.ticks.flush(&mut self.out);
        self.is_open = true;
        Some(&mut self.out)
    }

    /// Writes the header, and the states from the first tick on.
    fn begin_if_due(&mut self) {
        if self.start.is_some() || self.frame < *self.frames.start() {
            return;
        }
        let start = self.player.position;
        let [pitch, yaw, _] = self.player.angles;
        self.start = Some(start);
        self.player.written = start;
        header::write(&mut self.out, &self.document.header, start, [yaw, pitch]);
        if self.frame > 0 {
            self.write_first_tick(start);
        }
    }

    /// The initial state of a recording that begins in the middle of another.
    fn write_first_tick(&mut self, start: DVec3) {
        let angle = self.angle();
        let frame = self.frame;
        let out = &mut self.out;
        self.is_open = true;
        self.player.states.write(out, None);
        self.player.write_place(out, start, angle);
        if self.player.died.is_some() {
            actions::write(out, &Action::Die);
        }
        // Entities that died longer ago are out of sight, and no later action is written for them.
        self.entities.retain(|_, entity| entity.died.is_none_or(|died| died + DYING > frame));
        let mut entities: Vec<_> = self.entities.iter_mut().collect();
        entities.sort_unstable_by_key(|(_, entity)| entity.order);
        for (&id, entity) in entities {
            entity.write_whole(out, id, start, angle);
        }
        if let Some(id) = self.vehicle.filter(|id| self.entities.contains_key(id)) {
            actions::write(out, &Action::Update { entity: id, update: Update::Mount });
        }
    }

    /// How angles become the format's own.
    fn angle(&self) -> fn(f32) -> i16 {
        if self.is_old() { nearest_angle } else { same_angle }
    }

    /// Whether angles have single precision, and heads turn by actions of their own.
    fn is_old(&self) -> bool {
        self.dialect <= Dialect::V4
    }

    /// The player, or an entity if it is there.
    fn tracked(&mut self, entity: Option<i32>) -> Option<&mut Tracked<'a>> {
        match entity {
            None => Some(&mut self.player),
            Some(id) => self.entities.get_mut(&id),
        }
    }

    pub(super) fn finish(mut self) -> Result<Rewritten, Error> {
        self.write_moved();
        if self.late.release() {
            self.end_ticks(1);
        }
        if self.start.is_none() || *self.frames.start() > 0 && self.ticks.count == 0 {
            let expected = format!("a range within its {} s", time_of(self.document.ticks));
            return Err(Error::malformed(
                SourceLocation::File,
                expected,
                "one in which nothing is",
            ));
        }
        let refusal = self.counts.refusal().filter(|_| !self.how.drops_numbers);
        if let Some(message) = refusal {
            return Err(Error::unsupported(SourceLocation::File, message));
        }
        if self.is_open && !self.is_over() {
            // Actions behind the last tick make a frame, as they do when they are read.
            self.end_ticks(1);
        }
        let mut remarks = self.counts.remarks();
        if self.is_old() {
            let message =
                "angles are rounded to 1/65536 of a turn, which is how version 5 has them";
            remarks.push((Severity::Info, message.to_owned()));
        }
        if self.dialect.writes_entities_late() && self.added > 0 {
            let message = format!(
                "actions of entities are a tick earlier than {} wrote them: after the end of their tick",
                self.dialect
            );
            remarks.push((Severity::Info, message));
        }
        let reaches_end = self.frames.end().saturating_add(1) >= self.document.ticks;
        if self.document.header.ends_with_death() && reaches_end {
            self.write(None, &Action::Die);
            self.ticks.end(DYING);
            // It is as it was up to its last frame, behind which a recording stands still.
            let last = self.document.ticks.saturating_sub(1);
            let message = format!(
                "the death at the end takes {DYING} extra ticks: from {} s of the recording on, \
                 where it stood still, limbs go on and the player falls",
                time_of(last)
            );
            remarks.push((Severity::Info, message));
        }
        self.ticks.flush(&mut self.out);
        if let Some(error) = self.document.stopped.as_ref().filter(|_| reaches_end) {
            let message = format!(
                "damaged at {}: {}; loaded up to {} s",
                error.place(),
                error.message(),
                time_of(self.document.ticks)
            );
            remarks.push((Severity::Warning, message));
        }
        Ok(Rewritten { bytes: self.out.0, ticks: self.ticks.count, remarks })
    }
}
