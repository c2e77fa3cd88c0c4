//! Two recordings on one clock.

use std::ops::RangeInclusive;

use crate::clip::Span;

/// The timing of a second recording on the clock of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The time of the first, in seconds, at which the second is at its own time 0.
    pub offset: f64,
    /// How many seconds of the second pass in one second of the first; above 0.
    pub rate: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self { offset: 0.0, rate: 1.0 }
    }
}

impl Timing {
    /// The time of the second recording when the first is at `time`, in seconds.
    pub fn second(self, time: f64) -> f64 {
        (time - self.offset) * self.rate
    }

    /// The time of the first recording when the second is at `time`, in seconds.
    pub fn first(self, time: f64) -> f64 {
        time / self.rate + self.offset
    }

    /// The times of the second recording, which has this span, that lie within a range of the first; nothing if there
    /// are none.
    pub fn within(self, range: &RangeInclusive<f64>, span: Span) -> Option<RangeInclusive<f64>> {
        let from = self.second(*range.start()).max(span.start);
        let to = self.second(*range.end()).min(span.end());
        (from <= to).then_some(from..=to)
    }

    /// The timing on the clock of `base`, of a recording with this timing on the clock that both are on.
    #[must_use]
    pub fn relative_to(self, base: Self) -> Self {
        Self { offset: (self.offset - base.offset) * base.rate, rate: self.rate / base.rate }
    }

    /// The timing on the clock that `base` is on, of a recording with this timing on the clock of
    /// `base` itself: the inverse of [`Self::relative_to`].
    #[must_use]
    pub fn on_clock_of(self, base: Self) -> Self {
        Self { offset: base.first(self.offset), rate: self.rate * base.rate }
    }

    /// The times of the first recording at which both play; nothing if they never do together.
    pub fn common(self, first: Span, second: Span) -> Option<RangeInclusive<f64>> {
        let from = first.start.max(self.first(second.start));
        let to = first.end().min(self.first(second.end()));
        (from <= to).then_some(from..=to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timing_maps_between_clip_and_clock() {
        let timing = Timing { offset: 2.0, rate: 0.5 };
        assert_eq!(timing.second(2.0), 0.0);
        assert_eq!(timing.second(4.0), 1.0);
        assert_eq!(timing.first(timing.second(3.7)), 3.7);
        let (first, second) =
            (Span { start: 1.0, duration: 4.0 }, Span { start: 0.0, duration: 1.0 });
        assert_eq!(timing.common(first, second), Some(2.0..=4.0));
        let base = Timing { offset: -3.0, rate: 4.0 };
        let relative = timing.relative_to(base);
        assert_eq!(relative.second(base.second(5.5)), timing.second(5.5));
        assert_eq!(relative.on_clock_of(base), timing);
        let late = Timing { offset: 9.0, ..timing };
        assert_eq!(late.common(first, second), None);
    }
}
