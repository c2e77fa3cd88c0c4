//! Builds clips from sampled nodes, whose poses are complete and have times of their own.

use std::{collections::HashSet, sync::Arc};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{
        AnyCurve, Channel, Channels, Clip, ColumnUses, ComponentRotation, ComponentVector,
        KeyTimesPool, Motion, Node, NodeId, NodeVisibility, Nodes, Owner, Rotation, ScalarCurve,
        Segment, Shapes, Signal, SignalKind, TextCurve, Track, TrackId, TrackLocation, Transform,
        Translation, Unit, Values,
    },
    diagnostics::{Diagnostics, SourceLocation},
};

use crate::skeleton::{self, TableAnnotations, side_owner};

/// A node with its poses, relative to its parent.
#[derive(Clone, Debug, Default)]
pub struct SampledNode {
    /// The name.
    pub name: String,
    /// The index of the parent among the nodes.
    pub parent: Option<usize>,
    /// The index of the node from which the bone of this node comes, if that is not the parent.
    pub bone_from: Option<usize>,
    /// The rest pose, for a node without other poses.
    pub rest: Option<(DVec3, DQuat)>,
    /// The times of the poses in seconds, ascending.
    pub times: Vec<f64>,
    /// The positions, in the file's unit.
    pub positions: Vec<DVec3>,
    /// The rotations.
    pub rotations: Vec<DQuat>,
    /// The scales, if the node is scaled.
    pub scales: Option<Vec<DVec3>>,
    /// The changes of visibility: a time, and the visibility from that time on. Empty if the node
    /// is always visible.
    pub shown: Vec<(f64, bool)>,
}

/// The values of a signal, each with its time in seconds.
#[derive(Clone, Debug)]
pub enum SampledSignal {
    /// Numbers, each held until the next.
    Numbers(Vec<(f64, f64)>),
    /// Booleans, each held until the next.
    Switches(Vec<(f64, bool)>),
    /// Strings, each held until the next. `None` is a missing value.
    Texts(Vec<(f64, Option<Arc<str>>)>),
}

/// Builds a clip from sampled nodes and signals.
#[derive(Debug, Default)]
pub struct SampledClip {
    nodes: Vec<Node>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    signal_tracks: HashSet<TrackId>,
    pool: KeyTimesPool,
}

impl SampledClip {
    /// Adds a node.
    pub fn add_node(&mut self, sampled: SampledNode) {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let mut motion = Motion::default();
        if !sampled.times.is_empty() {
            let times = self.pool.share(sampled.times.clone());
            let shapes = segment_shapes(&sampled);
            let mut add = |property: &str, unit: Unit, values: Vec<f64>| {
                let curve = ScalarCurve::new(times.clone(), values, shapes.clone());
                self.tracks.push(make_track(owner, property, AnyCurve::Number(curve), unit));
                TrackId::new(self.tracks.len() - 1)
            };
            let axes = ["x", "y", "z", "w"];
            let mut vector = |quantity: &str, unit: Unit, vectors: &[DVec3]| {
                [0, 1, 2].map(|axis| {
                    let values = vectors.iter().map(|vector| vector[axis]).collect();
                    add(&format!("{quantity}.{}", axes[axis]), unit, values)
                })
            };
            let position = vector("position", Unit::Metres, &sampled.positions);
            let scale = sampled.scales.as_ref().map(|scales| vector("scale", Unit::None, scales));
            let rotation = [0, 1, 2, 3].map(|axis| {
                let values = sampled.rotations.iter().map(|turn| turn.to_array()[axis]).collect();
                add(&format!("rotation.{}", axes[axis]), Unit::None, values)
            });
            let vector = ComponentVector::new(position, &mut self.tracks);
            motion.translation = Translation::Components(vector);
            let rotation = ComponentRotation::new_slerp(rotation, &mut self.tracks);
            motion.rotation = Rotation::Components(rotation);
            motion.scale = scale.map(|tracks| {
                let channel = |track| Channel::Track { track, unit: 1.0 };
                Box::new(Channels(tracks.map(channel)))
            });
        }
        motion.visibility = match sampled.shown[..] {
            [] | [(_, true)] => NodeVisibility::Always,
            [(_, false)] if sampled.times.is_empty() && sampled.rest.is_none() => {
                NodeVisibility::Never
            }
            _ => NodeVisibility::While(self.add_shown_track(owner, &sampled.shown)),
        };
        let mut node = skeleton::node_from_name(sampled.name, motion);
        if let Some((translation, rotation)) = sampled.rest {
            node.rest = Transform { translation, rotation, ..Transform::IDENTITY };
        }
        node.parent = sampled.parent.map(NodeId::new);
        node.bone_from = sampled.bone_from.map(NodeId::new).or(node.parent);
        self.nodes.push(node);
    }

