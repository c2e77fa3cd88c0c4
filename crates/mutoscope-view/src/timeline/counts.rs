//! Counts the keys before a time, in ever coarser buckets.

use super::{point_density::PointCounts, points::AxisPoints};

const KEYS_PER_BUCKET: usize = 8;

const MAX_BUCKETS: usize = 1 << 20;

/// Cumulative key counts at the edges of equal time buckets. The buckets of a level are twice as
/// long as those of the level before. Filling an axis of any width and zoom reads one count per
/// point, in sequence.
#[derive(Clone, Debug)]
pub(super) struct CountPyramid {
    start: f64,
    /// The duration of a bucket of the finest level, in seconds.
    bucket: f64,
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    before: Box<[u32]>,
    peak: u32,
}

impl Level {
    fn new(before: Box<[u32]>) -> Self {
        let peak = before.windows(2).map(|edges| edges[1] - edges[0]).max().unwrap_or(0);
        Self { before, peak }
    }
}

impl CountPyramid {
    pub(super) fn bucket_count(keys: usize) -> usize {
        (keys / KEYS_PER_BUCKET).next_power_of_two().min(MAX_BUCKETS)
    }

    pub(super) fn new<'a>(lists: impl Iterator<Item = &'a [f64]> + Clone) -> Option<Self> {
        let ends =
            lists.clone().filter_map(|times| times.first().copied().zip(times.last().copied()));
        let (start, end) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let buckets = Self::bucket_count(lists.clone().map(<[f64]>::len).sum());
        let bucket = (end - start) / buckets as f64;
        if !bucket.is_normal() {
            return None;
        }
        let mut before = vec![0_u32; buckets + 1];
        for time in lists.flatten() {
            let index = ((time - start) / bucket) as usize;
            before[index.min(buckets - 1) + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut before {
            sum += *count;
            *count = sum;
        }
        let mut levels = vec![Level::new(before.into())];
        while let Some(last) = levels.last().filter(|level| level.before.len() > 2) {
            let coarser = last.before.iter().copied().step_by(2).collect();
            levels.push(Level::new(coarser));
        }
        Some(Self { start, bucket, levels })
    }

    pub(super) fn len(&self) -> usize {
        self.levels.iter().map(|level| level.before.len()).sum()
    }

    pub(super) fn level(&self, seconds: f64) -> Option<CountLevel<'_>> {
        let fitting = (seconds / self.bucket).log2().floor();
        if fitting.is_nan() || fitting < 0.0 {
            return None;
        }
        let level = (fitting as usize).min(self.levels.len() - 1);
        let bucket = self.bucket * (1_u64 << level) as f64;
        Some(CountLevel { start: self.start, bucket, level: &self.levels[level] })
    }
}

#[derive(Clone, Copy)]
pub(super) struct CountLevel<'a> {
    start: f64,
    bucket: f64,
    level: &'a Level,
}

impl CountLevel<'_> {
    pub(super) fn keys_before(&self, time: f64) -> f64 {
        self.keys_before_bucket((time - self.start) / self.bucket)
    }

    fn keys_before_bucket(&self, bucket: f64) -> f64 {
        let before = &self.level.before;
        let bucket = bucket.clamp(0.0, (before.len() - 1) as f64);
        let left = (bucket as u32 as usize).min(before.len() - 2);
        let (low, high) = (f64::from(before[left]), f64::from(before[left + 1]));
        low + (high - low) * (bucket - left as f64)
    }

    pub(super) fn keys_within(&self, start: f64, end: f64) -> f64 {
        self.keys_before(end) - self.keys_before(start)
    }

    pub(super) fn cumulative_counts(&self, points: &AxisPoints) -> PointCounts {
        let buckets_per_second = self.bucket.recip();
        let before = |time| self.keys_before_bucket((time - self.start) * buckets_per_second);
        PointCounts { cumulative: points.values_at_edges(before) }
    }

    pub(super) fn peak_within(&self, seconds: f64) -> f64 {
        f64::from(self.level.peak) * seconds / self.bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(random: &mut fastrand::Rng, count: usize) -> Vec<f64> {
        let burst = |random: &mut fastrand::Rng| 100.0 * random.f64() + random.f64().powi(4);
        let mut times: Vec<f64> = (0..count).map(|_| burst(random)).collect();
        times.sort_unstable_by(f64::total_cmp);
        times
    }

    #[test]
    fn counts_are_exact_at_bucket_edges() {
        let mut random = fastrand::Rng::with_seed(7);
        let lists: Vec<_> = [5000, 1, 0, 12_345].map(|count| times(&mut random, count)).into();
        let counts = CountPyramid::new(lists.iter().map(|times| &**times)).unwrap();
        for index in 0..counts.levels.len() {
            let level = counts.level(counts.bucket * (1_u64 << index) as f64 * 1.01).unwrap();
            for edge in 0..level.level.before.len() {
                let time = level.start + edge as f64 * level.bucket;
                let is_before = |key: &&f64| ((**key - level.start) / level.bucket) < edge as f64;
                let is_last = edge + 1 == level.level.before.len();
                let naive = lists.iter().flatten().filter(|key| is_last || is_before(key)).count();
                let found = level.keys_before(time);
                // Bucket edges are rounded, so a key exactly on an edge may be counted on either
                // side.
                assert!(
                    (found - naive as f64).abs() < 1e-3 + 1e-9 * naive as f64,
                    "{index} {edge}: {found} {naive}"
                );
            }
        }
    }

    #[test]
    fn counts_between_edges_are_within_a_bucket() {
        let mut random = fastrand::Rng::with_seed(11);
        let times = times(&mut random, 50_000);
        let counts = CountPyramid::new([&*times].into_iter()).unwrap();
        for _ in 0..2000 {
            let seconds = 0.05 + 5.0 * random.f64();
            let Some(level) = counts.level(seconds) else { continue };
            let time = 110.0 * random.f64() - 5.0;
            let naive = times.partition_point(|&key| key < time) as f64;
            let estimate = level.keys_before(time);
            assert!(
                (estimate - naive).abs() <= f64::from(level.level.peak),
                "{time}: {estimate} {naive}"
            );
        }
    }

    #[test]
    fn finer_resolution_than_buckets_is_refused() {
        let times: Vec<f64> = (0..10_000).map(f64::from).collect();
        let counts = CountPyramid::new([&*times].into_iter()).unwrap();
        assert!(counts.level(0.5 * counts.bucket).is_none());
        assert!(counts.level(f64::NAN).is_none());
        assert!(counts.level(1e9).is_some_and(|level| level.keys_before(1e9) == 10_000.0));
        assert!(counts.len() <= 2 * CountPyramid::bucket_count(10_000) + 32);
        assert!(CountPyramid::new([[1.0; 100].as_slice()].into_iter()).is_none());
        assert!(CountPyramid::new(std::iter::empty()).is_none());
    }
}
