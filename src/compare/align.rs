//! The offset at which two recordings move alike, found by how fast joints are.
//!
//! Speeds do not depend on where a recording stands, which way it faces or how its axes lie. Both
//! are sampled at one rate and compared at every offset by their correlation, first coarsely and
//! then, around the best, ever more finely; so an hour takes no more than some million products.

use super::{Path, Timing};
use crate::clip::{Clip, NodeId};

/// How many times a second speeds are looked at, at least.
const RATE: f64 = 120.0;

/// How many speeds of one recording are looked at, at most.
const MOST: usize = 1 << 19;

/// How many speeds are compared at every offset; more are compared around the best only.
const COARSE: usize = 2048;

/// How many of the best offsets are followed from coarse to fine.
const FOLLOWED: usize = 8;

/// The part of the shorter recording that has to be seen in both.
const OVERLAP: f64 = 0.25;

/// The least correlation of recordings that move alike.
const ALIKE: f64 = 0.5;

/// How close the second best correlation comes to the best where it is uncertain which is meant.
const CERTAIN: f64 = 0.05;

/// Offsets this close are one, in seconds.
const ONE: f64 = 0.25;

/// Where a second recording lies on the clock of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// The time of the first, in seconds, at which the second is at its own time 0.
    pub offset: f64,
    /// How alike they move there: 1 is the same.
    pub correlation: f64,
    /// The next best offset that is another, and how alike they move there.
    pub runner_up: Option<(f64, f64)>,
    /// The seconds from one speed to the next: the offset is good to within one.
    pub interval: f64,
}

impl Alignment {
    /// Whether no other offset comes close: of what repeats itself, as steps do, several may.
    pub fn is_certain(&self) -> bool {
        self.runner_up.is_none_or(|(_, next)| self.correlation - next > CERTAIN)
    }
}

/// Why no offset could be found.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unaligned {
    /// There is too little of a recording.
    #[error(
        "there is too little of {which} to go by: less than a second of the joints is to be seen"
    )]
    TooShort {
        /// Which one: `the first` or `the second`.
        which: &'static str,
    },
    /// Nothing moves.
    #[error("the joints stand still, or move at one speed, in {which}")]
    Still {
        /// Which one: `the first` or `the second`.
        which: &'static str,
    },
    /// They do not move alike anywhere.
    #[error("they do not move alike anywhere: the best correlation of speeds is {best:.2}")]
    NothingAlike {
        /// The best correlation that there is.
        best: f64,
    },
}

/// Finds the offset at which `joints` of two recordings, as many of each and in the same order, move
/// alike, `rate` seconds of the second passing in each second of the first.
///
/// # Errors
/// If there is none, or too little to go by.
pub fn align(
    [first, second]: [&Clip; 2],
    [of_first, of_second]: [&[NodeId]; 2],
    rate: f64,
) -> Result<Alignment, Unaligned> {
    let longest = first.span.duration.max(second.span.duration / rate);
    let interval = (1.0 / RATE).max(longest / MOST as f64);
    // Speeds between two places farther apart than either recording's keys, so that straight lines
    // between these do not show as steps.
    let reach = reach(first).max(reach(second) / rate).clamp(interval, 0.25);
    let half = ((0.5 * reach / interval).round() as usize).max(1);
    let one = Speeds::of(first, of_first, interval, half, "the first")?;
    let other = Speeds::of(second, of_second, interval * rate, half, "the second")?;
    let least = OVERLAP * one.speeds.len().min(other.speeds.len()) as f64;
    let best = search(&one.speeds, &other.speeds, least);
    let Some(&(lag, correlation)) = best.first() else {
        return Err(Unaligned::NothingAlike { best: 0.0 });
    };
    if correlation < ALIKE {
        return Err(Unaligned::NothingAlike { best: correlation });
    }
    // The lag is from the first speed of the one to that of the other.
    let zero = Timing { offset: 0.0, rate }.first(second.span.start);
    let offset_of = |lag: f64| first.span.start + lag * interval - zero;
    let is_other = |other: &&(f64, f64)| (other.0 - lag).abs() * interval > ONE;
    let runner_up = best.iter().find(is_other).map(|&(lag, next)| (offset_of(lag), next));
    Ok(Alignment { offset: offset_of(lag), correlation, runner_up, interval })
}

