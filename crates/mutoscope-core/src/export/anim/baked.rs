//! Converts a recording of another format: the motion of its nodes as curves, in centimetres and
//! degrees.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::{
    NodeCurves,
    text::{Curve, Key, Tangent, TimeUnit},
};
use crate::{
    clip::{EulerOrder, NodeId, Owner, TrackId, Value},
    export::{
        ExportError, Job, Progress, Report,
        euler::{EulerCurve, EulerKey, to_euler_angles},
        keyed_curve::{Interpolate, KeyedCurve, SegmentKind},
        list_names,
        motions::Motions,
        names,
        node_motion::NodeMotion,
        signals::{SignalCurve, SignalTracer},
    },
};

const CENTIMETRES_PER_METRE: f64 = 100.0;

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// The names that no signal may have. The attributes with these names hold the motion of a node, or
/// decide how Maya interprets its motion.
const TRANSFORM_ATTRIBUTES: [&str; 11] = [
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

pub(super) fn to_maya_name(name: &str) -> String {
    let is_legible = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut cleaned: String = name.chars().map(|c| if is_legible(c) { c } else { '_' }).collect();
    if cleaned.starts_with(|c: char| c.is_ascii_digit()) || cleaned.is_empty() {
        cleaned.insert(0, '_');
    }
    cleaned
}

pub(super) struct TracedCurves<'a> {
    job: &'a Job<'a>,
    motions: Motions<'a>,
    time: TimeUnit,
    node_signals: Vec<Vec<TrackId>>,
    signals: SignalTracer<'a>,
    used_names: names::NamesByOwner,
    /// The largest error of the rotation curves between two keys, in radians.
    max_angle_error: f64,
    are_angles_limited: bool,
}

impl NodeCurves for TracedCurves<'_> {
    fn convert_node(
        &mut self,
        node: NodeId,
        name: &str,
        progress: &mut Progress<'_>,
        write: &mut dyn FnMut(Curve) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let motion = self.motions.node_motion(node, progress)?;
        self.motion_curves(&motion).into_iter().try_for_each(&mut *write)?;
        self.signal_curves(node, name)?.into_iter().try_for_each(write)
    }

    fn report(&self, report: &mut Report) {
        self.signals.report(report);
        self.used_names.report(report);
        let error = format!("angles are up to {:.2e} rad off between keys", self.max_angle_error);
        if self.are_angles_limited {
            report.warning(format!(
                "{error}: following every turn would take more keys than are inserted. Sample it \
                 at a rate: --fps"
            ));
        } else if self.max_angle_error > 0.0 {
            report.warning(format!("{error}, where they turn too suddenly to follow"));
        }
        self.motions.report(report);
        self.motions.report_own_scales(report);
        report.info(format!(
            "{}, centimetres, degrees, rotate order xyz; rotations continue without jumps",
            self.job.motion.describe_up()
        ));
    }
}

