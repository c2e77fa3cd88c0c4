//! Implements the procedural animation and the annotations of a clip.

use std::{borrow::Cow, sync::Arc};

use glam::{DQuat, DVec3};

use super::{Placement, Scene, Take};
use crate::{
    ActorTransform, ClientState, Entity, Part, SampleTime, display_name, export_model,
    figure::{Figure, body_rotation},
    labels,
};
use mutoscope_core::clip::{
    Annotations, Condition, Detail, Event, EventDescription, ExportModel, Fact, Humanoid, NodeId,
    ProceduralAnimation, Track, Transform, Value, View,
};

impl ProceduralAnimation for Scene {
    fn animate(&self, time: f64, set: &mut dyn FnMut(NodeId, Transform, bool)) {
        for take in &self.takes {
            let moment = take.sample_time(time);
            let is_there = moment.is_some();
            // An absent actor still needs a transform, so use the transform of the first frame.
            let moment = moment.unwrap_or(FIRST_FRAME);
            take.animate_player(moment, is_there, set);
            for (index, entity) in take.recording.entities.iter().enumerate() {
                let transform = take.entity_transform(entity, moment);
                let is_shown = is_there && take.is_entity_shown(entity, moment, time);
                set(take.entity_node(index), transform, is_shown);
            }
        }
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        // A scene of several recordings has no root node, because no player is the parent of the
        // others.
        if let [take] = &*self.takes { Some(take.player_node()) } else { None }
    }

    fn bodies(&self) -> Vec<Humanoid> {
        self.takes.iter().filter_map(|take| take.humanoid()).collect()
    }

    fn body_transform(&self, hips: NodeId, time: f64) -> Option<Transform> {
        let take = self.takes.iter().find(|take| take.player_node() == hips)?;
        // An absent actor still needs a transform, so use the transform of the first frame.
        let moment = take.sample_time(time).unwrap_or(FIRST_FRAME);
        let client = take.recording.client(moment);
        Some(take.player_transform(moment, client).compose(&take.figure(moment, client).whole))
    }

    fn export_model(&self) -> Option<ExportModel> {
        Some(export_model::build_export_model(self))
    }

    fn views(&self) -> Vec<View> {
        let view = |take: &Arc<Take>| View {
            name: format!("{}player/eyes", take.prefix()),
            vertical_fov_degrees: FIELD_OF_VIEW_DEGREES,
        };
        self.takes.iter().map(view).collect()
    }

    fn view_transform(&self, view: usize, time: f64) -> Transform {
        let Some(take) = self.takes.get(view) else { return Transform::IDENTITY };
        let moment = take.sample_time(time).unwrap_or(FIRST_FRAME);
        let (translation, rotation) = take.eye_transform(moment);
        Transform { translation, rotation, scale: DVec3::ONE }
    }
}

const FIRST_FRAME: SampleTime = SampleTime { frame: 0, t: 0.0 };

const FIELD_OF_VIEW_DEGREES: f64 = 70.0;

