//! Writes a recording from Resonite: its own tracks, types and keys.

use super::{
    cut::cut_segment,
    writer::{AnimationWriter, Key, Track, TrackFormat},
};
use crate::{
    clip::{self, AnyCurve, Clip, Hint, ScalarCurve, Segment, TrackId, TypedCurve, Value},
    diagnostics::format_count,
    export::{ExportError, Job, Progress, Report, key_times, list_names},
    formats::resonite::{Interpolation, Shape, TypeInfo},
};

pub(super) fn write<F: TrackFormat>(
    job: &Job<'_>,
    animation: &mut AnimationWriter<F>,
    report: &mut Report,
    progress: &mut Progress<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let mut skipped = Vec::new();
    let mut cuts = Cuts::default();
    progress.begin_phase(1.0);
    for (index, track) in clip.tracks.iter().enumerate() {
        progress.report_progress(index, clip.tracks.len())?;
        let (node, property) = (clip.owner_name(track.owner), track.property.as_str());
        let value_type = TypeInfo::from_name(track.curve.type_name());
        let is_matrix = |info: &&TypeInfo| matches!(info.shape, Shape::Matrix(_));
        let Some(value_type) = value_type.filter(|info| F::HAS_MATRICES || !is_matrix(info)) else {
            skipped.push(format!("{node}.{property}"));
            continue;
        };
        let id = TrackId::new(index);
        let keys = match job.rate {
            // Stepped curves keep their own key times, because samples would delay their changes.
            Some(rate) if !is_stepped(&track.curve, value_type) => {
                sampled_keys(clip, id, &key_times::times_at_rate(job, rate)?, job.from)
            }
            _ => keys_in_range(job, id, value_type, &mut cuts),
        };
        animation.write_track(Track { node, property, value_type, is_rounded: false, keys })?;
    }
    let are_tangents_exact = animation.tangent_losses().is_empty();
    match job.rate {
        Some(rate) => report.info(format!("sampled at {rate} Hz")),
        None if cuts.has_cuts => {
            report.info("tracks, types and keys are the recording's own, cut at the ends");
        }
        None if are_tangents_exact => {
            report.info("tracks, types, keys and tangents are the recording's own");
        }
        None => report.info("tracks, types and keys are the recording's own"),
    }
    cuts.report(report);
    if !skipped.is_empty() {
        let tracks = list_names(&skipped);
        report.warning(format!("matrices, which AnimJ does not have, skipped: {tracks}"));
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Cuts {
    has_cuts: bool,
    rounded_tracks: usize,
    max_error: f64,
}

impl Cuts {
    fn count_rounded_track(&mut self, error: f64) {
        self.rounded_tracks += 1;
        // Playback rounds the original curve and the cut curve, so the rounded values may differ by
        // up to one more than the unrounded values.
        self.max_error = self.max_error.max(error.floor() + 1.0);
    }

    fn report(&self, report: &mut Report) {
        if self.rounded_tracks > 0 {
            let tracks = format_count(self.rounded_tracks, "integer track");
            let error = if self.max_error > 1.0 {
                format!("up to {}", self.max_error)
            } else {
                "one".to_owned()
            };
            report.warning(format!(
                "{tracks} cut between two keys; values there may be off by {error}"
            ));
        }
    }
}

fn is_stepped(curve: &AnyCurve, value_type: &TypeInfo) -> bool {
    let gaps = 0..curve.key_count().saturating_sub(1);
    let is_component_stepped = |curve: &ScalarCurve| {
        gaps.clone().all(|gap| curve.interpolation(gap) == Some(clip::Interpolation::Step))
    };
    value_type.always_holds() || curve.components().iter().all(is_component_stepped)
}

fn sampled_keys(clip: &Clip, track: TrackId, times: &[f64], from: f64) -> Vec<Key> {
    if clip.track(track).curve.key_count() == 0 {
        return Vec::new();
    }
    let key = |&time: &f64| Key::plain(time - from, clip.value(track, time), Interpolation::Linear);
    times.iter().map(key).collect()
}

fn keys_in_range(job: &Job<'_>, id: TrackId, value_type: &TypeInfo, cuts: &mut Cuts) -> Vec<Key> {
    let (curve, times) = (&job.clip.track(id).curve, job.clip.track(id).curve.key_times());
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
    let value = |time: f64| job.clip.value(id, time);
    if first == last {
        let time = (first - job.from).max(0.0);
        return vec![Key::plain(time, value(first), Interpolation::Hold)];
    }
    let is_inside = job.from <= first && last <= job.to;
    cuts.has_cuts |= !is_inside;
    match curve {
        AnyCurve::Typed(curve) => {
            let mut max_error = None;
            let keys = typed_keys(curve, job, is_inside, value, value_type, &mut max_error);
            max_error.into_iter().for_each(|error| cuts.count_rounded_track(error));
            keys
        }
        _ if is_inside => (0..times.len())
            .map(|key| Key::plain(times[key] - job.from, curve.key_value(key), Interpolation::Hold))
            .collect(),
        _ => {
            let times_inside =
                times.iter().copied().filter(|time| job.from < *time && *time <= job.to);
            let mut times: Vec<f64> = std::iter::once(job.from).chain(times_inside).collect();
            // Add a key at the end of the range, because the curve is cut there too.
            if times.last().is_some_and(|time| *time < job.to) && job.to < last {
                times.push(job.to);
            }
            times
                .into_iter()
                .map(|time| Key::plain(time - job.from, value(time), Interpolation::Hold))
                .collect()
        }
    }
}

fn typed_keys(
    curve: &TypedCurve,
    job: &Job<'_>,
    is_inside: bool,
    value: impl Fn(f64) -> Value,
    value_type: &TypeInfo,
    max_error: &mut Option<f64>,
) -> Vec<Key> {
    let times = curve.times().as_slice();
    let is_integer = value_type.integer_bounds().is_some();
    let mut keys = Vec::with_capacity(if is_inside { times.len() } else { 0 });
    for (gap, ends) in times.windows(2).enumerate() {
        let (start, end) = (ends[0], ends[1]);
        let (from, to) = (start.max(job.from), end.min(job.to));
        if from >= to && !is_inside {
            continue;
        }
        let interpolation = interpolation(curve, gap);
        let exact = |time: f64| {
            let components = curve.components().iter();
            components.map(move |component| component.evaluate(time, &mut Hint::default()))
        };
        let at = |time: f64| match interpolation {
            Interpolation::Hold | Interpolation::Linear => value(time),
            // Use the decoded value of an integer track, so that integers stay integers and the
            // keys of the file stay exact.
            Interpolation::Tangent | Interpolation::CubicBezier if is_integer => value(time),
            // Evaluate the stored components, because the tangents apply to them. A decoded value
            // may be normalised, and then the tangents do not match.
            Interpolation::Tangent | Interpolation::CubicBezier => Value::from_numbers(exact(time)),
        };
        let key_value = |key, is_own_key, time| match is_own_key {
            true => curve.key_value(key).unwrap_or_default(),
            false => at(time),
        };
        if keys.is_empty() {
            let start_value = key_value(gap, from == start, from);
            keys.push(Key::plain(from - job.from, start_value, interpolation));
        }
        let last = keys.len() - 1;
        keys[last].interpolation = interpolation;
        let end_value = key_value(gap + 1, to == end, to);
        keys.push(Key::plain(to - job.from, end_value, interpolation));
        let duration = end - start;
        let parts = [(from - start) / duration, (to - start) / duration];
        let is_cut = (start, end) != (from, to);
        let segments = curve.components().iter().map(|component| {
            let segment = component.shapes().segment(gap);
            let ends = [component.values().value_at(gap), component.values().value_at(gap + 1)];
            if is_cut { cut_segment(segment, ends, duration, parts) } else { segment }
        });
        let segments: Vec<Segment> = segments.collect();
        if is_integer && is_cut && interpolation != Interpolation::Hold {
            let end_errors = exact(from).chain(exact(to));
            let end_errors = end_errors.map(|number| (number - number.round()).abs());
            let end_error = end_errors.fold(0.0, f64::max);
            let segment_error =
                |&segment: &Segment| tangent_rounding_error(segment, to - from, value_type);
            let error = end_error + segments.iter().map(segment_error).fold(0.0, f64::max);
            *max_error = Some(max_error.unwrap_or(0.0).max(error));
        }
        set_tangents(&mut keys, last, segments.into_iter());
    }
    if keys.is_empty() {
        keys.push(Key::plain(0.0, value(job.from), Interpolation::Hold));
    }
    keys
}

fn tangent_rounding_error(segment: Segment, duration: f64, value_type: &TypeInfo) -> f64 {
    // The maximum weight of a tangent within its segment: 4/27 of the duration for a Hermite slope,
    // and 4/9 for a Bézier value.
    let (tangents, weight) = match segment {
        Segment::Hermite { out_slope, in_slope } => ([out_slope, in_slope], duration * 4.0 / 27.0),
        Segment::ValueBezier { out_value, in_value } => ([out_value, in_value], 4.0 / 9.0),
        _ => return 0.0,
    };
    let error = |tangent: f64| (value_type.nearest_integer(tangent) - tangent).abs();
    weight * tangents.into_iter().map(error).sum::<f64>()
}

fn set_tangents(keys: &mut [Key], left: usize, segments: impl Iterator<Item = Segment>) {
    let tangents: Option<Vec<(f64, f64)>> = segments
        .map(|segment| match segment {
            Segment::Hermite { out_slope, in_slope } => Some((out_slope, in_slope)),
            Segment::ValueBezier { out_value, in_value } => Some((out_value, in_value)),
            _ => None,
        })
        .collect();
    if let Some(tangents) = tangents {
        keys[left].tangents[1] = Some(tangents.iter().map(|tangents| tangents.0).collect());
        keys[left + 1].tangents[0] = Some(tangents.iter().map(|tangents| tangents.1).collect());
    }
}

fn interpolation(curve: &TypedCurve, gap: usize) -> Interpolation {
    match curve.components()[0].shapes().segment(gap) {
        Segment::Linear => Interpolation::Linear,
        Segment::Hermite { .. } => Interpolation::Tangent,
        Segment::ValueBezier { .. } => Interpolation::CubicBezier,
        // AnimJ has no equivalent for these segments, so hold the value.
        Segment::Step | Segment::StepNext | Segment::Bezier { .. } => Interpolation::Hold,
    }
}
