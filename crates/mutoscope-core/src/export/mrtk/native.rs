//! Writes a recording from MRTK: its own curves and keys.

use std::{collections::HashMap, io::Write, slice};

use super::{CLAMP_FOREVER, CurveWriter, MrtkVersion, VERSION, plain_key};
use crate::{
    clip::{AnyCurve, Extrapolation, Hint, Rotation, ScalarCurve, Shapes, TrackId},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report, budget::EvaluationBudget, codes, key_times,
        linear_keys::ChannelKeys, tracer::Tracer,
    },
    formats::mrtk::{JOINTS, KeyLayout, RawKey, convert::SourceDetails},
};

const CURVES_PER_POSE: usize = 7;
const CURVES_PER_GAZE: usize = 6;
const SWITCHES: usize = 4;

pub(super) fn write<'o>(
    job: &Job<'_>,
    details: &SourceDetails,
    out: &'o mut dyn Write,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<CurveWriter<'o>, ExportError> {
    let own_version = if job.clip.version == "1.0" { MrtkVersion::V1_0 } else { MrtkVersion::V1_1 };
    let version = job.settings.choice(&VERSION).unwrap_or(own_version);
    let curves = CurveWriter::begin(version, details.has_parts, out)?;
    let [has_camera, has_hands, has_gaze] = details.has_parts;
    let mut tracks = OwnTracks::new(job, &details.wrap_modes, curves, progress)?;
    let is_1_0 = version == MrtkVersion::V1_0;
    tracks.progress.begin_phase(1.0);
    tracks.write_if(has_camera, CURVES_PER_POSE, is_1_0)?;
    tracks.write_if(has_hands, SWITCHES, is_1_0)?;
    // MRTK also writes keys for a joint named None. The clip has no curves of it, so its keys can only
    // be copied as a whole.
    let is_whole = tracks.is_whole
        && details.duration == job.clip.span.duration
        && tracks.curves.layout == details.layout;
    let nones = details.none_joints.as_ref();
    for hand in 0..2 {
        let keys = nones.filter(|_| is_whole).map(|hands| &hands[hand]);
        if has_hands || is_1_0 {
            tracks.write_none_joint(keys, details.layout, has_hands)?;
        }
        tracks.write_if(has_hands, JOINTS.len() * CURVES_PER_POSE, is_1_0)?;
    }
    if nones.is_some() && !is_whole {
        let message = "keys of the joint None, which is not part of a hand, skipped";
        report.warning_with_code(codes::PARTS_SKIPPED, message);
    }
    match has_gaze && is_1_0 {
        false => tracks.write_if(has_gaze, CURVES_PER_GAZE, false)?,
        true => report.warning_with_code(
            codes::PARTS_SKIPPED,
            "the gaze skipped, because version 1.0 does not have it. Pass --mrtk-version 1.1",
        ),
    }
    tracks.report(details, report);
    Ok(tracks.curves)
}

struct OwnTracks<'a, 'j, 'o, 'p> {
    job: &'a Job<'j>,
    curves: CurveWriter<'o>,
    progress: &'a mut Progress<'p>,
    next_track: usize,
    /// The wrap modes of the remaining curves of the file.
    wrap_modes: slice::Iter<'a, [i32; 2]>,
    rebuilt: HashMap<TrackId, &'j ScalarCurve>,
    /// `true` if the whole recording is written with its own keys.
    is_whole: bool,
    sample_times: Option<Vec<f64>>,
    budget: EvaluationBudget,
    traced: usize,
    max_error: f64,
}

