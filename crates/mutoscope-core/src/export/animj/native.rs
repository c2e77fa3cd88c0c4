//! A recording of Resonite's own: its tracks, types and keys as they are.

use super::{
    cut::cut,
    text::{Animation, Key, Track},
};
use crate::{
    clip::{self, AnyCurve, Clip, Hint, ScalarCurve, Segment, Shapes, TrackId, TypedCurve, Value},
    export::{ExportError, Job, Report, breaks, counted, some_of, watch::Watch},
    formats::resonite::{Interpolation, Shape, TypeInfo},
};

pub(super) fn write(
    job: &Job<'_>,
    animation: &mut Animation<'_>,
    report: &mut Report,
    watch: &mut Watch<'_>,
) -> Result<(), ExportError> {
    let clip = job.clip;
    let mut left_out = Vec::new();
    let mut cuts = Cuts::default();
    watch.now_up_to(1.0);
    for (index, track) in clip.tracks.iter().enumerate() {
        watch.at(index, clip.tracks.len())?;
        let (node, property) = (clip.owner_name(track.owner), track.property.as_str());
        let value_type = TypeInfo::named(track.curve.type_name());
        let is_matrix = |info: &&TypeInfo| matches!(info.shape, Shape::Matrix(_));
        let Some(value_type) = value_type.filter(|info| !is_matrix(info)) else {
            left_out.push(format!("{node}.{property}"));
            continue;
        };
        let id = TrackId::new(index);
        let keys = match job.rate {
            // Stepped curves keep their own key times.
            Some(rate) if !holds(&track.curve, value_type) => {
                sampled(clip, id, &breaks::regular(job, rate)?, job.from)
            }
            _ => own_keys(job, id, value_type, &mut cuts),
        };
        animation.track(Track { node, property, value_type, keys })?;
    }
    let are_tangents_exact = animation.tangents().are_exact();
    match job.rate {
        Some(rate) => report.info(format!("sampled at {rate} Hz")),
        None if cuts.any => {
            report.info("tracks, types and keys are the recording's own, cut at the ends");
        }
        None if are_tangents_exact => {
            report.info("tracks, types, keys and tangents are the recording's own");
        }
        None => report.info("tracks, types and keys are the recording's own"),
    }
    cuts.report(report);
    if !left_out.is_empty() {
        let tracks = some_of(&left_out);
        report.warning(format!("matrices, which AnimJ does not have, skipped: {tracks}"));
    }
    Ok(())
}

/// Where the ends of the range cut tracks between two keys.
#[derive(Debug, Default)]
struct Cuts {
    /// Whether they cut any.
    any: bool,
    /// How many of whole numbers they cut where these run from one to another.
    rounded: usize,
    /// By how much values of those may be off.
    off: f64,
}

impl Cuts {
    /// Counts a track of whole numbers whose curve is off by so much where it is cut.
    fn count(&mut self, off: f64) {
        self.rounded += 1;
        // Both are rounded when they are played.
        self.off = self.off.max(off.floor() + 1.0);
    }

    fn report(&self, report: &mut Report) {
        if self.rounded > 0 {
            let tracks = counted(self.rounded, "track");
            let off = if self.off > 1.0 { format!("up to {}", self.off) } else { "one".to_owned() };
            report.warning(format!(
                "{tracks} of whole numbers cut between two keys: values there may be off by {off}"
            ));
        }
    }
}

/// Whether all keys of a track have step interpolation.
fn holds(curve: &AnyCurve, value_type: &TypeInfo) -> bool {
    let gaps = 0..curve.key_count().saturating_sub(1);
    let steps = |curve: &ScalarCurve| {
        gaps.clone().all(|gap| curve.interpolation(gap) == Some(clip::Interpolation::Step))
    };
    value_type.always_holds() || curve.components().iter().all(steps)
}

/// Keys at these times, straight between them.
fn sampled(clip: &Clip, track: TrackId, times: &[f64], from: f64) -> Vec<Key> {
    if clip.track(track).curve.key_count() == 0 {
        return Vec::new();
    }
    let key = |&time: &f64| Key::plain(time - from, clip.value(track, time), Interpolation::Linear);
    times.iter().map(key).collect()
}

