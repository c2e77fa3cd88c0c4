//! Writes a recording of another format: the motion of its nodes as tracks of slot fields.

use glam::{DQuat, DVec3};

use super::writer::{AnimationWriter, EncodedTracks, Key, KeyValue, Track, TrackFormat};
use crate::{
    clip::{
        Convention, Handedness, Node, NodeId, NodeVisibility, Owner, RotationRule, Stated,
        Transform, UpAxis, Value, ViewerFromSource, ViewerMirror,
    },
    export::{
        ExportError, Job, Progress, Report,
        keyed_curve::{Interpolate, KeyedCurve, SegmentKind},
        motions::Motions,
        names,
        node_motion::NodeMotion,
        origin, signals,
        time_steps::report_rounded_times,
    },
    formats::resonite::{Interpolation, Scalar, TypeInfo},
};

pub(super) fn write<F: TrackFormat>(
    job: &Job<'_>,
    animation: &mut AnimationWriter<F>,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let all = clip.nodes.iter().map(|node| node.name.as_str());
    let names = names::clean_and_deduplicate(all, '.', str::to_owned, report);
    progress.begin_phase(0.4);
    let mut motions = Motions::new(job, progress)?;
    let origin = origin::choose_origin(job);
    let mut precision = origin::PositionPrecision::default();
    let slots = SlotWriter { job, resonite_from_viewer: viewer_from_resonite(job).inverse() };
    if job.clip.convention.mirror == ViewerMirror::X {
        report.info("mirrored in x, as Resonite imports models of glTF: it fits its model");
    }
    progress.begin_phase(0.9);
    let ids: Vec<NodeId> = clip.nodes.with_ids().map(|(id, _)| id).collect();
    let convert = |id: NodeId, mut motion: NodeMotion| {
        let node = &clip.nodes[id];
        if node.parent.is_none() && origin != DVec3::ZERO {
            motion.translation = motion.translation.map(|point| point - origin);
        }
        let mut precision = origin::PositionPrecision::default();
        motion.translation.keys().iter().for_each(|key| precision.record_position(key.value));
        let mut tracks = EncodedTracks::default();
        slots.encode_node(&names[id.index()], &motion, node, &mut tracks)?;
        Ok((tracks, precision))
    };
    motions.convert_nodes(&ids, progress, convert, |_, (tracks, node_precision)| {
        precision.merge(&node_precision);
        animation.write_tracks(&tracks)
    })?;
    if origin != DVec3::ZERO {
        let root_position = slots.resonite_from_viewer.convert_point(origin);
        report.warning(format!(
            "far from the origin: positions are relative to {root_position}, where the root slot \
             has to be"
        ));
    }
    precision.report("Resonite", report);
    report_rounded_times(job, "Resonite", |_| true, report);
    motions.report(report);
    motions.report_own_scales(report);
    progress.begin_phase(1.0);
    slots.write_signals(&names, animation, report, progress)?;
    if clip.nodes.iter().any(|node| node.parent.is_some()) {
        report.info(
            "positions are relative to parents, which the file does not have: slots need the hierarchy \
             of the nodes",
        );
    }
    Ok(())
}

/// Returns the conversion from Resonite's space to the viewer's. Resonite's space is left-handed
/// with Y up, in metres. If the recording is mirrored for its model, Resonite's space is mirrored
/// in the same way.
fn viewer_from_resonite(job: &Job<'_>) -> ViewerFromSource {
    Convention {
        handedness: Stated::declared(Handedness::Left),
        up: Stated::declared(UpAxis::Y),
        metres_per_unit: Stated::declared(1.0),
        seconds_per_unit: None,
        rotation: Stated::declared(RotationRule::Continuous),
        mirror: job.clip.convention.mirror,
        axes: None,
    }
    .viewer_from_source()
}

struct SlotWriter<'a> {
    job: &'a Job<'a>,
    resonite_from_viewer: ViewerFromSource,
}

