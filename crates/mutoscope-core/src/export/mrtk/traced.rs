//! Writes a recording of another format: the motion of its hands, head and gaze in Unity's world
//! space.

use std::{collections::BTreeSet, io::Write};

use glam::{DQuat, DVec3};

use super::{CLAMP_FOREVER, CurveWriter, MrtkVersion, VERSION, plain_key, roles::Roles};
use crate::{
    clip::{NodeId, TrackId, Value, ViewerFromSource},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report, codes,
        keyed_curve::{KeyedCurve, MAX_TURN_RAD},
        linear_keys::ChannelKeys,
        list_names,
        motions::Motions,
        origin::PositionPrecision,
        signals::{SignalCurve, SignalTracer},
        time_steps::report_rounded_times,
        tracer::MIN_INSERTED_GAP_S,
    },
    formats::mrtk::{JOINTS, RawKey, convert::unity_convention},
};

/// The smallest cosine of the angle between +Z of a joint and its bone.
const MIN_AXIS_FIT: f64 = 0.9;

pub(super) fn write<'o>(
    job: &Job<'_>,
    out: &'o mut dyn Write,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<CurveWriter<'o>, ExportError> {
    let roles = Roles::new(job.clip);
    if roles.nodes().next().is_none() {
        return Err(ExportError::refused(
            codes::NOTHING_TO_WRITE,
            "no hand joint, head or gaze: MRTK holds nothing else. Its joints have names such as \
             left/IndexTip; nothing written",
        ));
    }
    let has_hands = roles.joints.iter().flatten().any(Option::is_some);
    let has_parts = [roles.camera.is_some(), has_hands, roles.gaze.is_some()];
    let version = job.settings.choice(&VERSION).unwrap_or(MrtkVersion::V1_1);
    progress.begin_phase(0.4);
    let mut writer = TracedWriter {
        job,
        motions: match roles.nodes().any(|id| job.clip.nodes[id].parent.is_some()) {
            true => Motions::in_world(job, progress)?,
            false => Motions::new(job, progress)?,
        },
        curves: CurveWriter::begin(version, has_parts, out)?,
        unity_from_viewer: unity_convention().viewer_from_source().inverse(),
        precision: PositionPrecision::default(),
    };
    progress.begin_phase(1.0);
    let is_1_0 = version == MrtkVersion::V1_0;
    match roles.camera {
        Some(camera) => writer.write_pose(camera, progress)?,
        None if is_1_0 => writer.curves.write_empty_curves(7)?,
        None => {}
    }
    if has_hands || is_1_0 {
        writer.write_hands(&roles, report, progress)?;
    }
    match roles.gaze {
        Some(gaze) if !is_1_0 => writer.write_gaze(gaze, progress)?,
        Some(_) => report.warning_with_code(
            codes::PARTS_SKIPPED,
            "the gaze skipped, because version 1.0 does not have it. Pass --mrtk-version 1.1",
        ),
        None => {}
    }
    writer.report(&roles, report);
    Ok(writer.curves)
}

struct TracedWriter<'a, 'o> {
    job: &'a Job<'a>,
    motions: Motions<'a>,
    curves: CurveWriter<'o>,
    unity_from_viewer: ViewerFromSource,
    precision: PositionPrecision,
}

impl TracedWriter<'_, '_> {
    fn duration(&self) -> f64 {
        self.job.to - self.job.from
    }

    fn write_pose(&mut self, node: NodeId, progress: &mut Progress<'_>) -> Result<(), ExportError> {
        let motion = self.motions.node_motion(node, progress)?;
        self.write_position(&motion.translation)?;
        let rotation = motion.rotation.with_max_turn(MAX_TURN_RAD, MIN_INSERTED_GAP_S);
        let rotation = rotation.map(|rotation| self.unity_from_viewer.convert_rotation(rotation));
        let rotation = rotation.with_continuous_signs();
        let keys = ChannelKeys::linear(rotation.keys(), self.job.from);
        for axis in 0..4 {
            let component = |rotation: DQuat| rotation.to_array()[axis];
            self.curves.write_component(&keys, self.job.to - self.job.from, component)?;
        }
        Ok(())
    }

