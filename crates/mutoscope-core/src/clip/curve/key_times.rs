//! The times of keys.

use std::sync::Arc;

use super::search::{Keyed, Steps};

/// The times of a curve's keys in seconds: finite, ascending, equal neighbours allowed.
///
/// Cheap to clone; curves that were keyed together hold clones of the same times, which
/// [`KeyTimes::is_shared_with`] tells without looking at them.
#[derive(Clone, Debug, Default)]
pub struct KeyTimes {
    times: Arc<[f64]>,
    steps: Steps,
}

/// Remembers the key times that were made last, for curves that were keyed together to share.
#[derive(Clone, Debug, Default)]
pub struct KeyTimesPool {
    recent: Vec<KeyTimes>,
    next: usize,
}

impl KeyTimesPool {
    /// How many different lists of key times are remembered.
    ///
    /// Curves that are keyed together are near each other in files, if in turns: a joint's
    /// positions share one list and its rotations another.
    const REMEMBERED: usize = 4;

    /// Key times with these values in seconds: ones already made if there are such among the
    /// recent.
    ///
    /// # Panics
    /// If `times` are not finite and ascending.
    pub fn share(&mut self, times: impl AsRef<[f64]> + Into<Arc<[f64]>>) -> KeyTimes {
        if let Some(known) = self.recent.iter().find(|known| known.as_slice() == times.as_ref()) {
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

/// The error for times that cannot be key times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("key time {index} is not finite, or is before the previous one")]
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
            None => Ok(Self { steps: Steps::new(&times), times }),
        }
    }

    /// The times as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.times
    }

    /// Whether `other` is a clone of these times.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.times, &other.times)
    }

    /// The first and the last time, if there is any.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }
}

impl Keyed for KeyTimes {
    #[inline]
    fn count(&self) -> usize {
        self.times.len()
    }

    #[inline]
    fn time(&self, index: usize) -> f64 {
        self.times[index]
    }

    #[inline]
    fn steps(&self) -> &Steps {
        &self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
