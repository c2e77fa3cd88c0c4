//! How many keys there are before a time, in ever coarser steps.

use super::{crowd::Crowd, points::Points};

/// How many keys a bucket holds on average.
const KEYS_PER_BUCKET: usize = 8;

/// More buckets than these are not made of a row's keys.
const MOST_BUCKETS: usize = 1 << 20;

/// How many keys there are before the end of each of many buckets of time, all equally long; of
/// each two buckets, of each four, and so on. So filling an axis of any width and zoom reads one
/// number per point, in sequence.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    start: f64,
    /// How long the buckets of the finest level are, in seconds.
    bucket: f64,
    /// Of each level, for every edge between buckets the keys before it.
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    before: Box<[u32]>,
    /// The most keys that any bucket holds.
    peak: u32,
}

impl Level {
    fn new(before: Box<[u32]>) -> Self {
        let peak = before.windows(2).map(|edges| edges[1] - edges[0]).max().unwrap_or(0);
        Self { before, peak }
    }
}

impl Counts {
    /// How many buckets this many keys are counted in.
    pub(super) fn bucket_count(keys: usize) -> usize {
        (keys / KEYS_PER_BUCKET).next_power_of_two().min(MOST_BUCKETS)
    }

    /// Counts the keys of `lists`, each ascending. Nothing if all of them are at the same time.
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

    /// How many numbers it holds.
    pub(super) fn len(&self) -> usize {
        self.levels.iter().map(|level| level.before.len()).sum()
    }

    /// The coarsest level whose buckets are no longer than `seconds`, if any are.
    pub(super) fn level(&self, seconds: f64) -> Option<CountsAt<'_>> {
        let fitting = (seconds / self.bucket).log2().floor();
        if fitting.is_nan() || fitting < 0.0 {
            return None;
        }
        let level = (fitting as usize).min(self.levels.len() - 1);
        let bucket = self.bucket * (1_u64 << level) as f64;
        Some(CountsAt { start: self.start, bucket, level: &self.levels[level] })
    }
}

/// Counts by buckets of one length.
#[derive(Clone, Copy)]
pub(super) struct CountsAt<'a> {
    start: f64,
    bucket: f64,
    level: &'a Level,
}

impl CountsAt<'_> {
    /// How many keys are before `time`, as if those within a bucket were spread evenly.
    pub(super) fn before(&self, time: f64) -> f64 {
        self.before_place((time - self.start) / self.bucket)
    }

    /// The same for a time this many buckets after the first begins.
    fn before_place(&self, place: f64) -> f64 {
        let before = &self.level.before;
        let place = place.clamp(0.0, (before.len() - 1) as f64);
        let left = (place as u32 as usize).min(before.len() - 2);
        let (low, high) = (f64::from(before[left]), f64::from(before[left + 1]));
        low + (high - low) * (place - left as f64)
    }

    /// How many keys are from one time to another.
    pub(super) fn within(&self, start: f64, end: f64) -> f64 {
        self.before(end) - self.before(start)
    }

    /// How many keys are before each of `points`.
    pub(super) fn on(&self, points: &Points) -> Crowd {
        let buckets_per_second = self.bucket.recip();
        let before = |time| self.before_place((time - self.start) * buckets_per_second);
        Crowd { before: points.edges(before) }
    }

    /// The most keys there are anywhere within this many seconds, more or less.
    pub(super) fn peak(&self, seconds: f64) -> f64 {
        f64::from(self.level.peak) * seconds / self.bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This many times, in bursts, ascending.
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
        let counts = Counts::new(lists.iter().map(|times| &**times)).unwrap();
        for level in 0..counts.levels.len() {
            let at = counts.level(counts.bucket * (1_u64 << level) as f64 * 1.01).unwrap();
            for edge in 0..at.level.before.len() {
                let time = at.start + edge as f64 * at.bucket;
                let is_before = |key: &&f64| ((**key - at.start) / at.bucket) < edge as f64;
                let is_last = edge + 1 == at.level.before.len();
                let naive = lists.iter().flatten().filter(|key| is_last || is_before(key)).count();
                let found = at.before(time);
                // The times of edges are rounded, and a key may be right there.
                assert!(
                    (found - naive as f64).abs() < 1e-3 + 1e-9 * naive as f64,
                    "{level} {edge}: {found} {naive}"
                );
            }
        }
    }

    #[test]
    fn counts_between_edges_are_within_a_bucket() {
        let mut random = fastrand::Rng::with_seed(11);
        let times = times(&mut random, 50_000);
        let counts = Counts::new([&*times].into_iter()).unwrap();
        for _ in 0..2000 {
            let seconds = 0.05 + 5.0 * random.f64();
            let Some(at) = counts.level(seconds) else { continue };
            let time = 110.0 * random.f64() - 5.0;
            let naive = times.partition_point(|&key| key < time) as f64;
            let guessed = at.before(time);
            assert!(
                (guessed - naive).abs() <= f64::from(at.level.peak),
                "{time}: {guessed} {naive}"
            );
        }
    }

    #[test]
    fn finer_resolution_than_buckets_is_refused() {
        let times: Vec<f64> = (0..10_000).map(f64::from).collect();
        let counts = Counts::new([&*times].into_iter()).unwrap();
        assert!(counts.level(0.5 * counts.bucket).is_none());
        assert!(counts.level(f64::NAN).is_none());
        assert!(counts.level(1e9).is_some_and(|at| at.before(1e9) == 10_000.0));
        assert!(counts.len() <= 2 * Counts::bucket_count(10_000) + 32);
        assert!(Counts::new([[1.0; 100].as_slice()].into_iter()).is_none());
        assert!(Counts::new(std::iter::empty()).is_none());
    }
}