impl Annotations for Scene {
    fn frame_label(&self) -> &'static str {
        "tick"
    }

    fn node_type_label(&self, node: NodeId) -> Option<Cow<'_, str>> {
        let take = labels::take_of_node(self, node)?;
        if node == take.player_node() {
            return take.entity_kind.as_deref().map(display_name);
        }
        let index = node.index().checked_sub(take.entity_node(0).index())?;
        let kind = display_name(&take.recording.entities.get(index)?.kind);
        Some(kind).filter(|kind| !kind.is_empty())
    }

    fn property_label(&self, property: &str) -> Option<String> {
        Some(labels::property_label(property))
    }

    fn value_label(&self, track: &Track, value: &Value) -> Option<String> {
        labels::value_label(self, track, value)
    }

    fn describe_event(&self, event: &Event) -> Option<EventDescription> {
        Some(labels::describe_event(self, event))
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
    fn animate_player(
        &self,
        moment: SampleTime,
        is_there: bool,
        set: &mut dyn FnMut(NodeId, Transform, bool),
    ) {
        let recording = &self.recording;
        let is_shown = is_there && recording.is_player_shown(moment.frame);
        let client = recording.client(moment);
        set(self.player_node(), self.player_transform(moment, client), is_shown);
        let figure = self.figure(moment, client);
        // The game draws only the head of a spectator.
        let is_spectator = *recording.player.spectator.at_frame(moment.frame);
        for part in Part::ALL {
            let is_shown = part == Part::Head || !is_spectator;
            set(self.part_node(part), figure.part(part), is_shown);
        }
    }

    /// Returns the transform of the player. The rotation is that of the body, not that of the head.
    fn player_transform(&self, moment: SampleTime, client: ClientState) -> Transform {
        let Self { recording, placement, .. } = self;
        Transform {
            translation: placement.transform_point(recording.player.path.sample(moment).position),
            rotation: body_rotation(placement.transform_yaw(client.body_yaw)),
            scale: DVec3::splat(self.actor_scale),
        }
    }

    fn figure(&self, moment: SampleTime, client: ClientState) -> Figure {
        Figure::new(&self.recording, moment, client, &self.placement)
    }

    fn entity_transform(&self, entity: &Entity, moment: SampleTime) -> Transform {
        let placement = &self.placement;
        let transform = entity.actor.path.sample(moment);
        let rotation = if entity.is_projectile() {
            rotation_towards(placement.transform_direction(flight_direction(&transform)))
        } else {
            body_rotation(placement.transform_yaw(transform.yaw))
        };
        let scale = if entity.is_living() { placement.scale() } else { 1.0 };
        let translation = placement.transform_point(transform.position);
        Transform { translation, rotation, scale: DVec3::splat(scale) }
    }

    /// Returns the position of the player's eyes in blocks, and their rotation. The eyes look along
    /// −Z.
    pub fn eye_transform(&self, moment: SampleTime) -> (DVec3, DQuat) {
        let Self { recording, placement, actor_scale: size, .. } = self;
        let transform = recording.look(moment);
        let height = recording.player.pose.at_frame(moment.frame).eye_height();
        let eyes = placement.transform_point(transform.position) + DVec3::Y * height * *size;
        (eyes, look_rotation(placement, transform.head_yaw, transform.pitch))
    }
}

/// Returns the direction in which a projectile flies. The yaw of a projectile has the opposite sign
/// of that of a player, and a positive pitch points upwards.
fn flight_direction(transform: &ActorTransform) -> DVec3 {
    let (yaw, pitch) = (transform.yaw.to_radians(), transform.pitch.to_radians());
    DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
}

fn rotation_towards(direction: DVec3) -> DQuat {
    let yaw = DQuat::from_rotation_y((-direction.x).atan2(-direction.z));
    yaw * DQuat::from_rotation_x(direction.y.atan2(direction.x.hypot(direction.z)))
}

fn look_rotation(placement: &Placement, yaw: f64, pitch: f64) -> DQuat {
    body_rotation(placement.transform_yaw(yaw)) * DQuat::from_rotation_x(-pitch.to_radians())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projectiles_point_along_their_velocity() {
        // The game computes yaw and pitch from a velocity with these formulas.
        for [x, y, z] in [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7], [-0.2, 0.9, -0.4], [0.0, 0.1, -1.0]] {
            let velocity = DVec3::new(x, y, z).normalize();
            let yaw = velocity.x.atan2(velocity.z).to_degrees();
            let pitch = velocity.y.atan2(velocity.x.hypot(velocity.z)).to_degrees();
            let ahead = rotation_towards(flight_direction(&ActorTransform {
                yaw,
                pitch,
                ..ActorTransform::default()
            })) * DVec3::NEG_Z;
            assert!(ahead.abs_diff_eq(velocity, 1e-12), "{velocity}: {ahead}");
        }
    }
}
