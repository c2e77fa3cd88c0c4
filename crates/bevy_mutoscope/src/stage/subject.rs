//! The state of a recording on the stage, shared by everything that draws it.

use std::ops::RangeInclusive;

use bevy::{ecs::system::SystemParam, math::DVec3, prelude::*};

use super::{View, look::MaterialSet, motion_bounds::MotionBounds};
use crate::{Recording, RecordingNode, Revision, stage::HiddenNodes, stage::Tint};
use mutoscope_core::clip::{Clip, NodeId, NodePose, NodeVisibility, Pose};

#[derive(Component, Debug, Default)]
pub(super) struct Staged {
    pub(super) measured_revision: Option<Revision>,
    pub(super) made_for: Option<(Revision, Tint, DVec3)>,
    pub(super) parts: Option<Entity>,
    pub(super) bounds: MotionBounds,
    /// The horizontal root motion that is removed, in metres. It is subtracted from every position.
    pub(super) removed_root_motion: DVec3,
    /// The total displacement in metres. It is added to every position.
    pub(super) displacement: DVec3,
    pub(super) space: GlobalTransform,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// The node is not drawn.
    Gone,
    /// The untracked node is drawn faded, at the position that it would have if it were tracked.
    Faded,
    /// The node is drawn opaque.
    Solid,
}

#[derive(Component, Clone, Copy, Debug)]
pub(super) struct FollowsNode {
    pub(super) node: RecordingNode,
    pub(super) size: f32,
}

#[derive(Component, Clone, Debug)]
pub(super) struct Painted {
    pub(super) node: RecordingNode,
    pub(super) materials: super::look::TintedMaterials,
    pub(super) glow_signal: Option<usize>,
}

impl Staged {
    /// Converts a position from the viewer's space to the space of the recording's entity.
    pub(super) fn to_local(&self, position: DVec3) -> Vec3 {
        (position - self.bounds.origin - self.removed_root_motion + self.displacement).as_vec3()
    }

    /// Converts a transform from the viewer's space to the space of the recording's entity. The
    /// result has no scale.
    pub(super) fn to_local_transform(
        &self,
        transform: &mutoscope_core::clip::Transform,
    ) -> Transform {
        Transform {
            translation: self.to_local(transform.translation),
            rotation: transform.rotation.as_quat(),
            scale: Vec3::ONE,
        }
    }

    pub(super) fn to_world(&self, position: DVec3) -> Vec3 {
        self.space.transform_point(self.to_local(position))
    }

    pub(super) fn to_world_transform(
        &self,
        transform: &mutoscope_core::clip::Transform,
    ) -> Transform {
        let local = self.to_local_transform(transform);
        if self.space == GlobalTransform::IDENTITY {
            return local;
        }
        self.space.mul_transform(local).compute_transform()
    }

    pub(super) fn to_world_vector(&self, vector: DVec3) -> Vec3 {
        self.space.affine().transform_vector3(vector.as_vec3())
    }

    /// Converts a position from the world to the viewer's space.
    pub(super) fn to_recorded(&self, point: Vec3) -> DVec3 {
        let local = self.space.affine().inverse().transform_point3(point);
        local.as_dvec3() + self.bounds.origin + self.removed_root_motion - self.displacement
    }

    /// Returns the horizontal root motion from the start to `pose`, in metres.
    pub(super) fn root_motion_in(&self, clip: &Clip, pose: &Pose) -> DVec3 {
        let here = clip.root_motion_node().map(|id| pose[id].world.translation);
        here.map_or(DVec3::ZERO, |here| self.root_motion_to(here))
    }

    pub(super) fn root_motion_to(&self, here: DVec3) -> DVec3 {
        let motion = here - self.bounds.root_start;
        DVec3::new(motion.x, 0.0, motion.z)
    }
}

#[derive(SystemParam)]
pub(super) struct Subjects<'w, 's> {
    pub(super) view: Res<'w, View>,
    all: Query<
        'w,
        's,
        (Entity, &'static Recording, &'static Staged, &'static HiddenNodes, &'static Visibility),
    >,
    changed: Query<'w, 's, (), (With<Recording>, Or<ChangedFilter>)>,
}

type ChangedFilter =
    (Changed<Recording>, Changed<Staged>, Changed<HiddenNodes>, Changed<Visibility>);