/// How far apart a recording's keys are, in seconds: the middle one of the gaps.
fn reach(clip: &Clip) -> f64 {
    let times = clip.sample_times();
    let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_unstable_by(f64::total_cmp);
    gaps.get(gaps.len() / 2).copied().unwrap_or(0.0)
}

/// How fast joints are together, at even times.
struct Speeds {
    speeds: Vec<Option<f64>>,
}

impl Speeds {
    /// From the start of a recording to its end. The speed at a time is that between the places
    /// `half` intervals before and after.
    fn of(
        clip: &Clip,
        joints: &[NodeId],
        interval: f64,
        half: usize,
        which: &'static str,
    ) -> Result<Self, Unaligned> {
        /// How much has to be seen, in seconds.
        const LEAST: f64 = 1.0;
        let count = (clip.span.duration / interval).floor().min(MOST as f64) as usize + 1;
        let paths = Path::of_joints(clip, joints, clip.span.start, interval, count);
        let speed = |index: usize| {
            let speed = |path: &Path| {
                let before = path.places[index.saturating_sub(half)]?;
                let after = path.places[(index + half).min(count - 1)]?;
                let steps = (index + half).min(count - 1) - index.saturating_sub(half);
                let speed = before.distance(after) / (steps as f64 * interval);
                speed.is_finite().then_some(speed)
            };
            let seen: Vec<f64> = paths.iter().filter_map(speed).collect();
            (!seen.is_empty() && seen.len() == paths.len()).then(|| seen.iter().sum())
        };
        let speeds: Vec<Option<f64>> = (0..count).map(speed).collect();
        let seen: Vec<f64> = speeds.iter().copied().flatten().collect();
        if (seen.len() as f64) * interval < LEAST {
            return Err(Unaligned::TooShort { which });
        }
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        let spread = seen.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>();
        // A thousandth of the mean speed, or a tenth of a millimetre a second.
        if (spread / seen.len() as f64).sqrt() < (1e-3 * mean).max(1e-4) {
            return Err(Unaligned::Still { which });
        }
        Ok(Self { speeds })
    }
}

/// The best lags of `other` on `one`, in places and between them, each with its correlation, the
/// best first; those with fewer than `least` places in common are none.
fn search(one: &[Option<f64>], other: &[Option<f64>], least: f64) -> Vec<(f64, f64)> {
    let mut levels = vec![(one.to_vec(), other.to_vec())];
    while let Some((one, other)) =
        levels.last().filter(|(one, other)| one.len().max(other.len()) > COARSE)
    {
        let halved = (halved(one), halved(other));
        levels.push(halved);
    }
    let mut candidates: Vec<i64> = Vec::new();
    for (level, (one, other)) in levels.iter().enumerate().rev() {
        let least = (least / f64::from(1_u32 << level)).max(2.0);
        let tried: Vec<i64> = if level + 1 == levels.len() {
            (1 - other.len() as i64..one.len() as i64).collect()
        } else {
            // Twice as fine.
            candidates.iter().flat_map(|lag| (2 * lag - 2)..=(2 * lag + 2)).collect()
        };
        candidates = peaks(one, other, tried, least);
    }
    let (one, other) = &levels[0];
    let at = |lag: i64| correlation(one, other, lag, least.max(2.0)).unwrap_or(-1.0);
    let mut best: Vec<_> = candidates.iter().map(|&lag| vertex(lag, at)).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best
}

/// The lags among those `tried` that are better than those beside them, the best first, so many as
/// are followed.
fn peaks(one: &[Option<f64>], other: &[Option<f64>], mut tried: Vec<i64>, least: f64) -> Vec<i64> {
    tried.sort_unstable();
    tried.dedup();
    let scored: Vec<(i64, f64)> = tried
        .into_iter()
        .filter_map(|lag| Some((lag, correlation(one, other, lag, least)?)))
        .collect();
    let beside = |index: Option<usize>, lag: i64| {
        let beside = index.and_then(|index| scored.get(index));
        beside.filter(|beside| (beside.0 - lag).abs() == 1).map_or(f64::NEG_INFINITY, |it| it.1)
    };
    let is_peak = |&(index, &(lag, score)): &(usize, &(i64, f64))| {
        score >= beside(index.checked_sub(1), lag) && score >= beside(Some(index + 1), lag)
    };
    let mut peaks: Vec<_> =
        scored.iter().enumerate().filter(is_peak).map(|(_, peak)| *peak).collect();
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    peaks.truncate(FOLLOWED);
    peaks.into_iter().map(|(lag, _)| lag).collect()
}