/// The keys within the range; where it begins or ends between two, it is cut there.
fn own_keys(job: &Job<'_>, id: TrackId, value_type: &TypeInfo, cuts: &mut Cuts) -> Vec<Key> {
    let (curve, times) = (&job.clip.track(id).curve, job.clip.track(id).curve.key_times());
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
    let value = |time: f64| job.clip.value(id, time);
    if first == last {
        let time = (first - job.from).max(0.0);
        return vec![Key::plain(time, value(first), Interpolation::Hold)];
    }
    let is_inside = job.from <= first && last <= job.to;
    match curve {
        AnyCurve::Typed(curve) if is_inside => typed_keys(curve, job.from),
        AnyCurve::Typed(curve) => {
            cuts.any = true;
            let mut off = None;
            let keys = typed_part(curve, job, value, value_type, &mut off);
            off.into_iter().for_each(|off| cuts.count(off));
            keys
        }
        _ if is_inside => (0..times.len())
            .map(|key| Key::plain(times[key] - job.from, curve.key_value(key), Interpolation::Hold))
            .collect(),
        _ => {
            cuts.any = true;
            let within = times.iter().copied().filter(|time| job.from < *time && *time <= job.to);
            let mut times: Vec<f64> = std::iter::once(job.from).chain(within).collect();
            // The end is cut too, and has a key.
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

/// All keys as they are.
fn typed_keys(curve: &TypedCurve, from: f64) -> Vec<Key> {
    let times = curve.times().as_slice();
    let mut keys: Vec<Key> = Vec::with_capacity(times.len());
    for (index, time) in times.iter().enumerate() {
        let interpolation = match index + 1 < times.len() {
            true => interpolation(curve, index),
            // The last leads nowhere.
            false => keys.last().map_or(Interpolation::Hold, |before| before.interpolation),
        };
        let value = curve.key_value(index).unwrap_or_default();
        keys.push(Key::plain(time - from, value, interpolation));
    }
    for gap in 0..times.len().saturating_sub(1) {
        let segments = curve.components().iter().map(|component| segment(component, gap));
        set_tangents(&mut keys, gap, segments);
    }
    keys
}

/// The keys within the range, with keys added at its ends. Where integers are cut between two keys, `off`
/// returns the deviation of their curve there.
fn typed_part(
    curve: &TypedCurve,
    job: &Job<'_>,
    value: impl Fn(f64) -> Value,
    value_type: &TypeInfo,
    off: &mut Option<f64>,
) -> Vec<Key> {
    let times = curve.times().as_slice();
    let is_whole = value_type.integer_bounds().is_some();
    let mut keys = Vec::new();
    for gap in 0..times.len() - 1 {
        let (start, end) = (times[gap], times[gap + 1]);
        let (from, to) = (start.max(job.from), end.min(job.to));
        if from >= to {
            continue;
        }
        let interpolation = interpolation(curve, gap);
        let exact = |time: f64| {
            let components = curve.components().iter();
            components.map(move |one| one.evaluate(time, &mut Hint::default()))
        };
        let at = |time: f64| match interpolation {
            Interpolation::Hold | Interpolation::Linear => value(time),
            // Whole numbers stay such, and those of the file what they are to the last bit.
            Interpolation::Tangent | Interpolation::CubicBezier if is_whole => value(time),
            // Tangents belong to components as they are, not brought to unit length.
            Interpolation::Tangent | Interpolation::CubicBezier => Value::of_numbers(exact(time)),
        };
        if keys.is_empty() {
            keys.push(Key::plain(from - job.from, at(from), interpolation));
        }
        let last = keys.len() - 1;
        keys[last].interpolation = interpolation;
        let here =
            if end <= job.to { curve.key_value(gap + 1).unwrap_or_default() } else { at(to) };
        keys.push(Key::plain(to - job.from, here, interpolation));
        let duration = end - start;
        let parts = [(from - start) / duration, (to - start) / duration];
        let segments = curve.components().iter().map(|component| {
            let ends = [component.values().at(gap), component.values().at(gap + 1)];
            cut(segment(component, gap), ends, duration, parts)
        });
        let segments: Vec<Segment> = segments.collect();
        let is_cut = (start, end) != (from, to) && interpolation != Interpolation::Hold;
        if is_whole && is_cut {
            let ends = exact(from).chain(exact(to)).map(|number| (number - number.round()).abs());
            let ends = ends.fold(0.0, f64::max);
            let of = |&segment: &Segment| off_by_tangents(segment, to - from, value_type);
            let found = ends + segments.iter().map(of).fold(0.0, f64::max);
            *off = Some(off.unwrap_or(0.0).max(found));
        }
        set_tangents(&mut keys, last, segments.into_iter());
    }
    if keys.is_empty() {
        keys.push(Key::plain(0.0, value(job.from), Interpolation::Hold));
    }
    keys
}

/// By how much a segment of `duration` seconds is off at most if its tangents are brought to their type.
fn off_by_tangents(segment: Segment, duration: f64, value_type: &TypeInfo) -> f64 {
    // The maxima of what tangents count with in a cubic.
    let (tangents, weight) = match segment {
        Segment::Hermite { out_slope, in_slope } => ([out_slope, in_slope], duration * 4.0 / 27.0),
        Segment::EvenBezier { out_value, in_value } => ([out_value, in_value], 4.0 / 9.0),
        _ => return 0.0,
    };
    let off = |tangent: f64| (value_type.nearest_whole(tangent) - tangent).abs();
    weight * tangents.into_iter().map(off).sum::<f64>()
}

/// Gives the key `left` and the next the tangents of the segments between them, a component each.
fn set_tangents(keys: &mut [Key], left: usize, segments: impl Iterator<Item = Segment>) {
    let tangents: Option<Vec<(f64, f64)>> = segments
        .map(|segment| match segment {
            Segment::Hermite { out_slope, in_slope } => Some((out_slope, in_slope)),
            Segment::EvenBezier { out_value, in_value } => Some((out_value, in_value)),
            _ => None,
        })
        .collect();
    if let Some(tangents) = tangents {
        keys[left].tangents[1] = Some(tangents.iter().map(|tangents| tangents.0).collect());
        keys[left + 1].tangents[0] = Some(tangents.iter().map(|tangents| tangents.1).collect());
    }
}

fn segment(curve: &ScalarCurve, gap: usize) -> Segment {
    match curve.shapes() {
        Shapes::Segments(segments) => segments[gap],
        Shapes::Linear => Segment::Linear,
        // No file has curves by the nearest key: they are a view only.
        Shapes::Step | Shapes::Nearest | Shapes::Tangents(_) => Segment::Step,
    }
}

fn interpolation(curve: &TypedCurve, gap: usize) -> Interpolation {
    match segment(&curve.components()[0], gap) {
        Segment::Linear => Interpolation::Linear,
        Segment::Hermite { .. } => Interpolation::Tangent,
        Segment::EvenBezier { .. } => Interpolation::CubicBezier,
        // Resonite's curves have no others.
        Segment::Step | Segment::StepNext | Segment::Bezier { .. } => Interpolation::Hold,
    }
}
