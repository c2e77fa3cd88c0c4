//! Clips: nodes, tracks, curves and poses.
//!
//! The decoder of each format produces a [`Clip`], and everything else takes one as input. A clip
//! keeps the values, axes and units of the file. A [`Convention`] describes how to interpret them.
//!
//! | type | contents |
//! |---|---|
//! | [`Node`] | a joint, a head or a ray: an object with a transform, and the tracks that animate it |
//! | [`Track`] | one curve of the file: its owner, its keys, and the location of each key |
//! | [`Signal`] | a track that does not animate a transform: tracked, pinch |
//! | [`Event`] | a marker or another event at one time |
//! | [`Pose`] | the clip at one time, in the viewer's space; filled by [`Clip::sample`] |
//!
//! # Evaluation rules
//! Formats do not define rules of their own, but choose among these:
//!
//! * Between two keys, [`Shapes`]: step, linear, nearest, Unity's cubics by tangents, or one
//!   [`Segment`] each: step, step to the next value, linear, cubic Hermite by slope, Bezier in
//!   value, Bezier weighted in time and value.
//! * Before the first key and after the last, [`Extrapolation`]: constant, linear, cycle, cycle
//!   with offset, oscillate. [`TimeResolution`] decides where one repetition ends and the next one
//!   begins.
//! * For rotations from the components of a quaternion, [`RotationRule`]: as stored, or continuous
//!   between keys. For whole quaternions, [`Blend`]: slerp the short way, slerp as keyed, or
//!   component by component. For angles, [`EulerOrder`].
//!
//! The curve of a track is an [`AnyCurve`] of numbers, strings or values of another [`ValueType`].
//! If a value depends on more than two keys, the format computes it with a [`ComputedCurve`]. If
//! the motion of nodes depends on more than their own tracks, the format animates them with a
//! [`ProceduralAnimation`].
//!
//! # Spaces
//! The values in a clip are not converted. Only [`Clip::sample`] and its variants convert them from
//! the file's space to the viewer's: right-handed, Y up, −Z forward, metres (see
//! [`Convention::viewer_from_source`]).

mod annotations;
mod any_curve;
mod assumptions;
mod axes;
mod channels;
pub(crate) mod codes;
mod columns;
mod composition;
mod computed;
mod condition;
mod content;
mod convention;
mod curve;
mod display_text;
mod euler;
mod even_times;
mod event;
mod export_model;
mod format_id;
mod humanoid;
mod interpolation_override;
mod model;
mod morph;
mod node;
mod node_name;
mod pose;
mod procedural;
mod quantized_key;
mod retime;
mod rotation;
mod sample;
mod sample_times;
mod skeleton;
mod skinning;
mod straight_gaps;
mod texture;
mod track;
mod transform;
mod unique_names;
mod unit;
mod value;
mod value_type;
mod variants;
mod vector;