/// The top of the parabola through the correlations at a lag and beside it.
fn vertex(lag: i64, at: impl Fn(i64) -> f64) -> (f64, f64) {
    let [before, here, after] = [lag - 1, lag, lag + 1].map(at);
    let bend = before - 2.0 * here + after;
    let shift = if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    (lag as f64 + shift, here)
}

/// How alike `one` is to `other` that begins `lag` places later: Pearson's correlation where both
/// are seen; nothing if that is at fewer than `least` places, or one of them stays as it is.
fn correlation(one: &[Option<f64>], other: &[Option<f64>], lag: i64, least: f64) -> Option<f64> {
    let from = lag.max(0);
    let to = (one.len() as i64).min(other.len() as i64 + lag);
    if ((to - from) as f64) < least {
        return None;
    }
    let one = &one[from as usize..to as usize];
    let other = &other[(from - lag) as usize..(to - lag) as usize];
    let (mut count, mut sums, mut squares, mut product) = (0.0, [0.0; 2], [0.0; 2], 0.0);
    for (one, other) in one.iter().zip(other) {
        if let (Some(one), Some(other)) = (one, other) {
            count += 1.0;
            sums = [sums[0] + one, sums[1] + other];
            squares = [squares[0] + one * one, squares[1] + other * other];
            product += one * other;
        }
    }
    if count < least {
        return None;
    }
    let spread = |index: usize| squares[index] - sums[index] * sums[index] / count;
    let together = product - sums[0] * sums[1] / count;
    let scale = (spread(0).max(0.0) * spread(1).max(0.0)).sqrt();
    // What rounding leaves of a spread is none.
    (scale > 1e-12 * (squares[0] * squares[1]).sqrt()).then(|| together / scale)
}

/// Half as many, each the mean of two.
fn halved(speeds: &[Option<f64>]) -> Vec<Option<f64>> {
    let mean = |pair: &[Option<f64>]| match *pair {
        [Some(one), Some(other)] => Some(0.5 * (one + other)),
        [Some(one)] | [Some(one), None] | [None, Some(one)] => Some(one),
        _ => None,
    };
    speeds.chunks(2).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speeds that repeat themselves nowhere.
    fn speeds(count: usize, shift: f64) -> Vec<Option<f64>> {
        let speed = |index: usize| {
            let time = (index as f64 + shift) / 120.0;
            2.0 + (1.3 * time).sin() + (0.37 * time * time.abs().sqrt()).sin() + (2.9 * time).cos()
        };
        (0..count).map(|index| Some(speed(index))).collect()
    }

    #[test]
    fn lags_are_found_between_places_too() {
        for (count, shift) in [(900, 37.3), (900, -12.5), (40_000, 5000.75), (40_000, -321.25)] {
            let (one, other) = (speeds(count, 0.0), speeds(count, shift));
            let least = 0.25 * count as f64;
            let (lag, correlation) = search(&one, &other, least)[0];
            assert!((lag - shift).abs() < 0.1, "{count}, {shift}: {lag}");
            assert!(correlation > 0.999, "{count}, {shift}: {correlation}");
        }
    }

    #[test]
    fn what_is_not_seen_does_not_count() {
        let one = speeds(2000, 0.0);
        let mut other = speeds(2000, 150.0);
        (300..700).for_each(|index| other[index] = None);
        assert!((search(&one, &other, 500.0)[0].0 - 150.0).abs() < 0.1);
    }

    #[test]
    fn little_in_common_is_none() {
        let one = speeds(100, 0.0);
        assert_eq!(correlation(&one, &one, 80, 25.0), None);
        assert_eq!(correlation(&one, &vec![Some(1.0); 100], 0, 25.0), None, "it stays as it is");
        assert!((correlation(&one, &one, 0, 25.0).unwrap() - 1.0).abs() < 1e-12);
    }
}
