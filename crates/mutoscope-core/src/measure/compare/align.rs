//! The offset at which two recordings move alike, found by how fast joints are.
//!
//! Speeds do not depend on a recording's position, heading or axes. Both are sampled at one rate and compared
//! at every offset by their correlation; where that would be too much, first coarsely and then, around the
//! best, ever more finely. So hours take about a second.

use std::collections::VecDeque;

use glam::DVec3;

use super::{JointPair, Path, Places, Timing};
use crate::clip::{Clip, NodeId};

/// How many times a second speeds are looked at, at least.
const RATE: f64 = 120.0;

/// How many speeds of one recording are looked at, at most.
const MOST: usize = 1 << 19;

/// How many evaluations of nodes that may take; of recordings with more nodes, fewer speeds are looked at.
const EVALUATIONS: usize = 1 << 28;

/// How many speeds of one recording are looked at for each time at which either has a key: a recording may last
/// for years and have two.
const SPEEDS_PER_KEY: usize = 64;

/// How many speeds are looked at all the same.
const LEAST_SPEEDS: usize = 1 << 12;

/// Speeds are those between two places that are no farther apart than this, in seconds, unless speeds are.
const REACH: f64 = 0.25;

/// How many products of speeds are looked at to compare at every offset; where there would be more,
/// speeds are halved until there are not.
const PRODUCTS: usize = 1 << 28;

/// How many of the best offsets are refined from coarse to fine.
const FOLLOWED: usize = 8;

/// The fraction of the shorter recording that has to be visible in both.
const OVERLAP: f64 = 0.25;

/// The least correlation of recordings that are aligned.
const ALIKE: f64 = 0.5;

/// The least correlation of recordings of one motion: half of the changes of speed are the same ones. Motion
/// that only begins and ends together correlates less.
const SAME: f64 = 0.71;

/// How unlikely it is that what is called certain came about by chance.
const UNLIKELY: f64 = 1e-3;

/// By how much the best correlation exceeds any other where it is unambiguous.
const BETTER: f64 = 0.05;

/// How many times as far from 1 as the best all others are where it is also unambiguous: recordings
/// of one motion hardly differ.
const FARTHER: f64 = 4.0;

/// Joints that are visible for less than this fraction of the time of others are skipped.
const LONG_ENOUGH: f64 = 0.75;

/// Offsets this close are equal, in seconds.
const ONE: f64 = 0.25;

/// The timing of a second recording on the clock of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// The time of the first, in seconds, at which the second is at its own time 0.
    pub offset: f64,
    /// The correlation there: 1 is the same.
    pub correlation: f64,
    /// The next best other offset and its correlation.
    pub runner_up: Option<(f64, f64)>,
    /// The seconds from one speed to the next: the offset is good to within one.
    pub interval: f64,
    /// The probability that unrelated motion of this length correlates as much at any offset, at most.
    pub chance: f64,
}

impl Alignment {
    /// Whether the recordings are of one motion, and at this offset only.
    pub fn is_certain(&self) -> bool {
        self.is_beyond_chance() && self.is_unambiguous()
    }

    /// Whether unrelated motion hardly ever correlates as much.
    pub fn is_beyond_chance(&self) -> bool {
        self.correlation >= SAME && self.chance < UNLIKELY
    }

    /// Whether no other offset comes close: for repetitive motion such as steps, several may.
    pub fn is_unambiguous(&self) -> bool {
        /// The effect of noise.
        const NOISE: f64 = 0.01;
        let (best, off) = (self.correlation, 1.0 - self.correlation);
        self.runner_up
            .is_none_or(|(_, next)| best - next > BETTER || 1.0 - next > FARTHER * off + NOISE)
    }
}

/// Why no offset could be found.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unaligned {
    /// No joints match.
    #[error("no joints match by name")]
    NothingPaired,
    /// A recording is too short.
    #[error("{which} is too short: the joints are visible for less than a second")]
    TooShort {
        /// The recording: `the first` or `the second`.
        which: &'static str,
    },
    /// A recording is too long.
    #[error("they are too long to be compared at one rate")]
    TooLong,
    /// Nothing moves.
    #[error("the joints are still, or move at a constant speed, in {which}")]
    Still {
        /// The recording: `the first` or `the second`.
        which: &'static str,
    },
    /// No offset correlates well enough.
    #[error("no offset matches: the best correlation of speeds is {best:.2}")]
    NothingAlike {
        /// The best correlation.
        best: f64,
    },
}

