//! A recording of another format: the motion of its nodes as curves, in centimetres and degrees.

use std::{f64::consts::PI, io::Write};

use glam::{DQuat, DVec3};

use super::{
    text::{self, Curve, Header, Key, Tangent, TimeUnit},
    tree::{Branch, branches},
};
use crate::{
    clip::{EulerOrder, NodeId, Owner, TrackId, Value},
    export::{
        ExportError, Job, Report,
        keyed_curve::{Interpolate, KeyedCurve, SegmentKind},
        motions::Motions,
        names,
        node_motion::NodeMotion,
        signals::{SignalCurve, Signals},
        some_of,
        turns::{Turn, Turns, turns},
        watch::Watch,
    },
};

const CENTIMETRES_PER_METRE: f64 = 100.0;

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// The attributes of each node that are its motion, and what decides how they are read.
const TRANSFORMS: [&str; 11] = [
    "translateX",
    "translateY",
    "translateZ",
    "rotateX",
    "rotateY",
    "rotateZ",
    "scaleX",
    "scaleY",
    "scaleZ",
    "visibility",
    "rotateOrder",
];

pub(super) fn write(
    job: &Job<'_>,
    out: &mut dyn Write,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let time = TimeUnit::of_rate(job.rate.or(clip.rate_hz));
    Header { time, length: "cm", span: (job.from, job.to) }.write(out)?;
    let all = clip.nodes.iter().map(|node| node.name.as_str());
    let names = names::unique(all, '_', legible, report);
    watch.now_up_to(0.4);
    let mut motions = Motions::new(job, watch)?;
    let mut attributes = Attributes::new(job, time, report)?;
    watch.now_up_to(1.0);
    for (index, branch) in branches(clip).iter().enumerate() {
        watch.at(index, clip.nodes.len())?;
        let mut curves = attributes.curves(&motions.of(branch.id, watch)?);
        let name = &names[branch.id.index()];
        curves.extend(attributes.signals(branch.id, name)?);
        write_node(name, branch, &curves, out)?;
    }
    attributes.report(report);
    motions.report(report);
    motions.report_sizes(report);
    report.info("Y up, centimetres, degrees, rotate order xyz; rotations continue without jumps");
    Ok(())
}

/// A name that Maya can have.
fn legible(name: &str) -> String {
    let is_legible = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut made: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    if made.starts_with(|c: char| c.is_ascii_digit()) || made.is_empty() {
        made.insert(0, '_');
    }
    made
}

fn write_node(
    name: &str,
    branch: &Branch,
    curves: &[Curve],
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    for (attribute, curve) in curves.iter().enumerate() {
        curve.write(name, branch, attribute, out)?;
    }
    if curves.is_empty() {
        text::placeholder(name, branch, out)?;
    }
    Ok(())
}

/// Attributes of nodes.
struct Attributes<'a> {
    job: &'a Job<'a>,
    time: TimeUnit,
    /// For each node the signals that are its own.
    own: Vec<Vec<TrackId>>,
    signals: Signals<'a>,
    /// The attribute names of each node.
    leaves: names::OfOwners,
    /// The largest error of angles between keys, in radians, and whether more keys would be too many.
    turned_off: (f64, bool),
}

impl<'a> Attributes<'a> {
    fn new(job: &'a Job<'a>, time: TimeUnit, report: &mut Report) -> Result<Self, ExportError> {
        let mut own = vec![Vec::new(); job.clip.nodes.len()];
        let mut left_out = Vec::new();
        let mut looked_at = Signals::new(job);
        for signal in &job.clip.signals {
            let is_number = match looked_at.curve(signal.track)? {
                SignalCurve::Numbers(_) => true,
                SignalCurve::States(states) => {
                    states.iter().all(|(_, value)| numeric(value).is_some())
                }
            };
            match job.clip.track(signal.track).owner {
                Owner::Node(node) if is_number => own[node.index()].push(signal.track),
                _ => left_out.push(format!("{:?}", signal.name)),
            }
        }
        if !left_out.is_empty() {
            let names = some_of(&left_out);
            report.warning(format!("signals that are not numbers of a node skipped: {names}"));
        }
        let leaves = names::OfOwners::new(&TRANSFORMS, '_');
        Ok(Self { job, time, own, signals: Signals::new(job), leaves, turned_off: (0.0, false) })
    }

    /// Reports errors and skipped values; to be called last.
    fn report(&self, report: &mut Report) {
        self.signals.report(report);
        self.leaves.report(report);
        let (off, is_cut_short) = self.turned_off;
        let off_by = format!("angles are up to {off:.2e} rad off between keys");
        if is_cut_short {
            report.warning(format!(
                "{off_by}: following every turn would take more keys than are inserted. Sample it \
                 at a rate: --fps"
            ));
        } else if off > 0.0 {
            report.warning(format!("{off_by}, where they turn too suddenly to follow"));
        }
    }

