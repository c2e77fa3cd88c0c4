//! The state of a recording on the stage, shared by all that draws it.

use std::ops::RangeInclusive;

use bevy::{ecs::system::SystemParam, math::DVec3, prelude::*};

use super::{View, look::Coats, motion_bounds::MotionBounds};
use crate::recording::{HiddenNodes, Recording, RecordingNode, Revision, Tint};
use mutoscope_core::clip::{Clip, NodeId, NodePose, Pose, Shown};

/// A recording that is on the stage; a component on the entity of its [`Recording`].
#[derive(Component, Debug, Default)]
pub(super) struct Staged {
    /// The clip that its bounds are of.
    pub(super) measured: Option<Revision>,
    /// The clip that its parts were made for, their colour, and the origin.
    pub(super) made_for: Option<(Revision, Tint, DVec3)>,
    /// The parent of all its parts, itself a child of the recording.
    pub(super) parts: Option<Entity>,
    /// Its bounds over its whole length.
    pub(super) bounds: MotionBounds,
    /// How far it has gone over the ground, while it is to stay in place: subtracted from every place.
    pub(super) gone: DVec3,
    /// How far it is drawn from where it was recorded: added to every place.
    pub(super) displacement: DVec3,
    /// Where its entity is.
    pub(super) space: GlobalTransform,
}

/// How much of a node is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Nothing.
    Gone,
    /// Where it would be, if it is still there.
    Faded,
    /// All of it.
    Solid,
}

/// A part that follows a node.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Follows {
    /// The node.
    pub(super) of: RecordingNode,
    /// How large the part is.
    pub(super) size: f32,
}

/// A part that is painted by how much of a node is drawn.
#[derive(Component, Clone, Debug)]
pub(super) struct Painted {
    /// The node.
    pub(super) of: RecordingNode,
    /// Its materials.
    pub(super) coat: super::look::TintedMaterials,
    /// The signal during which it glows.
    pub(super) glows_with: Option<usize>,
}

impl Staged {
    /// A place of the viewer's space, relative to the recording's entity.
    pub(super) fn local(&self, place: DVec3) -> Vec3 {
        (place - self.bounds.origin - self.gone + self.displacement).as_vec3()
    }

    /// The same for a whole transform, without its scale.
    pub(super) fn local_transform(&self, place: &mutoscope_core::clip::Transform) -> Transform {
        Transform {
            translation: self.local(place.translation),
            rotation: place.rotation.as_quat(),
            scale: Vec3::ONE,
        }
    }

    /// A place of the viewer's space, in the world.
    pub(super) fn point(&self, place: DVec3) -> Vec3 {
        self.space.transform_point(self.local(place))
    }

    /// The same for a whole transform, without its scale.
    pub(super) fn transform(&self, place: &mutoscope_core::clip::Transform) -> Transform {
        let local = self.local_transform(place);
        if self.space == GlobalTransform::IDENTITY {
            return local;
        }
        self.space.mul_transform(local).compute_transform()
    }

    /// A direction and length of the viewer's space, in the world.
    pub(super) fn vector(&self, vector: DVec3) -> Vec3 {
        self.space.affine().transform_vector3(vector.as_vec3())
    }

    /// The place of the viewer's space that is drawn at `point` of the world.
    pub(super) fn recorded(&self, point: Vec3) -> DVec3 {
        let local = self.space.affine().inverse().transform_point3(point);
        local.as_dvec3() + self.bounds.origin + self.gone - self.displacement
    }

    /// How far over the ground the recording has gone since its start in `pose`.
    pub(super) fn gone_in(&self, clip: &Clip, pose: &Pose) -> DVec3 {
        let here = clip.root_motion_node().map(|id| pose.nodes[id.index()].world.translation);
        here.map_or(DVec3::ZERO, |here| self.gone_to(here))
    }

    /// The same when its root is `here`, in the viewer's space.
    pub(super) fn gone_to(&self, here: DVec3) -> DVec3 {
        let way = here - self.bounds.root_from;
        DVec3::new(way.x, 0.0, way.z)
    }
}

/// All recordings on the stage, with the view settings.
#[derive(SystemParam)]
pub(super) struct Subjects<'w, 's> {
    pub(super) view: Res<'w, View>,
    all: Query<
        'w,
        's,
        (Entity, &'static Recording, &'static Staged, &'static HiddenNodes, &'static Visibility),
    >,
    changed: Query<'w, 's, (), (With<Recording>, Or<AnyChanged>)>,
}

/// Filters for what of a recording may be shown differently.
type AnyChanged = (Changed<Recording>, Changed<Staged>, Changed<HiddenNodes>, Changed<Visibility>);

