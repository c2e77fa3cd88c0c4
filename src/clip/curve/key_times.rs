//! The times of keys, and finding one's way among them.

use std::sync::Arc;

/// The times of a curve's keys in seconds: finite, ascending, equal neighbours allowed.
///
/// Cheap to clone; curves that were keyed together hold clones of the same times, which
/// [`KeyTimes::is_shared_with`] tells without looking at them.
#[derive(Clone, Debug, Default)]
pub struct KeyTimes(Arc<[f64]>);

/// Remembers the key times that were made last, for curves that were keyed together to share.
#[derive(Clone, Debug, Default)]
pub struct KeyTimesPool {
    recent: Vec<KeyTimes>,
    next: usize,
}

impl KeyTimesPool {
    /// How many different lists of key times are remembered.
    ///
    /// What is keyed together stands together in files, if in turns: a joint's positions share one
    /// list and its rotations another.
    const REMEMBERED: usize = 4;

    /// Key times with these values in seconds, finite and ascending: ones already made if there
    /// are such among the recent.
    ///
    /// # Panics
    /// If `times` are not finite and ascending.
    pub fn share(&mut self, times: &[f64]) -> KeyTimes {
        if let Some(known) = self.recent.iter().find(|known| known.as_slice() == times) {
            return known.clone();
        }
        let made = KeyTimes::new(times).expect("key times are finite and ascending");
        if self.recent.len() < Self::REMEMBERED {
            self.recent.push(made.clone());
        } else {
            self.recent[self.next] = made.clone();
            self.next = (self.next + 1) % Self::REMEMBERED;
        }
        made
    }
}

/// Where the last search among some [`KeyTimes`] ended, to begin the next one from.
///
/// A hint never changes an answer, only how soon it is found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint {
    guess: u32,
    second_guess: u32,
}

impl Hint {
    /// This hint, with `neighbour` as a second guess: curves that were keyed alike end their
    /// searches alike.
    pub fn or(self, neighbour: Self) -> Self {
        Self { second_guess: neighbour.guess, ..self }
    }
}

/// A time among keys: `part` of the way, within 0..=1, from key `left` to key `right`.
///
/// Before the first key and after the last, both are that key and `part` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The index of the last key at or before the time.
    pub left: usize,
    /// The index of the key after it.
    pub right: usize,
    /// How much of the way lies behind.
    pub part: f64,
}

/// Why a list of times cannot be key times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("key time {index} is not finite or lies before the one before it")]
pub struct KeyTimesError {
    /// The index of the first time that breaks the rule.
    pub index: usize,
}

impl KeyTimes {
    /// Takes `times`, in seconds.
    ///
    /// # Errors
    /// If a time is not finite or lies before the one before it.
    pub fn new(times: impl Into<Arc<[f64]>>) -> Result<Self, KeyTimesError> {
        let times = times.into();
        let unsorted = times.windows(2).position(|pair| pair[0] > pair[1]).map(|index| index + 1);
        let unusable = times.iter().position(|time| !time.is_finite());
        match unusable.or(unsorted) {
            Some(index) => Err(KeyTimesError { index }),
            None => Ok(Self(times)),
        }
    }

    /// The times as a slice.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Whether `other` is a clone of these times.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The first and the last time, if there is any.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((*self.0.first()?, *self.0.last()?))
    }

    /// The index of the last key at or before `time`, or of the first key if there is none.
    ///
    /// Of keys at the same time the later one wins. Times in the segment of the last search, or
    /// in the one after it, are found without searching.
    ///
    /// # Panics
    /// If there are no keys.
    pub fn key_at(&self, time: f64, hint: &mut Hint) -> usize {
        assert!(!self.0.is_empty(), "a search among no keys");
        let guess = hint.guess as usize;
        let guesses = [guess, hint.second_guess as usize, guess + 1];
        let found = guesses
            .into_iter()
            .find(|&guess| self.holds(guess, time))
            .unwrap_or_else(|| self.0.partition_point(|&key| key <= time).saturating_sub(1));
        hint.guess = found as u32;
        found
    }

    /// Where `time` falls among the keys, constant outside of them.
    ///
    /// # Panics
    /// If there are no keys.
    pub fn spot(&self, time: f64, hint: &mut Hint) -> Spot {
        let left = self.key_at(time, hint);
        let start = self.0[left];
        match self.0.get(left + 1) {
            Some(&end) if time > start => {
                Spot { left, right: left + 1, part: (time - start) / (end - start) }
            }
            _ => Spot { left, right: left, part: 0.0 },
        }
    }

    /// Whether the segment that starts at key `index` holds `time`.
    fn holds(&self, index: usize, time: f64) -> bool {
        match (self.0.get(index), self.0.get(index + 1)) {
            (Some(&start), Some(&end)) => start <= time && time < end,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_never_changes_an_answer() {
        let times = KeyTimes::new(vec![-1.0, 0.0, 0.0, 2.0, 5.0]).unwrap();
        let answers =
            [(-9.0, 0), (-1.0, 0), (-0.5, 0), (0.0, 2), (1.9, 2), (2.0, 3), (5.0, 4), (9.0, 4)];
        for (time, expected) in answers {
            for guess in 0..7 {
                assert_eq!(
                    times.key_at(time, &mut Hint { guess, second_guess: 6 - guess }),
                    expected,
                    "{time} from {guess}"
                );
            }
        }
    }

    #[test]
    fn times_must_be_finite_and_ascending() {
        let cases = [
            (vec![], None),
            (vec![1.0, 1.0, 2.0], None),
            (vec![1.0, 3.0, 2.0], Some(2)),
            (vec![f64::NAN], Some(0)),
            (vec![0.0, f64::INFINITY], Some(1)),
        ];
        for (times, wrong) in cases {
            let result = KeyTimes::new(times.clone());
            assert_eq!(result.err().map(|error| error.index), wrong, "{times:?}");
        }
    }
}
