//! Chooses the times at which a curve may bend, and at which it is evaluated.

use crate::{
    clip::{AnyCurve, Clip, EvenTimes, Extrapolation, KeyTimes, TrackId},
    diagnostics::format_count,
};

use super::{ExportError, Job};

/// The maximum number of keys of one node, or of rows of a table: some hours at 1 kHz.
pub(super) const MAX_TIMES: usize = 20_000_000;

/// The limits for the number of poses and signal values that are written at all times together: a
/// fixed number, and a number per key. The larger limit applies. Without the limits, a small file
/// with many nodes, each with a key at another time, would become a table of gigabytes.
const MIN_VALUE_BUDGET: usize = 1 << 22;
const VALUES_PER_KEY: usize = 32;

/// Replaces [`MIN_VALUE_BUDGET`] if the user chose the times, because the user then expects a table
/// of that size: 80 nodes at 60 Hz for an hour.
const MIN_CHOSEN_VALUE_BUDGET: usize = 1 << 24;

/// Checks that `times` times with `values` poses and signal values each are not too many for the
/// number of keys of the recording. More are allowed if the user chose the times.
///
/// # Errors
/// Returns [`ExportError::LimitExceeded`] if they are too many.
pub fn check_value_count(
    clip: &Clip,
    times: usize,
    values: usize,
    are_times_chosen: bool,
) -> Result<(), ExportError> {
    let keys = clip.key_count();
    let budget = if are_times_chosen { MIN_CHOSEN_VALUE_BUDGET } else { MIN_VALUE_BUDGET };
    let limit = keys.saturating_mul(VALUES_PER_KEY).max(budget);
    let total = times.saturating_mul(values);
    if total <= limit {
        return Ok(());
    }
    Err(ExportError::LimitExceeded(format!(
        "{} with {values} nodes and signals are {total} values, more than the {limit} allowed for a \
         recording with {}; nothing written. Choose fewer times with --range or --fps",
        format_count(times, "time"),
        format_count(keys, "key"),
    )))
}

/// Returns the times of a table with a row for each time: regular times with [`Job::rate`], and
/// otherwise those of [`times_of_clip`].
///
/// # Errors
/// Fails if there would be too many times, or too many values at all times together.
pub fn times_of_rows(job: &Job<'_>) -> Result<Vec<f64>, ExportError> {
    let times = match job.rate {
        Some(rate) => return times_at_rate(job, rate),
        None => times_of_clip(job)?,
    };
    job.check_value_count(times.len())?;
    Ok(times)
}

/// Returns the times from the start of the range at `rate` Hz, followed by the end of the range, in
/// seconds.
///
/// # Errors
/// Fails if there would be too many times, or too many values at all times together.
pub fn times_at_rate(job: &Job<'_>, rate: f64) -> Result<Vec<f64>, ExportError> {
    let mut times = even_times(job, rate)?;
    job.check_value_count(times.len())?;
    if times.last().is_some_and(|last| *last < job.to) {
        times.push(job.to);
    }
    Ok(times)
}

/// Returns evenly spaced times at `rate` Hz, in seconds. The first time is the start of the range.
/// The end of the range is included only if it is a whole number of steps after the start.
pub(super) fn even_times(job: &Job<'_>, rate: f64) -> Result<Vec<f64>, ExportError> {
    let (from, to) = (job.from, job.to);
    let grid = EvenTimes { start: from, rate_hz: rate };
    let steps = grid.last_index(to);
    if steps.is_nan() || steps >= MAX_TIMES as f64 {
        let message = format!(
            "{rate} Hz from {from} to {to} s are more than {MAX_TIMES} times; not exported. Choose fewer \
             with --range or --fps"
        );
        return Err(ExportError::LimitExceeded(message));
    }
    Ok((0..=steps as u64).map(|step| grid.time_snapped_to(to, step)).collect())
}

/// Returns both ends of the range and all times within it at which any of `tracks` has a key,
/// sorted and without duplicates. Keys of cycling curves are repeated.
pub(super) fn times_of_tracks(
    job: &Job<'_>,
    tracks: impl IntoIterator<Item = TrackId>,
) -> Result<Vec<f64>, ExportError> {
    let mut times = vec![job.from, job.to];
    let mut last_added: Option<&KeyTimes> = None;
    for track in tracks {
        let curve = &job.clip.track(track).curve;
        if matches!(curve, AnyCurve::Driven(_)) {
            continue;
        }
        let (before, after) = curve.extrapolation();
        let repeats = before.repeats() || after.repeats();
        let key_times = curve.times();
        // Skip the times of a track if they are the same list as those that were just added. Tracks
        // often share their key times.
        if !repeats && last_added.is_some_and(|last| last.is_shared_with(key_times)) {
            continue;
        }
        last_added = Some(key_times);
        add_key_times(job, key_times.as_slice(), before, after, &mut times)?;
    }
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    Ok(times)
}

