//! Converts a recording of another format: the motion of its nodes as curves, in centimetres and
//! degrees.

use glam::{DQuat, DVec3};

use super::{
    EncodedCurves, Lines, NodeCurves,
    text::{Branch, Curve, Key, Keys, Precision, Tangent, TimeUnit},
};
use crate::{
    clip::{EulerOrder, NodeId, Owner, TrackId, Value},
    export::{
        ExportError, Job, Progress, Report,
        euler::{EulerKey, to_euler_angles},
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
    signals: NodeSignals<'a>,
    angles: AngleErrors,
}

/// The signals that belong to nodes.
struct NodeSignals<'a> {
    job: &'a Job<'a>,
    time: TimeUnit,
    by_node: Vec<Vec<TrackId>>,
    tracer: SignalTracer<'a>,
    used_names: names::NamesByOwner,
}

#[derive(Clone, Copy, Debug, Default)]
struct AngleErrors {
    /// The largest error of the rotation curves between two keys, in radians.
    max_error: f64,
    is_limited: bool,
}

impl AngleErrors {
    fn add(&mut self, other: Self) {
        self.max_error = self.max_error.max(other.max_error);
        self.is_limited |= other.is_limited;
    }
}

impl NodeCurves for TracedCurves<'_> {
    fn encode_nodes(
        &mut self,
        lines: &Lines<'_>,
        progress: &mut Progress<'_>,
        take: &mut dyn FnMut(&Branch, EncodedCurves) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let (branches, time) = (&lines.branches, self.time);
        let ids: Vec<NodeId> = branches.iter().map(|branch| branch.id).collect();
        let mut line_of_node = vec![0; ids.len()];
        ids.iter().enumerate().for_each(|(line, id)| line_of_node[id.index()] = line);
        let Self { motions, signals, angles, .. } = self;
        let convert = |id: NodeId, motion: NodeMotion| {
            encode_motion(&motion, time, lines, &branches[line_of_node[id.index()]])
        };
        motions.convert_nodes(&ids, progress, convert, |id, (mut encoded, node_angles)| {
            angles.add(node_angles);
            let branch = &branches[line_of_node[id.index()]];
            signals.encode(lines, branch, &mut encoded)?;
            take(branch, encoded)
        })
    }

    fn report(&self, report: &mut Report) {
        self.signals.tracer.report(report);
        self.signals.used_names.report(report);
        let AngleErrors { max_error, is_limited } = self.angles;
        let error = format!("angles are up to {max_error:.2e} rad off between keys");
        if is_limited {
            report.warning(format!(
                "{error}: following every turn would take more keys than are inserted. Sample it \
                 at a rate: --fps"
            ));
        } else if max_error > 0.0 {
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
        let mut by_node = vec![Vec::new(); job.clip.nodes.len()];
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
                Owner::Node(node) if is_number => by_node[node.index()].push(signal.track),
                _ => skipped.push(format!("{:?}", signal.name)),
            }
        }
        if !skipped.is_empty() {
            let names = list_names(&skipped);
            report.warning(format!("signals that are not numbers of a node skipped: {names}"));
        }
        let used_names = names::NamesByOwner::new(&TRANSFORM_ATTRIBUTES, '_');
        let tracer = SignalTracer::new(job);
        let signals = NodeSignals { job, time, by_node, tracer, used_names };
        Ok(Self { job, motions, time, signals, angles: AngleErrors::default() })
    }
}

/// Encodes the curves of a node's motion.
fn encode_motion(
    motion: &NodeMotion,
    time: TimeUnit,
    lines: &Lines<'_>,
    branch: &Branch,
) -> Result<(EncodedCurves, AngleErrors), ExportError> {
    let NodeMotion { translation, rotation, scale, shown } = motion;
    let mut encoded = EncodedCurves::default();
    let mut angles = AngleErrors::default();
    if !(translation.is_constant() && translation.first_value() == DVec3::ZERO) {
        let curves = (0..3).map(|axis| {
            let centimetres = move |point: DVec3| point[axis] * CENTIMETRES_PER_METRE;
            let keys = keys(translation, time, centimetres);
            axis_curve("translate", axis, "linear", Precision::NineDecimals, keys)
        });
        lines.encode_curves(branch, curves, &mut encoded)?;
    }
    if !(rotation.is_constant() && rotation.first_value() == DQuat::IDENTITY) {
        let euler = to_euler_angles(rotation, EulerOrder::Xyz);
        angles = AngleErrors { max_error: euler.max_error, is_limited: euler.is_limited };
        let curves = (0..3).map(|axis| {
            let keys = angle_keys(&euler.keys, axis, time);
            axis_curve("rotate", axis, "angular", Precision::NineDecimals, keys)
        });
        lines.encode_curves(branch, curves, &mut encoded)?;
    }
    if !(scale.is_constant() && scale.first_value() == DVec3::ONE) {
        let curves = (0..3).map(|axis| {
            let keys = keys(scale, time, move |factors: DVec3| factors[axis]);
            axis_curve("scale", axis, "unitless", Precision::Exact, keys)
        });
        lines.encode_curves(branch, curves, &mut encoded)?;
    }
    if !(shown.is_constant() && shown.first_value()) {
        let keys = keys(shown, time, |shown| f64::from(u8::from(shown)));
        let name = "visibility".to_owned();
        let curve = unweighted_curve(name.clone(), name, "unitless", Precision::Exact, keys);
        lines.encode_curves(branch, [curve], &mut encoded)?;
    }
    Ok((encoded, angles))
}

