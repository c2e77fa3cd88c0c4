//! Maps the times of two recordings to one clock.

use std::ops::RangeInclusive;

use crate::clip::Span;

/// The timing of a clip on a clock, such as the time of the recording that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The clock time at which the clip is at its own time 0, in seconds.
    pub offset: f64,
    /// The number of clip seconds per clock second; above 0.
    pub rate: f64,
}

impl Default for Timing {
    fn default() -> Self {
        Self { offset: 0.0, rate: 1.0 }
    }
}

impl Timing {
    /// Returns the clip time at `clock_time`, in seconds.
    pub fn to_clip_time(self, clock_time: f64) -> f64 {
        (clock_time - self.offset) * self.rate
    }

    /// Returns the clock time at `clip_time`, in seconds.
    pub fn to_clock_time(self, clip_time: f64) -> f64 {
        clip_time / self.rate + self.offset
    }

    /// Returns the clip times of a range of clock times, limited to the clip's `span`. Returns
    /// `None` if the range does not overlap the span.
    pub fn to_clip_range(
        self,
        range: &RangeInclusive<f64>,
        span: Span,
    ) -> Option<RangeInclusive<f64>> {
        let from = self.to_clip_time(*range.start()).max(span.start);
        let to = self.to_clip_time(*range.end()).min(span.end());
        (from <= to).then_some(from..=to)
    }

    /// Returns this timing on the clock of a recording that has the timing `base`.
    #[must_use]
    pub fn relative_to(self, base: Self) -> Self {
        Self { offset: (self.offset - base.offset) * base.rate, rate: self.rate / base.rate }
    }

    /// Converts this timing from the clock of a recording with the timing `base` to the clock that
    /// `base` refers to. This is the inverse of [`Self::relative_to`].
    #[must_use]
    pub fn on_clock_of(self, base: Self) -> Self {
        Self { offset: base.to_clock_time(self.offset), rate: self.rate * base.rate }
    }

    /// Returns the range of clock times at which both clips play, or `None` if they never play
    /// together. The clock is the time of the first clip, and the second clip has this timing.
    pub fn common_range(self, first: Span, second: Span) -> Option<RangeInclusive<f64>> {
        let from = first.start.max(self.to_clock_time(second.start));
        let to = first.end().min(self.to_clock_time(second.end()));
        (from <= to).then_some(from..=to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timing_maps_between_clip_and_clock() {
        let timing = Timing { offset: 2.0, rate: 0.5 };
        assert_eq!(timing.to_clip_time(2.0), 0.0);
        assert_eq!(timing.to_clip_time(4.0), 1.0);
        assert_eq!(timing.to_clock_time(timing.to_clip_time(3.7)), 3.7);
        let (first, second) =
            (Span { start: 1.0, duration: 4.0 }, Span { start: 0.0, duration: 1.0 });
        assert_eq!(timing.common_range(first, second), Some(2.0..=4.0));
        let base = Timing { offset: -3.0, rate: 4.0 };
        let relative = timing.relative_to(base);
        assert_eq!(relative.to_clip_time(base.to_clip_time(5.5)), timing.to_clip_time(5.5));
        assert_eq!(relative.on_clock_of(base), timing);
        let late = Timing { offset: 9.0, ..timing };
        assert_eq!(late.common_range(first, second), None);
    }
}