impl Job<'_> {
    pub(super) fn check_value_count(&self, times: usize) -> Result<(), ExportError> {
        let values = self.clip.nodes.len() + self.clip.signals.len();
        let are_times_chosen = self.rate.is_some();
        check_value_count(self.clip, times, values, are_times_chosen)
    }
}

pub(super) fn or_sample_times(own: Result<Vec<f64>, ExportError>, sampled: &[f64]) -> Vec<f64> {
    own.unwrap_or_else(|_| sampled.to_vec())
}

/// Returns the times at which the motion of a clip may change its slope. These are the key times
/// and, for a procedural animation, the sample times.
///
/// # Errors
/// Fails if there would be too many times.
pub fn times_of_clip(job: &Job<'_>) -> Result<Vec<f64>, ExportError> {
    let all = (0..job.clip.tracks.len()).map(TrackId::new);
    match job.clip.procedural {
        Some(_) => times_of_tracks_and_samples(job, all),
        None => times_of_tracks(job, all),
    }
}

pub(super) fn times_of_tracks_and_samples(
    job: &Job<'_>,
    tracks: impl IntoIterator<Item = TrackId>,
) -> Result<Vec<f64>, ExportError> {
    let mut times = times_of_tracks(job, tracks)?;
    if let Some(rate) = job.clip.rate_hz {
        // The samples are at multiples of the interval from time 0, because they do not depend on
        // the start of the range.
        let first = (job.from * rate).ceil();
        let count = even_times(job, rate)?.len() as u64;
        let samples = (0..=count).map(|index| (first + index as f64) / rate);
        times.extend(samples.filter(|time| job.from < *time && *time < job.to));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
    }
    Ok(times)
}

fn add_key_times(
    job: &Job<'_>,
    keys: &[f64],
    before: Extrapolation,
    after: Extrapolation,
    times: &mut Vec<f64>,
) -> Result<(), ExportError> {
    let is_inside = |time: &f64| job.from < *time && *time < job.to;
    times.extend(keys.iter().copied().filter(is_inside));
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return Ok(()) };
    let length = last - first;
    if length <= 0.0 {
        return Ok(());
    }
    let repetitions = |extrapolation: Extrapolation, distance: f64| {
        if extrapolation.repeats() { (distance / length).ceil().max(0.0) } else { 0.0 }
    };
    let (repetitions_before, repetitions_after) =
        (repetitions(before, first - job.from), repetitions(after, job.to - last));
    let count = (repetitions_before + repetitions_after) * keys.len() as f64;
    if count + times.len() as f64 > MAX_TIMES as f64 {
        let message = format!(
            "a curve of {length} s repeats {} times, which is too often; not exported. Choose a \
             shorter --range or a lower --fps",
            repetitions_before + repetitions_after
        );
        return Err(ExportError::LimitExceeded(message));
    }
    // Add the forward and the mirrored time of each key, because every other repetition of an
    // oscillating curve runs backwards.
    for repetition in 1..=repetitions_before as u64 {
        let shift = repetition as f64 * length;
        times.extend(
            keys.iter().flat_map(|key| [key - shift, first + last - key - shift]).filter(is_inside),
        );
    }
    for repetition in 1..=repetitions_after as u64 {
        let shift = repetition as f64 * length;
        times.extend(
            keys.iter().flat_map(|key| [key + shift, first + last - key + shift]).filter(is_inside),
        );
    }
    Ok(())
}

