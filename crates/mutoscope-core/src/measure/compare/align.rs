//! Finds the clock offset at which two recordings move alike, from the speeds of their joints.
//!
//! Speeds do not depend on a recording's position, heading or axes. Both recordings are sampled at
//! one rate, and their speeds are correlated at every offset. If that takes too many products, the
//! search starts with halved sample rates and refines the best offsets level by level. Recordings
//! of several hours take about a second.

use std::collections::VecDeque;

use glam::DVec3;

use super::{JointPair, JointSampler, Path, Timing};
use crate::clip::{Clip, NodeId};

const MAX_SAMPLE_RATE_HZ: f64 = 120.0;

const MAX_SAMPLES: usize = 1 << 19;

/// The maximum number of node evaluations. Recordings with more nodes get fewer samples, so that
/// sampling stays within this limit.
const MAX_NODE_EVALUATIONS: usize = 1 << 28;

/// The maximum number of samples per key time. Otherwise a recording that lasts for years and has
/// two keys would get too many samples.
const SAMPLES_PER_KEY: usize = 64;

const MIN_SAMPLES: usize = 1 << 12;

/// The maximum time between the two positions that a speed is computed from, unless the sample
/// interval is longer.
const MAX_SPEED_SPAN_S: f64 = 0.25;

/// The maximum number of products for correlating the speeds at every offset. If more products are
/// needed, the sample rate of the speeds is halved first.
const MAX_PRODUCTS: usize = 1 << 28;

const MAX_CANDIDATES: usize = 8;

const MIN_OVERLAP_SHARE: f64 = 0.25;

const MIN_CORRELATION: f64 = 0.5;

/// The minimum correlation r of recordings of the same motion. At r = 0.71, r² is 0.5, so both
/// recordings share half of the variance in speed. Different motions that only begin and end at the
/// same times correlate less.
const SAME_MOTION_CORRELATION: f64 = 0.71;

/// The maximum probability that unrelated motion reaches the same correlation. A match with a lower
/// probability is significant.
const MAX_CHANCE: f64 = 1e-3;

const AMBIGUITY_MARGIN: f64 = 0.05;

/// An offset is also unambiguous if the correlation of the runner-up is more than this many times
/// as far from 1. This second test is needed because recordings of one motion correlate almost
/// perfectly, so the correlations may differ by less than [`AMBIGUITY_MARGIN`].
const AMBIGUITY_RATIO: f64 = 4.0;

const MIN_VISIBLE_SHARE: f64 = 0.75;

/// Offsets at most this far apart, in seconds, belong to the same match and do not compete with
/// each other.
const SAME_OFFSET_S: f64 = 0.25;

/// The offset at which two recordings match best, and the quality of the match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// The time of the first recording at which the second recording is at time 0, in seconds.
    pub offset: f64,
    /// The correlation of the speeds at this offset. A perfect match has 1.
    pub correlation: f64,
    /// The next best offset in seconds and its correlation, or `None` if no other offset matches.
    pub runner_up: Option<(f64, f64)>,
    /// The sample interval in seconds, which is also the precision of the offset.
    pub interval: f64,
    /// An upper bound of the probability that unrelated motion of this length correlates as well at
    /// any offset.
    pub chance: f64,
}

impl Alignment {
    /// Returns `true` if both recordings show one motion, and no other offset matches nearly as
    /// well.
    pub fn is_certain(&self) -> bool {
        self.is_significant() && self.is_unambiguous()
    }

    /// Returns `true` if unrelated motion hardly ever correlates as well.
    pub fn is_significant(&self) -> bool {
        self.correlation >= SAME_MOTION_CORRELATION && self.chance < MAX_CHANCE
    }

    /// Returns `true` if no other offset matches nearly as well. Repetitive motion, such as steps,
    /// often matches at several offsets.
    pub fn is_unambiguous(&self) -> bool {
        const NOISE_MARGIN: f64 = 0.01;
        let (best, error) = (self.correlation, 1.0 - self.correlation);
        self.runner_up.is_none_or(|(_, next)| {
            best - next > AMBIGUITY_MARGIN || 1.0 - next > AMBIGUITY_RATIO * error + NOISE_MARGIN
        })
    }
}

