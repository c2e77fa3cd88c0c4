//! Evenly spaced sample times, and the samples within a range.

use std::ops::Range;

use mutoscope_core::clip::{EvenTimes, Span};

/// The tolerance of durations, in seconds. It absorbs rounding in `start + index / rate`.
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
    /// The end of the recording, in seconds.
    end: f64,
}

impl Grid {
    /// Creates the grid of a recording. `None` if the grid would have more than `max_count` times,
    /// or if `rate` is not positive.
    pub fn new(span: Span, rate: f64, max_count: usize) -> Option<Self> {
        let (start, end) = (span.start, span.end());
        let count = EvenTimes { start, rate_hz: rate }.last_index(end) + 1.0;
        let fits = rate > 0.0 && count >= 1.0 && count <= max_count as f64;
        fits.then_some(Self { start, rate, count: count as usize, end })
    }

    /// Creates a grid of `count` samples that begins at time 0.
    pub(crate) fn with_count(rate: f64, count: usize) -> Self {
        let end = count.saturating_sub(1) as f64 / rate;
        Self { start: 0.0, rate, count, end }
    }

    /// Returns the time of a sample, in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.times().time_snapped_to(self.end, index as u64)
    }

    /// Returns the last sample at or before `time`. `None` if `time` is before the first sample.
    pub(crate) fn last_sample_before(&self, time: f64) -> Option<usize> {
        let index = self.times().last_index(time);
        (index >= 0.0).then(|| (index as usize).min(self.count.saturating_sub(1)))
    }

    /// Returns the samples within `from..=to`, in seconds.
    pub fn samples_within(&self, from: f64, to: f64) -> Range<usize> {
        let count = self.count as f64;
        let first = self.times().first_index(from).clamp(0.0, count) as usize;
        let end = (self.times().last_index(to) + 1.0).clamp(0.0, count) as usize;
        first..end.max(first)
    }

    /// Returns how far a sample may lie outside of a range with this border, in seconds.
    pub(crate) fn tolerance_s(&self, border: f64) -> f64 {
        self.times().tolerance_s(border)
    }

    fn times(&self) -> EvenTimes {
        EvenTimes { start: self.start, rate_hz: self.rate }
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
        assert_eq!(grid.samples_within(f64::NAN, f64::NAN).len(), 0);
        assert_eq!(Grid::new(Span { start: 0.0, duration: 9.0 }, 60.0, 100), None);
        assert_eq!(Grid::new(Span::default(), 60.0, 100).map(|it| it.count), Some(1));
    }

    #[test]
    fn last_sample_belongs_to_the_whole_recording_but_not_beyond() {
        for (frames, rate) in [(62_u32, 30.0), (61, 24.0), (1000, 60.0), (4001, 120.0)] {
            let end = f64::from((f64::from(frames) / rate) as f32);
            for duration in [end, end - 1e-7, end + 1e-7] {
                let grid = Grid::new(Span { start: 0.0, duration }, rate, 10_000).expect("it fits");
                let last = frames as usize;
                assert_eq!(grid.samples_within(0.0, duration), 0..last + 1, "{frames} at {rate}");
                assert_eq!(grid.last_sample_before(duration), Some(last));
                assert!(grid.time(last) <= duration);
            }
        }
    }
}