impl Extrapolation {
    fn repeats(self) -> bool {
        matches!(self, Self::Cycle | Self::CycleWithOffset | Self::Oscillate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{
            Convention, FormatId, GroupId, Handedness, Owner, ScalarCurve, Shapes, Track,
            TrackLocation, Unit, UpAxis,
        },
        diagnostics::SourceLocation,
        export::ExportOptions,
    };

    #[test]
    fn values_are_limited_by_the_number_of_keys() {
        let empty =
            Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, UpAxis::Y));
        assert!(check_value_count(&empty, 1 << 11, 1 << 11, false).is_ok());
        let message = check_value_count(&empty, (1 << 11) + 1, 1 << 11, false);
        let message = message.expect_err("too many").to_string();
        assert!(message.contains("--range or --fps"), "{message}");
        assert!(check_value_count(&empty, 1 << 13, 1 << 11, true).is_ok());
        assert!(check_value_count(&empty, (1 << 13) + 1, 1 << 11, true).is_err());
        assert!(check_value_count(&empty, usize::MAX, usize::MAX, true).is_err());
    }

    #[test]
    fn regular_times_end_at_the_end_at_any_rate() {
        let clip =
            Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, UpAxis::Y));
        let times = |from: f64, to: f64, rate: f64| {
            let range = Some(from..=to);
            let options = ExportOptions { range, ..ExportOptions::default() };
            times_at_rate(&Job::new(&clip, &options), rate).unwrap()
        };
        assert_eq!(times(0.0, 6.0, 1e-9), [0.0, 6.0]);
        assert_eq!(times(2.0, 1e9, 1e-6).last(), Some(&1e9));
        assert_eq!(times(0.0, 1.0, 2.0), [0.0, 0.5, 1.0]);
        assert_eq!(times(0.0, 1.2, 2.0), [0.0, 0.5, 1.0, 1.2]);
        assert_eq!(times(3.0, 3.0, 60.0), [3.0]);
        for rate in [1e-12, 1e-3, 0.3, 7.3, 29.97, 1000.0] {
            for (from, to) in [(0.0, 0.1), (0.1, 0.7), (-3.3, 9.9), (0.0, 1000.0)] {
                let times = times(from, to, rate);
                assert_eq!((times[0], times[times.len() - 1]), (from, to), "{rate}");
                assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{rate} {from}..{to}");
            }
        }
    }

    fn clip_with_curves(curves: Vec<ScalarCurve>) -> Clip {
        let track = |curve: ScalarCurve| Track {
            owner: Owner::Group(GroupId::new(0)),
            property: "value".to_owned(),
            curve: AnyCurve::Number(curve),
            unit: Unit::None,
            source: TrackLocation::points(SourceLocation::File, []),
        };
        Clip {
            tracks: curves.into_iter().map(track).collect(),
            groups: vec!["all".to_owned()],
            ..Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, UpAxis::Y))
        }
    }

    fn tracks_with_shared_times(extrapolations: &[Extrapolation]) -> Clip {
        let times = KeyTimes::new([0.0, 1.0]).unwrap();
        let curve = |after: &Extrapolation| {
            ScalarCurve::new(times.clone(), &[1.0, 2.0][..], Shapes::Linear)
                .with_extrapolation(Extrapolation::Constant, *after)
        };
        clip_with_curves(extrapolations.iter().map(curve).collect())
    }

    #[test]
    fn cycles_of_a_track_that_shares_its_times_are_added() {
        let clip = tracks_with_shared_times(&[
            Extrapolation::Constant,
            Extrapolation::Cycle,
            Extrapolation::Constant,
        ]);
        let options = ExportOptions { range: Some(0.0..=3.5), ..ExportOptions::default() };
        let times = times_of_clip(&Job::new(&clip, &options)).unwrap();
        assert_eq!(times, [0.0, 1.0, 2.0, 3.0, 3.5]);
    }

    #[test]
    fn oscillating_keys_are_repeated_forwards_and_backwards_on_both_sides() {
        let times = KeyTimes::new([2.0, 2.5, 4.0]).unwrap();
        let curve = ScalarCurve::new(times, &[1.0, 3.0, 2.0][..], Shapes::Linear)
            .with_extrapolation(Extrapolation::Oscillate, Extrapolation::Oscillate);
        let clip = clip_with_curves(vec![curve]);
        let options = ExportOptions { range: Some(0.75..=9.0), ..ExportOptions::default() };
        let times = times_of_rows(&Job::new(&clip, &options)).unwrap();
        let mirrored = [1.5, 5.5, 7.5];
        let forwards = [2.5, 4.5, 6.5, 8.5];
        let turns = [2.0, 4.0, 6.0, 8.0];
        let mut expected = [&mirrored[..], &forwards, &turns, &[0.75, 9.0]].concat();
        expected.sort_unstable_by(f64::total_cmp);
        assert_eq!(times, expected);
    }

    #[test]
    fn samples_of_a_procedural_animation_are_those_within_the_range() {
        let clip = Clip { rate_hz: Some(8.0), ..tracks_with_shared_times(&[]) };
        let options = ExportOptions { range: Some(0.1875..=0.5), ..ExportOptions::default() };
        let times = times_of_tracks_and_samples(&Job::new(&clip, &options), []).unwrap();
        assert_eq!(times, [0.1875, 0.25, 0.375, 0.5]);
    }
}
