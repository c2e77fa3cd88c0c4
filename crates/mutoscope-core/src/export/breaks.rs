//! The times at which a curve may bend.

use crate::clip::{AnyCurve, Extrapolation, KeyTimes, TrackId};

use super::{ExportError, Job};

/// The most keys of one node, or rows of a table: some hours at a thousand a second.
pub(super) const MOST: usize = 20_000_000;

/// The part of a step by which rounding may miss the end.
const TOLERANCE: f64 = 1e-6;

/// `rate` times a second from the start of the range on, and at its end, in seconds.
///
/// # Errors
/// If that exceeds the limit.
pub fn regular(job: &Job<'_>, rate: f64) -> Result<Vec<f64>, ExportError> {
    let mut times = even(job, rate)?;
    match times.last_mut() {
        // The last step is the end but for rounding, also where a step is years long.
        Some(last) if *last > job.from && (job.to - *last) * rate <= TOLERANCE => *last = job.to,
        Some(last) if *last < job.to => times.push(job.to),
        _ => {}
    }
    Ok(times)
}

/// `rate` times a second from the start of the range up to its end, in seconds, all at the same
/// distance: the end itself only if it is one of them.
///
/// # Errors
/// If that exceeds the limit.
pub(super) fn even(job: &Job<'_>, rate: f64) -> Result<Vec<f64>, ExportError> {
    let (from, to) = (job.from, job.to);
    let steps = ((to - from) * rate + TOLERANCE).floor();
    if steps.is_nan() || steps >= MOST as f64 {
        let message = format!(
            "{rate} Hz from {from} to {to} s are more than {MOST} times: --range and \
             --fps choose fewer"
        );
        return Err(ExportError::TooMuch(message));
    }
    Ok((0..=steps as u64).map(|step| (from + step as f64 / rate).min(to)).collect())
}

/// The times within the range at which any of the `tracks` has a key, repetitions included; both
/// ends of the range among them.
///
/// # Errors
/// As [`regular`].
pub(super) fn of_tracks(
    job: &Job<'_>,
    tracks: impl IntoIterator<Item = TrackId>,
) -> Result<Vec<f64>, ExportError> {
    let mut times = vec![job.from, job.to];
    let mut last_seen: Option<&KeyTimes> = None;
    for track in tracks {
        let curve = &job.clip.track(track).curve;
        if matches!(curve, AnyCurve::Driven(_)) {
            continue;
        }
        let comes_round =
            curve.extrapolation().0.comes_round() || curve.extrapolation().1.comes_round();
        let key_times = curve.times();
        if !comes_round && last_seen.is_some_and(|seen| seen.is_shared_with(key_times)) {
            continue;
        }
        last_seen = Some(key_times);
        add_keys(job, key_times.as_slice(), curve.extrapolation(), &mut times)?;
    }
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    Ok(times)
}

/// The times at which a state may change: those that `own` finds, or else, where these are too many, the ones
/// that are `sampled`.
pub(super) fn of_states(own: Result<Vec<f64>, ExportError>, sampled: &[f64]) -> Vec<f64> {
    own.unwrap_or_else(|_| sampled.to_vec())
}

/// The times at which anything of a clip that is moved as a whole may bend: its keys and, where a
/// driver moves it, the samples.
///
/// # Errors
/// As [`regular`].
pub fn of_all(job: &Job<'_>) -> Result<Vec<f64>, ExportError> {
    let all = (0..job.clip.tracks.len()).map(TrackId::new);
    match job.clip.procedural {
        Some(_) => of_samples(job, all),
        None => of_tracks(job, all),
    }
}

/// The times at which any of the `tracks` has a key, and those of the recording's samples, if it
/// states how many there are a second.
///
/// # Errors
/// As [`regular`].
pub(super) fn of_samples(
    job: &Job<'_>,
    tracks: impl IntoIterator<Item = TrackId>,
) -> Result<Vec<f64>, ExportError> {
    let mut times = of_tracks(job, tracks)?;
    if let Some(rate) = job.clip.rate_hz {
        // Samples are counted from 0, not from the start of the range.
        let first = (job.from * rate).ceil();
        let count = even(job, rate)?.len() as u64;
        let samples = (0..=count).map(|index| (first + index as f64) / rate);
        times.extend(samples.filter(|time| job.from < *time && *time < job.to));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
    }
    Ok(times)
}

fn add_keys(
    job: &Job<'_>,
    keys: &[f64],
    (before, after): (Extrapolation, Extrapolation),
    times: &mut Vec<f64>,
) -> Result<(), ExportError> {
    let is_inside = |time: &f64| job.from < *time && *time < job.to;
    times.extend(keys.iter().copied().filter(is_inside));
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return Ok(()) };
    let length = last - first;
    if length <= 0.0 {
        return Ok(());
    }
    let rounds = |extrapolation: Extrapolation, way: f64| {
        if extrapolation.comes_round() { (way / length).ceil().max(0.0) } else { 0.0 }
    };
    let (rounds_before, rounds_after) =
        (rounds(before, first - job.from), rounds(after, job.to - last));
    let count = (rounds_before + rounds_after) * keys.len() as f64;
    if count + times.len() as f64 > MOST as f64 {
        let message = format!(
            "a curve of {length} s repeats {} times: --range and --fps choose fewer",
            rounds_before + rounds_after
        );
        return Err(ExportError::TooMuch(message));
    }
    // Reversed or not: both are times at which it may bend.
    for round in 1..=rounds_before as u64 {
        let way = round as f64 * length;
        times.extend(
            keys.iter().flat_map(|key| [key - way, first + last - key - way]).filter(is_inside),
        );
    }
    for round in 1..=rounds_after as u64 {
        let way = round as f64 * length;
        times.extend(
            keys.iter().flat_map(|key| [key + way, first + last - key + way]).filter(is_inside),
        );
    }
    Ok(())
}

impl Extrapolation {
    /// Whether keys repeat.
    fn comes_round(self) -> bool {
        matches!(self, Self::Cycle | Self::CycleWithOffset | Self::Oscillate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{Clip, Convention, FormatId, Handedness, Up},
        export::ExportOptions,
    };

    #[test]
    fn regular_times_end_at_the_end_at_any_rate() {
        let clip = Clip::new(FormatId::new("test"), Convention::assumed(Handedness::Right, Up::Y));
        let times = |from: f64, to: f64, rate: f64| {
            let range = Some(from..=to);
            let options = ExportOptions { range, ..ExportOptions::default() };
            regular(&Job::new(&clip, &options), rate).unwrap()
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
}
