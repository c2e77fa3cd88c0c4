//! The extrapolation of curves before the first key and after the last.

/// The extrapolation of a curve before its first key, or after its last.
///
/// The names in other programs are given with each variant.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Extrapolation {
    /// Keeps the value of the key at that end. Unity: Default, Once, Clamp, ClampForever.
    #[default]
    Constant,
    /// Continues in a straight line. Maya: `linear`.
    Linear {
        /// Value per second.
        slope: f64,
    },
    /// Repeats. Unity: Loop.
    Cycle,
    /// Repeats, each time with the offset of the previous end. Maya: `cycleRelative`.
    CycleWithOffset,
    /// Plays back and forth. Unity: PingPong.
    Oscillate,
}

/// How times are distinguished, and whole repetitions of a curve are counted.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Counting {
    /// In seconds: where two repetitions meet, the later one is used.
    #[default]
    Seconds,
    /// In whole ticks, this many a second, so that rounding does not decide on which side of a key
    /// a time is, or to which of two repetitions it belongs: it is the one farther from the keys.
    /// This is Maya's rule.
    Ticks(f64),
}

impl Counting {
    /// The seconds within which two times are equal.
    pub(super) fn slack(self) -> f64 {
        match self {
            Self::Seconds => 0.0,
            Self::Ticks(rate) => 0.5 / rate,
        }
    }
}

/// A time outside of a curve's keys, wrapped into them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Folded {
    /// Within the first and the last key.
    pub time: f64,
    /// The number of repetitions between the two: negative before the first key.
    pub lengths: f64,
}

impl Extrapolation {
    /// Wraps `time`, which is outside of `first..=last`, into it.
    ///
    /// A curve of no length has nothing to repeat and stays constant.
    pub(super) fn fold(self, time: f64, first: f64, last: f64, counting: Counting) -> Folded {
        let length = last - first;
        let repeats = length > 0.0 && time.is_finite();
        match (self, counting) {
            (Self::Constant | Self::Linear { .. }, _) => Folded::end(time, first, last),
            _ if !repeats => Folded::end(time, first, last),
            (_, Counting::Ticks(rate)) => self.fold_in_ticks(time, first, last, rate),
            (Self::Cycle | Self::CycleWithOffset, Counting::Seconds) => Folded {
                time: first + (time - first).rem_euclid(length),
                lengths: (time - first).div_euclid(length),
            },
            (Self::Oscillate, Counting::Seconds) => {
                let phase = (time - first).rem_euclid(2.0 * length);
                Folded { time: last - (length - phase).abs(), lengths: 0.0 }
            }
        }
    }

    fn fold_in_ticks(self, time: f64, first: f64, last: f64, rate: f64) -> Folded {
        let length = last - first;
        let is_before = time < first;
        let distance = if is_before { first - time } else { time - last };
        let whole = ((distance * rate).round() / (length * rate).round()).floor();
        if !whole.is_finite() {
            return Folded::end(time, first, last);
        }
        let rest = (distance - whole * length).clamp(0.0, length);
        let forwards = match self {
            Self::Oscillate => (whole % 2.0 == 0.0) == is_before,
            _ => !is_before,
        };
        Folded {
            time: if forwards { first + rest } else { last - rest },
            lengths: if is_before { -(whole + 1.0) } else { whole + 1.0 },
        }
    }
}

impl Folded {
    /// The nearer end.
    fn end(time: f64, first: f64, last: f64) -> Self {
        Self { time: time.clamp(first, last), lengths: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counting::Seconds, Extrapolation::*, *};

    const FILM_TICKS: Counting = Counting::Ticks(141_120_000.0);

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
            for counting in [Seconds, FILM_TICKS] {
                let folded = extrapolation.fold(time, 1.0, 3.0, counting);
                assert_eq!(folded.time, expected, "{extrapolation:?} at {time}, {counting:?}");
            }
        }
        for counting in [Seconds, FILM_TICKS] {
            assert_eq!(Cycle.fold(5.0, 2.0, 2.0, counting).time, 2.0, "a curve of no length");
        }
    }

    #[test]
    fn repetitions_are_counted_away_from_the_keys() {
        for (time, lengths) in [(3.5, 1.0), (5.5, 2.0), (0.5, -1.0), (-1.5, -2.0)] {
            for counting in [Seconds, FILM_TICKS] {
                let folded = CycleWithOffset.fold(time, 1.0, 3.0, counting);
                assert_eq!(folded.lengths, lengths, "{time}, {counting:?}");
            }
        }
    }

    #[test]
    fn whole_repetitions_are_exact_in_ticks() {
        // Frames 1 to 24 of film: none of these times is a double.
        let (first, last) = (1.0 / 24.0, 24.0 / 24.0);
        for repetition in 1..5000 {
            let after = f64::from(24 + 23 * repetition) / 24.0;
            let folded = Cycle.fold(after, first, last, FILM_TICKS);
            assert!((folded.time - first).abs() < 1e-9, "{after}");
            let before = f64::from(1 - 23 * repetition) / 24.0;
            let folded = Cycle.fold(before, first, last, FILM_TICKS);
            assert!((folded.time - last).abs() < 1e-9, "{before}");
        }
    }
}
