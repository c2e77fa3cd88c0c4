//! The list of all that plays in a scene: nodes one after the other, rounds, events.

use super::{Round, Take, gather::Part};
use crate::{TICKS_PER_SECOND, replay::MOST_EVENTS};
use mutoscope_core::{
    clip::{Event, Owner},
    diagnostics::{Notices, SourceLocation},
};

/// Repetitions of looping elements are listed up to this many keys and events together.
const MOST_REPEATED: usize = 1 << 22;

/// At least this many for each.
const LEAST: usize = 64;

/// A scene's list while it is made.
pub(super) struct Roll<'a> {
    /// How long the scene is.
    ticks: f64,
    notices: &'a mut Notices,
    /// How many keys and events of repetitions may still be listed.
    left: usize,
    first_node: usize,
    events: Vec<Event>,
    /// Whether events are skipped because there are too many.
    is_full: bool,
}

impl<'a> Roll<'a> {
    pub(super) fn new(ticks: f64, notices: &'a mut Notices) -> Self {
        let events = Vec::new();
        Self { ticks, notices, left: MOST_REPEATED, first_node: 0, events, is_full: false }
    }

    /// Lists what one of them has, and gives it its place.
    pub(super) fn enter(&mut self, part: Part) -> Take {
        let rounds = self.rounds(&part);
        let take = Take { first_node: self.first_node, rounds, ..part.take };
        self.first_node += take.node_count();
        self.report_blocks(&take);
        for round in &take.rounds {
            for event in &part.recorded.events {
                self.event(event, round, &take);
            }
        }
        take
    }

    /// Reports how many blocks are skipped.
    fn report_blocks(&mut self, take: &Take) {
        let places = take.recording.blocks.places();
        let count = places.len();
        let lost = places.filter(|&place| take.placement.block(place).is_none()).count();
        if lost > 0 {
            let message = format!(
                "{:?}: {lost} of {count} blocks fall off the game's grid, or one would become \
                 several; skipped, as by the mod. round_block_pos rounds them to the grid",
                take.name
            );
            self.notices.warning(SourceLocation::File, message);
        }
    }

    fn rounds(&mut self, part: &Part) -> Box<[Round]> {
        // A repetition has a cost even without keys and events.
        let told = part.recorded.told.max(LEAST);
        let most = 1 + self.left / told;
        let mut rounds = part.take.cue.rounds(self.ticks, most + 1);
        if rounds.len() > most {
            rounds.truncate(most);
            let message = format!(
                "{:?} plays more often than can be listed; using keys, events and lanes of its first \
                 {most} times",
                part.take.name
            );
            self.notices.warning(SourceLocation::File, message);
        }
        self.left -= told * rounds.len().saturating_sub(1);
        rounds.into()
    }

    /// An event of a recording, when it happens in a round.
    fn event(&mut self, event: &Event, round: &Round, take: &Take) {
        let Some(time) = round.time_of((event.time * TICKS_PER_SECOND).round() as u32) else {
            return;
        };
        if self.events.len() == MOST_EVENTS {
            self.is_full = true;
            return;
        }
        let owner = event.owner.map(|owner| match owner {
            Owner::Node(node) => Owner::Node(take.node(node)),
            group @ Owner::Group(_) => group,
        });
        self.events.push(Event { time, owner, ..event.clone() });
    }

    /// All events, in the order of time.
    pub(super) fn finish(mut self) -> Vec<Event> {
        if self.is_full {
            let message = format!("more than {MOST_EVENTS} events; the rest is skipped");
            self.notices.error(SourceLocation::File, message);
        }
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.events
    }
}