impl<'a, 'j, 'o, 'p> OwnTracks<'a, 'j, 'o, 'p> {
    fn new(
        job: &'a Job<'j>,
        wrap_modes: &'a [[i32; 2]],
        curves: CurveWriter<'o>,
        progress: &'a mut Progress<'p>,
    ) -> Result<Self, ExportError> {
        let clip = job.clip;
        let mut rebuilt = HashMap::new();
        for node in clip.nodes.iter() {
            if let Rotation::Components(rotation) = &node.motion.rotation
                && let Some(w) = rotation.rebuilt_w()
            {
                rebuilt.insert(rotation.tracks()[3], w);
            }
        }
        Ok(Self {
            job,
            curves,
            progress,
            next_track: 0,
            wrap_modes: wrap_modes.iter(),
            rebuilt,
            is_whole: job.is_unchanged(),
            sample_times: job.rate.map(|rate| key_times::times_at_rate(job, rate)).transpose()?,
            budget: EvaluationBudget::for_single_values(),
            traced: 0,
            max_error: 0.0,
        })
    }

    /// Writes the next `count` tracks if the recording has the part. Otherwise writes empty curves
    /// if the part is required.
    fn write_if(
        &mut self,
        has_part: bool,
        count: usize,
        is_required: bool,
    ) -> Result<(), ExportError> {
        if !has_part {
            return if is_required { self.curves.write_empty_curves(count) } else { Ok(()) };
        }
        for _ in 0..count {
            self.progress.report_progress(self.next_track, self.job.clip.tracks.len())?;
            self.write_track(TrackId::new(self.next_track))?;
            self.next_track += 1;
        }
        Ok(())
    }

    /// Writes the curves of the joint `None`, which have these keys in the file, if any.
    fn write_none_joint(
        &mut self,
        keys: Option<&Vec<Box<[u8]>>>,
        layout: KeyLayout,
        is_in_file: bool,
    ) -> Result<(), ExportError> {
        for index in 0..CURVES_PER_POSE {
            let wrap_modes = self.wrap_modes.next().filter(|_| is_in_file);
            let wrap_modes = wrap_modes.copied().unwrap_or([CLAMP_FOREVER; 2]);
            let keys = keys.map_or(&[][..], |curves| &curves[index]);
            let count = keys.len() / layout.bytes_per_key();
            self.curves.encoder.write_curve(wrap_modes, count, keys)?;
        }
        Ok(())
    }

    fn write_track(&mut self, id: TrackId) -> Result<(), ExportError> {
        let track = &self.job.clip.track(id).curve;
        let curve = self.rebuilt.get(&id).copied().unwrap_or(track.scalar());
        let is_switch = matches!(track, AnyCurve::Switch(_));
        let fits = match curve.shapes() {
            Shapes::Linear | Shapes::Step => true,
            Shapes::Tangents(_) => self.curves.layout == KeyLayout::Full,
            Shapes::Nearest | Shapes::Segments(_) => false,
        };
        let own_wrap_modes = self.wrap_modes.next().filter(|_| self.is_whole && fits);
        let wrap_modes = own_wrap_modes.copied().unwrap_or([CLAMP_FOREVER; 2]);
        let keys = match (&self.sample_times, curve.is_empty()) {
            (_, true) => Vec::new(),
            _ if self.is_whole && fits => own_keys(curve),
            (Some(times), false) if !is_switch => evaluated_keys(curve, times, self.job.from),
            _ if has_straight_cut(curve, self.job) => cut_keys(curve, self.job),
            _ => self.traced_keys(id, curve)?,
        };
        match is_switch {
            true => self.curves.write_switch(wrap_modes, keys.into_iter()),
            false => self.curves.write_curve(wrap_modes, keys.into_iter()),
        }
    }

