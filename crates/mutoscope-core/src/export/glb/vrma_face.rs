//! The face of a VRM animation: the weights of expressions, and the gaze relative to the head.

use std::collections::{BTreeSet, HashSet};

use glam::{DQuat, DVec3};

use crate::{
    clip::{
        Clip, EXPRESSION_PREFIX, HumanBone, MORPH_WEIGHT_PREFIX, NodeId, NodeKind, Owner, Pose,
        Signal, TrackId, Value,
    },
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report,
        budget::EvaluationBudget,
        codes, key_times,
        keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
        list_names,
        signals::{SignalCurve, SignalTracer},
        tracer::Tracer,
    },
    retarget::TPoseMotion,
    skeleton_file::gltf::vrm1_preset_name,
};

/// The preset expressions of VRM 1.0.
const PRESETS: [&str; 14] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "neutral",
];

/// The preset expressions of VRM 1.0 that move the eyes. An animation has a gaze instead.
const GAZE_PRESETS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];

#[derive(Default)]
pub(super) struct Face {
    pub(super) expressions: Vec<Expression>,
    pub(super) gaze: Option<Gaze>,
    /// The indices of the signals that are written.
    pub(super) used_signals: BTreeSet<usize>,
    /// The nodes whose motion is written as an expression or as the gaze.
    pub(super) used_nodes: Vec<NodeId>,
}

pub(super) struct Expression {
    pub(super) name: String,
    pub(super) is_preset: bool,
    /// The weight, from 0 to 1.
    pub(super) weights: KeyedCurve<f64>,
}

pub(super) struct Gaze {
    /// The rotation from the rest direction +Z to the gaze, relative to the head.
    pub(super) rotation: KeyedCurve<DQuat>,
    /// The position between the eyes relative to the head, in metres.
    pub(super) offset_from_head: Option<DVec3>,
}