impl NodeSignals<'_> {
    fn encode(
        &mut self,
        lines: &Lines<'_>,
        branch: &Branch,
        encoded: &mut EncodedCurves,
    ) -> Result<(), ExportError> {
        for &track in &self.by_node[branch.id.index()] {
            let short_name = to_maya_name(&self.job.clip.track(track).property);
            // Maya would merge two curves of the same attribute, so make the names unique.
            let name = self.used_names.claim(lines.name(branch), &short_name);
            let curve = self.tracer.trace_curve(track)?;
            let filled = self.tracer.fill_nulls(track, curve);
            let keys: Keys<'_> = match &filled {
                SignalCurve::Numbers(curve) => keys(curve, self.time, |number| number),
                SignalCurve::States(states) => Box::new(states.iter().map(|(time, value)| Key {
                    input: self.time.convert_seconds(*time),
                    value: state_to_number(value).unwrap_or_default(),
                    tangents: [Tangent::Named("linear"), Tangent::Named("step")],
                })),
            };
            let curve = unweighted_curve(name.clone(), name, "unitless", Precision::Exact, keys);
            lines.encode_curves(branch, [curve], encoded)?;
        }
        Ok(())
    }
}

/// Returns the keys of a curve, with one number for each value, such as a coordinate.
fn keys<'a, T: Interpolate>(
    curve: &'a KeyedCurve<T>,
    time: TimeUnit,
    number: impl Fn(T) -> f64 + 'a,
) -> Keys<'a> {
    let is_stepped = curve.is_stepped();
    let keys = drop_equal_keys(curve.keys(), |key| number(key.value));
    Box::new(keys.iter().map(move |key| {
        let holds = key.segment == SegmentKind::Hold || is_stepped;
        let after = Tangent::Named(if holds { "step" } else { "linear" });
        Key {
            input: time.convert_seconds(key.time),
            value: number(key.value),
            tangents: [Tangent::Named("linear"), after],
        }
    }))
}

/// Returns the keys of the angle about one axis, in degrees.
fn angle_keys(keys: &[EulerKey], axis: usize, time: TimeUnit) -> Keys<'_> {
    let keys = drop_equal_keys(keys, |key| key.angles[axis]);
    let fixed = move |slope: f64| Tangent::from_slope(slope.to_degrees() / time.per_second);
    Box::new(keys.iter().enumerate().map(move |(index, key)| {
        let before = if index == 0 { Tangent::Named("flat") } else { fixed(key.in_slope[axis]) };
        let after = match key.out_slope {
            None => Tangent::Named("step"),
            Some(slope) if index > 0 && slope[axis] == key.in_slope[axis] => before,
            Some(slope) => fixed(slope[axis]),
        };
        Key {
            input: time.convert_seconds(key.time),
            value: key.angles[axis].to_degrees(),
            tangents: [before, after],
        }
    }))
}

/// Returns only the first key if the numbers of all keys are equal.
fn drop_equal_keys<K>(keys: &[K], number: impl Fn(&K) -> f64) -> &[K] {
    let first = number(&keys[0]);
    let is_still = keys.iter().all(|key| number(key) == first);
    if is_still { &keys[..1] } else { keys }
}

fn axis_curve<'a>(
    name: &str,
    axis: usize,
    output: &'static str,
    precision: Precision,
    keys: Keys<'a>,
) -> Curve<'a> {
    let short_name = format!("{name}{}", AXES[axis]);
    unweighted_curve(format!("{name}.{short_name}"), short_name, output, precision, keys)
}

fn unweighted_curve<'a>(
    full_name: String,
    short_name: String,
    output: &'static str,
    precision: Precision,
    keys: Keys<'a>,
) -> Curve<'a> {
    Curve {
        full_name,
        short_name,
        is_over_time: true,
        output,
        unit: None,
        is_weighted: false,
        infinities: ["constant"; 2],
        precision,
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