pub use annotations::{Annotations, Approximation, Bindings, Detail, Fact, FieldBinding};
pub use any_curve::AnyCurve;
pub use assumptions::{Assumption, Assumptions, FormatAssumptions};
pub use axes::{AxisDirection, SourceAxes};
pub use channels::{Channel, Channels};
pub use columns::{
    AppliedMapping, AssumedFact, ChoiceOrigin, ColumnQuestion, ColumnReading, ColumnUse,
    ColumnUses, MappingChoice, MappingOption, PreviewPose, ReadingPreview, UnusedColumn,
};
pub use composition::{CompositionKind, CompositionPart};
pub use computed::ComputedCurve;
pub use condition::{Condition, ConditionKind, merge_spans};
pub use content::Content;
pub use convention::{
    Convention, FactOrigin, Handedness, RotationRule, Stated, UpAxis, ViewerFromSource,
    ViewerMirror,
};
pub(crate) use curve::PackedRows;
pub use curve::{
    Blend, Extrapolation, Handle, HandleEnd, Handles, Hint, Interpolation, Key, KeyTimes,
    KeyTimesError, KeyTimesPool, ScalarCurve, Segment, Shapes, Tangents, TextCurve, TimeResolution,
    TypedCurve, Values, ValuesAroundKey,
};
pub use display_text::format_decimal;
pub use euler::{EulerOrder, EulerRotation};
pub use even_times::{EvenTimes, border_tolerance_s, single_precision_error_s};
pub use event::{Event, EventDescription, EventDetails};
pub use export_model::{
    ExportFigure, ExportModel, FigureMotion, FigurePart, PartMesh, PartParent, Surface,
};
pub use format_id::FormatId;
pub use humanoid::{BoneBox, HumanBone, HumanBones, Humanoid};
pub use interpolation_override::InterpolationOverride;
pub use model::{Model, NodeBounds, Piece, Skin, compute_vertex_normals, srgb_to_linear};
pub use morph::{
    EXPRESSION_PREFIX, Expression, ExpressionBind, MORPH_WEIGHT_PREFIX, MorphTarget, MorphWeights,
};
pub use node::{
    GroupId, Motion, Node, NodeId, NodeKind, NodeVisibility, Nodes, ScaleInheritance, Side,
};
pub use node_name::split_node_name;
pub use pose::{NodePose, Pose};
pub use procedural::{ProceduralAnimation, View};
pub use quantized_key::{ErrorBound, QuantizedKey, QuantizedKeys};
pub use retime::TimeMap;
pub use rotation::{ComponentRotation, Rotation};
pub use skeleton::{AttachedSkeleton, MatchedNode, PlaceholderOffset, Skeleton};
pub(crate) use straight_gaps::{StraightGaps, StraightParts};
pub use texture::{ImageFormat, Texture, TextureImage, TextureWrap};
pub use track::{KeyId, Owner, Signal, SignalKind, Track, TrackId, TrackLocation};
pub use transform::Transform;
pub use unique_names::UniqueNames;
pub use unit::Unit;
pub use value::Value;
pub use value_type::{Element, Form, ValueType};
pub use variants::{VariantChoice, Variants};
pub use vector::{ComponentVector, Translation};

use std::{any::Any, sync::Arc};

use crate::diagnostics::Diagnostics;

/// A recording as decoded: its nodes, tracks, curves and events.
///
/// Nodes and tracks are identified by their index, because names may repeat in real files.
///
/// Fields may be added in later versions. Therefore other crates create a clip with [`Clip::new`]
/// and assign its fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Clip {
    /// The name in the file. Empty if there is none.
    pub name: String,
    /// The format that the clip was decoded from.
    pub format: FormatId,
    /// The version of the format, as the file states it: `1.1`.
    pub version: String,
    /// The variants of the file that were read, if the file has several.
    pub variants: Vec<Variants>,
    /// The parts of the animation, if it is composed of several clips. Otherwise empty.
    pub composition: Vec<CompositionPart>,
    /// The subject of the recording in a few words: `both hands, head, gaze`.
    pub subject: String,
    /// The start time and the duration.
    pub span: Span,
    /// `true` if the animation is meant to loop. `None` if the file does not declare it.
    pub is_looping: Option<bool>,
    /// The sample rate of the recording, in Hz, if the file declares one.
    pub rate_hz: Option<f64>,
    /// The axes, units and rotation rule.
    pub convention: Convention,
    /// The names of groups that nodes and tracks belong to, such as `left` and `right`.
    pub groups: Vec<String>,
    /// The nodes, in file order.
    pub nodes: Nodes,
    /// The origin of the rest pose, and the skeleton from another file, if any.
    pub skeleton: Skeleton,
    /// The humanoid body, if the file declares one.
    pub humanoid: Option<Box<Humanoid>>,
    /// The tracks, in file order.
    pub tracks: Vec<Track>,
    /// The tracks that do not animate transforms, in file order.
    pub signals: Vec<Signal>,
    /// The events, in file order.
    pub events: Vec<Event>,
    /// The animation of all nodes together, for formats in which nodes do not move independently.
    pub procedural: Option<Arc<dyn ProceduralAnimation>>,
    /// The labels and facts that the format adds to the motion.
    pub annotations: Option<Arc<dyn Annotations>>,
    /// Data of the file that no track contains, but that the writer of the same format needs to
    /// write the file again. `None` if the format has no such data, and for a clip whose motion was
    /// changed after decoding.
    pub source_details: Option<Arc<dyn Any + Send + Sync>>,
    /// The diagnostics of the decoder.
    pub diagnostics: Diagnostics,
}