impl Subjects<'_, '_> {
    pub(super) fn get(&self, recording: Entity) -> Option<Subject<'_>> {
        self.all.get(recording).ok().map(|found| self.subject(found))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Subject<'_>> {
        self.all.iter().map(|found| self.subject(found))
    }

    /// Returns the reference, which is the recording that was opened first.
    pub(super) fn reference(&self) -> Option<Subject<'_>> {
        self.iter().min_by_key(|subject| subject.recording.order())
    }

    pub(super) fn selected_or_reference(&self) -> Option<Subject<'_>> {
        let selected = self.view.selected.and_then(|selected| self.get(selected.recording));
        selected.or_else(|| self.reference())
    }

    pub(super) fn is_changed(&self) -> bool {
        self.view.is_changed() || !self.changed.is_empty()
    }

    fn subject<'a>(
        &'a self,
        (entity, recording, staged, hidden, visibility): (
            Entity,
            &'a Recording,
            &'a Staged,
            &'a HiddenNodes,
            &'a Visibility,
        ),
    ) -> Subject<'a> {
        let is_visible = *visibility != Visibility::Hidden;
        Subject { entity, recording, staged, hidden, is_visible, view: &self.view }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) entity: Entity,
    pub(super) recording: &'a Recording,
    pub(super) staged: &'a Staged,
    pub(super) hidden: &'a HiddenNodes,
    pub(super) view: &'a View,
    pub(super) is_visible: bool,
}

impl<'a> Subject<'a> {
    pub(super) fn clip(&self) -> &'a Clip {
        self.recording.clip()
    }

    pub(super) fn pose(&self) -> &'a Pose {
        self.recording.pose()
    }

    pub(super) fn is_visible(&self) -> bool {
        self.is_visible
    }

    pub(super) fn drawn_pose(&self, node: NodeId) -> Option<&'a NodePose> {
        (self.presence(node) != Presence::Gone).then(|| &self.pose()[node])
    }

    pub(super) fn presence(&self, node: NodeId) -> Presence {
        if !self.is_visible || self.hidden.contains(&node) {
            return Presence::Gone;
        }
        let Some(pose) = self.pose().nodes.get(node.index()) else { return Presence::Gone };
        let may_fade =
            matches!(self.clip().nodes[node].motion.visibility, NodeVisibility::While(_));
        if !pose.world.is_finite() {
            Presence::Gone
        } else if pose.is_visible {
            if self.is_playing() { Presence::Solid } else { Presence::Faded }
        } else if may_fade && self.view.fade_untracked {
            Presence::Faded
        } else {
            Presence::Gone
        }
    }

    /// Returns `true` if a model or a mannequin is drawn in place of a node.
    pub(super) fn is_replaced(&self, node: NodeId) -> bool {
        self.is_replaced_by_mannequin(node)
            || self.view.model && node.index() < self.clip().model_node_count()
    }

    pub(super) fn is_replaced_by_mannequin(&self, node: NodeId) -> bool {
        self.view.model && self.staged.bounds.mannequins.covers(node)
    }

    fn is_playing(&self) -> bool {
        const ROUNDING_TOLERANCE_S: f64 = 1e-9;
        let (time, span) = (self.pose().time, self.clip().span);
        (span.start - ROUNDING_TOLERANCE_S..=span.end() + ROUNDING_TOLERANCE_S).contains(&time)
    }

    pub(super) fn is_signal_on(&self, signal: usize) -> bool {
        self.pose().signals.get(signal).is_some_and(|value| value.is_true())
    }

    /// Returns the transform of a node in the world, even if it is hidden. `None` if its position
    /// is not finite.
    pub(super) fn node_transform(&self, node: NodeId) -> Option<Transform> {
        let node = self.pose().nodes.get(node.index()).filter(|node| node.world.is_finite())?;
        Some(self.staged.to_world_transform(&node.world))
    }

    /// Returns the clip times for which trails and ghosts are drawn, in seconds.
    pub(super) fn trail_window(&self) -> RangeInclusive<f64> {
        let (now, rate) = (self.pose().time, self.recording.timing().rate);
        let travel = &self.view.motion_trail;
        now - travel.before * rate..=now + travel.after * rate
    }

    pub(super) fn selected(&self) -> Option<NodeId> {
        self.view.selected.and_then(|selected| selected.node_in(self.entity))
    }
}

pub(super) struct PartContext<'a> {
    pub(super) recording: Entity,
    pub(super) clip: &'a Clip,
    pub(super) staged: &'a Staged,
    pub(super) material_set: &'a MaterialSet,
    /// The size of the recording relative to a hand.
    pub(super) size: f32,
    pub(super) thickness: f32,
    pub(super) tint: Tint,
    pub(super) look: &'a super::Look,
}

impl PartContext<'_> {
    pub(super) fn node_ref(&self, node: NodeId) -> RecordingNode {
        RecordingNode::new(self.recording, node)
    }

    pub(super) fn joint_radius(&self, node: NodeId) -> f32 {
        self.staged.bounds.proportions.joint_radius(node) * self.thickness
    }

    pub(super) fn bone_radius(&self, node: NodeId) -> f32 {
        self.staged.bounds.proportions.bone_radius(node) * self.thickness
    }
}

pub(super) fn visibility_if(is_there: bool) -> Visibility {
    if is_there { Visibility::Inherited } else { Visibility::Hidden }
}

pub(super) fn part_name(clip: &Clip, node: NodeId, what: &str) -> Name {
    Name::new(format!("{} {what}", clip.nodes[node].name))
}
