//! Clips: nodes, tracks, curves and poses.
//!
//! A [`Clip`] is the result of every format's decoder and the input of everything else. It keeps
//! the file's own values, axes and units; a [`Convention`] says how they are to be read.
//!
//! | part | what it holds |
//! |---|---|
//! | [`Node`] | a joint, a head, a ray: something with a transform, and how its tracks move it |
//! | [`Track`] | one authored curve: its owner, its keys, and the bytes each key came from |
//! | [`Signal`] | a track other than a transform: tracked, pinch |
//! | [`Event`] | a marker or another event at one time |
//! | [`Pose`] | the clip at one time, in the viewer's space: what [`Clip::sample`] fills |
//!
//! # Evaluation rules
//! Rules are named once, here, and a format only chooses among them:
//!
//! * within a segment, [`Shapes`]: step, linear, Unity's cubics by tangents, or a [`Segment`] each:
//!   step, step to the next value, linear, cubic Hermite by slope, Bezier in value, Bezier weighted
//!   in time and value.
//! * before the first key and after the last, [`Extrapolation`]: constant, linear, cycle, cycle
//!   with offset, oscillate; repetitions are distinguished by [`Counting`].
//! * for rotations from a quaternion's components, [`RotationRule`]: as stored, or continuous
//!   between keys; from whole quaternions, [`Blend`]: slerp the short way, slerp as keyed, component
//!   by component; from angles, [`EulerOrder`].
//!
//! Curves differ by their values ([`AnyCurve`]): a number, or whole values of some [`ValueType`],
//! or words. Where a value depends on more than its two neighbouring keys, the format computes it
//! ([`ComputedCurve`]), and where nodes do, it moves them together ([`ProceduralAnimation`]).
//!
//! # Spaces
//! Nothing in a clip is converted. [`Clip::sample`] is the one place where source space becomes
//! the viewer's: right-handed, Y up, −Z forward, metres (see [`Convention::viewer_from_source`]).

mod annotations;
mod any_curve;
mod assumptions;
mod axes;
mod channels;
mod columns;
mod composition;
mod computed;
mod condition;
mod convention;
pub mod curve;
mod euler;
mod event;
mod format_id;
mod humanoid;
mod interpolation_override;
mod likeness;
mod model;
mod morph;
mod name_words;
mod node;
mod pose;
mod procedural;
mod quantized_key;
mod retime;
mod rotation;
mod sample;
mod skeleton;
mod skinning;
mod steps;
mod texture;
mod track;
mod transform;
mod unique_names;
mod unit;
mod value;
mod value_type;
mod variants;
mod vector;
mod words;

pub use annotations::{Annotations, Approximation, Bindings, Detail, Fact, FieldBinding};
pub use any_curve::AnyCurve;
pub use assumptions::{Assumption, Assumptions, FormatAssumptions};
pub use axes::{AxisDirection, SourceAxes};
pub use channels::{Channel, Channels};
pub use columns::{
    AssumedFact, ChoiceOrigin, ColumnUse, ColumnUses, MappingChoice, MappingOption, ReadMapping,
    UnusedColumn,
};
pub use composition::{CompositionKind, CompositionPart};
pub use computed::ComputedCurve;
pub use condition::joined;
pub use condition::{Condition, ConditionKind};
pub use convention::{
    Convention, Handedness, Origin, RotationRule, Stated, Up, ViewerFromSource, ViewerMirror,
};
pub use curve::{
    Blend, Counting, Extrapolation, Handle, HandleEnd, Handles, Hint, Interpolation, Key, KeyTimes,
    KeyTimesPool, ScalarCurve, Segment, Shapes, Sides, Tangents, TextCurve, TypedCurve, Values,
};
pub use euler::{EulerOrder, EulerRotation};
pub use event::{Event, EventDetails, EventWords};
pub use format_id::FormatId;
pub use humanoid::{BoneBox, HumanBone, HumanBones, Humanoid};
pub use interpolation_override::InterpolationOverride;
pub use likeness::{
    FigureMotion, FigurePart, Likeness, LikenessFigure, PartMesh, PartParent, Surface,
};
pub use model::{Model, Piece, Reach, Skin, linear_color, triangle_normals};
pub use morph::{EXPRESSION, Expression, ExpressionBind, MORPH_WEIGHTS, MorphTarget, MorphWeights};
pub(crate) use name_words::name_words;
pub use node::{GroupId, Motion, Node, NodeId, NodeKind, Nodes, ScaleInheritance, Shown, Side};
pub use pose::{NodePose, Pose};
pub use procedural::{ProceduralAnimation, View};
pub use quantized_key::{Deviation, QuantizedKey, QuantizedKeys};
pub use retime::TimeMap;
pub use rotation::{ComponentRotation, Rotation};
pub use skeleton::{Attached, Matched, Offset, Skeleton};
pub use texture::{ImageFormat, Texture, TextureImage, TextureWrap};
pub use track::{KeyId, Owner, Provenance, Signal, SignalKind, Track, TrackId};
pub use transform::Transform;
pub use unique_names::UniqueNames;
pub use unit::Unit;
pub use value::Value;
pub use value_type::{Element, Form, ValueType};
pub use variants::{VariantChoice, Variants};
pub use vector::{ComponentVector, Translation};
pub use words::trimmed;

