//! A recording of another format: the motion of its nodes as tracks of the fields of slots.

use glam::{DQuat, DVec3};

use super::text::{Animation, Key, Track};
use crate::{
    clip::{
        Convention, Handedness, Node, Owner, RotationRule, Shown, Stated, Transform, Up, Value,
        ViewerFromSource, ViewerMirror,
    },
    export::{
        ExportError, Job, Report,
        keyed_curve::{Interpolate, KeyedCurve, SegmentKind},
        motions::Motions,
        names,
        node_motion::NodeMotion,
        origin, signals,
        watch::Watch,
    },
    formats::resonite::{Interpolation, TypeInfo},
};

pub(super) fn write(
    job: &Job<'_>,
    animation: &mut Animation<'_>,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let all = clip.nodes.iter().map(|node| node.name.as_str());
    let names = names::unique(all, '.', str::to_owned, report);
    watch.now_up_to(0.4);
    let mut motions = Motions::new(job, watch)?;
    let origin = origin::of(job);
    let mut precision = origin::Precision::default();
    let slots = Slots { job, resonite_from_viewer: resonite(job).inverse() };
    if job.clip.convention.mirror == ViewerMirror::X {
        report.info("mirrored in x, as Resonite imports models of glTF: it fits its model");
    }
    watch.now_up_to(0.9);
    for (id, name) in (0..).map(crate::clip::NodeId::new).zip(&names) {
        watch.at(id.index(), names.len())?;
        let node = &clip.nodes[id];
        let mut motion = motions.of(id, watch)?;
        if node.parent.is_none() && origin != DVec3::ZERO {
            motion.translation = motion.translation.map(|point| point - origin);
        }
        motion.translation.keys().iter().for_each(|key| precision.note(key.value));
        slots.write(name, &motion, node, animation)?;
    }
    if origin != DVec3::ZERO {
        let place = slots.resonite_from_viewer.point(origin);
        report.warning(format!(
            "far from the origin: positions are relative to {place}, where the root slot \
             has to be"
        ));
    }
    precision.report("Resonite", report);
    motions.report(report);
    motions.report_sizes(report);
    watch.now_up_to(1.0);
    slots.signals(&names, animation, report, watch)?;
    if clip.nodes.iter().any(|node| node.parent.is_some()) {
        report.info(
            "positions are relative to parents, which AnimJ does not have: slots need the hierarchy \
             of the nodes",
        );
    }
    Ok(())
}

/// Resonite's space: left-handed, Y up, metres, mirrored as models are if it is on one.
fn resonite(job: &Job<'_>) -> ViewerFromSource {
    Convention {
        handedness: Stated::declared(Handedness::Left),
        up: Stated::declared(Up::Y),
        metres_per_unit: Stated::declared(1.0),
        seconds_per_unit: None,
        rotation: Stated::declared(RotationRule::Continuous),
        mirror: job.clip.convention.mirror,
        axes: None,
    }
    .viewer_from_source()
}

struct Slots<'a> {
    job: &'a Job<'a>,
    resonite_from_viewer: ViewerFromSource,
}

