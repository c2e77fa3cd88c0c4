//! Shapes of the curve between two keys, for formats in which each segment has its own.

use super::cubic;

/// The curve between one key and the next, in the terms of the keys' own values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// The value of the key before it holds.
    Step,
    /// The value of the key after it holds, from right after the key before. Maya: `stepnext`.
    StepNext,
    /// A straight line.
    Linear,
    /// The cubic with these slopes at its ends, in value per second.
    Hermite {
        /// At the key before it.
        out_slope: f64,
        /// At the key after it.
        in_slope: f64,
    },
    /// The Bezier in value, with uniform time. Control values are values, not distances from a key.
    EvenBezier {
        /// The control value after the key before it.
        out_value: f64,
        /// The control value before the key after it.
        in_value: f64,
    },
    /// A Bezier weighted in time and value.
    ///
    /// # Invariants
    /// Its time runs forwards throughout: see [`Segment::weighted`].
    Bezier {
        /// From the key before it, forwards.
        out_handle: Handle,
        /// From the key after it, backwards.
        in_handle: Handle,
    },
}

/// A handle of a Bezier: from its key towards the other end of the segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// How much of the segment's duration it spans.
    pub part: f64,
    /// How far the curve's value would change along it in the direction of time.
    pub rise: f64,
}

/// The margin that keeps handles from the limit beyond which time would run backwards.
const EDGE: f64 = 1e-10;

/// How close handles have to be to a third of the segment for its time to be uniform.
const EVENLY: f64 = 1e-6;

impl Segment {
    /// The Bezier with these handles. Where they would let time run backwards they are shortened,
    /// as Maya does; where they span a third each it is a cubic by slope.
    ///
    /// Shortening keeps directions. It shortens the handle before the following key first, unless
    /// the other alone is too long for any length of the former.
    pub fn weighted(out_handle: Handle, in_handle: Handle, duration: f64) -> Self {
        let (out_handle, in_handle) = (out_handle.forwards(), in_handle.forwards());
        let (p, q) = monotone(out_handle.part, in_handle.part);
        let (out_handle, in_handle) = (out_handle.resized(p), in_handle.resized(q));
        let evenly = |part: f64| (part - 1.0 / 3.0).abs() < EVENLY;
        if evenly(p) && evenly(q) {
            let slope = |handle: Handle| 3.0 * handle.rise / duration;
            Self::Hermite { out_slope: slope(out_handle), in_slope: slope(in_handle) }
        } else {
            Self::Bezier { out_handle, in_handle }
        }
    }

    /// Its value between keys of the values `left` and `right`, `part` of its `duration`, in
    /// seconds, after the former; exact at that key.
    pub(super) fn evaluate(&self, left: f64, right: f64, duration: f64, part: f64) -> f64 {
        if part == 0.0 {
            return left;
        }
        match *self {
            Self::Step => left,
            Self::StepNext => right,
            Self::Linear => cubic::linear(left, right, part),
            Self::Hermite { out_slope, in_slope } => {
                cubic::hermite((left, out_slope), (right, in_slope), duration, part)
            }
            Self::EvenBezier { out_value, in_value } => {
                cubic::bernstein(left, out_value, in_value, right, part)
            }
            Self::Bezier { out_handle, in_handle } => {
                let (p1, p2) = (out_handle.part, 1.0 - in_handle.part);
                let u = cubic::monotone_bezier_parameter(p1, p2, part);
                cubic::bernstein(left, left + out_handle.rise, right - in_handle.rise, right, u)
            }
        }
    }
}

impl Handle {
    /// The same, standing upright if it pointed away from the segment.
    fn forwards(self) -> Self {
        Self { part: self.part.max(0.0), ..self }
    }

    /// The same direction, spanning `part` of the segment.
    fn resized(self, part: f64) -> Self {
        if part == self.part || self.part == 0.0 {
            return Self { part, ..self };
        }
        Self { part, rise: self.rise * part / self.part }
    }
}