impl SlotWriter<'_> {
    /// Encodes the tracks of a node. The slot is inactive while the node is hidden. A field that
    /// keeps its default value gets no track, except if its rest value on the model differs from
    /// the default.
    fn encode_node<F: TrackFormat>(
        &self,
        name: &str,
        motion: &NodeMotion,
        node: &Node,
        tracks: &mut EncodedTracks<F>,
    ) -> Result<(), ExportError> {
        let hides = node.motion.visibility != NodeVisibility::Never;
        let is_on_model = self.job.clip.convention.mirror == ViewerMirror::X;
        let rest = if is_on_model { node.rest } else { Transform::IDENTITY };
        let space = &self.resonite_from_viewer;
        let to_position = |point| space.convert_point(point).to_array();
        let to_rotation = |rotation| space.convert_rotation(rotation).to_array();
        let NodeMotion { translation, rotation, scale, shown } = motion;
        if !stays_at(DVec3::ZERO, translation, rest.translation) {
            self.encode_track(name, "Position", "float3", translation, to_position, tracks)?;
        }
        if !stays_at(DQuat::IDENTITY, rotation, rest.rotation) {
            self.encode_track(name, "Rotation", "floatQ", rotation, to_rotation, tracks)?;
        }
        if !stays_at(DVec3::ONE, scale, rest.scale) {
            self.encode_track(
                name,
                "Scale",
                "float3",
                scale,
                |scale: DVec3| scale.to_array(),
                tracks,
            )?;
        }
        if !shown.is_constant() {
            self.encode_track(name, "Active", "bool", shown, |is_shown| is_shown, tracks)?;
        } else if hides && motion.is_never_shown() {
            let inactive = KeyedCurve::constant(false);
            self.encode_track(name, "Active", "bool", &inactive, |is_shown| is_shown, tracks)?;
        }
        Ok(())
    }

    fn encode_track<T: Interpolate, V: KeyValue, F: TrackFormat>(
        &self,
        node: &str,
        property: &str,
        value_type: &str,
        curve: &KeyedCurve<T>,
        value: impl Fn(T) -> V,
        tracks: &mut EncodedTracks<F>,
    ) -> Result<(), ExportError> {
        let Some(value_type) = TypeInfo::from_name(value_type) else { return Ok(()) };
        let keys = keys(curve, self.job.from, value);
        let is_rounded = value_type.scalar == Scalar::Single;
        Ok(tracks.add(Track { node, property, value_type, is_rounded, keys })?)
    }

    fn write_signals<F: TrackFormat>(
        &self,
        names: &[String],
        animation: &mut AnimationWriter<F>,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let clip = self.job.clip;
        let (mut skipped, mut held) = (Vec::new(), Vec::new());
        let mut properties =
            names::NamesByOwner::new(&["Position", "Rotation", "Scale", "Active"], '.');
        let mut signals = signals::SignalTracer::new(self.job);
        for (index, signal) in clip.signals.iter().enumerate() {
            progress.report_progress(index, clip.signals.len())?;
            let track = clip.track(signal.track);
            let node = match track.owner {
                Owner::Node(id) => names[id.index()].as_str(),
                group => clip.owner_name(group),
            };
            let property = &*properties.claim(node, &track.property);
            let mut curve = signals.trace_curve(signal.track)?;
            if !holds_text(&curve) {
                curve = signals.fill_nulls(signal.track, curve);
            }
            match curve {
                signals::SignalCurve::Numbers(curve) => {
                    let mut tracks = EncodedTracks::default();
                    let tracks_out = &mut tracks;
                    self.encode_track(
                        node,
                        property,
                        "double",
                        &curve,
                        |number| [number],
                        tracks_out,
                    )?;
                    animation.write_tracks(&tracks)?;
                }
                signals::SignalCurve::States(states) => {
                    let Some(value_type) = common_type(&states) else {
                        skipped.push(format!("{:?}", signal.name));
                        continue;
                    };
                    if matches!(states.as_slice(), [(_, Value::Numbers(_)), _, ..]) {
                        held.push(format!("{:?}", signal.name));
                    }
                    let states = states.into_iter().map(|(time, value)| {
                        Key::plain(time - self.job.from, value, Interpolation::Hold)
                    });
                    let keys = states.collect();
                    animation.write_track(Track {
                        node,
                        property,
                        value_type,
                        is_rounded: false,
                        keys,
                    })?;
                }
            }
        }
        signals.report(report);
        properties.report(report);
        if !held.is_empty() {
            let names = crate::export::list_names(&held);
            report.warning(format!(
                "signals with several components are held from key to key: {names}"
            ));
        }
        if !skipped.is_empty() {
            let names = crate::export::list_names(&skipped);
            report.warning(format!("signals without a type in Resonite skipped: {names}"));
        }
        Ok(())
    }
}

fn stays_at<T: Interpolate>(default: T, curve: &KeyedCurve<T>, rest: T) -> bool {
    curve.is_constant() && curve.first_value() == default && rest == default
}

/// Keys closer than this are equal except for rounding, in seconds.
const MAX_ROUNDING_S: f64 = 1e-6;

fn keys<T: Interpolate, V: KeyValue>(
    curve: &KeyedCurve<T>,
    from: f64,
    value: impl Fn(T) -> V,
) -> Vec<Key<V>> {
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
    if curve.is_constant() {
        return vec![Key::plain(0.0, value(curve.first_value()), Interpolation::Hold)];
    }
    let mut keys: Vec<Key<V>> = Vec::with_capacity(curve.keys().len());
    for key in curve.keys().iter().map(key) {
        // Resonite stores times as f32. Of two keys with the same f32 time, keep only the later key
        // if just rounding separates them.
        if keys.last().is_some_and(|last| {
            last.time as f32 == key.time as f32 && key.time - last.time < MAX_ROUNDING_S
        }) {
            keys.pop();
        }
        keys.push(key);
    }
    keys
}

/// Returns `true` for states that are strings, which Resonite stores as null if they have no value.
fn holds_text(curve: &signals::SignalCurve) -> bool {
    let is_text = |(_, value): &(f64, Value)| matches!(value, Value::Text(_));
    matches!(curve, signals::SignalCurve::States(states) if states.iter().any(is_text))
}

/// Returns the Resonite type that all states have, or `None` if their types differ. Null is allowed
/// among strings only.
fn common_type(states: &[(f64, Value)]) -> Option<&'static TypeInfo> {
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
    let is_common = states.iter().all(|(_, value)| name(value) == Some(first));
    TypeInfo::from_name(first).filter(|_| is_common)
}