use std::sync::Arc;

use crate::diagnostics::Notices;

/// One recording: its nodes, tracks, curves and events.
///
/// Names may repeat in real files; the index of a node or track is its identity.
#[derive(Clone, Debug)]
pub struct Clip {
    /// Its name in the file; empty if there is none.
    pub name: String,
    /// The format it was decoded from.
    pub format: FormatId,
    /// The format's version as the file states it, such as `1.1`.
    pub version: String,
    /// The variants of the file that were read, where it has several.
    pub variants: Vec<Variants>,
    /// The parts that it is composed of, where its name stands for several clips; empty where it is
    /// one.
    pub composition: Vec<CompositionPart>,
    /// Its subject in a few words: `both hands, head, gaze`.
    pub subject: String,
    /// When it starts and how long it plays.
    pub span: Span,
    /// Whether it is meant to be played over and over, if the file says.
    pub is_looping: Option<bool>,
    /// The rate the file was recorded at, if it states one, in samples a second.
    pub rate_hz: Option<f64>,
    /// Its axes, units and rotation rule.
    pub convention: Convention,
    /// Families that nodes and tracks belong to, such as `left` and `right`.
    pub groups: Vec<String>,
    /// Its nodes, in file order.
    pub nodes: Nodes,
    /// The rest pose of its nodes.
    pub skeleton: Skeleton,
    /// The humanoid body that its nodes are, where the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
    /// Every authored curve, in file order.
    pub tracks: Vec<Track>,
    /// Tracks other than transforms, in file order.
    pub signals: Vec<Signal>,
    /// Its events, in file order.
    pub events: Vec<Event>,
    /// The animation that moves nodes together, in formats in which none moves on its own.
    pub procedural: Option<Arc<dyn ProceduralAnimation>>,
    /// The format's annotations beyond its motion.
    pub annotations: Option<Arc<dyn Annotations>>,
    /// The issues in the file.
    pub notices: Notices,
}

/// When a clip starts and how long it plays, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// The time it starts at.
    pub start: f64,
    /// How long it plays from there; never negative.
    pub duration: f64,
}

impl Span {
    /// The time it ends at.
    pub fn end(self) -> f64 {
        self.start + self.duration
    }

    /// `time` brought into the span.
    pub fn clamp(self, time: f64) -> f64 {
        time.clamp(self.start, self.end())
    }
}

impl Clip {
    /// An empty clip of this format. Decoders fill it in:
    /// `Clip { span, tracks, ..Clip::new(format, convention) }`.
    pub fn new(format: FormatId, convention: Convention) -> Self {
        Self {
            name: String::new(),
            format,
            version: String::new(),
            variants: Vec::new(),
            composition: Vec::new(),
            subject: String::new(),
            span: Span::default(),
            is_looping: None,
            rate_hz: None,
            convention,
            groups: Vec::new(),
            nodes: Nodes::default(),
            skeleton: Skeleton::Own,
            humanoid: None,
            tracks: Vec::new(),
            signals: Vec::new(),
            events: Vec::new(),
            procedural: None,
            annotations: None,
            notices: Notices::new(),
        }
    }

    /// The track with this index.
    pub fn track(&self, id: TrackId) -> &Track {
        &self.tracks[id.index()]
    }

    /// The value of a track at `time`, in seconds, rotations by the rule of the convention;
    /// [`Value::Null`] without keys, and if it is not over time.
    pub fn value(&self, id: TrackId, time: f64) -> Value {
        let curve = &self.track(id).curve;
        if curve.is_silent() {
            return Value::Null;
        }
        curve.value_by_rule(time, self.convention.rotation.value, &mut Hint::default())
    }

