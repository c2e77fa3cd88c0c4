//! Extrapolation of curves before the first key and after the last key.

/// The extrapolation of a curve before its first key or after its last key.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Extrapolation {
    /// Keeps the value of the first or last key. Unity: Default, Once, Clamp, ClampForever.
    #[default]
    Constant,
    /// Continues along a straight line. Maya: `linear`.
    Linear {
        /// The slope in value per second.
        slope: f64,
    },
    /// Repeats the curve. Unity: Loop.
    Cycle,
    /// Repeats the curve, shifted in value so that it continues where the repetition before ended.
    /// Maya: `cycleRelative`.
    CycleWithOffset,
    /// Plays the curve alternately backwards and forwards. Unity: PingPong.
    Oscillate,
}

/// The resolution of time. It decides whether a time equals the time of a key, and which repetition
/// of a curve a time belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum TimeResolution {
    /// Times are exact. At the boundary of two repetitions, the later one is used.
    #[default]
    Continuous,
    /// Times are rounded to ticks, with this number of ticks per second. At the boundary of two
    /// repetitions, the one farther from the keys is used.
    ///
    /// This is Maya's rule. Without rounding, floating-point errors would decide whether a time is
    /// before or after a key or a boundary.
    Ticks(f64),
}

impl TimeResolution {
    pub(super) fn tolerance_s(self) -> f64 {
        match self {
            Self::Continuous => 0.0,
            Self::Ticks(rate) => 0.5 / rate,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WrappedTime {
    /// The corresponding time between the first and the last key.
    pub time: f64,
    /// The number of curve durations from `time` to the original time. Negative before the first
    /// key.
    pub repetitions: f64,
}

impl Extrapolation {
    /// Maps `time`, which is outside of `first..=last`, into that range. A curve of duration 0 has
    /// nothing to repeat and stays constant.
    pub(super) fn wrap_time(
        self,
        time: f64,
        first: f64,
        last: f64,
        counting: TimeResolution,
    ) -> WrappedTime {
        let length = last - first;
        let is_repeatable = length > 0.0 && time.is_finite();
        match (self, counting) {
            (Self::Constant | Self::Linear { .. }, _) => WrappedTime::clamped(time, first, last),
            _ if !is_repeatable => WrappedTime::clamped(time, first, last),
            (_, TimeResolution::Ticks(rate)) => self.wrap_time_in_ticks(time, first, last, rate),
            (Self::Cycle | Self::CycleWithOffset, TimeResolution::Continuous) => WrappedTime {
                time: first + (time - first).rem_euclid(length),
                repetitions: (time - first).div_euclid(length),
            },
            (Self::Oscillate, TimeResolution::Continuous) => {
                let phase = (time - first).rem_euclid(2.0 * length);
                WrappedTime { time: last - (length - phase).abs(), repetitions: 0.0 }
            }
        }
    }

    fn wrap_time_in_ticks(self, time: f64, first: f64, last: f64, rate: f64) -> WrappedTime {
        let length = last - first;
        let is_before_first = time < first;
        let distance = if is_before_first { first - time } else { time - last };
        let repetitions = ((distance * rate).round() / (length * rate).round()).floor();
        if !repetitions.is_finite() {
            return WrappedTime::clamped(time, first, last);
        }
        let remainder = (distance - repetitions * length).clamp(0.0, length);
        let is_forward = match self {
            Self::Oscillate => (repetitions % 2.0 == 0.0) == is_before_first,
            _ => !is_before_first,
        };
        WrappedTime {
            time: if is_forward { first + remainder } else { last - remainder },
            repetitions: if is_before_first { -(repetitions + 1.0) } else { repetitions + 1.0 },
        }
    }
}

impl WrappedTime {
    fn clamped(time: f64, first: f64, last: f64) -> Self {
        Self { time: time.clamp(first, last), repetitions: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Extrapolation::*, TimeResolution::Continuous, *};

    const FILM_TICKS: TimeResolution = TimeResolution::Ticks(141_120_000.0);

    #[test]
    fn outside_times_are_wrapped_into_the_keys() {
        let cases = [
            (Constant, -9.0, 1.0),
            (Constant, 9.0, 3.0),
            (Linear { slope: 2.0 }, 9.0, 3.0),
            (Cycle, 0.0, 2.0),
            (Cycle, -2.5, 1.5),
            (Cycle, 3.5, 1.5),
            (CycleWithOffset, 3.5, 1.5),
            (Oscillate, 0.0, 2.0),
            (Oscillate, 3.5, 2.5),
            (Oscillate, -2.5, 1.5),
            (Cycle, f64::INFINITY, 3.0),
        ];
        for (extrapolation, time, expected) in cases {
            for counting in [Continuous, FILM_TICKS] {
                let wrapped = extrapolation.wrap_time(time, 1.0, 3.0, counting);
                assert_eq!(wrapped.time, expected, "{extrapolation:?} at {time}, {counting:?}");
            }
        }
        for counting in [Continuous, FILM_TICKS] {
            assert_eq!(Cycle.wrap_time(5.0, 2.0, 2.0, counting).time, 2.0, "a curve of no length");
        }
    }

    #[test]
    fn repetitions_are_counted_away_from_the_keys() {
        for (time, lengths) in [(3.5, 1.0), (5.5, 2.0), (0.5, -1.0), (-1.5, -2.0)] {
            for counting in [Continuous, FILM_TICKS] {
                let wrapped = CycleWithOffset.wrap_time(time, 1.0, 3.0, counting);
                assert_eq!(wrapped.repetitions, lengths, "{time}, {counting:?}");
            }
        }
    }

    #[test]
    fn whole_repetitions_are_exact_in_ticks() {
        // Film frames 1 to 24: most of these times have no exact f64 representation.
        let (first, last) = (1.0 / 24.0, 24.0 / 24.0);
        for repetition in 1..5000 {
            let after = f64::from(24 + 23 * repetition) / 24.0;
            let wrapped = Cycle.wrap_time(after, first, last, FILM_TICKS);
            assert!((wrapped.time - first).abs() < 1e-9, "{after}");
            let before = f64::from(1 - 23 * repetition) / 24.0;
            let wrapped = Cycle.wrap_time(before, first, last, FILM_TICKS);
            assert!((wrapped.time - last).abs() < 1e-9, "{before}");
        }
    }
}