/// The reason why two recordings cannot be aligned.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum AlignError {
    /// No joints match.
    #[error("no joints match by name")]
    NoMatchingJoints,
    /// The joints of a recording are visible for less than a second.
    #[error("{which} is too short: the joints are visible for less than a second")]
    TooShort {
        /// The recording: `the first` or `the second`.
        which: &'static str,
    },
    /// A recording has no finite duration.
    #[error("the recordings are too long to sample at a common rate")]
    TooLong,
    /// The joints of a recording are still, or move at a constant speed.
    #[error("the joints are still, or move at a constant speed, in {which}")]
    NoSpeedChange {
        /// The recording: `the first` or `the second`.
        which: &'static str,
    },
    /// No offset correlates well enough.
    #[error("no offset matches: the best correlation of speeds is {best:.2}")]
    LowCorrelation {
        /// The best correlation.
        best: f64,
    },
}

/// Finds the offset at which the joints of `pairs` move alike in both recordings. `rate` seconds of
/// the second recording pass in each second of the first. Joints that are visible for much less
/// time than the other joints are skipped, because otherwise little common time would remain.
///
/// # Errors
/// Fails if no offset matches, or if there is too little data.
pub fn align(clips: [&Clip; 2], pairs: &[JointPair], rate: f64) -> Result<Alignment, AlignError> {
    if pairs.is_empty() {
        return Err(AlignError::NoMatchingJoints);
    }
    let first_joints: Vec<NodeId> = pairs.iter().map(|pair| pair.first).collect();
    let second_joints: Vec<NodeId> = pairs.iter().map(|pair| pair.second).collect();
    let visible_counts = count_visible_times(clips[0], &first_joints)
        .into_iter()
        .zip(count_visible_times(clips[1], &second_joints));
    let visible_counts: Vec<usize> =
        visible_counts.map(|(first, second)| first.min(second)).collect();
    let max_visible = visible_counts.iter().copied().max().unwrap_or(0);
    let is_visible_enough =
        |&index: &usize| visible_counts[index] as f64 >= MIN_VISIBLE_SHARE * max_visible as f64;
    let kept = (0..pairs.len()).filter(is_visible_enough);
    let (first_joints, second_joints): (Vec<_>, Vec<_>) =
        kept.map(|index| (first_joints[index], second_joints[index])).unzip();
    align_joints(clips, [&first_joints, &second_joints], rate)
}

fn count_visible_times(clip: &Clip, joints: &[NodeId]) -> Vec<usize> {
    const SAMPLES: usize = 256;
    let interval = clip.span.duration / (SAMPLES - 1) as f64;
    let paths = Path::sample_joints(clip, joints, clip.span.start, interval, SAMPLES);
    paths.iter().map(|path| path.positions.iter().flatten().count()).collect()
}

fn align_joints(
    [first, second]: [&Clip; 2],
    [first_joints, second_joints]: [&[NodeId]; 2],
    rate: f64,
) -> Result<Alignment, AlignError> {
    let longest = first.span.duration.max(second.span.duration / rate);
    if !longest.is_finite() {
        return Err(AlignError::TooLong);
    }
    let cost = JointSampler::new(first, first_joints)
        .nodes_per_sample()
        .max(JointSampler::new(second, second_joints).nodes_per_sample());
    let keys = [first, second].map(KeySpacing::from_clip);
    let max_by_keys =
        keys.iter().map(|keys| keys.key_times).sum::<usize>().saturating_mul(SAMPLES_PER_KEY);
    let max_samples =
        (MAX_NODE_EVALUATIONS / cost).min(max_by_keys).clamp(MIN_SAMPLES, MAX_SAMPLES);
    let interval = (1.0 / MAX_SAMPLE_RATE_HZ).max(longest / max_samples as f64);
    // Measure both speeds over the longer of the two key intervals. Over a shorter span, the speed
    // would be a step function, because joints move in straight lines between keys.
    let speed_span =
        keys[0].median_gap_s.max(keys[1].median_gap_s / rate).min(MAX_SPEED_SPAN_S).max(interval);
    let half = ((0.5 * speed_span / interval).round() as usize).max(1);
    let first_speeds = SpeedSamples::sample(first, first_joints, interval, half, "the first")?;
    let second_speeds =
        SpeedSamples::sample(second, second_joints, interval * rate, half, "the second")?;
    let min_overlap = MIN_OVERLAP_SHARE * first_speeds.len().min(second_speeds.len()) as f64;
    let decorrelation = DecorrelationTime::estimate(&first_speeds, &second_speeds, interval);
    let best = find_best_lags(&first_speeds, &second_speeds, min_overlap);
    let Some(&(lag, correlation)) = best.first() else {
        return Err(AlignError::LowCorrelation { best: 0.0 });
    };
    if correlation < MIN_CORRELATION {
        return Err(AlignError::LowCorrelation { best: correlation });
    }
    // `lag` is the number of samples from the first sample of `first` to the first sample of
    // `second`.
    let zero = Timing { offset: 0.0, rate }.to_clock_time(second.span.start);
    let offset_of = |lag: f64| first.span.start + lag * interval - zero;
    let is_other = |candidate: &&(f64, f64)| (candidate.0 - lag).abs() * interval > SAME_OFFSET_S;
    let runner_up = best.iter().find(is_other).map(|&(lag, next)| (offset_of(lag), next));
    let overlap_s = correlation_sums(&first_speeds, &second_speeds, lag.round() as i64)
        .map_or(0.0, |sums| sums.count * interval);
    let total = (first_speeds.len() + second_speeds.len()) as f64 * interval;
    let chance = decorrelation.chance(correlation, overlap_s, total);
    Ok(Alignment { offset: offset_of(lag), correlation, runner_up, interval, chance })
}

