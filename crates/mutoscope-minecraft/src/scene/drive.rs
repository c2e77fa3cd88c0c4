//! The procedural animation of a clip's nodes.

use std::{borrow::Cow, sync::Arc};

use glam::{DQuat, DVec3};

use super::{Placement, Scene, Take};
use crate::{
    ClientState, Entity, Part, SampleTime, Stand,
    figure::{Figure, facing},
    likeness, spoken, words,
};
use mutoscope_core::clip::{
    Annotations, Condition, Detail, Event, EventWords, Fact, Humanoid, Likeness, NodeId,
    ProceduralAnimation, Track, Transform, Value, View,
};

impl ProceduralAnimation for Scene {
    fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        for take in &self.takes {
            let moment = take.moment(time);
            let is_there = moment.is_some();
            // Hidden actors are placed where they will begin.
            let moment = moment.unwrap_or(START);
            take.drive_player(moment, is_there, place);
            for (index, entity) in take.recording.entities.iter().enumerate() {
                let transform = take.entity_transform(entity, moment);
                let is_shown = is_there && take.is_entity_shown(entity, moment, time);
                place(take.entity(index), transform, is_shown);
            }
        }
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        // Of several, none is the one that carries the others.
        if let [take] = &*self.takes { Some(take.player()) } else { None }
    }

    fn bodies(&self) -> Vec<Humanoid> {
        self.takes.iter().filter_map(|take| take.humanoid()).collect()
    }

    fn body_at(&self, hips: NodeId, time: f64) -> Option<Transform> {
        let take = self.takes.iter().find(|take| take.player() == hips)?;
        // Hidden actors are placed where they will begin.
        let moment = take.moment(time).unwrap_or(START);
        let client = take.recording.client(moment);
        Some(take.player_at(moment, client).compose(&take.figure(moment, client).whole))
    }

    fn likeness(&self) -> Option<Likeness> {
        Some(likeness::of(self))
    }

    fn views(&self) -> Vec<View> {
        let view = |take: &Arc<Take>| View {
            name: format!("{}player/eyes", take.prefix()),
            vertical_angle: VERTICAL_ANGLE,
        };
        self.takes.iter().map(view).collect()
    }

    fn view_at(&self, view: usize, time: f64) -> Transform {
        let Some(take) = self.takes.get(view) else { return Transform::IDENTITY };
        let moment = take.moment(time).unwrap_or(START);
        let (translation, rotation) = take.eyes(moment);
        Transform { translation, rotation, scale: DVec3::ONE }
    }
}

/// The first moment of a recording.
const START: SampleTime = SampleTime { frame: 0, t: 0.0 };

/// How much of the world the game shows unless players want it otherwise, in degrees.
const VERTICAL_ANGLE: f64 = 70.0;

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
        moment: SampleTime,
        is_there: bool,
        place: &mut dyn FnMut(NodeId, Transform, bool),
    ) {
        let recording = &self.recording;
        let is_shown = is_there && recording.is_player_shown(moment.frame);
        let client = recording.client(moment);
        place(self.player(), self.player_at(moment, client), is_shown);
        let figure = self.figure(moment, client);
        // Of a spectator only the head is visible.
        let is_spectator = *recording.player.spectator.at(moment.frame);
        for part in Part::ALL {
            let is_shown = part == Part::Head || !is_spectator;
            place(self.part(part), figure.part(part), is_shown);
        }
    }

    /// Where the player stands at a moment, turned as its body is.
    fn player_at(&self, moment: SampleTime, client: ClientState) -> Transform {
        let Self { recording, placement, .. } = self;
        Transform {
            translation: placement.point(recording.player.path.value(moment).position),
            rotation: facing(placement.yaw(client.body_yaw)),
            scale: DVec3::splat(self.size),
        }
    }

    fn figure(&self, moment: SampleTime, client: ClientState) -> Figure {
        Figure::new(&self.recording, moment, client, &self.placement)
    }

    fn entity_transform(&self, entity: &Entity, moment: SampleTime) -> Transform {
        let placement = &self.placement;
        let stand = entity.actor.path.value(moment);
        let rotation = if entity.is_projectile() {
            along(placement.direction(flight(&stand)))
        } else {
            facing(placement.yaw(stand.yaw))
        };
        let scale = if entity.is_living() { placement.scale() } else { 1.0 };
        let translation = placement.point(stand.position);
        Transform { translation, rotation, scale: DVec3::splat(scale) }
    }

    /// Where the player's eyes are at a moment, in blocks, and how they are turned: they look along
    /// −Z.
    pub fn eyes(&self, moment: SampleTime) -> (DVec3, DQuat) {
        let Self { recording, placement, size, .. } = self;
        let stand = recording.look(moment);
        let height = recording.player.pose.at(moment.frame).eye_height();
        let eyes = placement.point(stand.position) + DVec3::Y * height * *size;
        (eyes, looking(placement, stand.head_yaw, stand.pitch))
    }
}

/// Where a projectile flies: its yaw turns the other way round than that of players, and its pitch
/// is upwards.
fn flight(stand: &Stand) -> DVec3 {
    let (yaw, pitch) = (stand.yaw.to_radians(), stand.pitch.to_radians());
    DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
}

/// Looking along −Z in a direction, upright.
fn along(direction: DVec3) -> DQuat {
    let yaw = DQuat::from_rotation_y((-direction.x).atan2(-direction.z));
    yaw * DQuat::from_rotation_x(direction.y.atan2(direction.x.hypot(direction.z)))
}

fn looking(placement: &Placement, yaw: f64, pitch: f64) -> DQuat {
    facing(placement.yaw(yaw)) * DQuat::from_rotation_x(-pitch.to_radians())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projectiles_point_along_their_velocity() {
        // As the game makes yaw and pitch of a velocity.
        for [x, y, z] in [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7], [-0.2, 0.9, -0.4], [0.0, 0.1, -1.0]] {
            let velocity = DVec3::new(x, y, z).normalize();
            let yaw = velocity.x.atan2(velocity.z).to_degrees();
            let pitch = velocity.y.atan2(velocity.x.hypot(velocity.z)).to_degrees();
            let ahead = along(flight(&Stand { yaw, pitch, ..Stand::default() })) * DVec3::NEG_Z;
            assert!(ahead.abs_diff_eq(velocity, 1e-12), "{velocity}: {ahead}");
        }
    }
}
