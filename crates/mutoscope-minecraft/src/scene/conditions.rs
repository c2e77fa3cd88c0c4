//! When players and entities are present, and the conditions of players.

use std::{borrow::Cow, sync::Arc};

use super::{Scene, Take};
use crate::{Entity, EntityFlags, Held, LivingFlags, recording::DYING, tracks::Property};
use mutoscope_core::clip::{Condition, ConditionKind, NodeId, joined};

/// From a frame to the one before another, or to the end.
type Frames = (u32, Option<u32>);

impl Scene {
    /// The presence of all, and the conditions of players.
    pub(super) fn all_conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for take in &self.takes {
            take.player_conditions(&mut conditions);
            for (index, entity) in take.recording.entities.iter().enumerate() {
                let spans = take.times_of_entity(entity);
                let kind = ConditionKind::Presence;
                conditions.push(Condition { node: take.entity(index), kind, spans });
            }
        }
        conditions
    }
}

impl Take {
    fn player_conditions(&self, conditions: &mut Vec<Condition>) {
        let node = self.player();
        let player = &self.recording.player;
        let spans = self.times(self.recording.player_spans());
        conditions.push(Condition { node, kind: ConditionKind::Presence, spans });
        let mut flags = Flags { take: self, node, conditions };
        let words = [EntityFlags::word, LivingFlags::word];
        let properties = [Property::EntityFlags, Property::LivingFlags];
        let held = [&player.entity_flags, &player.living_flags];
        for ((property, held), word) in properties.into_iter().zip(held).zip(words) {
            flags.bits(property, held, word);
        }
        flags.push(None, "spectator".into(), player.spectator.spans(|is_one| *is_one));
    }

    /// The times of these frames, in every round.
    fn times(&self, frames: impl Iterator<Item = Frames>) -> Arc<[(f64, f64)]> {
        let frames: Vec<_> = frames.collect();
        let spans = self.rounds.iter().flat_map(|round| {
            // While it waits it is as in its first frame.
            let from = |from: u32| Some(from).filter(|from| *from > 0);
            frames.iter().filter_map(move |&(start, end)| round.span(from(start), end))
        });
        joined(spans)
    }

    /// When an entity is visible: what comes with the first tick is not there while that is waited
    /// for.
    fn times_of_entity(&self, entity: &Entity) -> Arc<[(f64, f64)]> {
        let is_at_once = !self.is_in_scene() || self.cue.starts_at_once();
        let spans = self.rounds.iter().flat_map(|round| {
            entity.spans().filter_map(move |(start, end)| {
                round.span(Some(start).filter(|start| *start > 0 || !is_at_once), end)
            })
        });
        joined(spans)
    }
}

impl Entity {
    /// The frames in which it is visible.
    fn spans(&self) -> impl Iterator<Item = Frames> {
        self.lives.iter().map(|life| {
            let fell = life.killed.map(|killed| killed + DYING);
            let end = [life.to, fell].into_iter().flatten().min();
            (life.from, end)
        })
    }
}

/// Lists the conditions of a player.
struct Flags<'a> {
    take: &'a Take,
    node: NodeId,
    conditions: &'a mut Vec<Condition>,
}

impl Flags<'_> {
    /// Adds a condition for each bit of a number that is ever set.
    fn bits(&mut self, property: Property, held: &Held<u8>, word: fn(u8) -> Cow<'static, str>) {
        for bit in (0..u8::BITS).map(|shift| 1_u8 << shift) {
            self.push(Some(property), word(bit), held.spans(|flags| flags & bit != 0));
        }
    }

    fn push(
        &mut self,
        property: Option<Property>,
        name: Cow<'static, str>,
        frames: impl Iterator<Item = Frames>,
    ) {
        let spans = self.take.times(frames);
        if !spans.is_empty() {
            let kind = ConditionKind::Flag { name, property: property.map(Property::name) };
            self.conditions.push(Condition { node: self.node, kind, spans });
        }
    }
}
