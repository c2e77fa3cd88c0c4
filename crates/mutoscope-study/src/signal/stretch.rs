//! Finds runs of consecutive samples.

use std::ops::Range;

/// Shorter stretches have no kinematics, because the filter reflects 9 samples at each end.
pub(crate) const MIN_STRETCH_SAMPLES: usize = 10;

pub(crate) fn find_runs(count: usize, is_in: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for index in (0..count).filter(|index| is_in(*index)) {
        match runs.last_mut().filter(|last| last.end == index) {
            Some(last) => last.end += 1,
            None => runs.push(index..index + 1),
        }
    }
    runs
}

pub(crate) fn intersect(run: &Range<usize>, range: &Range<usize>) -> Range<usize> {
    let start = run.start.max(range.start);
    start..run.end.min(range.end).max(start)
}
