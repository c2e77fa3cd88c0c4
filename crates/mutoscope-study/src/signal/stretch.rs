//! Runs of consecutive samples.

use std::ops::Range;

/// The fewest samples of a stretch that has kinematics: filters and jerk need some.
pub(crate) const FEWEST: usize = 10;

/// The maximal runs of indices below `count` for which `is_in` holds.
pub(crate) fn runs(count: usize, is_in: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in (0..count).filter(|index| is_in(*index)) {
        match runs.last_mut().filter(|last| last.end == index) {
            Some(last) => last.end += 1,
            None => runs.push(index..index + 1),
        }
    }
    runs
}

/// The part of `run` that is within `range`; empty if there is none.
pub(crate) fn common(run: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let start = run.start.max(range.start);
    start..run.end.min(range.end).max(start)
}