/// Finds the offset at which the joints of `pairs` move alike in two recordings, `rate` seconds of the
/// second passing in each second of the first. Joints that are visible for much less time than
/// others are skipped: they would leave little common time for the rest.
///
/// # Errors
/// If there is none, or too little data.
pub fn align(clips: [&Clip; 2], pairs: &[JointPair], rate: f64) -> Result<Alignment, Unaligned> {
    if pairs.is_empty() {
        return Err(Unaligned::NothingPaired);
    }
    let firsts: Vec<NodeId> = pairs.iter().map(|pair| pair.first).collect();
    let seconds: Vec<NodeId> = pairs.iter().map(|pair| pair.second).collect();
    let seen = times_seen(clips[0], &firsts).into_iter().zip(times_seen(clips[1], &seconds));
    let seen: Vec<usize> = seen.map(|(one, other)| one.min(other)).collect();
    let most = seen.iter().copied().max().unwrap_or(0);
    let is_long_enough = |&index: &usize| seen[index] as f64 >= LONG_ENOUGH * most as f64;
    let kept = (0..pairs.len()).filter(is_long_enough);
    let (firsts, seconds): (Vec<_>, Vec<_>) =
        kept.map(|index| (firsts[index], seconds[index])).unzip();
    align_joints(clips, [&firsts, &seconds], rate)
}

/// For each joint, at how many of evenly spread times it is visible.
fn times_seen(clip: &Clip, joints: &[NodeId]) -> Vec<usize> {
    const TIMES: usize = 256;
    let interval = clip.span.duration / (TIMES - 1) as f64;
    let paths = Path::of_joints(clip, joints, clip.span.start, interval, TIMES);
    paths.iter().map(|path| path.places.iter().flatten().count()).collect()
}

/// The same for `joints` of both, as many of each and in the same order.
fn align_joints(
    [first, second]: [&Clip; 2],
    [of_first, of_second]: [&[NodeId]; 2],
    rate: f64,
) -> Result<Alignment, Unaligned> {
    let longest = first.span.duration.max(second.span.duration / rate);
    if !longest.is_finite() {
        return Err(Unaligned::TooLong);
    }
    let cost = Places::of(first, of_first).cost().max(Places::of(second, of_second).cost());
    let keys = [first, second].map(Spacing::of);
    let by_keys = keys.iter().map(|keys| keys.count).sum::<usize>().saturating_mul(SPEEDS_PER_KEY);
    let most = (EVALUATIONS / cost).min(by_keys).clamp(LEAST_SPEEDS, MOST);
    let interval = (1.0 / RATE).max(longest / most as f64);
    // Speeds between two places farther apart than either recording's keys, so that straight lines
    // between these do not show as steps.
    let reach = keys[0].seconds.max(keys[1].seconds / rate).min(REACH).max(interval);
    let half = ((0.5 * reach / interval).round() as usize).max(1);
    let one = Speeds::of(first, of_first, interval, half, "the first")?;
    let other = Speeds::of(second, of_second, interval * rate, half, "the second")?;
    let least = OVERLAP * one.len().min(other.len()) as f64;
    let spell = Spell::of(&one, &other, interval);
    let best = search(&one, &other, least);
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
    let common = sums(&one, &other, lag.round() as i64).map_or(0.0, |sums| sums.count * interval);
    let all = (one.len() + other.len()) as f64 * interval;
    let chance = spell.chance(correlation, common, all);
    Ok(Alignment { offset: offset_of(lag), correlation, runner_up, interval, chance })
}

/// The times at which a recording has keys.
struct Spacing {
    count: usize,
    /// From one to the next, in seconds: the median.
    seconds: f64,
}

impl Spacing {
    fn of(clip: &Clip) -> Self {
        let times = clip.sample_times();
        let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let seconds = gaps.get(gaps.len() / 2).copied().unwrap_or(0.0);
        Self { count: times.len(), seconds }
    }
}

