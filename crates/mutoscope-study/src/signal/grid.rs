//! Even times, and which of them are within a range.

use std::ops::Range;

use mutoscope_core::clip::Span;

/// The slack at the ends of a range, in seconds.
pub(crate) const SLACK: f64 = 1e-9;

/// Even times from the start of a recording to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// The first time, in seconds.
    pub start: f64,
    /// Samples per second; above 0.
    pub rate: f64,
    /// The number of times.
    pub count: usize,
}

impl Grid {
    /// The grid of a recording; at most `most` times. `None` if there are more: `rate` is too high for it.
    pub fn new(span: Span, rate: f64, most: usize) -> Option<Self> {
        let count = (span.duration * rate + 0.001).floor() + 1.0;
        let fits = rate > 0.0 && count >= 1.0 && count <= most as f64;
        fits.then_some(Self { start: span.start, rate, count: count as usize })
    }

    /// The time of a sample, in seconds.
    pub fn time(&self, index: usize) -> f64 {
        self.start + index as f64 / self.rate
    }

    /// The last sample that is not after `time`, up to a thousandth of a step.
    pub(crate) fn floor(&self, time: f64) -> Option<usize> {
        let index = ((time - self.start) * self.rate + 0.001).floor();
        (index >= 0.0).then(|| (index as usize).min(self.count.saturating_sub(1)))
    }

    /// The samples within `from..=to`, in seconds.
    pub fn within(&self, from: f64, to: f64) -> Range<usize> {
        let index =
            |time: f64| ((time - self.start) * self.rate).clamp(0.0, self.count as f64) as usize;
        let mut first = index(from).saturating_sub(1);
        while first < self.count && self.time(first) < from - SLACK {
            first += 1;
        }
        let mut end = index(to).saturating_sub(1).max(first);
        while end < self.count && self.time(end) <= to + SLACK {
            end += 1;
        }
        first..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_at_the_ends_of_a_range_belong_to_it() {
        let grid = Grid::new(Span { start: 2.0, duration: 1.0 }, 60.0, 100).expect("it fits");
        assert_eq!((grid.count, grid.time(60)), (61, 3.0));
        assert_eq!(grid.within(2.0, 3.0), 0..61);
        assert_eq!(grid.within(2.5, 2.5), 30..31);
        assert_eq!(grid.within(2.0 + 1.0 / 60.0 + 5e-10, 2.05), 1..4);
        assert_eq!(grid.within(-5.0, 1.9), 0..0);
        assert_eq!(grid.within(4.0, 9.0), 61..61);
        assert_eq!(Grid::new(Span { start: 0.0, duration: 9.0 }, 60.0, 100), None);
        assert_eq!(Grid::new(Span::default(), 60.0, 100).map(|it| it.count), Some(1));
    }
}