    /// Whether its nodes have a rest pose of their own.
    pub fn has_rest_pose(&self) -> bool {
        self.nodes.iter().any(|node| node.rest.translation != glam::DVec3::ZERO)
    }

    /// Whether its nodes are independent: no bone joins any two, and nothing moves them together.
    pub fn is_loose(&self) -> bool {
        self.procedural.is_none()
            && self.nodes.iter().all(|node| node.bone_from.is_none())
            && self.nodes.iter().any(|node| node.kind == NodeKind::Joint)
    }

    /// The animations that its file holds, if there are several.
    pub fn animations(&self) -> Option<&Variants> {
        let is_them = |one: &&Variants| one.label == Variants::ANIMATION && one.is_choice();
        self.variants.iter().find(is_them)
    }

    /// Whether none of its nodes has a position without a skeleton.
    pub fn is_nowhere(&self) -> bool {
        !self.nodes.is_empty() && self.nodes.iter().all(|node| node.motion.shown == Shown::Never)
    }

    /// The node with the root motion: of the animated nodes, the first that descends from none of
    /// the others.
    pub fn root_motion_node(&self) -> Option<NodeId> {
        if let Some(animation) = &self.procedural {
            return animation.root_motion_node();
        }
        let is_carried =
            |id: &NodeId| !matches!(self.nodes[*id].motion.translation, Translation::Rest);
        self.nodes.parents_first().iter().copied().find(is_carried)
    }

    /// Whether its rotations depend on the [`RotationRule`]: some are keyed as quaternions, as
    /// their components, or as sampled angles.
    pub fn has_ways_to_rotate(&self) -> bool {
        let is_keyed_so = |node: &Node| match &node.motion.rotation {
            Rotation::Components(_) | Rotation::Keyed(_) => true,
            Rotation::Euler(rotation) => rotation.is_keyed_whole,
            Rotation::Rest | Rotation::Direction(_) => false,
        };
        self.nodes.iter().any(is_keyed_so)
    }

    /// The name of the node or group that owns a track; empty if the file names none.
    pub fn owner_name(&self, owner: Owner) -> &str {
        match owner {
            Owner::Node(node) => &self.nodes[node].name,
            Owner::Group(group) => &self.groups[group.index()],
        }
    }

    /// How many keys its tracks hold together.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| track.curve.key_count()).sum()
    }

    /// The tracks of `owner`, with their ids, in file order.
    pub fn tracks_of(&self, owner: Owner) -> impl Iterator<Item = (TrackId, &Track)> {
        let ids = (0..self.tracks.len()).map(TrackId::new);
        ids.zip(&self.tracks).filter(move |(_, track)| track.owner == owner)
    }

    /// The nodes that are rays, such as a gaze.
    pub fn rays(&self) -> impl Iterator<Item = NodeId> {
        let rays = self.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Ray);
        rays.map(|(id, _)| id)
    }

    /// The times in seconds at which a track of `owner` has a key, ascending, each once.
    pub fn key_times_of(&self, owner: Owner) -> Vec<f64> {
        let tracks = self.tracks_of(owner);
        let mut times: Vec<f64> =
            tracks.flat_map(|(_, track)| track.curve.key_times().iter().copied()).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::formats::{self, DecodeRequest};

    #[test]
    fn rest_pose_is_that_of_the_nodes() {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        let mut clip = formats::decode(bytes, &DecodeRequest::default()).unwrap();
        assert!(!clip.has_rest_pose(), "hands are nothing without their motion");
        let upright = |x: f64| Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
        let turned = Transform { rotation: DQuat::from_rotation_y(1.0), ..upright(2.0) };
        let node = |parent: Option<usize>, rest| Node {
            parent: parent.map(NodeId::new),
            rest,
            ..clip.nodes[NodeId::new(1)].clone()
        };
        let nodes = vec![node(Some(1), upright(3.0)), node(None, turned)];
        clip.nodes = Nodes::new(nodes, &mut Notices::new());
        assert!(clip.has_rest_pose());
        let mut pose = Pose::default();
        clip.rest_pose(&mut pose);
        // The source is left-handed: mirrored in z, a turn about y goes the other way.
        let expected = DVec3::X * 2.0 + DQuat::from_rotation_y(-1.0) * (DVec3::X * 3.0);
        let child = pose.nodes[0].world.translation;
        assert!(child.abs_diff_eq(expected, 1e-12), "{child} instead of {expected}");
    }
}