impl Subjects<'_, '_> {
    /// The recording of this entity.
    pub(super) fn get(&self, recording: Entity) -> Option<Subject<'_>> {
        self.all.get(recording).ok().map(|found| self.subject(found))
    }

    /// All of them, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Subject<'_>> {
        self.all.iter().map(|found| self.subject(found))
    }

    /// The reference: the one that was opened first.
    pub(super) fn reference(&self) -> Option<Subject<'_>> {
        self.iter().min_by_key(|subject| subject.recording.order())
    }

    /// The recording that the selected node is of, else the reference.
    pub(super) fn selected_or_reference(&self) -> Option<Subject<'_>> {
        let selected = self.view.selected.and_then(|selected| self.get(selected.recording));
        selected.or_else(|| self.reference())
    }

    /// Whether anything has to be drawn otherwise than before.
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

/// A recording on the stage, with the view settings.
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

    /// Whether it is drawn at all.
    pub(super) fn is_visible(&self) -> bool {
        self.is_visible
    }

    /// The pose of a node that is drawn solid or faded.
    pub(super) fn drawn(&self, node: NodeId) -> Option<&'a NodePose> {
        (self.presence(node) != Presence::Gone).then(|| &self.pose().nodes[node.index()])
    }

    /// How much of a node is drawn.
    pub(super) fn presence(&self, node: NodeId) -> Presence {
        if !self.is_visible || self.hidden.contains(&node) {
            return Presence::Gone;
        }
        let Some(pose) = self.pose().nodes.get(node.index()) else { return Presence::Gone };
        let may_fade = matches!(self.clip().nodes[node].motion.shown, Shown::While(_));
        if !pose.world.is_finite() {
            Presence::Gone
        } else if pose.shown {
            if self.plays() { Presence::Solid } else { Presence::Faded }
        } else if may_fade && self.view.fade_untracked {
            Presence::Faded
        } else {
            Presence::Gone
        }
    }

    /// Whether its clock is at a time at which it plays.
    fn plays(&self) -> bool {
        const ROUNDING: f64 = 1e-9;
        let (time, span) = (self.pose().time, self.clip().span);
        (span.start - ROUNDING..=span.end() + ROUNDING).contains(&time)
    }

    /// Whether the signal with this index is on.
    pub(super) fn is_on(&self, signal: usize) -> bool {
        self.pose().signals.get(signal).is_some_and(|value| value.is_true())
    }

    /// Where a node is in the world, whether it is drawn or not; nothing if it is nowhere.
    pub(super) fn transform(&self, node: NodeId) -> Option<Transform> {
        let node = self.pose().nodes.get(node.index()).filter(|node| node.world.is_finite())?;
        Some(self.staged.transform(&node.world))
    }

    /// The times around now that trails and ghosts are drawn for, in seconds of the clip.
    pub(super) fn travel_window(&self) -> RangeInclusive<f64> {
        let (now, rate) = (self.pose().time, self.recording.timing().rate);
        let travel = &self.view.motion_trail;
        now - travel.before * rate..=now + travel.after * rate
    }

    /// The selected node, if it is one of its nodes.
    pub(super) fn selected(&self) -> Option<NodeId> {
        self.view.selected.and_then(|selected| selected.of(self.entity))
    }
}

/// The data that parts of a recording are spawned with.
pub(super) struct Parts<'a> {
    /// The recording's entity.
    pub(super) recording: Entity,
    pub(super) clip: &'a Clip,
    pub(super) staged: &'a Staged,
    /// The colours of this recording.
    pub(super) coats: &'a Coats,
    /// How large it is over a hand.
    pub(super) size: f32,
    /// How thick its joints and bones are drawn, over their proportions.
    pub(super) thickness: f32,
    /// The one colour that it is drawn in, if any.
    pub(super) tint: Tint,
    pub(super) look: &'a super::Look,
}

impl Parts<'_> {
    /// The node `node` of the recording.
    pub(super) fn of(&self, node: NodeId) -> RecordingNode {
        RecordingNode::new(self.recording, node)
    }

    /// The radius that the joint `node` is drawn with, in metres.
    pub(super) fn joint_radius(&self, node: NodeId) -> f32 {
        self.staged.bounds.proportions.joint(node) * self.thickness
    }

    /// The radius that the bone to `node` is drawn with where it begins, in metres.
    pub(super) fn bone_radius(&self, node: NodeId) -> f32 {
        self.staged.bounds.proportions.bone(node) * self.thickness
    }
}

/// `Inherited` or `Hidden`.
pub(super) fn visible(is_there: bool) -> Visibility {
    if is_there { Visibility::Inherited } else { Visibility::Hidden }
}

/// The name of an entity in inspectors.
pub(super) fn name(clip: &Clip, node: NodeId, what: &str) -> Name {
    Name::new(format!("{} {what}", clip.nodes[node].name))
}
