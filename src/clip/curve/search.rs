//! Finding a time among keys.

/// Where the last search among some keys ended, to begin the next one from.
///
/// A hint never changes an answer, only how soon it is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint {
    guess: u32,
}

/// A time among keys: `part` of the way, within 0..=1, from key `left` to key `right`.
///
/// Before the first key and after the last, both are that key and `part` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// The index of the last key at or before the time.
    pub(super) left: usize,
    /// The index of the key after it.
    pub(super) right: usize,
    /// How much of the way lies behind.
    pub(super) part: f64,
}

/// When keys begin and how many there are to a second, if they are regular: recorders write keys
/// at nearly regular times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    first: f64,
    keys_per_second: f64,
}

impl Pace {
    /// The pace of `count` keys from `first` to `last`, in seconds.
    pub(super) fn new(first: f64, last: f64, count: usize) -> Self {
        let rate = count.saturating_sub(1) as f64 / (last - first);
        Self { first, keys_per_second: if rate.is_finite() { rate } else { 0.0 } }
    }

    /// The key that would be at `time`, or the first or last of `count`.
    fn guess(self, time: f64, count: usize) -> usize {
        // A cast brings what is too large, or no number, into range.
        (((time - self.first) * self.keys_per_second) as usize).min(count - 1)
    }
}

/// Keys that can be searched: their times are finite and ascending, and there is at least one.
pub(super) trait Keyed {
    /// How many there are.
    fn count(&self) -> usize;

    /// The time of the one with this index, in seconds.
    fn time(&self, index: usize) -> f64;

    /// How regular they are.
    fn pace(&self) -> Pace;

    /// The index of the last key at or before `time`, or of the first key if there is none.
    ///
    /// Of keys at the same time the later one wins. Times in the segment of the last search, or
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
    fn spot(&self, time: f64, hint: &mut Hint) -> Spot {
        let left = self.key_at(time, hint);
        let start = self.time(left);
        if left + 1 < self.count() && time > start {
            let part = (time - start) / (self.time(left + 1) - start);
            Spot { left, right: left + 1, part }
        } else {
            Spot { left, right: left, part: 0.0 }
        }
    }

    /// Whether the segment that starts at key `index` holds `time`.
    #[inline]
    fn holds(&self, index: usize, time: f64) -> bool {
        index + 1 < self.count() && self.time(index) <= time && time < self.time(index + 1)
    }

    /// The answer of [`Self::key_at`] without a hint.
    ///
    /// Counts the keys before `time` among those around the one that would be there if keys were
    /// regular. Unlike the steps of a binary search, which is the way out, no comparison waits for
    /// the one before it, and all are near to each other in memory.
    fn search(&self, time: f64) -> usize {
        const WINDOW: usize = 16;
        let guess = self.pace().guess(time, self.count());
        let start = guess.saturating_sub(WINDOW / 2);
        let end = self.count().min(start + WINDOW);
        let before = (start..end).filter(|&index| self.time(index) <= time).count();
        let starts_early = before > 0 || start == 0;
        let ends_late = start + before < end || end == self.count();
        if starts_early && ends_late {
            (start + before).saturating_sub(1)
        } else {
            self.search_all(time)
        }
    }

    fn search_all(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.count());
        while low + 1 < high {
            let middle = low.midpoint(high);
            if self.time(middle) <= time { low = middle } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::KeyTimes;

    #[test]
    fn a_hint_never_changes_an_answer() {
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
    fn a_search_finds_what_looking_through_all_keys_finds() {
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