impl<'a> TracedCurves<'a> {
    pub(super) fn new(
        job: &'a Job<'a>,
        time: TimeUnit,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<Self, ExportError> {
        progress.begin_phase(0.4);
        let motions = Motions::new(job, progress)?;
        let mut node_signals = vec![Vec::new(); job.clip.nodes.len()];
        let mut skipped = Vec::new();
        let mut signals = SignalTracer::new(job);
        for signal in &job.clip.signals {
            let curve = signals.trace_curve(signal.track)?;
            let is_number = match signals.fill_nulls(signal.track, curve) {
                SignalCurve::Numbers(_) => true,
                SignalCurve::States(states) => {
                    states.iter().all(|(_, value)| state_to_number(value).is_some())
                }
            };
            match job.clip.track(signal.track).owner {
                Owner::Node(node) if is_number => node_signals[node.index()].push(signal.track),
                _ => skipped.push(format!("{:?}", signal.name)),
            }
        }
        if !skipped.is_empty() {
            let names = list_names(&skipped);
            report.warning(format!("signals that are not numbers of a node skipped: {names}"));
        }
        Ok(Self {
            job,
            motions,
            time,
            node_signals,
            signals: SignalTracer::new(job),
            used_names: names::NamesByOwner::new(&TRANSFORM_ATTRIBUTES, '_'),
            max_angle_error: 0.0,
            are_angles_limited: false,
        })
    }

    fn motion_curves(&mut self, motion: &NodeMotion) -> Vec<Curve> {
        let NodeMotion { translation, rotation, scale, shown } = motion;
        let mut curves = Vec::new();
        if !(translation.is_constant() && translation.first_value() == DVec3::ZERO) {
            let centimetres = translation.map(|point| point * CENTIMETRES_PER_METRE);
            curves.extend(self.vector_curves("translate", "linear", &centimetres));
        }
        if !(rotation.is_constant() && rotation.first_value() == DQuat::IDENTITY) {
            curves.extend(self.rotation_curves(rotation));
        }
        if !(scale.is_constant() && scale.first_value() == DVec3::ONE) {
            curves.extend(self.vector_curves("scale", "unitless", scale));
        }
        if !(shown.is_constant() && shown.first_value()) {
            let keys = self.keys(shown, |shown| f64::from(u8::from(shown)));
            curves.push(unweighted_curve(
                "visibility".to_owned(),
                "visibility".to_owned(),
                "unitless",
                keys,
            ));
        }
        curves
    }

    fn vector_curves(
        &self,
        name: &str,
        output: &'static str,
        curve: &KeyedCurve<DVec3>,
    ) -> impl Iterator<Item = Curve> {
        (0..3).map(move |axis| {
            let keys = self.keys(curve, |vector| vector[axis]);
            axis_curve(name, axis, output, keys)
        })
    }

    fn rotation_curves(&mut self, curve: &KeyedCurve<DQuat>) -> impl Iterator<Item = Curve> {
        let EulerCurve { keys, max_error, is_limited } = to_euler_angles(curve, EulerOrder::Xyz);
        self.max_angle_error = self.max_angle_error.max(max_error);
        self.are_angles_limited |= is_limited;
        let time = self.time;
        (0..3).map(move |axis| {
            let first = keys[0].angles[axis];
            let is_still = keys.iter().all(|key| key.angles[axis] == first);
            let count = if is_still { 1 } else { keys.len() };
            let axis_keys = keys[..count]
                .iter()
                .enumerate()
                .map(|(index, key)| angle_key(key, index, axis, time));
            axis_curve("rotate", axis, "angular", axis_keys.collect())
        })
    }

    fn signal_curves(&mut self, node: NodeId, node_name: &str) -> Result<Vec<Curve>, ExportError> {
        let mut curves = Vec::new();
        for &track in &self.node_signals[node.index()] {
            let short_name = to_maya_name(&self.job.clip.track(track).property);
            // Maya would merge two curves of the same attribute, so make the names unique.
            let name = self.used_names.claim(node_name, &short_name);
            let curve = self.signals.trace_curve(track)?;
            let keys = match self.signals.fill_nulls(track, curve) {
                SignalCurve::Numbers(curve) => self.keys(&curve, |number| number),
                SignalCurve::States(states) => states
                    .iter()
                    .map(|(time, value)| Key {
                        input: self.time.convert_seconds(*time),
                        value: state_to_number(value).unwrap_or_default(),
                        tangents: [Tangent::Named("linear"), Tangent::Named("step")],
                    })
                    .collect(),
            };
            curves.push(unweighted_curve(name.clone(), name, "unitless", keys));
        }
        Ok(curves)
    }

    fn keys<T: Interpolate>(&self, curve: &KeyedCurve<T>, number: impl Fn(T) -> f64) -> Vec<Key> {
        let is_stepped = curve.is_stepped();
        let first = number(curve.first_value());
        let is_still = curve.keys().iter().all(|key| number(key.value) == first);
        let count = if is_still { 1 } else { curve.keys().len() };
        let key = |key: &crate::export::keyed_curve::Key<T>| {
            let holds = key.segment == SegmentKind::Hold || is_stepped;
            let after = Tangent::Named(if holds { "step" } else { "linear" });
            Key {
                input: self.time.convert_seconds(key.time),
                value: number(key.value),
                tangents: [Tangent::Named("linear"), after],
            }
        };
        curve.keys()[..count].iter().map(key).collect()
    }
}

fn angle_key(key: &EulerKey, index: usize, axis: usize, time: TimeUnit) -> Key {
    let degrees = 180.0 / PI;
    let fixed = |slope: f64| {
        let value = slope * degrees / time.per_second;
        let length = 1.0_f64.hypot(value);
        Tangent::Fixed { seconds_in_units: 1.0 / length, value: value / length }
    };
    let before = if index == 0 { Tangent::Named("flat") } else { fixed(key.in_slope[axis]) };
    let after = key.out_slope.map_or(Tangent::Named("step"), |slope| fixed(slope[axis]));
    Key {
        input: time.convert_seconds(key.time),
        value: key.angles[axis] * degrees,
        tangents: [before, after],
    }
}

fn axis_curve(name: &str, axis: usize, output: &'static str, keys: Vec<Key>) -> Curve {
    let short_name = format!("{name}{}", AXES[axis]);
    unweighted_curve(format!("{name}.{short_name}"), short_name, output, keys)
}

fn unweighted_curve(
    full_name: String,
    short_name: String,
    output: &'static str,
    keys: Vec<Key>,
) -> Curve {
    Curve {
        full_name,
        short_name,
        is_over_time: true,
        output,
        unit: None,
        is_weighted: false,
        infinities: ["constant"; 2],
        keys,
    }
}

fn state_to_number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is_true) => Some(f64::from(u8::from(*is_true))),
        Value::Integer(integer) => Some(*integer as f64),
        Value::Number(number) => Some(*number).filter(|number| number.is_finite()),
        _ => None,
    }
}