    fn traced_keys(
        &mut self,
        id: TrackId,
        curve: &ScalarCurve,
    ) -> Result<Vec<RawKey>, ExportError> {
        let times = key_times::times_of_tracks(self.job, [id])?;
        let mut hint = Hint::default();
        let budget = &self.budget;
        let mut at = |time: f64| {
            budget.spend();
            curve.evaluate(time, &mut hint)
        };
        let mut tracer = Tracer::new(self.job.time_steps, true, false);
        for gap in times.windows(2) {
            budget.enter_gap();
            tracer.trace_gap(gap[0], gap[1], budget, &mut at);
        }
        let last = times[times.len() - 1];
        let (traced, stats) = tracer.finish(last, at(last));
        self.traced += 1;
        self.max_error = self.max_error.max(stats.max_error);
        let Some(traced) = traced else { return Ok(Vec::new()) };
        let keys = ChannelKeys::linear(traced.keys(), self.job.from);
        let keys = keys.times.iter().zip(&keys.values);
        Ok(keys.map(|(&time, &value)| plain_key(time, value as f32)).collect())
    }

    fn report(&self, details: &SourceDetails, report: &mut Report) {
        match self.job.rate {
            Some(rate) => report.info(format!("sampled at {rate} Hz")),
            None if self.is_whole => report.info("curves and keys are the recording's own"),
            None => report.info("curves and keys are the recording's own, cut at the ends"),
        }
        if self.traced > 0 {
            let curves = format_count(self.traced, "curve");
            let message = format!("{curves} written as straight lines between more keys");
            match self.max_error > 0.0 {
                true => report.warning(format!("{message}, up to {:.1e} off", self.max_error)),
                false => report.info(message),
            }
        }
        if details.rebuilt_rotations > 0 {
            let [keys, guided] = details.rebuilt_keys;
            report.warning_with_code(
                codes::W_WRITTEN_REBUILT,
                format!(
                    "repaired: W of {} is written as rebuilt. The bones decide the sign of {guided} of {}; \
                     the others keep the sign of the key before. Expect 99 of 100 samples within 1°, and \
                     2 in 1000 off by more than 5°",
                    format_count(details.rebuilt_rotations, "rotation"),
                    format_count(keys, "key"),
                ),
            );
        }
    }
}

fn own_keys(curve: &ScalarCurve) -> Vec<RawKey> {
    let keys = (0..curve.len()).filter_map(|index| curve.key(index));
    keys.map(|key| RawKey {
        time: key.time as f32,
        value: key.value as f32,
        tangents: key.tangents.map(Into::into),
    })
    .collect()
}

fn evaluated_keys(curve: &ScalarCurve, times: &[f64], from: f64) -> Vec<RawKey> {
    let mut hint = Hint::default();
    let value = |time: f64| curve.evaluate(time, &mut hint) as f32;
    let keys = times.iter().map(|&time| (time - from) as f32);
    keys.zip(times.iter().copied().map(value)).map(|(time, value)| plain_key(time, value)).collect()
}

/// Returns `true` if the curve is exact within the range when it is cut at both ends.
fn has_straight_cut(curve: &ScalarCurve, job: &Job<'_>) -> bool {
    let Some((first, last)) = curve.times().first_and_last() else { return true };
    let (before, after) = curve.extrapolation();
    let is_constant = |extrapolation| matches!(extrapolation, Extrapolation::Constant);
    matches!(curve.shapes(), Shapes::Linear | Shapes::Step)
        && (job.from >= first || is_constant(before))
        && (job.to <= last || is_constant(after))
}

/// Returns the keys within the range, and a key at each end of the range.
fn cut_keys(curve: &ScalarCurve, job: &Job<'_>) -> Vec<RawKey> {
    let mut hint = Hint::default();
    let mut key_at =
        |time: f64| plain_key((time - job.from) as f32, curve.evaluate(time, &mut hint) as f32);
    let (first, last) = (key_at(job.from), key_at(job.to));
    let mut keys = vec![first];
    for key in (0..curve.len()).filter_map(|index| curve.key(index)) {
        if job.from < key.time && key.time < job.to {
            // Keep both keys of a jump, because Unity refuses a second key at the same time.
            let after_last = keys[keys.len() - 1].time.next_up();
            keys.push(plain_key(((key.time - job.from) as f32).max(after_last), key.value as f32));
        }
    }
    keys.retain(|key| key.time < last.time);
    keys.push(last);
    keys
}