struct KeySpacing {
    key_times: usize,
    median_gap_s: f64,
}

impl KeySpacing {
    fn from_clip(clip: &Clip) -> Self {
        let times = clip.sample_times();
        let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let median_gap_s = gaps.get(gaps.len() / 2).copied().unwrap_or(0.0);
        Self { key_times: times.len(), median_gap_s }
    }
}

#[derive(Clone, Debug)]
struct SpeedSamples {
    /// Metres per second; 0 while a joint is hidden.
    speeds: Vec<f64>,
    /// A mask: 1 while all joints are visible, otherwise 0.
    mask: Vec<f64>,
}

impl SpeedSamples {
    fn sample(
        clip: &Clip,
        joints: &[NodeId],
        interval: f64,
        half: usize,
        which: &'static str,
    ) -> Result<Self, AlignError> {
        const MIN_VISIBLE_S: f64 = 1.0;
        let count = (clip.span.duration / interval).floor().min(MAX_SAMPLES as f64) as usize + 1;
        let mut window = PositionWindow::new(clip, joints, interval, count);
        let speeds: Vec<Option<f64>> = (0..count)
            .map(|index| window.speed(index.saturating_sub(half), index + half))
            .collect();
        let visible: Vec<f64> = speeds.iter().copied().flatten().collect();
        if (visible.len() as f64) * interval < MIN_VISIBLE_S {
            return Err(AlignError::TooShort { which });
        }
        let mean = visible.iter().sum::<f64>() / visible.len() as f64;
        let spread = visible.iter().map(|speed| (speed - mean).powi(2)).sum::<f64>();
        // Reject speeds that vary by less than 0.1 % of their mean or by less than 0.1 mm/s,
        // because noise would decide the correlation.
        if (spread / visible.len() as f64).sqrt() < (1e-3 * mean).max(1e-4) {
            return Err(AlignError::NoSpeedChange { which });
        }
        Ok(Self::new(&speeds))
    }

    fn new(speeds: &[Option<f64>]) -> Self {
        Self {
            speeds: speeds.iter().map(|speed| speed.unwrap_or(0.0)).collect(),
            mask: speeds.iter().map(|speed| f64::from(u8::from(speed.is_some()))).collect(),
        }
    }

    fn len(&self) -> usize {
        self.speeds.len()
    }

    fn deviations(&self) -> Vec<f64> {
        let mean = self.speeds.iter().sum::<f64>() / self.mask.iter().sum::<f64>();
        self.speeds.iter().zip(&self.mask).map(|(speed, mask)| (speed - mean) * mask).collect()
    }

    fn halved(&self) -> Self {
        let (mut speeds, mut mask) = (Vec::new(), Vec::new());
        for (pair, pair_mask) in self.speeds.chunks(2).zip(self.mask.chunks(2)) {
            let count: f64 = pair_mask.iter().sum();
            // Speeds of hidden samples are stored as 0, so they add nothing to the sum.
            speeds.push(if count > 0.0 { pair.iter().sum::<f64>() / count } else { 0.0 });
            mask.push(if count > 0.0 { 1.0 } else { 0.0 });
        }
        Self { speeds, mask }
    }
}

