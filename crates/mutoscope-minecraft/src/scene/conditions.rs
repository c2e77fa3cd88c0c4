//! Lists the time spans in which players and entities are present, and the conditions of players.

use std::{borrow::Cow, sync::Arc};

use super::{Scene, Take};
use crate::{
    Entity, EntityFlags, LivingFlags, StepTrack, recording::DEATH_TICKS, tracks::Property,
};
use mutoscope_core::clip::{Condition, ConditionKind, NodeId, merge_spans};

/// A span of frames: the first frame, and the frame after the last one. `None` stands for the end
/// of the recording.
type Frames = (u32, Option<u32>);

impl Scene {
    pub(super) fn all_conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for take in &self.takes {
            take.player_conditions(&mut conditions);
            for (index, entity) in take.recording.entities.iter().enumerate() {
                let spans = take.entity_times(entity);
                let kind = ConditionKind::Presence;
                conditions.push(Condition { node: take.entity_node(index), kind, spans });
            }
        }
        conditions
    }
}

impl Take {
    fn player_conditions(&self, conditions: &mut Vec<Condition>) {
        let node = self.player_node();
        let player = &self.recording.player;
        let spans = self.scene_times(self.recording.player_spans());
        conditions.push(Condition { node, kind: ConditionKind::Presence, spans });
        let mut flags = FlagConditions { take: self, node, conditions };
        let labels = [EntityFlags::label, LivingFlags::label];
        let properties = [Property::EntityFlags, Property::LivingFlags];
        let track = [&player.entity_flags, &player.living_flags];
        for ((property, track), label) in properties.into_iter().zip(track).zip(labels) {
            flags.push_bits(property, track, label);
        }
        flags.push(None, "spectator".into(), player.spectator.spans(|is_spectator| *is_spectator));
    }

    fn scene_times(&self, frames: impl Iterator<Item = Frames>) -> Arc<[(f64, f64)]> {
        let frames: Vec<_> = frames.collect();
        let spans = self.rounds.iter().flat_map(|round| {
            // A recording shows its first frame while it waits at its start. Therefore a span from
            // frame 0 on includes the wait.
            let from = |from: u32| Some(from).filter(|from| *from > 0);
            frames.iter().filter_map(move |&(start, end)| round.time_span(from(start), end))
        });
        merge_spans(spans)
    }

    /// Returns the times at which an entity is visible. An entity that is added in the first tick
    /// is not visible while the recording waits for that tick.
    fn entity_times(&self, entity: &Entity) -> Arc<[(f64, f64)]> {
        let is_at_once = !self.is_in_scene() || self.cue.starts_at_once();
        let spans = self.rounds.iter().flat_map(|round| {
            entity.visible_spans().filter_map(move |(start, end)| {
                round.time_span(Some(start).filter(|start| *start > 0 || !is_at_once), end)
            })
        });
        merge_spans(spans)
    }
}

impl Entity {
    fn visible_spans(&self) -> impl Iterator<Item = Frames> {
        self.lives.iter().map(|life| {
            let fell = life.killed.map(|killed| killed + DEATH_TICKS);
            let end = [life.to, fell].into_iter().flatten().min();
            (life.from, end)
        })
    }
}

struct FlagConditions<'a> {
    take: &'a Take,
    node: NodeId,
    conditions: &'a mut Vec<Condition>,
}

impl FlagConditions<'_> {
    fn push_bits(
        &mut self,
        property: Property,
        track: &StepTrack<u8>,
        label: fn(u8) -> Cow<'static, str>,
    ) {
        for bit in (0..u8::BITS).map(|shift| 1_u8 << shift) {
            self.push(Some(property), label(bit), track.spans(|flags| flags & bit != 0));
        }
    }

    fn push(
        &mut self,
        property: Option<Property>,
        name: Cow<'static, str>,
        frames: impl Iterator<Item = Frames>,
    ) {
        let spans = self.take.scene_times(frames);
        if !spans.is_empty() {
            let kind = ConditionKind::Flag { name, property: property.map(Property::name) };
            self.conditions.push(Condition { node: self.node, kind, spans });
        }
    }
}