/// The start time and the duration of a clip, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// The start time.
    pub start: f64,
    /// The duration; never negative.
    pub duration: f64,
}

impl Span {
    /// Returns the end time.
    pub fn end(self) -> f64 {
        self.start + self.duration
    }

    /// Clamps `time` to the span.
    pub fn clamp(self, time: f64) -> f64 {
        time.clamp(self.start, self.end())
    }
}

impl Clip {
    /// Creates an empty clip, whose fields a decoder then assigns.
    ///
    /// ```
    /// use mutoscope_core::clip::{Clip, Convention, FormatId, Span};
    ///
    /// let mut clip = Clip::new(FormatId::new("toy"), Convention::gltf());
    /// clip.span = Span { start: 0.0, duration: 2.0 };
    /// assert_eq!(clip.span.end(), 2.0);
    /// ```
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
            source_details: None,
            diagnostics: Diagnostics::new(),
        }
    }

    /// Returns the [`source_details`](Self::source_details), or `None` if they are absent or of
    /// another type.
    pub(crate) fn source_details_as<T: 'static>(&self) -> Option<&T> {
        self.source_details.as_ref()?.downcast_ref()
    }

    /// Returns the track with this id.
    pub fn track(&self, id: TrackId) -> &Track {
        &self.tracks[id.index()]
    }

    /// Evaluates a track at `time`, in seconds. Rotations are interpolated by the rule of the
    /// convention.
    ///
    /// Returns [`Value::Null`] if the track has no keys, or its curve is not over time.
    pub fn value(&self, id: TrackId, time: f64) -> Value {
        let curve = &self.track(id).curve;
        if curve.has_no_value() {
            return Value::Null;
        }
        curve.value_with_rotation_rule(time, self.convention.rotation.value, &mut Hint::default())
    }

    /// Returns `true` if at least one node has a rest translation.
    pub fn has_rest_pose(&self) -> bool {
        self.nodes.iter().any(|node| node.rest.translation != glam::DVec3::ZERO)
    }

    /// Returns `true` if the nodes move independently: no bone connects two nodes, and there is no
    /// procedural animation. Returns `false` if no node is a joint.
    pub fn has_only_loose_nodes(&self) -> bool {
        self.procedural.is_none()
            && self.nodes.iter().all(|node| node.bone_from.is_none())
            && self.nodes.iter().any(|node| node.kind == NodeKind::Joint)
    }

    /// Returns `true` if the nodes move independently and some of them rotate, as tracked objects do.
    /// Returns `false` for markers, which have only positions.
    pub fn has_only_rigid_bodies(&self) -> bool {
        let rotates = |node: &Node| !matches!(node.motion.rotation, Rotation::Rest);
        self.has_only_loose_nodes() && self.nodes.iter().any(rotates)
    }

    /// Returns the animations that the file contains, if there are several.
    pub fn animations(&self) -> Option<&Variants> {
        let mut variants = self.variants.iter();
        variants
            .find(|variants| variants.label == Variants::ANIMATION && variants.has_alternatives())
    }

    /// Returns `true` if no node has a position, because the clip only rotates the nodes. The nodes
    /// get positions when a skeleton from another file is attached.
    pub fn needs_skeleton(&self) -> bool {
        !self.nodes.is_empty()
            && self.nodes.iter().all(|node| node.motion.visibility == NodeVisibility::Never)
    }

    /// Returns the node with the root motion. If the clip has a procedural animation, the animation
    /// chooses the node. Otherwise the node is the first one with an animated translation, in an
    /// order in which parents come before children.
    pub fn root_motion_node(&self) -> Option<NodeId> {
        if let Some(animation) = &self.procedural {
            return animation.root_motion_node();
        }
        let is_translated =
            |id: &NodeId| !matches!(self.nodes[*id].motion.translation, Translation::Rest);
        self.nodes.parents_first().iter().copied().find(is_translated)
    }

    /// Returns `true` if the [`RotationRule`] changes the motion: at least one rotation is keyed as
    /// a quaternion, as quaternion components, or as sampled angles.
    pub fn depends_on_rotation_rule(&self) -> bool {
        let uses_rule = |node: &Node| match &node.motion.rotation {
            Rotation::Components(rotation) => rotation.authored_blend() != Blend::ShortSlerp,
            Rotation::Keyed(_) => true,
            Rotation::Euler(rotation) => rotation.is_sampled,
            Rotation::Rest | Rotation::Direction(_) => false,
        };
        self.nodes.iter().any(uses_rule)
    }

    /// Returns the name of the node or group that owns a track. The name is empty if the file has
    /// none.
    pub fn owner_name(&self, owner: Owner) -> &str {
        match owner {
            Owner::Node(node) => &self.nodes[node].name,
            Owner::Group(group) => &self.groups[group.index()],
        }
    }

    /// Returns the total number of keys of all tracks.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| track.curve.key_count()).sum()
    }

    /// Returns the tracks of `owner` with their ids, in file order.
    pub fn tracks_of(&self, owner: Owner) -> impl Iterator<Item = (TrackId, &Track)> {
        let ids = (0..self.tracks.len()).map(TrackId::new);
        ids.zip(&self.tracks).filter(move |(_, track)| track.owner == owner)
    }

    /// Returns the nodes that are rays, such as a gaze.
    pub fn ray_nodes(&self) -> impl Iterator<Item = NodeId> {
        let rays = self.nodes.with_ids().filter(|(_, node)| node.kind == NodeKind::Ray);
        rays.map(|(id, _)| id)
    }

    /// Returns the key times of all tracks of `owner`, in seconds, in ascending order and without
    /// duplicates.
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
    use crate::{ReadOptions, decode};

    #[test]
    fn rest_pose_uses_the_rest_transforms() {
        let bytes = include_bytes!("../../../../assets/mrtk/two-hands.bin");
        let mut clip = decode(bytes, &ReadOptions::default()).unwrap();
        assert!(!clip.has_rest_pose(), "hands have no rest pose");
        let upright = |x: f64| Transform { translation: DVec3::X * x, ..Transform::IDENTITY };
        let turned = Transform { rotation: DQuat::from_rotation_y(1.0), ..upright(2.0) };
        let node = |parent: Option<usize>, rest| Node {
            parent: parent.map(NodeId::new),
            rest,
            ..clip.nodes[NodeId::new(1)].clone()
        };
        let nodes = vec![node(Some(1), upright(3.0)), node(None, turned)];
        clip.nodes = Nodes::new(nodes, &mut Diagnostics::new());
        assert!(clip.has_rest_pose());
        let mut pose = Pose::default();
        clip.sample_rest_pose(&mut pose);
        // The source is left-handed and mirrored in z, so a rotation about y reverses its sense.
        let expected = DVec3::X * 2.0 + DQuat::from_rotation_y(-1.0) * (DVec3::X * 3.0);
        let child = pose.nodes[0].world.translation;
        assert!(child.abs_diff_eq(expected, 1e-12), "{child} instead of {expected}");
    }
}