    fn write_position(&mut self, curve: &KeyedCurve<DVec3>) -> Result<(), ExportError> {
        curve.keys().iter().for_each(|key| self.precision.record_position(key.value));
        let curve = curve.map(|point| self.unity_from_viewer.convert_point(point));
        self.write_vector(&curve)
    }

    fn write_vector(&mut self, curve: &KeyedCurve<DVec3>) -> Result<(), ExportError> {
        let keys = ChannelKeys::linear(curve.keys(), self.job.from);
        let duration = self.duration();
        (0..3).try_for_each(|axis| {
            self.curves.write_component(&keys, duration, |vector: DVec3| vector[axis])
        })
    }

    fn write_hands(
        &mut self,
        roles: &Roles,
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<(), ExportError> {
        let mut signals = SignalTracer::new(self.job);
        for (joints, tracked) in roles.joints.iter().zip(roles.tracked) {
            let nodes: Vec<NodeId> = joints.iter().flatten().copied().collect();
            let keys = match tracked.filter(|_| !nodes.is_empty()) {
                Some(track) => self.signal_keys(track, &mut signals)?,
                None => self.tracked_keys(&nodes, report, progress)?,
            };
            self.curves.write_switch([CLAMP_FOREVER; 2], keys.into_iter())?;
        }
        for pinch in roles.pinches {
            let keys = match pinch {
                Some(track) => self.signal_keys(track, &mut signals)?,
                None => Vec::new(),
            };
            self.curves.write_switch([CLAMP_FOREVER; 2], keys.into_iter())?;
        }
        signals.report(report);
        let mut done = 0;
        for joints in &roles.joints {
            // The joint None, which is not part of a hand.
            self.curves.write_empty_curves(7)?;
            for joint in joints {
                match joint {
                    Some(node) => self.write_pose(*node, progress)?,
                    None => self.curves.write_empty_curves(7)?,
                }
                done += 1;
                progress.report_progress(done, 2 * JOINTS.len())?;
            }
        }
        Ok(())
    }

    /// Returns the keys of the switch that tells when a hand is tracked: while any of its joints is
    /// shown.
    fn tracked_keys(
        &mut self,
        joints: &[NodeId],
        report: &mut Report,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<RawKey>, ExportError> {
        let nodes = &self.job.clip.nodes;
        // Most recordings hide a hand as a whole, so that one of its joints is enough.
        let mut distinct: Vec<NodeId> = Vec::new();
        for &joint in joints {
            let visibility = |id: NodeId| (nodes[id].motion.visibility, nodes[id].parent.is_some());
            if !distinct.iter().any(|known| visibility(*known) == visibility(joint)) {
                distinct.push(joint);
            }
        }
        let mut curves = Vec::with_capacity(distinct.len());
        for joint in distinct {
            curves.push(self.motions.node_motion(joint, progress)?.shown);
        }
        if curves.windows(2).any(|pair| pair[0] != pair[1]) {
            report.warning_with_code(
                codes::PARTS_SKIPPED,
                "joints are lost one by one, but MRTK loses whole hands: a hand is tracked while any of \
                 its joints is",
            );
        }
        let mut times: Vec<f64> =
            curves.iter().flat_map(|curve| curve.keys()).map(|key| key.time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let states = times.iter().map(|&time| {
            (time.max(self.job.from), curves.iter().any(|curve| curve.value_at(time)))
        });
        Ok(self.switch_keys(states))
    }

    fn signal_keys(
        &self,
        track: TrackId,
        signals: &mut SignalTracer<'_>,
    ) -> Result<Vec<RawKey>, ExportError> {
        let curve = signals.trace_curve(track)?;
        Ok(match signals.fill_nulls(track, curve) {
            SignalCurve::States(states) => self.switch_keys(states.iter().map(|(time, value)| {
                let is_on = match value {
                    Value::Bool(is_on) => *is_on,
                    Value::Number(number) => *number > 0.5,
                    Value::Integer(number) => *number != 0,
                    _ => false,
                };
                (*time, is_on)
            })),
            SignalCurve::Numbers(curve) => {
                self.switch_keys(curve.keys().iter().map(|key| (key.time, key.value > 0.5)))
            }
        })
    }

    /// Returns a key for each change, and a key at the end of the range.
    fn switch_keys(&self, states: impl Iterator<Item = (f64, bool)>) -> Vec<RawKey> {
        let mut keys: Vec<RawKey> = Vec::new();
        for (time, is_on) in states {
            let key = plain_key((time - self.job.from) as f32, f32::from(u8::from(is_on)));
            match keys.last_mut() {
                Some(last) if last.value == key.value => {}
                Some(last) if last.time >= key.time => last.value = key.value,
                _ => keys.push(key),
            }
        }
        let end = self.duration() as f32;
        if let Some(&last) = keys.last().filter(|last| last.time < end) {
            keys.push(RawKey { time: end, ..last });
        }
        keys
    }

    fn write_gaze(&mut self, node: NodeId, progress: &mut Progress<'_>) -> Result<(), ExportError> {
        let motion = self.motions.node_motion(node, progress)?;
        self.write_position(&motion.translation)?;
        let rotation = motion.rotation.with_max_turn(MAX_TURN_RAD, MIN_INSERTED_GAP_S);
        let direction = rotation
            .map(|rotation| self.unity_from_viewer.convert_direction(rotation * DVec3::NEG_Z));
        self.write_vector(&direction)
    }

    fn report(&self, roles: &Roles, report: &mut Report) {
        let Self { job, motions, .. } = self;
        let clip = job.clip;
        let name = |id: &NodeId| format!("{:?}", clip.nodes[*id].name);
        if !roles.others.is_empty() {
            let names: Vec<_> = roles.others.iter().map(name).collect();
            let message = format!(
                "nodes skipped, because MRTK has no place for them: {}",
                list_names(&names)
            );
            report.warning_with_code(codes::PARTS_SKIPPED, message);
        }
        let hands = roles.joints.iter().filter(|joints| joints.iter().any(Option::is_some));
        let missing: BTreeSet<_> = hands
            .flat_map(|joints| joints.iter().zip(&JOINTS))
            .filter(|(node, _)| node.is_none())
            .map(|(_, joint)| joint.name.to_owned())
            .collect();
        if !missing.is_empty() {
            let names: Vec<_> = missing.into_iter().collect();
            let count = format_count(names.len(), "joint");
            report
                .info(format!("{count} without keys, as MRTK writes them: {}", list_names(&names)));
        }
        if let Some((joint, fit)) = self.worst_axis(roles) {
            report.warning_with_code(
                codes::JOINT_AXES,
                format!(
                    "+Z of {} does not point along its bone (the cosine is {fit:.2}), as MRTK expects: its hand \
                     meshes would twist. Positions are not affected",
                    name(&joint)
                ),
            );
        }
        let kept_tracks = || roles.tracked.iter().chain(&roles.pinches).flatten();
        let kept = clip
            .signals
            .iter()
            .enumerate()
            .filter(|(_, signal)| kept_tracks().any(|track| *track == signal.track));
        job.report_signals_except(&kept.map(|(index, _)| index).collect(), report);
        self.precision.report("MRTK", report);
        report_rounded_times(job, "MRTK", |_| true, report);
        motions.report(report);
    }

    /// Returns the joint whose +Z fits its bone least at the start of the range, and the cosine of
    /// the angle between both, if it is not small.
    fn worst_axis(&self, roles: &Roles) -> Option<(NodeId, f64)> {
        let mut pose = crate::clip::Pose::default();
        let Job { clip, from, to, .. } = *self.job;
        clip.sample_motion(0.5 * (from + to), &mut pose);
        let mut worst: Option<(NodeId, f64)> = None;
        for joints in &roles.joints {
            for (index, joint) in JOINTS.iter().enumerate() {
                let (tail, head) = joint.forward;
                let (Some(id), Some(tail), Some(head)) =
                    (joints[index], joints[tail], joints[head])
                else {
                    continue;
                };
                let position = |id: NodeId| pose[id].world.translation;
                let bone = (position(head) - position(tail)).normalize_or_zero();
                let fit = (pose[id].world.rotation * DVec3::NEG_Z).dot(bone);
                if bone != DVec3::ZERO && worst.is_none_or(|(_, least)| fit < least) {
                    worst = Some((id, fit));
                }
            }
        }
        worst.filter(|(_, fit)| *fit < MIN_AXIS_FIT)
    }
}
