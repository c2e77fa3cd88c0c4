//! What a curve does before its first key and after its last.

/// What a curve does before its first key, or after its last.
///
/// The names in other programs: Unity's wrap modes are given with each variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Extrapolation {
    /// Keeps the value of the key at that end. Unity: Default, Once, Clamp, ClampForever.
    #[default]
    Constant,
    /// Starts over. Unity: Loop.
    Cycle,
    /// Plays to and fro. Unity: PingPong.
    Oscillate,
}

impl Extrapolation {
    /// The time within `first..=last` that answers for `time`, which lies outside of it.
    ///
    /// A curve of no length has nothing to repeat and stays constant.
    pub fn fold(self, time: f64, first: f64, last: f64) -> f64 {
        let length = last - first;
        let repeats = length > 0.0 && time.is_finite();
        match self {
            Self::Cycle if repeats => first + (time - first).rem_euclid(length),
            Self::Oscillate if repeats => {
                let phase = (time - first).rem_euclid(2.0 * length);
                last - (length - phase).abs()
            }
            _ => time.clamp(first, last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_are_answered_by_times_inside() {
        use Extrapolation::{Constant, Cycle, Oscillate};
        let cases = [
            (Constant, -9.0, 1.0),
            (Constant, 9.0, 3.0),
            (Cycle, 0.0, 2.0),
            (Cycle, -2.5, 1.5),
            (Cycle, 3.5, 1.5),
            (Oscillate, 0.0, 2.0),
            (Oscillate, 3.5, 2.5),
            (Oscillate, -2.5, 1.5),
            (Cycle, f64::INFINITY, 3.0),
        ];
        for (extrapolation, time, expected) in cases {
            assert_eq!(extrapolation.fold(time, 1.0, 3.0), expected, "{extrapolation:?} at {time}");
        }
        assert_eq!(Cycle.fold(5.0, 2.0, 2.0), 2.0, "a curve of no length");
    }
}