/// Positions of joints at evenly spaced times. Only the positions that are still needed are kept,
/// because a file may have any number of joints.
struct PositionWindow<'a> {
    sampler: JointSampler<'a>,
    start: f64,
    interval: f64,
    count: usize,
    first_kept: usize,
    kept: VecDeque<Vec<Option<DVec3>>>,
}

impl<'a> PositionWindow<'a> {
    fn new(clip: &'a Clip, joints: &'a [NodeId], interval: f64, count: usize) -> Self {
        let (sampler, start) = (JointSampler::new(clip, joints), clip.span.start);
        Self { sampler, start, interval, count, first_kept: 0, kept: VecDeque::new() }
    }

    /// Returns the sum of the joints' speeds between the samples `from` and `to`, or `None` if a
    /// joint is hidden at one of them. Neither index may be less than in the call before.
    fn speed(&mut self, from: usize, to: usize) -> Option<f64> {
        let to = to.min(self.count - 1);
        while self.first_kept + self.kept.len() <= to {
            let time = self.start + (self.first_kept + self.kept.len()) as f64 * self.interval;
            self.kept.push_back(self.sampler.sample_at(time).to_vec());
        }
        while self.first_kept < from {
            self.kept.pop_front();
            self.first_kept += 1;
        }
        let (before, after) =
            (&self.kept[from - self.first_kept], &self.kept[to - self.first_kept]);
        let time = (to - from) as f64 * self.interval;
        let speed = |(start, end): (&Option<DVec3>, &Option<DVec3>)| {
            Some(start.as_ref()?.distance(*end.as_ref()?) / time).filter(|speed| speed.is_finite())
        };
        let speeds: Option<Vec<f64>> = before.iter().zip(after).map(speed).collect();
        speeds.filter(|speeds| !speeds.is_empty()).map(|speeds| speeds.iter().sum())
    }
}

/// Returns the best lags of `second` on `first`, in fractional samples, each with its correlation,
/// best first. Lags with fewer than `min_overlap` common samples are skipped.
fn find_best_lags(
    first: &SpeedSamples,
    second: &SpeedSamples,
    min_overlap: f64,
) -> Vec<(f64, f64)> {
    let mut levels = vec![(first.clone(), second.clone())];
    while let Some((first, second)) =
        levels.last().filter(|(first, second)| first.len() * second.len() > MAX_PRODUCTS)
    {
        let halved = (first.halved(), second.halved());
        levels.push(halved);
    }
    let mut candidates: Vec<i64> = Vec::new();
    for (level, (first, second)) in levels.iter().enumerate().rev() {
        let min_count = (min_overlap / f64::from(1_u32 << level)).max(2.0);
        let lags: Vec<i64> = if level + 1 == levels.len() {
            (1 - second.len() as i64..first.len() as i64).collect()
        } else {
            // This level has twice the sample rate of the previous level, so each lag doubles.
            // Search within two samples of the doubled lag.
            candidates.iter().flat_map(|lag| (2 * lag - 2)..=(2 * lag + 2)).collect()
        };
        candidates = find_peaks(first, second, lags, min_count);
    }
    let correlation_at =
        |lag: i64| correlation(first, second, lag, min_overlap.max(2.0)).unwrap_or(-1.0);
    let mut best: Vec<_> = candidates.iter().map(|&lag| refine_peak(lag, correlation_at)).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    best
}

fn find_peaks(
    first: &SpeedSamples,
    second: &SpeedSamples,
    mut lags: Vec<i64>,
    min_overlap: f64,
) -> Vec<i64> {
    lags.sort_unstable();
    lags.dedup();
    let scored: Vec<(i64, f64)> = lags
        .into_iter()
        .filter_map(|lag| Some((lag, correlation(first, second, lag, min_overlap)?)))
        .collect();
    let neighbour_score = |index: Option<usize>, lag: i64| {
        let neighbour = index.and_then(|index| scored.get(index));
        neighbour
            .filter(|neighbour| (neighbour.0 - lag).abs() == 1)
            .map_or(f64::NEG_INFINITY, |peak| peak.1)
    };
    let is_peak = |&(index, &(lag, score)): &(usize, &(i64, f64))| {
        score >= neighbour_score(index.checked_sub(1), lag)
            && score >= neighbour_score(Some(index + 1), lag)
    };
    let mut peaks: Vec<_> =
        scored.iter().enumerate().filter(is_peak).map(|(_, peak)| *peak).collect();
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    peaks.truncate(MAX_CANDIDATES);
    peaks.into_iter().map(|(lag, _)| lag).collect()
}

