//! Evenly spaced sample times, and the samples within a range.

use std::ops::Range;

use mutoscope_core::clip::Span;

/// The tolerance at the ends of a range, in seconds. It absorbs rounding in `start + index / rate`.
pub(crate) const TIME_TOLERANCE_S: f64 = 1e-9;

/// Evenly spaced times from the start of a recording to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The first time, in seconds.
    pub start: f64,
    /// The number of samples per second; above 0.
    pub rate: f64,
    /// The number of samples.
    pub count: usize,
}

impl Grid {
    /// Creates the grid of a recording. `None` if the grid would have more than `max_count` times,
    /// or if `rate` is not positive.
    pub fn new(span: Span, rate: f64, max_count: usize) -> Option<Self> {
        let count = (span.duration * rate + 0.001).floor() + 1.0;
        let fits = rate > 0.0 && count >= 1.0 && count <= max_count as f64;
        fits.then_some(Self { start: span.start, rate, count: count as usize })
    }

    /// Returns the time of a sample, in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.start + index as f64 / self.rate
    }

    /// Returns the last sample at or before `time`, with a tolerance of a thousandth of a step.
    /// `None` if `time` is before the first sample.
    pub(crate) fn last_sample_before(&self, time: f64) -> Option<usize> {
        let index = ((time - self.start) * self.rate + 0.001).floor();
        (index >= 0.0).then(|| (index as usize).min(self.count.saturating_sub(1)))
    }

    /// Returns the samples within `from..=to`, in seconds.
    pub fn samples_within(&self, from: f64, to: f64) -> Range<usize> {
        let index =
            |time: f64| ((time - self.start) * self.rate).clamp(0.0, self.count as f64) as usize;
        let mut first = index(from).saturating_sub(1);
        while first < self.count && self.time(first) < from - TIME_TOLERANCE_S {
            first += 1;
        }
        let mut end = index(to).saturating_sub(1).max(first);
        while end < self.count && self.time(end) <= to + TIME_TOLERANCE_S {
            end += 1;
        }
        first..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_at_both_ends_of_a_range_are_included() {
        let grid = Grid::new(Span { start: 2.0, duration: 1.0 }, 60.0, 100).expect("it fits");
        assert_eq!((grid.count, grid.time(60)), (61, 3.0));
        assert_eq!(grid.samples_within(2.0, 3.0), 0..61);
        assert_eq!(grid.samples_within(2.5, 2.5), 30..31);
        assert_eq!(grid.samples_within(2.0 + 1.0 / 60.0 + 5e-10, 2.05), 1..4);
        assert_eq!(grid.samples_within(-5.0, 1.9), 0..0);
        assert_eq!(grid.samples_within(4.0, 9.0), 61..61);
        assert_eq!(Grid::new(Span { start: 0.0, duration: 9.0 }, 60.0, 100), None);
        assert_eq!(Grid::new(Span::default(), 60.0, 100).map(|it| it.count), Some(1));
    }
}