/// The parts of a segment that its two handles may span, given those they ask for, so that the
/// time of the Bezier never runs backwards.
///
/// With control points at 0, p, 1 − q and 1 the derivative has no sign change within 0..=1 unless
/// the point (p, q) lies beyond both 1 and the ellipse (p + q)² − pq − 2 (p + q) + 1 = 0.
fn monotone(p: f64, q: f64) -> (f64, f64) {
    const LONGEST: f64 = 4.0 / 3.0;
    let ellipse = p * (p - 2.0 + q) + q * (q - 2.0) + 1.0;
    if (p <= 1.0 && q <= 1.0) || ellipse <= 0.0 {
        return (p, q);
    }
    if p >= LONGEST {
        return (LONGEST, 1.0 / 3.0);
    }
    // Where the ellipse has this p.
    let half_width = 0.5 * (p * (4.0 - 3.0 * p)).sqrt();
    let middle = 0.5 * (2.0 - p);
    let (low, high) = (middle - half_width, middle + half_width);
    if q > high {
        (p, high - EDGE)
    } else if q < low {
        (p, low + EDGE)
    } else {
        (p, q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use mutoscope_testing::chance::always;

    fn handle(part: f64, rise: f64) -> Handle {
        Handle { part, rise }
    }

    #[test]
    fn one_third_handles_equal_a_hermite_cubic() {
        let third = 1.0 / 3.0;
        let made = Segment::weighted(handle(third, 2.0), handle(third, -1.0), 0.5);
        assert_eq!(made, Segment::Hermite { out_slope: 12.0, in_slope: -6.0 });
    }

    #[test]
    fn valid_handles_are_unchanged() {
        for (p, q) in [(0.0, 0.0), (1.0, 1.0), (0.3, 0.9), (1.2, 0.4), (4.0 / 3.0, 1.0 / 3.0)] {
            assert_eq!(monotone(p, q), (p, q));
        }
    }

    #[test]
    fn limited_handles_keep_time_monotone_and_directions() {
        always(|chance| {
            let [p, q] = [(); 2].map(|()| chance.within(-1.0, 5.0));
            let rise = chance.within(0.1, 9.0);
            let segment = Segment::weighted(handle(p, rise), handle(q, rise), 1.0);
            let Segment::Bezier { out_handle: out, in_handle } = segment else { return };
            let time = |u: f64| cubic::bernstein(0.0, out.part, 1.0 - in_handle.part, 1.0, u);
            let mut last = 0.0;
            for step in 1..=1000 {
                let next = time(f64::from(step) / 1000.0);
                assert!(next >= last - 1e-9, "{p} {q}: {next} after {last}");
                last = next;
            }
            for (asked, made) in [(p, out), (q, in_handle)] {
                let is_kept = (made.rise * asked - rise * made.part).abs() < 1e-9;
                assert!(asked <= 0.0 || is_kept, "{p} {q}: {made:?}");
            }
        });
    }

    #[test]
    fn reversed_segment_is_the_same_curve_backwards() {
        always(|chance| {
            let [p, q, part] = [(); 3].map(|()| chance.within(0.0, 1.0));
            let [rise, fall] = [(); 2].map(|()| chance.within(-9.0, 9.0));
            let segment = Segment::weighted(handle(p, rise), handle(q, fall), 2.0);
            let turned = Segment::weighted(handle(q, -fall), handle(p, -rise), 2.0);
            let there = segment.evaluate(1.0, 4.0, 2.0, part);
            let back = turned.evaluate(4.0, 1.0, 2.0, 1.0 - part);
            assert!((there - back).abs() < 1e-6, "{p} {q} at {part}: {there} {back}");
        });
    }

    #[test]
    fn segments_meet_both_keys() {
        always(|chance| {
            let [p, q] = [(); 2].map(|()| chance.within(0.0, 3.0));
            let [rise, left, right] = [(); 3].map(|()| chance.within(-9.0, 9.0));
            let shapes = [
                Segment::Linear,
                Segment::Hermite { out_slope: rise, in_slope: -rise },
                Segment::EvenBezier { out_value: rise, in_value: -rise },
                Segment::weighted(handle(p, rise), handle(q, rise), 1.0),
            ];
            for segment in shapes {
                assert_eq!(segment.evaluate(left, right, 1.0, 0.0), left, "{segment:?}");
                let end = segment.evaluate(left, right, 1.0, 1.0);
                assert!((end - right).abs() < 1e-9, "{segment:?} {end}");
            }
        });
    }
}