/// The combined speed of joints, at even times.
#[derive(Clone, Debug)]
struct Speeds {
    /// In metres a second; 0 where it is hidden.
    speeds: Vec<f64>,
    /// 1 where it is visible, else 0.
    seen: Vec<f64>,
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
        /// How much has to be visible, in seconds.
        const LEAST: f64 = 1.0;
        let count = (clip.span.duration / interval).floor().min(MOST as f64) as usize + 1;
        let mut window = Window::new(clip, joints, interval, count);
        let speeds: Vec<Option<f64>> = (0..count)
            .map(|index| window.speed(index.saturating_sub(half), index + half))
            .collect();
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
        Ok(Self::new(&speeds))
    }

    fn new(speeds: &[Option<f64>]) -> Self {
        Self {
            speeds: speeds.iter().map(|speed| speed.unwrap_or(0.0)).collect(),
            seen: speeds.iter().map(|speed| f64::from(u8::from(speed.is_some()))).collect(),
        }
    }

    fn len(&self) -> usize {
        self.speeds.len()
    }

    /// Their differences from the mean; 0 where it is hidden.
    fn deviations(&self) -> Vec<f64> {
        let mean = self.speeds.iter().sum::<f64>() / self.seen.iter().sum::<f64>();
        self.speeds.iter().zip(&self.seen).map(|(speed, seen)| (speed - mean) * seen).collect()
    }

    /// Half as many, each the mean of two, as far as they are seen.
    fn halved(&self) -> Self {
        let (mut speeds, mut seen) = (Vec::new(), Vec::new());
        for (speed, is_seen) in self.speeds.chunks(2).zip(self.seen.chunks(2)) {
            let count: f64 = is_seen.iter().sum();
            // Unseen ones are 0.
            speeds.push(if count > 0.0 { speed.iter().sum::<f64>() / count } else { 0.0 });
            seen.push(if count > 0.0 { 1.0 } else { 0.0 });
        }
        Self { speeds, seen }
    }
}

/// The places of joints at even times, of which only those that are still needed are kept: there may be as
/// many joints as the file holds.
struct Window<'a> {
    places: Places<'a>,
    start: f64,
    interval: f64,
    count: usize,
    /// How many were forgotten, and the places after these.
    gone: usize,
    kept: VecDeque<Vec<Option<DVec3>>>,
}

impl<'a> Window<'a> {
    fn new(clip: &'a Clip, joints: &'a [NodeId], interval: f64, count: usize) -> Self {
        let (places, start) = (Places::of(clip, joints), clip.span.start);
        Self { places, start, interval, count, gone: 0, kept: VecDeque::new() }
    }

    /// The sum of the joints' speeds from the place `from` to the place `to`, or to the last one; nothing
    /// where one of them is hidden. Neither may be less than before.
    fn speed(&mut self, from: usize, to: usize) -> Option<f64> {
        let to = to.min(self.count - 1);
        while self.gone + self.kept.len() <= to {
            let time = self.start + (self.gone + self.kept.len()) as f64 * self.interval;
            self.kept.push_back(self.places.at(time).to_vec());
        }
        while self.gone < from {
            self.kept.pop_front();
            self.gone += 1;
        }
        let (before, after) = (&self.kept[from - self.gone], &self.kept[to - self.gone]);
        let time = (to - from) as f64 * self.interval;
        let speed = |(one, other): (&Option<DVec3>, &Option<DVec3>)| {
            Some(one.as_ref()?.distance(*other.as_ref()?) / time).filter(|speed| speed.is_finite())
        };
        let speeds: Option<Vec<f64>> = before.iter().zip(after).map(speed).collect();
        speeds.filter(|speeds| !speeds.is_empty()).map(|speeds| speeds.iter().sum())
    }
}

