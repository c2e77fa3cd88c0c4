//! How a clip's nodes follow what is played.

use std::borrow::Cow;

use glam::{DQuat, DVec3};

use super::{Placement, Scene, Take};
use crate::{
    clip::{
        Annotations, Condition, Detail, Event, EventWords, Fact, NodeId, ProceduralAnimation,
        Track, Transform, Value,
    },
    formats::mcmocap::{
        Moment, Part,
        figure::{Figure, facing},
        spoken, words,
    },
};

impl ProceduralAnimation for Scene {
    fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        for take in &self.takes {
            let moment = take.moment(time);
            let is_there = moment.is_some();
            // What is not there stands where it will begin.
            let moment = moment.unwrap_or(Moment { frame: 0, part: 0.0 });
            take.drive_player(moment, is_there, place);
            for (index, entity) in take.recording.entities.iter().enumerate() {
                let stand = entity.actor.path.value(moment);
                let transform = Transform {
                    translation: take.placement.point(stand.position),
                    rotation: facing(take.placement.yaw(stand.yaw)),
                    scale: DVec3::splat(take.placement.scale()),
                };
                let is_shown = is_there && take.is_entity_shown(entity, moment, time);
                place(take.entity(index), transform, is_shown);
            }
        }
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        // Of several, none is the one that carries the others.
        if let [take] = &*self.takes { Some(take.player()) } else { None }
    }
}

impl Annotations for Scene {
    fn frame_word(&self) -> &'static str {
        "tick"
    }

    fn kind_of(&self, node: NodeId) -> Option<Cow<'_, str>> {
        let take = words::take_of(self, node)?;
        if node == take.player() {
            return take.kind.as_deref().map(spoken);
        }
        let index = node.index().checked_sub(take.entity(0).index())?;
        let kind = spoken(&take.recording.entities.get(index)?.kind);
        Some(kind).filter(|kind| !kind.is_empty())
    }

    fn property_words(&self, property: &str) -> Option<String> {
        Some(words::property(property))
    }

    fn value_words(&self, track: &Track, value: &Value) -> Option<String> {
        words::value(self, track, value)
    }

    fn event_words(&self, event: &Event) -> Option<EventWords> {
        Some(words::event(self, event))
    }

    fn details(&self, node: NodeId, time: f64) -> Vec<Detail> {
        self.details_of(node, time)
    }

    fn conditions(&self) -> Vec<Condition> {
        self.all_conditions()
    }

    fn facts(&self) -> Vec<Fact> {
        match &*self.takes {
            [take] if !self.is_scene => take.recording.facts(),
            _ => self.facts_of_scene(),
        }
    }
}

impl Take {
    fn drive_player(
        &self,
        moment: Moment,
        is_there: bool,
        place: &mut dyn FnMut(NodeId, Transform, bool),
    ) {
        let Self { recording, placement, .. } = self;
        let stand = recording.player.path.value(moment);
        let client = recording.client(moment);
        let player = Transform {
            translation: placement.point(stand.position),
            rotation: facing(placement.yaw(client.body_yaw)),
            scale: DVec3::splat(self.size),
        };
        place(self.player(), player, is_there && recording.is_player_shown(moment.frame));
        let figure = Figure::new(recording, moment, client, placement);
        // Of a spectator only the head is to be seen.
        let is_spectator = *recording.player.spectator.at(moment.frame);
        for part in Part::ALL {
            let is_shown = part == Part::Head || !is_spectator;
            place(self.part(part), figure.part(part), is_shown);
        }
    }

    /// Where the player's eyes are at a moment, in blocks, and how they are turned: they look along
    /// −Z.
    pub fn eyes(&self, moment: Moment) -> (DVec3, DQuat) {
        let Self { recording, placement, size, .. } = self;
        let stand = recording.player.path.value(moment);
        let height = recording.player.pose.at(moment.frame).eye_height();
        let eyes = placement.point(stand.position) + DVec3::Y * height * *size;
        (eyes, looking(placement, stand.head_yaw, stand.pitch))
    }
}

fn looking(placement: &Placement, yaw: f64, pitch: f64) -> DQuat {
    facing(placement.yaw(yaw)) * DQuat::from_rotation_x(-pitch.to_radians())
}
