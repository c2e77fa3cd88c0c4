//! The shape of a single segment, for formats in which each segment has its own.

use super::cubic::{self, HermiteEnd};

/// The shape of a curve between one key and the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// The value of the first key is held.
    Step,
    /// The value of the second key applies immediately after the first key. Maya: `stepnext`.
    StepNext,
    /// A straight line.
    Linear,
    /// A cubic with the given slopes at its ends, in value per second.
    Hermite {
        /// The slope at the first key.
        out_slope: f64,
        /// The slope at the second key.
        in_slope: f64,
    },
    /// A Bezier whose value is weighted but whose time advances uniformly. The control values are
    /// absolute, not relative to a key.
    ValueBezier {
        /// The control value next to the first key.
        out_value: f64,
        /// The control value next to the second key.
        in_value: f64,
    },
    /// A Bezier weighted in time and value.
    ///
    /// # Invariants
    /// Time never runs backwards along the curve. [`Segment::from_handles`] guarantees this.
    Bezier {
        /// The handle of the first key, pointing forwards.
        out_handle: Handle,
        /// The handle of the second key, pointing backwards.
        in_handle: Handle,
    },
}

/// A handle of a Bezier, from its key towards the other key of the segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handle {
    /// The length in time, as a fraction of the segment's duration.
    pub fraction: f64,
    /// The change of the value along the handle, in the direction of time.
    pub rise: f64,
}

/// The distance that [`limit_handles`] keeps from the lengths at which time would run backwards.
const HANDLE_LIMIT_MARGIN: f64 = 1e-10;

/// The largest difference from a third of the segment at which a handle is treated as a third. If
/// both handles are a third, time advances uniformly.
const THIRD_TOLERANCE: f64 = 1e-6;

impl Segment {
    /// Creates the Bezier with these handles for a segment of `duration` seconds.
    ///
    /// If time would run backwards, the lengths of the handles are changed as in Maya. The handle
    /// of the first key is shortened to at most 4/3 of the segment. The handle of the second key
    /// then usually becomes shorter, but may become longer if the first handle is longer than the
    /// segment. Handles that are not vertical keep their directions. If both handles span a third
    /// of the segment, the result is a [`Self::Hermite`].
    pub fn from_handles(out_handle: Handle, in_handle: Handle, duration: f64) -> Self {
        let (out_handle, in_handle) = (out_handle.clamp_forwards(), in_handle.clamp_forwards());
        let (p, q) = limit_handles(out_handle.fraction, in_handle.fraction);
        let (out_handle, in_handle) = (out_handle.with_fraction(p), in_handle.with_fraction(q));
        let is_third = |fraction: f64| (fraction - 1.0 / 3.0).abs() < THIRD_TOLERANCE;
        if is_third(p) && is_third(q) {
            let slope = |handle: Handle| 3.0 * handle.rise / duration;
            Self::Hermite { out_slope: slope(out_handle), in_slope: slope(in_handle) }
        } else {
            Self::Bezier { out_handle, in_handle }
        }
    }

    pub(super) fn evaluate(&self, left: f64, right: f64, duration: f64, fraction: f64) -> f64 {
        if fraction == 0.0 {
            return left;
        }
        match *self {
            Self::Step => left,
            Self::StepNext => right,
            Self::Linear => cubic::lerp(left, right, fraction),
            Self::Hermite { out_slope, in_slope } => {
                let left = HermiteEnd { value: left, slope: out_slope };
                let right = HermiteEnd { value: right, slope: in_slope };
                cubic::hermite(left, right, duration, fraction)
            }
            Self::ValueBezier { out_value, in_value } => {
                cubic::cubic_bezier(left, out_value, in_value, right, fraction)
            }
            Self::Bezier { out_handle, in_handle } => {
                let (p1, p2) = (out_handle.fraction, 1.0 - in_handle.fraction);
                let u = cubic::monotone_bezier_parameter(p1, p2, fraction);
                cubic::cubic_bezier(left, left + out_handle.rise, right - in_handle.rise, right, u)
            }
        }
    }
}

impl Handle {
    /// A handle that points away from the segment becomes vertical, so that time does not run
    /// backwards.
    fn clamp_forwards(self) -> Self {
        Self { fraction: self.fraction.max(0.0), ..self }
    }

    fn with_fraction(self, fraction: f64) -> Self {
        if fraction == self.fraction || self.fraction == 0.0 {
            return Self { fraction, ..self };
        }
        Self { fraction, rise: self.rise * fraction / self.fraction }
    }
}