fn refine_peak(lag: i64, correlation_at: impl Fn(i64) -> f64) -> (f64, f64) {
    let [before, here, after] = [lag - 1, lag, lag + 1].map(correlation_at);
    let curvature = before - 2.0 * here + after;
    let shift =
        if curvature < 0.0 { (0.5 * (before - after) / curvature).clamp(-0.5, 0.5) } else { 0.0 };
    (lag as f64 + shift, here)
}

/// Returns Pearson's correlation of `first` and `second`, where `second` begins `lag` samples
/// later. Only samples at which both are visible are used. Returns `None` if fewer than
/// `min_overlap` samples remain, or if a recording has a constant speed over them.
fn correlation(
    first: &SpeedSamples,
    second: &SpeedSamples,
    lag: i64,
    min_overlap: f64,
) -> Option<f64> {
    if overlap(first, second, lag).is_none_or(|(from, to)| ((to - from) as f64) < min_overlap) {
        return None;
    }
    let CorrelationSums { count, speeds, squares, product } = correlation_sums(first, second, lag)?;
    if count < min_overlap {
        return None;
    }
    let spread = |index: usize| squares[index] - speeds[index] * speeds[index] / count;
    let covariance = product - speeds[0] * speeds[1] / count;
    let scale = (spread(0).max(0.0) * spread(1).max(0.0)).sqrt();
    // Treat a spread within rounding as 0, because rounding leaves a tiny spread in constant
    // speeds.
    (scale > 1e-12 * (squares[0] * squares[1]).sqrt()).then(|| covariance / scale)
}

fn overlap(first: &SpeedSamples, second: &SpeedSamples, lag: i64) -> Option<(i64, i64)> {
    let from = lag.max(0);
    let to = (first.len() as i64).min(second.len() as i64 + lag);
    (from < to).then_some((from, to))
}

fn correlation_sums(
    first: &SpeedSamples,
    second: &SpeedSamples,
    lag: i64,
) -> Option<CorrelationSums> {
    let (from, to) = overlap(first, second, lag)?;
    let (first_range, second_range) =
        (from as usize..to as usize, (from - lag) as usize..(to - lag) as usize);
    Some(CorrelationSums::accumulate(
        [&first.speeds[first_range.clone()], &first.mask[first_range]],
        [&second.speeds[second_range.clone()], &second.mask[second_range]],
    ))
}

/// The integral autocorrelation time of speeds. Samples within this time are not independent. The
/// effective number of samples is therefore the duration divided by this time. With the real number
/// of samples, unrelated motions would seem significantly correlated.
#[derive(Clone, Copy, Debug)]
struct DecorrelationTime {
    seconds: f64,
}

impl DecorrelationTime {
    /// Estimates the decorrelation time of two recordings by Bartlett's formula, which sums the
    /// products of their autocorrelations. Their speeds are `interval` seconds apart.
    fn estimate(first: &SpeedSamples, second: &SpeedSamples, interval: f64) -> Self {
        /// The maximum number of samples, because the work grows with the square of this number.
        const MAX_AUTOCORRELATION_SAMPLES: usize = 1 << 11;
        let (mut first, mut second, mut interval) = (first.clone(), second.clone(), interval);
        while first.len().max(second.len()) > MAX_AUTOCORRELATION_SAMPLES {
            (first, second, interval) = (first.halved(), second.halved(), 2.0 * interval);
        }
        let max_lag = first.len().min(second.len()) / 2;
        let (first, second) = (first.deviations(), second.deviations());
        let product = |lag: usize| autocorrelation(&first, lag) * autocorrelation(&second, lag);
        let products: Vec<f64> = (1..max_lag).map(product).collect();
        // Stop at the first product that is not positive, because the later products are noise. The
        // products of periodic motion become positive again later. If the sum of all products is
        // larger, use that sum.
        let initial_sum: f64 = products.iter().take_while(|product| **product > 0.0).sum();
        let sum = initial_sum.max(products.iter().sum());
        Self { seconds: interval * (1.0 + 2.0 * sum) }
    }

