//! Clips of nodes that were sampled: whole poses at times of their own.

use std::{collections::HashSet, sync::Arc};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{
        AnyCurve, Channel, Channels, Clip, ColumnUses, ComponentRotation, ComponentVector,
        KeyTimesPool, Motion, Node, NodeId, Nodes, Owner, Provenance, Rotation, ScalarCurve,
        Segment, Shapes, Shown, Signal, SignalKind, TextCurve, Track, TrackId, Transform,
        Translation, Unit, Values,
    },
    diagnostics::{Notices, SourceLocation},
};

use crate::skeleton::{self, TableAnnotations, owner_of};

/// A node with its poses, relative to its parent.
#[derive(Clone, Debug, Default)]
pub struct SampledNode {
    /// Its name.
    pub name: String,
    /// The index of its parent among the nodes.
    pub parent: Option<usize>,
    /// The pose that it rests in where it has no others.
    pub rest: Option<(DVec3, DQuat)>,
    /// The times of its poses in seconds, ascending.
    pub times: Vec<f64>,
    /// Its positions, in the file's unit.
    pub positions: Vec<DVec3>,
    /// Its rotations.
    pub rotations: Vec<DQuat>,
    /// Its scales, if it has any.
    pub scales: Option<Vec<DVec3>>,
    /// When it is shown, from each of these times on; always if there are none.
    pub shown: Vec<(f64, bool)>,
}

/// The values of a signal, each with its time in seconds.
#[derive(Clone, Debug)]
pub enum SampledSignal {
    /// Numbers, which hold until the next.
    Numbers(Vec<(f64, f64)>),
    /// Yes or no.
    Switches(Vec<(f64, bool)>),
    /// Texts.
    Texts(Vec<(f64, Option<Arc<str>>)>),
}

/// Builds a clip of sampled nodes and signals.
#[derive(Debug, Default)]
pub struct SampledClip {
    nodes: Vec<Node>,
    tracks: Vec<Track>,
    signals: Vec<Signal>,
    listed: HashSet<TrackId>,
    pool: KeyTimesPool,
}

impl SampledClip {
    /// Adds a node.
    pub fn node(&mut self, sampled: SampledNode) {
        let owner = Owner::Node(NodeId::new(self.nodes.len()));
        let mut motion = Motion::default();
        if !sampled.times.is_empty() {
            let times = self.pool.share(sampled.times.clone());
            let shapes = shapes(&sampled);
            let mut add = |property: &str, unit: Unit, values: Vec<f64>| {
                let curve = ScalarCurve::new(times.clone(), values, shapes.clone());
                self.tracks.push(track(owner, property, AnyCurve::Number(curve), unit));
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
            let rotation = ComponentRotation::spherical(rotation, &mut self.tracks);
            motion.rotation = Rotation::Components(rotation);
            motion.scale = scale.map(|tracks| {
                let channel = |track| Channel::Track { track, unit: 1.0 };
                Box::new(Channels(tracks.map(channel)))
            });
        }
        motion.shown = match sampled.shown[..] {
            [] | [(_, true)] => Shown::Always,
            [(_, false)] if sampled.times.is_empty() && sampled.rest.is_none() => Shown::Never,
            _ => Shown::While(self.shown(owner, &sampled.shown)),
        };
        let mut node = skeleton::named_node(sampled.name, motion);
        if let Some((translation, rotation)) = sampled.rest {
            node.rest = Transform { translation, rotation, ..Transform::IDENTITY };
        }
        node.parent = sampled.parent.map(NodeId::new);
        node.bone_from = node.parent;
        self.nodes.push(node);
    }

    fn shown(&mut self, owner: Owner, shown: &[(f64, bool)]) -> TrackId {
        let times: Vec<f64> = shown.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = shown.iter().map(|(_, it)| f32::from(u8::from(*it))).collect();
        let curve = ScalarCurve::new(self.pool.share(times), values, Shapes::Step);
        let source = Provenance::derived();
        let shown = track(owner, "shown", AnyCurve::Switch(curve), Unit::None);
        self.tracks.push(Track { source, ..shown });
        TrackId::new(self.tracks.len() - 1)
    }

    /// Adds a signal of no node.
    pub fn signal(&mut self, name: &str, values: SampledSignal) {
        self.add_signal(owner_of(None), name, name, values);
    }

    /// Adds the radius of a node.
    pub fn radius(&mut self, node: usize, values: Vec<(f64, f64)>) {
        let Some(name) = self.nodes.get(node).map(|node| format!("{}.radius", node.name)) else {
            return;
        };
        let owner = Owner::Node(NodeId::new(node));
        let track = self.add_signal(owner, &name, "radius", SampledSignal::Numbers(values));
        self.listed.remove(&track);
    }

    fn add_signal(
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
        self.tracks.push(track(owner, property, curve, Unit::None));
        let track = TrackId::new(self.tracks.len() - 1);
        self.listed.insert(track);
        self.signals.push(Signal { name: name.to_owned(), track, kind: SignalKind::Attribute });
        track
    }

    /// Draws the bones of hands between joints without parents.
    pub fn link_hands(&mut self) {
        skeleton::link_hands(&mut self.nodes);
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The clip, with the format, convention and span of `clip`.
    pub fn finish(self, columns: ColumnUses, clip: Clip, notices: &mut Notices) -> Clip {
        let subject = skeleton::subject(&self.nodes);
        Clip {
            subject,
            groups: skeleton::groups(),
            nodes: Nodes::new(self.nodes, notices),
            tracks: self.tracks,
            signals: self.signals,
            annotations: Some(Arc::new(TableAnnotations::new(columns, self.listed))),
            ..clip
        }
    }
}

fn track(owner: Owner, property: &str, curve: AnyCurve, unit: Unit) -> Track {
    let source = Provenance::of_track(SourceLocation::File);
    Track { owner, property: property.to_owned(), curve, unit, source }
}

/// Straight lines between poses, but none over times at which the node is hidden.
fn shapes(sampled: &SampledNode) -> Shapes {
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
