//! Assembles a scene from its loaded parts: node indices, rounds, events.

use super::{Round, Take, codes, loader::ScenePart};
use crate::{TICKS_PER_SECOND, replay::MOST_EVENTS};
use mutoscope_core::{
    clip::{Event, Owner},
    diagnostics::{Diagnostics, SourceLocation},
};

const MAX_REPEATED_KEYS_AND_EVENTS: usize = 1 << 22;

const MIN_REPETITION_COST: usize = 64;

pub(super) struct SceneAssembler<'a> {
    /// The duration of the scene, in ticks.
    ticks: f64,
    diagnostics: &'a mut Diagnostics,
    remaining: usize,
    first_node: usize,
    events: Vec<Event>,
    is_full: bool,
}

impl<'a> SceneAssembler<'a> {
    pub(super) fn new(ticks: f64, diagnostics: &'a mut Diagnostics) -> Self {
        let events = Vec::new();
        Self {
            ticks,
            diagnostics,
            remaining: MAX_REPEATED_KEYS_AND_EVENTS,
            first_node: 0,
            events,
            is_full: false,
        }
    }

    pub(super) fn add_part(&mut self, part: ScenePart) -> Take {
        let rounds = self.list_rounds(&part);
        let take = Take { first_node: self.first_node, rounds, ..part.take };
        self.first_node += take.node_count();
        self.report_blocks(&take);
        for round in &take.rounds {
            for event in &part.recorded.events {
                self.add_event(event, round, &take);
            }
        }
        take
    }

    fn report_blocks(&mut self, take: &Take) {
        let positions = take.recording.blocks.positions();
        let count = positions.len();
        let lost =
            positions.filter(|&position| take.placement.block_bounds(position).is_none()).count();
        if lost > 0 {
            let message = format!(
                "{:?}: {lost} of {count} blocks fall off the game's grid, or one would become \
                 several; skipped, as by the mod. round_block_pos rounds them to the grid",
                take.name
            );
            self.diagnostics
                .warning(codes::BLOCKS_OFF_GRID, SourceLocation::File, message)
                .with("count", lost)
                .with("blocks", count);
        }
    }

    fn list_rounds(&mut self, part: &ScenePart) -> Box<[Round]> {
        // Each repetition takes memory, so give it a minimum cost even if it has no keys or events.
        let repetition_cost = part.recorded.key_and_event_count.max(MIN_REPETITION_COST);
        let max_rounds = 1 + self.remaining / repetition_cost;
        let mut rounds = part.take.cue.rounds(self.ticks, max_rounds + 1);
        if rounds.len() > max_rounds {
            rounds.truncate(max_rounds);
            let message = format!(
                "{:?} plays more often than can be listed; using keys, events and lanes of its first \
                 {max_rounds} times",
                part.take.name
            );
            self.diagnostics
                .warning(codes::REPETITIONS_SKIPPED, SourceLocation::File, message)
                .with("name", part.take.name.as_str())
                .with("limit", max_rounds);
        }
        self.remaining -= repetition_cost * rounds.len().saturating_sub(1);
        rounds.into()
    }

    fn add_event(&mut self, event: &Event, round: &Round, take: &Take) {
        let Some(time) = round.frame_time((event.time * TICKS_PER_SECOND).round() as u32) else {
            return;
        };
        if self.events.len() == MOST_EVENTS {
            self.is_full = true;
            return;
        }
        let owner = event.owner.map(|owner| match owner {
            Owner::Node(node) => Owner::Node(take.to_scene_node(node)),
            group @ Owner::Group(_) => group,
        });
        self.events.push(Event { time, owner, ..event.clone() });
    }

    pub(super) fn finish(mut self) -> Vec<Event> {
        if self.is_full {
            let message = format!("more than {MOST_EVENTS} events; the rest is skipped");
            self.diagnostics
                .error(crate::codes::TOO_MANY_EVENTS, SourceLocation::File, message)
                .with("limit", MOST_EVENTS);
        }
        self.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.events
    }
}