/// The best lags of `other` on `one`, in places and between them, each with its correlation, the
/// best first; those with fewer than `least` places in common are none.
fn search(one: &Speeds, other: &Speeds, least: f64) -> Vec<(f64, f64)> {
    let mut levels = vec![(one.clone(), other.clone())];
    while let Some((one, other)) =
        levels.last().filter(|(one, other)| one.len() * other.len() > PRODUCTS)
    {
        let halved = (one.halved(), other.halved());
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
    let at = |lag: i64| correlation(one, other, lag, least.max(2.0)).unwrap_or(-1.0);
    let mut best: Vec<_> = candidates.iter().map(|&lag| vertex(lag, at)).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best
}

/// The lags among those `tried` whose correlation is a local maximum, the best first, at most
/// [`FOLLOWED`].
fn peaks(one: &Speeds, other: &Speeds, mut tried: Vec<i64>, least: f64) -> Vec<i64> {
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

/// The vertex of the parabola through the correlations at a lag and its two neighbours.
fn vertex(lag: i64, at: impl Fn(i64) -> f64) -> (f64, f64) {
    let [before, here, after] = [lag - 1, lag, lag + 1].map(at);
    let bend = before - 2.0 * here + after;
    let shift = if bend < 0.0 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    (lag as f64 + shift, here)
}

/// Pearson's correlation of `one` with `other`, which begins `lag` samples later, where both are
/// visible; `None` if that is at fewer than `least` samples, or one of them is constant.
fn correlation(one: &Speeds, other: &Speeds, lag: i64, least: f64) -> Option<f64> {
    if common(one, other, lag).is_none_or(|(from, to)| ((to - from) as f64) < least) {
        return None;
    }
    let Sums { count, speeds, squares, product } = sums(one, other, lag)?;
    if count < least {
        return None;
    }
    let spread = |index: usize| squares[index] - speeds[index] * speeds[index] / count;
    let together = product - speeds[0] * speeds[1] / count;
    let scale = (spread(0).max(0.0) * spread(1).max(0.0)).sqrt();
    // A spread within rounding is zero.
    (scale > 1e-12 * (squares[0] * squares[1]).sqrt()).then(|| together / scale)
}

/// From which to which sample of `one` there are samples of `other`, which begins `lag` samples later.
fn common(one: &Speeds, other: &Speeds, lag: i64) -> Option<(i64, i64)> {
    let from = lag.max(0);
    let to = (one.len() as i64).min(other.len() as i64 + lag);
    (from < to).then_some((from, to))
}

/// The sums of their correlation there.
fn sums(one: &Speeds, other: &Speeds, lag: i64) -> Option<Sums> {
    let (from, to) = common(one, other, lag)?;
    let (here, there) = (from as usize..to as usize, (from - lag) as usize..(to - lag) as usize);
    Some(Sums::of(
        [&one.speeds[here.clone()], &one.seen[here]],
        [&other.speeds[there.clone()], &other.seen[there]],
    ))
}

/// For how long speeds stay alike: what is sampled more often than that says the same again, and two motions
/// that have nothing to do with each other correlate by chance.
#[derive(Clone, Copy, Debug)]
struct Spell {
    /// Seconds.
    length: f64,
}

impl Spell {
    /// The spell of the speeds of two recordings, `interval` seconds apart: by Bartlett's formula, the sum of
    /// the products of their autocorrelations.
    fn of(one: &Speeds, other: &Speeds, interval: f64) -> Self {
        /// Autocorrelations are by as many speeds at most.
        const ENOUGH: usize = 1 << 11;
        let (mut one, mut other, mut interval) = (one.clone(), other.clone(), interval);
        while one.len().max(other.len()) > ENOUGH {
            (one, other, interval) = (one.halved(), other.halved(), 2.0 * interval);
        }
        let most = one.len().min(other.len()) / 2;
        let (one, other) = (one.deviations(), other.deviations());
        let product = |lag: usize| autocorrelation(&one, lag) * autocorrelation(&other, lag);
        let products: Vec<f64> = (1..most).map(product).collect();
        // What swings is alike again and again; the rest, up to the first that is not above 0.
        let at_first: f64 = products.iter().take_while(|product| **product > 0.0).sum();
        let sum = at_first.max(products.iter().sum());
        Self { length: interval * (1.0 + 2.0 * sum) }
    }

    /// The probability, at most, that the speeds of unrelated motion correlate as much over `common` seconds
    /// at any of the offsets in `all` seconds: by Fisher's transformation.
    fn chance(self, correlation: f64, common: f64, all: f64) -> f64 {
        let (count, tried) = (common / self.length, (all / self.length).max(1.0));
        let deviations = correlation.min(1.0).atanh() * (count - 3.0).max(0.0).sqrt();
        match deviations.is_nan() {
            // A perfect correlation of hardly anything.
            true => 1.0,
            false => (0.5 * tried * (-0.5 * deviations * deviations).exp()).min(1.0),
        }
    }
}

/// The correlation of numbers, whose mean is 0, with those `lag` places on.
fn autocorrelation(numbers: &[f64], lag: usize) -> f64 {
    let products = numbers.iter().zip(&numbers[lag..]).map(|(one, other)| one * other);
    products.sum::<f64>() / numbers.iter().map(|number| number * number).sum::<f64>()
}

/// The sums of a correlation, over samples where both are visible.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    speeds: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Sums {
    /// The sums over two lists of speeds, each with 1 where it is visible and 0 elsewhere. Added up
    /// in lanes, for SIMD.
    fn of([one, one_seen]: [&[f64]; 2], [other, other_seen]: [&[f64]; 2]) -> Self {
        const LANES: usize = 4;
        let mut lanes = [Self::default(); LANES];
        let whole = one.len() - one.len() % LANES;
        for start in (0..whole).step_by(LANES) {
            for (lane, sums) in lanes.iter_mut().enumerate() {
                let index = start + lane;
                sums.add(one[index], one_seen[index], other[index], other_seen[index]);
            }
        }
        for index in whole..one.len() {
            lanes[0].add(one[index], one_seen[index], other[index], other_seen[index]);
        }
        lanes.iter().fold(Self::default(), |sum, lane| Self {
            count: sum.count + lane.count,
            speeds: [0, 1].map(|which| sum.speeds[which] + lane.speeds[which]),
            squares: [0, 1].map(|which| sum.squares[which] + lane.squares[which]),
            product: sum.product + lane.product,
        })
    }

    #[inline]
    fn add(&mut self, one: f64, one_seen: f64, other: f64, other_seen: f64) {
        // Unseen speeds are 0.
        let (one, other) = (one * other_seen, other * one_seen);
        self.count += one_seen * other_seen;
        self.speeds[0] += one;
        self.speeds[1] += other;
        self.squares[0] += one * one;
        self.squares[1] += other * other;
        self.product += one * other;
    }
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
    fn lags_are_found_with_subsample_precision() {
        for (count, shift) in [(900, 37.3), (900, -12.5), (40_000, 5000.75), (40_000, -321.25)] {
            let [one, other] = [0.0, shift].map(|shift| Speeds::new(&speeds(count, shift)));
            let (lag, correlation) = search(&one, &other, 0.25 * count as f64)[0];
            assert!((lag - shift).abs() < 0.1, "{count}, {shift}: {lag}");
            assert!(correlation > 0.999, "{count}, {shift}: {correlation}");
        }
    }

    #[test]
    fn hidden_samples_are_ignored() {
        let one = Speeds::new(&speeds(2000, 0.0));
        let mut other = speeds(2000, 150.0);
        (300..700).for_each(|index| other[index] = None);
        let (lag, correlation) = search(&one, &Speeds::new(&other), 500.0)[0];
        assert!((lag - 150.0).abs() < 0.1 && correlation > 0.999_999, "{lag}, {correlation}");
    }

    #[test]
    fn short_overlap_gives_no_lag() {
        let one = Speeds::new(&speeds(100, 0.0));
        assert_eq!(correlation(&one, &one, 80, 25.0), None);
        let still = Speeds::new(&[Some(1.0); 100]);
        assert_eq!(correlation(&one, &still, 0, 25.0), None, "it stays as it is");
        assert!((correlation(&one, &one, 0, 25.0).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn halving_averages_visible_samples() {
        let halved = Speeds::new(&[Some(1.0), Some(3.0), None, Some(5.0), None, None, Some(7.0)]);
        let halved = halved.halved();
        assert_eq!(halved.speeds, [2.0, 5.0, 0.0, 7.0]);
        assert_eq!(halved.seen, [1.0, 1.0, 0.0, 1.0]);
    }
}