    fn add_shown_track(&mut self, owner: Owner, shown: &[(f64, bool)]) -> TrackId {
        let times: Vec<f64> = shown.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = shown.iter().map(|(_, it)| f32::from(u8::from(*it))).collect();
        let curve = ScalarCurve::new(self.pool.share(times), values, Shapes::Step);
        let source = TrackLocation::derived();
        let shown = make_track(owner, "shown", AnyCurve::Switch(curve), Unit::None);
        self.tracks.push(Track { source, ..shown });
        TrackId::new(self.tracks.len() - 1)
    }

    /// Adds a signal that belongs to no node.
    pub fn signal(&mut self, name: &str, values: SampledSignal) {
        self.add_signal_track(side_owner(None), name, name, values);
    }

    /// Adds the radius of a node as a signal, with times in seconds and radii in metres.
    pub fn add_radius(&mut self, node: usize, values: Vec<(f64, f64)>) {
        let Some(name) = self.nodes.get(node).map(|node| format!("{}.radius", node.name)) else {
            return;
        };
        let owner = Owner::Node(NodeId::new(node));
        let track = self.add_signal_track(owner, &name, "radius", SampledSignal::Numbers(values));
        self.signal_tracks.remove(&track);
    }

    fn add_signal_track(
        &mut self,
        owner: Owner,
        name: &str,
        property: &str,
        values: SampledSignal,
    ) -> TrackId {
        let mut held = |times: Vec<f64>, values: Values| {
            ScalarCurve::new(self.pool.share(times), values, Shapes::Step)
        };
        let curve = match values {
            SampledSignal::Numbers(values) => {
                let (times, values): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
                AnyCurve::Number(held(times, values.into()))
            }
            SampledSignal::Switches(values) => {
                let number = |is_on: bool| f32::from(u8::from(is_on));
                let (times, values): (Vec<f64>, Vec<f32>) =
                    values.into_iter().map(|(time, is_on)| (time, number(is_on))).unzip();
                AnyCurve::Switch(held(times, values.into()))
            }
            SampledSignal::Texts(values) => {
                let (times, texts): (Vec<f64>, Vec<_>) = values.into_iter().unzip();
                AnyCurve::Text(Box::new(TextCurve::new(self.pool.share(times), texts)))
            }
        };
        self.tracks.push(make_track(owner, property, curve, Unit::None));
        let track = TrackId::new(self.tracks.len() - 1);
        self.signal_tracks.insert(track);
        self.signals.push(Signal { name: name.to_owned(), track, kind: SignalKind::Attribute });
        track
    }

    /// Sets the bones between hand joints that have no parents.
    pub fn link_hands(&mut self) {
        skeleton::link_hands(&mut self.nodes);
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the finished clip, with the sampled nodes, tracks and signals. The format, the
    /// convention and the span come from `clip`.
    pub fn finish(
        self,
        columns: ColumnUses,
        mut clip: Clip,
        diagnostics: &mut Diagnostics,
    ) -> Clip {
        clip.subject = skeleton::describe_subject(&self.nodes);
        clip.groups = skeleton::group_names();
        clip.nodes = Nodes::new(self.nodes, diagnostics);
        clip.tracks = self.tracks;
        clip.signals = self.signals;
        clip.annotations = Some(Arc::new(TableAnnotations::new(columns, self.signal_tracks)));
        clip
    }
}

fn make_track(owner: Owner, property: &str, curve: AnyCurve, unit: Unit) -> Track {
    let source = TrackLocation::for_track(SourceLocation::File);
    Track { owner, property: property.to_owned(), curve, unit, source }
}

/// Interpolates linearly between poses, but holds the pose in segments during which the node is
/// hidden.
fn segment_shapes(sampled: &SampledNode) -> Shapes {
    let hidden: Vec<f64> =
        sampled.shown.iter().filter(|(_, shown)| !shown).map(|(time, _)| *time).collect();
    if hidden.is_empty() {
        return Shapes::Linear;
    }
    let is_gap = |pair: &[f64]| {
        let at = hidden.partition_point(|time| *time <= pair[0]);
        hidden.get(at).is_some_and(|time| *time < pair[1])
    };
    let segment = |pair| if is_gap(pair) { Segment::Step } else { Segment::Linear };
    Shapes::Segments(sampled.times.windows(2).map(segment).collect())
}