    /// The curves of a node's motion. Channels that stay at their default value need none.
    fn curves(&mut self, motion: &NodeMotion) -> Vec<Curve> {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        let mut curves = Vec::new();
        if !(translation.is_still() && translation.first() == DVec3::ZERO) {
            let centimetres = translation.map(|point| point * CENTIMETRES_PER_METRE);
            curves.extend(self.vector("translate", "linear", &centimetres));
        }
        if !(rotation.is_still() && rotation.first() == DQuat::IDENTITY) {
            curves.extend(self.rotation(rotation));
        }
        if !(scale.is_still() && scale.first() == DVec3::ONE) {
            curves.extend(self.vector("scale", "unitless", scale));
        }
        if !(shown.is_still() && shown.first()) {
            let keys = self.keys(shown, |shown| f64::from(u8::from(shown)));
            curves.push(curve("visibility".to_owned(), "visibility".to_owned(), "unitless", keys));
        }
        curves
    }

    fn vector(
        &self,
        name: &str,
        output: &'static str,
        curve: &KeyedCurve<DVec3>,
    ) -> impl Iterator<Item = Curve> {
        (0..3).map(move |axis| {
            let keys = self.keys(curve, |vector| vector[axis]);
            attribute(name, axis, output, keys)
        })
    }

    fn rotation(&mut self, curve: &KeyedCurve<DQuat>) -> impl Iterator<Item = Curve> {
        let Turns { turns, farthest, is_cut_short } = turns(curve, EulerOrder::Xyz);
        self.turned_off.0 = self.turned_off.0.max(farthest);
        self.turned_off.1 |= is_cut_short;
        let time = self.time;
        (0..3).map(move |axis| {
            let first = turns[0].angles[axis];
            let is_still = turns.iter().all(|turn| turn.angles[axis] == first);
            let count = if is_still { 1 } else { turns.len() };
            let keys = turns[..count]
                .iter()
                .enumerate()
                .map(|(index, turn)| angle(turn, index, axis, time));
            attribute("rotate", axis, "angular", keys.collect())
        })
    }

    /// The attributes other than transforms.
    fn signals(&mut self, node: NodeId, node_name: &str) -> Result<Vec<Curve>, ExportError> {
        let mut curves = Vec::new();
        for &track in &self.own[node.index()] {
            let leaf = legible(&self.job.clip.track(track).property);
            // Two curves of one attribute would be one for Maya.
            let name = self.leaves.take(node_name, &leaf);
            let keys = match self.signals.curve(track)? {
                SignalCurve::Numbers(curve) => self.keys(&curve, |number| number),
                SignalCurve::States(states) => states
                    .iter()
                    .map(|(time, value)| Key {
                        input: self.time.of_seconds(*time),
                        value: numeric(value).unwrap_or_default(),
                        tangents: [Tangent::Word("linear"), Tangent::Word("step")],
                    })
                    .collect(),
            };
            curves.push(curve(name.clone(), name, "unitless", keys));
        }
        Ok(curves)
    }

    fn keys<T: Interpolate>(&self, curve: &KeyedCurve<T>, number: impl Fn(T) -> f64) -> Vec<Key> {
        let is_stepped = curve.is_stepped();
        let first = number(curve.first());
        let is_still = curve.keys().iter().all(|key| number(key.value) == first);
        let count = if is_still { 1 } else { curve.keys().len() };
        let key = |key: &crate::export::keyed_curve::Key<T>| {
            let holds = key.segment == SegmentKind::Hold || is_stepped;
            let after = Tangent::Word(if holds { "step" } else { "linear" });
            Key {
                input: self.time.of_seconds(key.time),
                value: number(key.value),
                tangents: [Tangent::Word("linear"), after],
            }
        };
        curve.keys()[..count].iter().map(key).collect()
    }
}

/// The key of one angle of a turn.
fn angle(turn: &Turn, index: usize, axis: usize, time: TimeUnit) -> Key {
    let degrees = 180.0 / PI;
    let fixed = |slope: f64| {
        let value = slope * degrees / time.per_second;
        let length = 1.0_f64.hypot(value);
        Tangent::Fixed { seconds_in_units: 1.0 / length, value: value / length }
    };
    let before = if index == 0 { Tangent::Word("flat") } else { fixed(turn.in_slope[axis]) };
    let after = turn.out_slope.map_or(Tangent::Word("step"), |slope| fixed(slope[axis]));
    Key {
        input: time.of_seconds(turn.time),
        value: turn.angles[axis] * degrees,
        tangents: [before, after],
    }
}

fn attribute(name: &str, axis: usize, output: &'static str, keys: Vec<Key>) -> Curve {
    let leaf = format!("{name}{}", AXES[axis]);
    curve(format!("{name}.{leaf}"), leaf, output, keys)
}

fn curve(full: String, leaf: String, output: &'static str, keys: Vec<Key>) -> Curve {
    Curve {
        full,
        leaf,
        is_over_time: true,
        output,
        unit: None,
        is_weighted: false,
        infinities: ["constant"; 2],
        keys,
    }
}

/// A state as a number, if it can be one.
fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is_true) => Some(f64::from(u8::from(*is_true))),
        Value::Integer(integer) => Some(*integer as f64),
        Value::Number(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}