/// Changes the lengths of two handles, as fractions of the segment, so that time never runs
/// backwards along the Bezier.
///
/// The control points of time are 0, p, 1 − q and 1. Time never runs backwards if the point (p, q)
/// is inside the square from 0 to 1, or inside the ellipse (p + q)² − pq − 2 (p + q) + 1 = 0.
fn limit_handles(p: f64, q: f64) -> (f64, f64) {
    const MAX_HANDLE_FRACTION: f64 = 4.0 / 3.0;
    let ellipse = p * (p - 2.0 + q) + q * (q - 2.0) + 1.0;
    if (p <= 1.0 && q <= 1.0) || ellipse <= 0.0 {
        return (p, q);
    }
    if p >= MAX_HANDLE_FRACTION {
        return (MAX_HANDLE_FRACTION, 1.0 / 3.0);
    }
    // Solve the equation of the ellipse for q. The ellipse has two points with this p.
    let half_width = 0.5 * (p * (4.0 - 3.0 * p)).sqrt();
    let middle = 0.5 * (2.0 - p);
    let (low, high) = (middle - half_width, middle + half_width);
    if q > high {
        (p, high - HANDLE_LIMIT_MARGIN)
    } else if q < low {
        (p, low + HANDLE_LIMIT_MARGIN)
    } else {
        (p, q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use mutoscope_testing::property::check_property;

    fn handle(fraction: f64, rise: f64) -> Handle {
        Handle { fraction, rise }
    }

    #[test]
    fn one_third_handles_equal_a_hermite_cubic() {
        let third = 1.0 / 3.0;
        let segment = Segment::from_handles(handle(third, 2.0), handle(third, -1.0), 0.5);
        assert_eq!(segment, Segment::Hermite { out_slope: 12.0, in_slope: -6.0 });
    }

    #[test]
    fn valid_handles_are_unchanged() {
        for (p, q) in [(0.0, 0.0), (1.0, 1.0), (0.3, 0.9), (1.2, 0.4), (4.0 / 3.0, 1.0 / 3.0)] {
            assert_eq!(limit_handles(p, q), (p, q));
        }
    }

    #[test]
    fn limited_handles_keep_time_monotone_and_directions() {
        check_property(|random| {
            let [p, q] = [(); 2].map(|()| random.in_range(-1.0, 5.0));
            let rise = random.in_range(0.1, 9.0);
            let segment = Segment::from_handles(handle(p, rise), handle(q, rise), 1.0);
            let Segment::Bezier { out_handle: out, in_handle } = segment else { return };
            let time =
                |u: f64| cubic::cubic_bezier(0.0, out.fraction, 1.0 - in_handle.fraction, 1.0, u);
            let mut last = 0.0;
            for step in 1..=1000 {
                let next = time(f64::from(step) / 1000.0);
                assert!(next >= last - 1e-9, "{p} {q}: {next} after {last}");
                last = next;
            }
            for (requested, limited) in [(p, out), (q, in_handle)] {
                let is_kept = (limited.rise * requested - rise * limited.fraction).abs() < 1e-9;
                assert!(requested <= 0.0 || is_kept, "{p} {q}: {limited:?}");
            }
        });
    }

    #[test]
    fn reversed_segment_is_the_same_curve_backwards() {
        check_property(|random| {
            let [p, q, fraction] = [(); 3].map(|()| random.in_range(0.0, 1.0));
            let [rise, fall] = [(); 2].map(|()| random.in_range(-9.0, 9.0));
            let segment = Segment::from_handles(handle(p, rise), handle(q, fall), 2.0);
            let reversed = Segment::from_handles(handle(q, -fall), handle(p, -rise), 2.0);
            let there = segment.evaluate(1.0, 4.0, 2.0, fraction);
            let back = reversed.evaluate(4.0, 1.0, 2.0, 1.0 - fraction);
            assert!((there - back).abs() < 1e-6, "{p} {q} at {fraction}: {there} {back}");
        });
    }

    #[test]
    fn segments_meet_both_keys() {
        check_property(|random| {
            let [p, q] = [(); 2].map(|()| random.in_range(0.0, 3.0));
            let [rise, left, right] = [(); 3].map(|()| random.in_range(-9.0, 9.0));
            let shapes = [
                Segment::Linear,
                Segment::Hermite { out_slope: rise, in_slope: -rise },
                Segment::ValueBezier { out_value: rise, in_value: -rise },
                Segment::from_handles(handle(p, rise), handle(q, rise), 1.0),
            ];
            for segment in shapes {
                assert_eq!(segment.evaluate(left, right, 1.0, 0.0), left, "{segment:?}");
                let end = segment.evaluate(left, right, 1.0, 1.0);
                assert!((end - right).abs() < 1e-9, "{segment:?} {end}");
            }
        });
    }
}