pub(super) fn trace(
    job: &Job<'_>,
    t_pose: &TPoseMotion,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<Face, ExportError> {
    let mut face = Face::default();
    trace_expressions(job, &mut face, report)?;
    if let Some(source) = GazeSource::find(job.clip, t_pose) {
        source.mark_used(job.clip, t_pose, &mut face);
        let rotation = source.trace(job, t_pose, progress)?;
        let is_still_eyes =
            matches!(source, GazeSource::Eyes) && rotation.simplified(1e-6).is_constant();
        let offset_from_head = t_pose.eyes_from_head();
        face.gaze = (!is_still_eyes).then_some(Gaze { rotation, offset_from_head });
    }
    Ok(face)
}

fn trace_expressions(
    job: &Job<'_>,
    face: &mut Face,
    report: &mut Report,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let mut signals = SignalTracer::new(job);
    let mut names = HashSet::new();
    let (mut clamped, mut gaze_presets) = (Vec::new(), Vec::new());
    for (index, signal) in clip.signals.iter().enumerate() {
        let Some(name) = expression_name(clip, signal) else { continue };
        if GAZE_PRESETS.contains(&name.as_str()) {
            gaze_presets.push(name);
            continue;
        }
        if names.contains(&name) {
            continue;
        }
        let curve = signals.trace_curve(signal.track)?;
        let Some(curve) = to_numbers(signals.fill_nulls(signal.track, curve)) else { continue };
        let is_valid = |key: &Key<f64>| (0.0..=1.0).contains(&key.value);
        let is_clamped = !curve.keys().iter().all(is_valid);
        let weights = if is_clamped { clamp(job, &curve) } else { curve };
        if is_clamped {
            clamped.push(name.clone());
        }
        let is_preset = PRESETS.contains(&name.as_str());
        names.insert(name.clone());
        face.expressions.push(Expression { name, is_preset, weights });
        face.used_signals.insert(index);
        mark_owner(clip, signal.track, face);
    }
    signals.report(report);
    if !face.expressions.is_empty() {
        report.info(format!("with {}", format_count(face.expressions.len(), "expression")));
    }
    if !clamped.is_empty() {
        let message = format!("weights limited to the range from 0 to 1: {}", list_names(&clamped));
        report.warning_with_code(codes::VALUE_OUT_OF_RANGE, message);
    }
    if !gaze_presets.is_empty() {
        let names = list_names(&gaze_presets);
        let message =
            format!("expressions skipped, because VRM animations have a gaze instead: {names}");
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    Ok(())
}

/// Returns the name of the expression that a signal animates. `None` if it animates none.
///
/// Expressions and morph weights keep their names, except that the names of presets get the
/// spelling of VRM 1.0. Other signals are expressions if they have the name of a preset.
fn expression_name(clip: &Clip, signal: &Signal) -> Option<String> {
    let preset = |name: &str| {
        let all = PRESETS.iter().chain(&GAZE_PRESETS);
        all.copied().find(|preset| preset.eq_ignore_ascii_case(name))
    };
    let property = clip.track(signal.track).property.as_str();
    if let Some(name) = property.strip_prefix(EXPRESSION_PREFIX) {
        return Some(preset(name).unwrap_or(name).to_owned());
    }
    if let Some(name) = property.strip_prefix(MORPH_WEIGHT_PREFIX) {
        return Some(preset(name).or_else(|| vrm1_preset_name(name)).unwrap_or(name).to_owned());
    }
    let last = signal.name.rsplit(['/', '.']).next().unwrap_or_default();
    preset(last).map(ToOwned::to_owned)
}

/// Returns the curve of a signal as numbers. States hold. `None` if a state is no number.
fn to_numbers(curve: SignalCurve) -> Option<KeyedCurve<f64>> {
    let states = match curve {
        SignalCurve::Numbers(curve) => return Some(curve),
        SignalCurve::States(states) => states,
    };
    let to_key = |(time, value): &(f64, Value)| {
        let value = match value {
            Value::Bool(is_on) => f64::from(u8::from(*is_on)),
            Value::Integer(number) => *number as f64,
            Value::Number(number) => *number,
            _ => return None,
        };
        Some(Key { time: *time, value, segment: SegmentKind::Hold })
    };
    let keys: Option<Vec<_>> = states.iter().map(to_key).collect();
    keys.filter(|keys| !keys.is_empty()).map(KeyedCurve::new)
}

/// Limits a curve to the range from 0 to 1, with keys where it leaves the range.
fn clamp(job: &Job<'_>, curve: &KeyedCurve<f64>) -> KeyedCurve<f64> {
    let times: Vec<f64> = curve.keys().iter().map(|key| key.time).collect();
    trace_times(job, &times, 1, &mut |time| curve.value_at(time).clamp(0.0, 1.0))
        .unwrap_or(KeyedCurve::constant(0.0))
}

fn mark_owner(clip: &Clip, track: TrackId, face: &mut Face) {
    if let Owner::Node(node) = clip.track(track).owner {
        face.used_nodes.push(node);
    }
}

enum GazeSource {
    /// The signals of the angles in degrees, as VRM animations have them.
    Angles { signals: [usize; 2], tracks: [TrackId; 2] },
    /// A ray in world space.
    Ray(NodeId),
    /// The rotations of the eye bones.
    Eyes,
}

impl GazeSource {
    fn find(clip: &Clip, t_pose: &TPoseMotion) -> Option<Self> {
        let signal = |name: &str| clip.signals.iter().position(|signal| signal.name == name);
        if let (Some(yaw), Some(pitch)) = (signal("lookAt/yaw"), signal("lookAt/pitch")) {
            let (signals, track) = ([yaw, pitch], |index: usize| clip.signals[index].track);
            return Some(Self::Angles { signals, tracks: signals.map(track) });
        }
        let ray = clip.ray_nodes().find(|&id| clip.nodes[id].kind == NodeKind::Ray);
        let has_eye = EYES.iter().any(|&eye| t_pose.source_node(eye).is_some());
        ray.map(Self::Ray).or(has_eye.then_some(Self::Eyes))
    }

    fn mark_used(&self, clip: &Clip, t_pose: &TPoseMotion, face: &mut Face) {
        match *self {
            Self::Angles { signals, tracks } => {
                face.used_signals.extend(signals);
                tracks.iter().for_each(|&track| mark_owner(clip, track, face));
            }
            Self::Ray(node) => face.used_nodes.push(node),
            Self::Eyes => {
                face.used_nodes.extend(EYES.iter().filter_map(|&eye| t_pose.source_node(eye)));
            }
        }
    }

    fn trace(
        &self,
        job: &Job<'_>,
        t_pose: &TPoseMotion,
        progress: &mut Progress<'_>,
    ) -> Result<KeyedCurve<DQuat>, ExportError> {
        let clip = job.clip;
        let times = match (job.rate, self) {
            (Some(rate), _) => key_times::times_at_rate(job, rate)?,
            (None, Self::Angles { tracks, .. }) => {
                key_times::times_of_tracks_and_samples(job, *tracks)?
            }
            (None, _) => key_times::times_of_clip(job)?,
        };
        progress.check_cancelled()?;
        let mut pose = Pose::default();
        let cost = if matches!(self, Self::Angles { .. }) { 1 } else { clip.nodes.len() };
        let mut at = |time: f64| {
            let direction = match self {
                Self::Angles { tracks, .. } => {
                    let angle = |track: TrackId| match clip.value(track, time) {
                        Value::Number(degrees) => degrees.to_radians(),
                        _ => f64::NAN,
                    };
                    return DQuat::from_rotation_y(angle(tracks[0]))
                        * DQuat::from_rotation_x(angle(tracks[1]));
                }
                Self::Ray(ray) => {
                    clip.sample_motion(time, &mut pose);
                    t_pose.to_front(pose[*ray].world.rotation * DVec3::NEG_Z)
                }
                Self::Eyes => {
                    clip.sample_motion(time, &mut pose);
                    let eyes =
                        EYES.iter().filter_map(|&eye| t_pose.rotation_since_reference(eye, &pose));
                    eyes.map(|eye| eye * DVec3::Z).sum()
                }
            };
            let head = t_pose.rotation_since_reference(HumanBone::Head, &pose);
            gaze_rotation(head.unwrap_or(DQuat::IDENTITY).conjugate() * direction)
        };
        let curve = trace_times(job, &times, cost, &mut at);
        Ok(curve.unwrap_or(KeyedCurve::constant(DQuat::IDENTITY)).with_continuous_signs())
    }
}

const EYES: [HumanBone; 2] = [HumanBone::LeftEye, HumanBone::RightEye];

/// Returns the rotation from +Z to `direction`, without roll.
fn gaze_rotation(direction: DVec3) -> DQuat {
    let yaw = direction.x.atan2(direction.z);
    let pitch = (-direction.y).atan2(direction.x.hypot(direction.z));
    DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(pitch)
}

/// Traces a function at `times`. `cost` is the cost of one evaluation. `None` if no value is finite.
fn trace_times<T: Interpolate>(
    job: &Job<'_>,
    times: &[f64],
    cost: usize,
    at: &mut impl FnMut(f64) -> T,
) -> Option<KeyedCurve<T>> {
    let budget = EvaluationBudget::for_poses(cost);
    let mut tracer = Tracer::new(job.time_steps, job.rate.is_none(), true);
    let mut at = |time: f64| {
        budget.spend();
        at(time)
    };
    for gap in times.windows(2) {
        budget.enter_gap();
        tracer.trace_gap(gap[0], gap[1], &budget, &mut at);
    }
    let last = *times.last()?;
    tracer.finish(last, at(last)).0
}
