//! The times of keys.

use std::sync::Arc;

use super::search::{KeySearch, KeyTimeIndex};

/// The times of a curve's keys in seconds: finite and ascending. Neighbouring times may be equal.
///
/// Clones are cheap. Curves that are keyed together contain clones of the same times, and
/// [`KeyTimes::is_shared_with`] detects this without comparing the times.
#[derive(Clone, Debug, Default)]
pub struct KeyTimes {
    times: Arc<[f64]>,
    time_index: KeyTimeIndex,
}

/// A pool that lets curves share equal key times.
#[derive(Clone, Debug, Default)]
pub struct KeyTimesPool {
    recent: Vec<KeyTimes>,
    next_slot: usize,
}

impl KeyTimesPool {
    /// The number of recent key times to compare with.
    ///
    /// Curves that are keyed together are close to each other in files, but may alternate: the
    /// positions of a joint share one list of times, and its rotations another.
    const MAX_RECENT: usize = 4;

    /// Returns key times with these values, in seconds. Returns a clone of recent key times if they
    /// are equal.
    ///
    /// # Panics
    /// If `times` are not finite and ascending.
    pub fn share(&mut self, times: impl AsRef<[f64]> + Into<Arc<[f64]>>) -> KeyTimes {
        if let Some(known) = self.recent.iter().find(|known| known.as_slice() == times.as_ref()) {
            return known.clone();
        }
        let created = KeyTimes::new(times).expect("key times are finite and ascending");
        if self.recent.len() < Self::MAX_RECENT {
            self.recent.push(created.clone());
        } else {
            self.recent[self.next_slot] = created.clone();
            self.next_slot = (self.next_slot + 1) % Self::MAX_RECENT;
        }
        created
    }
}

/// The error for times that are not finite and ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("key time {index} is not finite, or is before the previous one")]
pub struct KeyTimesError {
    /// The index of the first invalid time.
    pub index: usize,
}

impl KeyTimes {
    /// Creates key times from `times`, in seconds.
    ///
    /// # Errors
    /// If a time is not finite, or is before its predecessor.
    pub fn new(times: impl Into<Arc<[f64]>>) -> Result<Self, KeyTimesError> {
        let times = times.into();
        let unsorted = times.windows(2).position(|pair| pair[0] > pair[1]).map(|index| index + 1);
        let non_finite = times.iter().position(|time| !time.is_finite());
        match non_finite.or(unsorted) {
            Some(index) => Err(KeyTimesError { index }),
            None => Ok(Self { time_index: KeyTimeIndex::new(&times), times }),
        }
    }

    /// Returns the times in seconds.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.times
    }

    /// Returns `true` if the two are clones of the same key times. Returns `false` for equal times
    /// that were created separately.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.times, &other.times)
    }

    /// Returns `true` if no two times are equal.
    pub(crate) fn are_unique(&self) -> bool {
        self.times.is_sorted_by(|a, b| a < b)
    }

    /// Returns the first and the last time in seconds, or `None` if there are no keys.
    pub fn first_and_last(&self) -> Option<(f64, f64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }
}

impl KeySearch for KeyTimes {
    #[inline]
    fn count(&self) -> usize {
        self.times.len()
    }

    #[inline]
    fn time(&self, index: usize) -> f64 {
        self.times[index]
    }

    #[inline]
    fn time_index(&self) -> &KeyTimeIndex {
        &self.time_index
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
        for (times, first_invalid) in cases {
            let result = KeyTimes::new(times.clone());
            assert_eq!(result.err().map(|error| error.index), first_invalid, "{times:?}");
        }
    }
}
