//! Issue a time among keys.

use std::sync::Arc;

/// Where the last search among some keys ended, to begin the next one from.
///
/// A hint never changes an answer, only how soon it is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint {
    guess: u32,
}

/// A time among keys: at the fraction `part`, within 0..=1, of the gap from key `left` to key
/// `right`.
///
/// Before the first key and after the last, both are that key and `part` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeySpan {
    /// The index of the last key at or before the time.
    pub(super) left: usize,
    /// The index of the key after it.
    pub(super) right: usize,
    /// The fraction of the gap before the time.
    pub(super) part: f64,
}

/// An index of key times: the time from the first key to the last in as many even steps as there
/// are keys, and for each step the keys before it.
///
/// Recorders write keys at nearly regular times, of which some may be skipped. So a step holds few
/// keys, and where a time lies is found in two places of memory rather than in a dozen.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    first: f64,
    steps_per_second: f64,
    /// For each step, and for one more, the index of the last key that lies in a step before it;
    /// 0 if there is none. Nothing if keys are so regular that each is one off its step at most.
    last_before: Option<Arc<[u32]>>,
}

impl Hint {
    /// Guesses where `time` is among `keys` that are so irregular that their index is to be looked at.
    ///
    /// Two rounds of guessing over many lists of keys, of which [`Self::refine`] is the second, read memory
    /// without waiting for what was read before; one search after the other waits each time.
    #[inline]
    pub(super) fn guess(&mut self, keys: &impl Keyed, time: f64) {
        if let Some(last_before) = &keys.steps().last_before {
            self.guess = last_before[keys.steps().step(time, keys.count())];
        }
    }

    /// Moves the guess on by as many keys as are likely in a step.
    #[inline]
    pub(super) fn refine(&mut self, keys: &impl Keyed, time: f64) {
        const LIKELY: usize = 2;
        if keys.steps().last_before.is_none() {
            return;
        }
        let last = keys.count() - 1;
        for _ in 0..LIKELY {
            let next = (self.guess as usize + 1).min(last);
            // No branch: it would be mispredicted half of the time.
            self.guess += u32::from(keys.time(next) <= time && (self.guess as usize) < last);
        }
    }
}

impl Steps {
    /// The steps of keys at `times`: finite, ascending.
    pub(super) fn new(times: &[f64]) -> Self {
        let ends = times.first().zip(times.last());
        let (first, last) = ends.map_or((0.0, 0.0), |(&first, &last)| (first, last));
        let rate = times.len().saturating_sub(1) as f64 / (last - first);
        let steps_per_second = if rate.is_finite() { rate } else { 0.0 };
        let mut steps = Self { first, steps_per_second, last_before: None };
        let is_regular = |(key, &time)| steps.step(time, times.len()).abs_diff(key) <= 1;
        if !times.iter().enumerate().all(is_regular) {
            steps.last_before = Some(steps.count_keys(times));
        }
        steps
    }

    fn count_keys(&self, times: &[f64]) -> Arc<[u32]> {
        let mut key = 0;
        let last_before = |step| {
            while times.get(key).is_some_and(|&time| self.step(time, times.len()) < step) {
                key += 1;
            }
            key.saturating_sub(1) as u32
        };
        (0..=times.len()).map(last_before).collect()
    }

    /// The step that `time` lies in, among as many as there are keys.
    #[inline]
    fn step(&self, time: f64, key_count: usize) -> usize {
        // A cast brings values that are too large, or NaN, into range.
        (((time - self.first) * self.steps_per_second) as usize).min(key_count - 1)
    }

    /// The first and the last key that can be the last one at or before `time`.
    #[inline]
    fn candidates(&self, time: f64, key_count: usize) -> (usize, usize) {
        let step = self.step(time, key_count);
        match &self.last_before {
            Some(last_before) => (last_before[step] as usize, last_before[step + 1] as usize),
            None => (step.saturating_sub(2), (step + 1).min(key_count - 1)),
        }
    }
}

/// Keys that can be searched: their times are finite and ascending, and there is at least one.
pub(super) trait Keyed {
    /// How many there are.
    fn count(&self) -> usize;

    /// The time of the one with this index, in seconds.
    fn time(&self, index: usize) -> f64;

    /// The index that narrows the search for a time to a few keys.
    fn steps(&self) -> &Steps;

    /// The index of the last key at or before `time`, or of the first key if there is none.
    ///
    /// Of keys at the same time the later one is used. Times in the segment of the last search, or
    /// in the one after it, are found without searching.
    #[inline]
    fn key_at(&self, time: f64, hint: &mut Hint) -> usize {
        let guess = hint.guess as usize;
        let near = [guess, guess + 1].into_iter().find(|&guess| self.holds(guess, time));
        let found = near.unwrap_or_else(|| self.search(time));
        hint.guess = found as u32;
        found
    }

    /// Where `time` falls among the keys, constant outside of them.
    #[inline]
    fn spot(&self, time: f64, hint: &mut Hint) -> KeySpan {
        let left = self.key_at(time, hint);
        let start = self.time(left);
        if left + 1 < self.count() && time > start {
            let part = (time - start) / (self.time(left + 1) - start);
            KeySpan { left, right: left + 1, part }
        } else {
            KeySpan { left, right: left, part: 0.0 }
        }
    }

    /// Whether the segment that starts at key `index` holds `time`.
    #[inline]
    fn holds(&self, index: usize, time: f64) -> bool {
        index + 1 < self.count() && self.time(index) <= time && time < self.time(index + 1)
    }

    /// The answer of [`Self::key_at`] without a hint.
    #[inline]
    fn search(&self, time: f64) -> usize {
        /// More than this many are searched by bisection, not linearly.
        const FEW: usize = 8;
        let (mut low, mut high) = self.steps().candidates(time, self.count());
        while high - low > FEW {
            let middle = low.midpoint(high);
            if self.time(middle) <= time { low = middle } else { high = middle - 1 }
        }
        while low < high && self.time(low + 1) <= time {
            low += 1;
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::KeyTimes;

    #[test]
    fn hints_never_change_a_result() {
        let times = KeyTimes::new(vec![-1.0, 0.0, 0.0, 2.0, 5.0]).unwrap();
        let answers =
            [(-9.0, 0), (-1.0, 0), (-0.5, 0), (0.0, 2), (1.9, 2), (2.0, 3), (5.0, 4), (9.0, 4)];
        for (time, expected) in answers {
            for guess in 0..7 {
                let found = times.key_at(time, &mut Hint { guess });
                assert_eq!(found, expected, "{time} from {guess}");
            }
        }
    }

    #[test]
    fn search_matches_a_linear_scan() {
        let lists = [
            vec![0.0],
            vec![0.0, 0.0, 0.0],
            vec![-3.0, 1.0, 1.0, 1.5, 4.0, 4.0, 100.0],
            (0..1000).map(f64::from).collect(),
            (0..1000).map(|key| f64::from(key).exp2()).collect(),
            (-20..1000).map(|key| f64::from(key).cbrt()).collect(),
        ];
        for times in lists.map(|times| KeyTimes::new(times).unwrap()) {
            let keys = times.as_slice().iter().flat_map(|&key| [key.next_down(), key, key + 0.4]);
            let outside = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN, -1e300, 1e300];
            for time in keys.chain(outside) {
                let last = times.as_slice().iter().rposition(|&key| key <= time);
                assert_eq!(times.search(time), last.unwrap_or(0), "{time}");
            }
        }
    }
}