    /// Returns an upper bound for the probability that the speeds of unrelated motion reach this
    /// correlation at any offset. The common time is `overlap` seconds, and the offsets span
    /// `total` seconds. Fisher's transformation turns the correlation into a number of standard
    /// deviations d. The tail of the normal distribution is below exp(−d²/2)/2. This bound is
    /// multiplied by the number of independent offsets.
    fn chance(self, correlation: f64, overlap: f64, total: f64) -> f64 {
        let (count, offsets) = (overlap / self.seconds, (total / self.seconds).max(1.0));
        let deviations = correlation.min(1.0).atanh() * (count - 3.0).max(0.0).sqrt();
        match deviations.is_nan() {
            // A perfect correlation of too few samples gives NaN, because atanh(1) × 0 is NaN.
            true => 1.0,
            false => (0.5 * offsets * (-0.5 * deviations * deviations).exp()).min(1.0),
        }
    }
}

/// Returns the autocorrelation at `lag` of values whose mean is 0.
fn autocorrelation(values: &[f64], lag: usize) -> f64 {
    let products = values.iter().zip(&values[lag..]).map(|(value, later)| value * later);
    products.sum::<f64>() / values.iter().map(|value| value * value).sum::<f64>()
}

#[derive(Clone, Copy, Debug, Default)]
struct CorrelationSums {
    count: f64,
    speeds: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl CorrelationSums {
    /// Returns the sums over two lists of speeds, each with its mask. The four lanes let the
    /// compiler use SIMD.
    fn accumulate([first, first_mask]: [&[f64]; 2], [second, second_mask]: [&[f64]; 2]) -> Self {
        const LANES: usize = 4;
        let mut lanes = [Self::default(); LANES];
        let whole = first.len() - first.len() % LANES;
        for start in (0..whole).step_by(LANES) {
            for (lane, sums) in lanes.iter_mut().enumerate() {
                let index = start + lane;
                sums.add(first[index], first_mask[index], second[index], second_mask[index]);
            }
        }
        for index in whole..first.len() {
            lanes[0].add(first[index], first_mask[index], second[index], second_mask[index]);
        }
        lanes.iter().fold(Self::default(), |sum, lane| Self {
            count: sum.count + lane.count,
            speeds: [0, 1].map(|which| sum.speeds[which] + lane.speeds[which]),
            squares: [0, 1].map(|which| sum.squares[which] + lane.squares[which]),
            product: sum.product + lane.product,
        })
    }

    #[inline]
    fn add(&mut self, first: f64, first_mask: f64, second: f64, second_mask: f64) {
        // Mask each speed with the other recording's mask only, because the hidden speeds of a
        // recording are already 0.
        let (first, second) = (first * second_mask, second * first_mask);
        self.count += first_mask * second_mask;
        self.speeds[0] += first;
        self.speeds[1] += second;
        self.squares[0] += first * first;
        self.squares[1] += second * second;
        self.product += first * second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let [one, other] = [0.0, shift].map(|shift| SpeedSamples::new(&speeds(count, shift)));
            let (lag, correlation) = find_best_lags(&one, &other, 0.25 * count as f64)[0];
            assert!((lag - shift).abs() < 0.1, "{count}, {shift}: {lag}");
            assert!(correlation > 0.999, "{count}, {shift}: {correlation}");
        }
    }

    #[test]
    fn hidden_samples_are_ignored() {
        let one = SpeedSamples::new(&speeds(2000, 0.0));
        let mut other = speeds(2000, 150.0);
        (300..700).for_each(|index| other[index] = None);
        let (lag, correlation) = find_best_lags(&one, &SpeedSamples::new(&other), 500.0)[0];
        assert!((lag - 150.0).abs() < 0.1 && correlation > 0.999_999, "{lag}, {correlation}");
    }

    #[test]
    fn short_overlap_gives_no_lag() {
        let one = SpeedSamples::new(&speeds(100, 0.0));
        assert_eq!(correlation(&one, &one, 80, 25.0), None);
        let still = SpeedSamples::new(&[Some(1.0); 100]);
        assert_eq!(correlation(&one, &still, 0, 25.0), None, "constant speeds have no correlation");
        assert!((correlation(&one, &one, 0, 25.0).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn halving_averages_visible_samples() {
        let halved =
            SpeedSamples::new(&[Some(1.0), Some(3.0), None, Some(5.0), None, None, Some(7.0)]);
        let halved = halved.halved();
        assert_eq!(halved.speeds, [2.0, 5.0, 0.0, 7.0]);
        assert_eq!(halved.mask, [1.0, 1.0, 0.0, 1.0]);
    }
}
