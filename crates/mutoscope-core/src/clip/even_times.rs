//! Evenly spaced times, and the tolerance with which a time belongs to a range.

/// Evenly spaced times: `start + index / rate_hz`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenTimes {
    /// The first time, in seconds.
    pub start: f64,
    /// The number of times per second; above 0.
    pub rate_hz: f64,
}

impl EvenTimes {
    /// Returns the time at `index`, in seconds.
    pub fn time(self, index: u64) -> f64 {
        self.start + index as f64 / self.rate_hz
    }

    /// Returns the index of the first time at or after `border`, within [`border_tolerance_s`]. The
    /// index is negative if the first time is later than `border`.
    pub fn first_index(self, border: f64) -> f64 {
        self.steps_until(border - self.tolerance_s(border)).ceil()
    }

    /// Returns the index of the last time at or before `border`, within [`border_tolerance_s`]. The
    /// index is negative if `border` is before the first time.
    pub fn last_index(self, border: f64) -> f64 {
        self.steps_until(border + self.tolerance_s(border)).floor()
    }

    /// Returns the time at `index`, in seconds, or `end` if only [`border_tolerance_s`] separates them.
    /// The first time is always exact.
    ///
    /// Beside the end of a recording, a looping curve begins again, and a stepped curve still has the
    /// value of the previous frame. Therefore a sample of the last frame must be exactly at the end.
    pub fn time_snapped_to(self, end: f64, index: u64) -> f64 {
        let time = self.time(index);
        let is_end = index > 0 && (time - end).abs() <= self.tolerance_s(end);
        if is_end { end } else { time }
    }

    /// Returns [`border_tolerance_s`] at a border of a range, in seconds.
    pub fn tolerance_s(self, border: f64) -> f64 {
        border_tolerance_s(border, self.rate_hz.recip())
    }

    fn steps_until(self, time: f64) -> f64 {
        (time - self.start) * self.rate_hz
    }
}

/// Returns how far a time may lie outside of a range whose border is at `border`, and still belong
/// to the range, in seconds. `step` is the distance between two times, in seconds.
///
/// Files and users round times: label files have whole milliseconds, and many formats store times as
/// f32. Without a tolerance, the last frame of a recording does not belong to a range that ends
/// there. The tolerance is at most a tenth of a step, so that it cannot change which frame is meant.
pub fn border_tolerance_s(border: f64, step: f64) -> f64 {
    const MILLISECOND_ROUNDING_S: f64 = 0.5e-3;
    const MAX_STEPS: f64 = 0.1;
    // Subtracting the start adds a rounding error, so allow a little more than half a millisecond.
    let rounding = (1.001 * MILLISECOND_ROUNDING_S).max(single_precision_error_s(border));
    rounding.min(MAX_STEPS * step)
}

/// Returns the largest error of a time that a file stores as an f32, in seconds.
pub fn single_precision_error_s(time: f64) -> f64 {
    f64::from(f32::EPSILON) * time.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_borders_include_their_frame() {
        let times = EvenTimes { start: 0.0, rate_hz: 30.0 };
        let frame = 61.0 / 30.0;
        for border in [frame, f64::from(frame as f32), 2.033_333, 2.0333, 2.033, 2.034] {
            let expected = if border == 2.034 { [62.0, 61.0] } else { [61.0, 61.0] };
            assert_eq!([times.first_index(border), times.last_index(border)], expected, "{border}");
        }
        assert_eq!([2.032, 2.03, 2.0].map(|border| times.last_index(border)), [60.0; 3]);
        assert_eq!((times.last_index(-0.11), times.first_index(-0.11)), (-4.0, -3.0));
        assert_eq!((times.last_index(-0.0003), times.first_index(0.0003)), (0.0, 0.0));
    }

    #[test]
    fn tolerance_grows_with_time_and_is_limited_by_the_step() {
        let start = 3600.0 * 24.0;
        let times = EvenTimes { start: 0.0, rate_hz: 24.0 };
        for frame in (0..240_u32).map(|frame| 24 * 3600 * 24 + frame) {
            let stored = f64::from((f64::from(frame) / 24.0) as f32);
            assert_eq!(times.last_index(stored), f64::from(frame));
        }
        assert!(border_tolerance_s(start, 1e-3) <= 1.001e-4);
        // A border in the middle between two times of 1 kHz includes only one of them.
        let fast = EvenTimes { start: 0.0, rate_hz: 1000.0 };
        assert_eq!((fast.last_index(1.0005), fast.first_index(1.0005)), (1000.0, 1001.0));
    }
}