impl Slots<'_> {
    /// The tracks of a node, which is inactive where it is not shown, if that hides anything. Fields that
    /// stay at their default value need none, unless a model may have another.
    fn write(
        &self,
        name: &str,
        motion: &NodeMotion,
        node: &Node,
        animation: &mut Animation<'_>,
    ) -> Result<(), ExportError> {
        let hides = node.motion.shown != Shown::Never;
        let is_on_model = self.job.clip.convention.mirror == ViewerMirror::X;
        let rest = if is_on_model { node.rest } else { Transform::IDENTITY };
        let space = &self.resonite_from_viewer;
        let vector = |v: DVec3| Value::of_numbers(v.to_array().into_iter());
        let place = |point| vector(space.point(point));
        let turn = |turn| Value::of_numbers(space.rotation(turn).to_array().into_iter());
        let NodeMotion { translation, rotation, scale, shown } = motion;
        if !stays_at(DVec3::ZERO, translation, rest.translation) {
            self.track(name, "Position", "float3", translation, place, animation)?;
        }
        if !stays_at(DQuat::IDENTITY, rotation, rest.rotation) {
            self.track(name, "Rotation", "floatQ", rotation, turn, animation)?;
        }
        if !stays_at(DVec3::ONE, scale, rest.scale) {
            self.track(name, "Scale", "float3", scale, vector, animation)?;
        }
        if !shown.is_still() {
            self.track(name, "Active", "bool", shown, Value::Bool, animation)?;
        } else if hides && motion.is_never_shown() {
            let inactive = KeyedCurve::still(false);
            self.track(name, "Active", "bool", &inactive, Value::Bool, animation)?;
        }
        Ok(())
    }

    fn track<T: Interpolate>(
        &self,
        node: &str,
        property: &str,
        value_type: &str,
        curve: &KeyedCurve<T>,
        value: impl Fn(T) -> Value,
        animation: &mut Animation<'_>,
    ) -> Result<(), ExportError> {
        let Some(value_type) = TypeInfo::named(value_type) else { return Ok(()) };
        let keys = keys(curve, self.job.from, value);
        Ok(animation.track(Track { node, property, value_type, keys })?)
    }

    fn signals(
        &self,
        names: &[String],
        animation: &mut Animation<'_>,
        report: &mut Report,
        watch: &mut Watch<'_>,
    ) -> Result<(), ExportError> {
        let clip = self.job.clip;
        let (mut left_out, mut held) = (Vec::new(), Vec::new());
        let mut properties =
            names::OfOwners::new(&["Position", "Rotation", "Scale", "Active"], '.');
        let mut signals = signals::Signals::new(self.job);
        for (index, signal) in clip.signals.iter().enumerate() {
            watch.at(index, clip.signals.len())?;
            let track = clip.track(signal.track);
            let node = match track.owner {
                Owner::Node(id) => names[id.index()].as_str(),
                group => clip.owner_name(group),
            };
            let property = &*properties.take(node, &track.property);
            match signals.curve(signal.track)? {
                signals::SignalCurve::Numbers(curve) => {
                    self.track(node, property, "double", &curve, Value::Number, animation)?;
                }
                signals::SignalCurve::States(states) => {
                    let Some(value_type) = value_type(&states) else {
                        left_out.push(format!("{:?}", signal.name));
                        continue;
                    };
                    if matches!(states.as_slice(), [(_, Value::Numbers(_)), _, ..]) {
                        held.push(format!("{:?}", signal.name));
                    }
                    let states = states.into_iter().map(|(time, value)| {
                        Key::plain(time - self.job.from, value, Interpolation::Hold)
                    });
                    let keys = states.collect();
                    animation.track(Track { node, property, value_type, keys })?;
                }
            }
        }
        signals.report(report);
        properties.report(report);
        if !held.is_empty() {
            let names = crate::export::some_of(&held);
            report.warning(format!(
                "signals with several components are held from key to key: {names}"
            ));
        }
        if !left_out.is_empty() {
            let names = crate::export::some_of(&left_out);
            report.warning(format!("signals without a type in Resonite skipped: {names}"));
        }
        Ok(())
    }
}

/// Whether a field never leaves its default value, which it also rests at.
fn stays_at<T: Interpolate>(default: T, curve: &KeyedCurve<T>, rest: T) -> bool {
    curve.is_still() && curve.first() == default && rest == default
}

fn keys<T: Interpolate>(curve: &KeyedCurve<T>, from: f64, value: impl Fn(T) -> Value) -> Vec<Key> {
    let is_stepped = curve.is_stepped();
    let key = |key: &crate::export::keyed_curve::Key<T>| {
        let interpolation = match key.segment {
            SegmentKind::Linear => Interpolation::Linear,
            SegmentKind::Hold => Interpolation::Hold,
            SegmentKind::Constant if is_stepped => Interpolation::Hold,
            SegmentKind::Constant => Interpolation::Linear,
        };
        Key::plain((key.time - from).max(0.0), value(key.value), interpolation)
    };
    if curve.is_still() {
        return vec![Key::plain(0.0, value(curve.first()), Interpolation::Hold)];
    }
    let mut keys: Vec<Key> = Vec::with_capacity(curve.keys().len());
    for key in curve.keys().iter().map(key) {
        // Resonite has times in single precision: of two that are equal there, the later is used.
        if keys.last().is_some_and(|last| last.time as f32 == key.time as f32) {
            keys.pop();
        }
        keys.push(key);
    }
    keys
}

/// The type of Resonite that all of these are of; nothing may be among words only.
fn value_type(states: &[(f64, Value)]) -> Option<&'static TypeInfo> {
    let name = |value: &Value| match value {
        Value::Null | Value::Text(_) => Some("string"),
        Value::Bool(_) => Some("bool"),
        Value::Integer(_) => Some("long"),
        Value::Number(_) => Some("double"),
        Value::Bools(bools) => ["bool2", "bool3", "bool4"].get(bools.len() - 2).copied(),
        Value::Integers(integers) => ["long2", "long3", "long4"].get(integers.len() - 2).copied(),
        Value::Numbers(numbers) => {
            ["double2", "double3", "double4"].get(numbers.len() - 2).copied()
        }
    };
    let first = name(&states.first()?.1)?;
    let is_of_all = states.iter().all(|(_, value)| name(value) == Some(first));
    TypeInfo::named(first).filter(|_| is_of_all)
}
