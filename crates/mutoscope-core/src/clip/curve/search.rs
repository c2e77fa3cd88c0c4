//! Search for a time among keys.

use std::sync::Arc;

/// The result of the last search among some keys, from which the next search starts.
///
/// A hint never changes the result of a search, only its speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint {
    guess: u32,
}

/// The position of a time among keys: between the keys `left` and `right`.
///
/// Before the first key and after the last, `left` and `right` are both that key, and `fraction` is
/// 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeySpan {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) fraction: f64,
}

/// An index of key times. It divides the time from the first to the last key into equal steps, and
/// stores for each step the last key before the step. There are about as many steps as keys.
///
/// Recorders write keys at nearly regular times and may skip some, so each step contains few keys.
/// A search then reads two places in memory. A bisection would read a dozen.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyTimeIndex {
    first: f64,
    steps_per_second: f64,
    /// For each step, the index of the last key before the step, or 0 if no key is before the step.
    /// One more element contains the last key before the end of the last step.
    ///
    /// `None` if the keys are regular: the key with index `i` is in step `i` or in a step next to
    /// it.
    last_before: Option<Arc<[u32]>>,
}

impl Hint {
    /// Guesses the key before `time` with the index. Does nothing if the keys are so regular that
    /// there is no index.
    ///
    /// To search many lists of keys, call this for all lists, and then call
    /// [`Self::refine_from_keys`] for all lists. The processor can then load the memory of several
    /// lists at once. Otherwise each list would have to wait for its own first access.
    #[inline]
    pub(super) fn guess_from_index(&mut self, keys: &impl KeySearch, time: f64) {
        if let Some(last_before) = &keys.time_index().last_before {
            self.guess = last_before[keys.time_index().step_at(time, keys.count())];
        }
    }

    #[inline]
    pub(super) fn refine_from_keys(&mut self, keys: &impl KeySearch, time: f64) {
        const MAX_KEYS_TO_ADVANCE: usize = 2;
        if keys.time_index().last_before.is_none() {
            return;
        }
        let last = keys.count() - 1;
        for _ in 0..MAX_KEYS_TO_ADVANCE {
            let next = (self.guess as usize + 1).min(last);
            // The addition replaces a branch, which the processor would mispredict half of the
            // time.
            self.guess += u32::from(keys.time(next) <= time && (self.guess as usize) < last);
        }
    }
}

impl KeyTimeIndex {
    /// `times` have to be finite and ascending.
    pub(super) fn new(times: &[f64]) -> Self {
        let ends = times.first().zip(times.last());
        let (first, last) = ends.map_or((0.0, 0.0), |(&first, &last)| (first, last));
        let rate = times.len().saturating_sub(1) as f64 / (last - first);
        let steps_per_second = if rate.is_finite() { rate } else { 0.0 };
        let mut steps = Self { first, steps_per_second, last_before: None };
        let is_regular = |(key, &time)| steps.step_at(time, times.len()).abs_diff(key) <= 1;
        if !times.iter().enumerate().all(is_regular) {
            steps.last_before = Some(steps.count_keys(times));
        }
        steps
    }

    fn count_keys(&self, times: &[f64]) -> Arc<[u32]> {
        let mut key = 0;
        let last_before = |step| {
            while times.get(key).is_some_and(|&time| self.step_at(time, times.len()) < step) {
                key += 1;
            }
            key.saturating_sub(1) as u32
        };
        (0..=times.len()).map(last_before).collect()
    }

    #[inline]
    fn step_at(&self, time: f64, key_count: usize) -> usize {
        // The cast saturates, so a time that is too small, too large or NaN gives the first or the
        // last step.
        (((time - self.first) * self.steps_per_second) as usize).min(key_count - 1)
    }

    #[inline]
    fn candidates(&self, time: f64, key_count: usize) -> (usize, usize) {
        let step = self.step_at(time, key_count);
        match &self.last_before {
            Some(last_before) => (last_before[step] as usize, last_before[step + 1] as usize),
            None => (step.saturating_sub(2), (step + 1).min(key_count - 1)),
        }
    }
}

/// Keys that can be searched. Their times are finite and ascending, and there is at least one key.
pub(super) trait KeySearch {
    fn count(&self) -> usize;

    fn time(&self, index: usize) -> f64;

    fn time_index(&self) -> &KeyTimeIndex;

    /// Returns the index of the last key at or before `time`, or 0 if there is none.
    ///
    /// If several keys have the same time, the last of them is returned. If `time` is in the
    /// segment of the last search or in the segment after it, no search is necessary.
    #[inline]
    fn find_key(&self, time: f64, hint: &mut Hint) -> usize {
        let guess = hint.guess as usize;
        let near = [guess, guess + 1].into_iter().find(|&guess| self.segment_contains(guess, time));
        let found = near.unwrap_or_else(|| self.find_key_without_hint(time));
        hint.guess = found as u32;
        found
    }

    #[inline]
    fn find_span(&self, time: f64, hint: &mut Hint) -> KeySpan {
        let left = self.find_key(time, hint);
        let start = self.time(left);
        if left + 1 < self.count() && time > start {
            let fraction = (time - start) / (self.time(left + 1) - start);
            KeySpan { left, right: left + 1, fraction }
        } else {
            KeySpan { left, right: left, fraction: 0.0 }
        }
    }

    #[inline]
    fn segment_contains(&self, index: usize, time: f64) -> bool {
        index + 1 < self.count() && self.time(index) <= time && time < self.time(index + 1)
    }

    #[inline]
    fn find_key_without_hint(&self, time: f64) -> usize {
        const MAX_LINEAR_SEARCH: usize = 8;
        let (mut low, mut high) = self.time_index().candidates(time, self.count());
        while high - low > MAX_LINEAR_SEARCH {
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
    fn results_do_not_depend_on_hints() {
        let times = KeyTimes::new(vec![-1.0, 0.0, 0.0, 2.0, 5.0]).unwrap();
        let answers =
            [(-9.0, 0), (-1.0, 0), (-0.5, 0), (0.0, 2), (1.9, 2), (2.0, 3), (5.0, 4), (9.0, 4)];
        for (time, expected) in answers {
            for guess in 0..7 {
                let found = times.find_key(time, &mut Hint { guess });
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
                assert_eq!(times.find_key_without_hint(time), last.unwrap_or(0), "{time}");
            }
        }
    }
}
