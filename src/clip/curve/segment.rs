//! The curve between two keys.
//!
//! Every function takes the segment as two [`End`]s and a time between them, in double precision.

/// The weight of a tangent that states none: a third of the segment, which makes the weighted
/// Bezier the same curve as the cubic Hermite. Source: Unity's documentation of
/// `Keyframe.outWeight`.
const DEFAULT_WEIGHT: f64 = 1.0 / 3.0;

/// One end of a segment: a key and the tangent that faces the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Seconds.
    pub time: f64,
    /// The key's value.
    pub value: f64,
    /// Value per second; infinite for a step.
    pub slope: f64,
    /// The length of the tangent as a part of the segment's, if it is weighted.
    pub weight: Option<f64>,
}

/// The straight line between two values, `part` of the way along; exact at both ends.
#[inline]
pub(super) fn linear(left: f64, right: f64, part: f64) -> f64 {
    if part == 0.0 { left } else { left + (right - left) * part }
}

/// Unity's segment: a step if either tangent is infinite, a weighted Bezier if either facing
/// tangent is weighted, else a cubic Hermite by slope.
pub(super) fn unity(left: End, right: End, time: f64) -> f64 {
    let duration = right.time - left.time;
    let part = (time - left.time) / duration;
    if part == 0.0 || left.slope.is_infinite() || right.slope.is_infinite() {
        left.value
    } else if left.weight.is_none() && right.weight.is_none() {
        hermite(left, right, duration, part)
    } else {
        weighted_bezier(left, right, duration, part)
    }
}

/// The cubic with the given values and slopes at its ends.
fn hermite(left: End, right: End, duration: f64, x: f64) -> f64 {
    let (x2, x3) = (x * x, x * x * x);
    (2.0 * x3 - 3.0 * x2 + 1.0) * left.value
        + (x3 - 2.0 * x2 + x) * duration * left.slope
        + (3.0 * x2 - 2.0 * x3) * right.value
        + (x3 - x2) * duration * right.slope
}

/// The Bezier whose handles reach `weight` of the segment's duration along their slopes.
fn weighted_bezier(left: End, right: End, duration: f64, x: f64) -> f64 {
    let left_weight = left.weight.unwrap_or(DEFAULT_WEIGHT);
    let right_weight = right.weight.unwrap_or(DEFAULT_WEIGHT);
    let u = bezier_parameter(left_weight, 1.0 - right_weight, x);
    let left_handle = left.value + left_weight * duration * left.slope;
    let right_handle = right.value - right_weight * duration * right.slope;
    bernstein(left.value, left_handle, right_handle, right.value, u)
}

/// The cubic Bezier with these four control values at `u`.
fn bernstein(p0: f64, p1: f64, p2: f64, p3: f64, u: f64) -> f64 {
    let v = 1.0 - u;
    v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3
}

/// The smallest `u` in 0..=1 at which the Bezier through 0, `p1`, `p2`, 1 reaches `x`.
///
/// Weights within 0..=1 make it monotone. Outside of that it may turn back: it is then cut where
/// it turns, and the first piece that reaches `x` is taken. The last one always does, for `x`
/// in 0..=1.
fn bezier_parameter(p1: f64, p2: f64, x: f64) -> f64 {
    let cubic = |u: f64| bernstein(0.0, p1, p2, 1.0, u);
    let mut from = 0.0;
    for to in turning_points(p1, p2).into_iter().chain([1.0]) {
        if to.is_nan() || to <= from {
            continue;
        }
        let (low, high) = (cubic(from) - x, cubic(to) - x);
        if low == 0.0 {
            return from;
        }
        if low.signum() != high.signum() || to == 1.0 {
            return root_between(|u| cubic(u) - x, from, to);
        }
        from = to;
    }
    1.0
}

/// Where the Bezier through 0, `p1`, `p2`, 1 turns back within 0..1, ascending; NaN where it
/// does not.
fn turning_points(p1: f64, p2: f64) -> [f64; 2] {
    // A third of its derivative is a u² + b u + c.
    let a = 3.0 * p1 - 3.0 * p2 + 1.0;
    let b = 2.0 * p2 - 4.0 * p1;
    let c = p1;
    let root = (b * b - 4.0 * a * c).sqrt();
    // The form that loses no digits when a is small.
    let q = -0.5 * (b + root.copysign(b));
    let mut points = [q / a, c / q].map(|u| if (0.0..1.0).contains(&u) { u } else { f64::NAN });
    points.sort_by(f64::total_cmp);
    points
}

/// A root of `f` between `low` and `high`, where its sign differs, by the Illinois method: regula
/// falsi that halves the weight of an end that stays, so it always closes in.
fn root_between(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const ENOUGH: usize = 100;
    let (mut f_low, mut f_high) = (f(low), f(high));
    let mut kept = 0_i8;
    for _ in 0..ENOUGH {
        if f_high == 0.0 || high - low <= f64::EPSILON {
            return high;
        }
        let mut middle = (low * f_high - high * f_low) / (f_high - f_low);
        if !(low < middle && middle < high) {
            middle = 0.5 * (low + high);
        }
        let f_middle = f(middle);
        if f_middle == 0.0 {
            return middle;
        }
        if f_middle.signum() == f_high.signum() {
            (high, f_high) = (middle, f_middle);
            f_low *= if kept == -1 { 0.5 } else { 1.0 };
            kept = -1;
        } else {
            (low, f_low) = (middle, f_middle);
            f_high *= if kept == 1 { 0.5 } else { 1.0 };
            kept = 1;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers within ranges, by chance but the same each time.
    struct Chance(fastrand::Rng);

    impl Chance {
        fn within(&mut self, low: f64, high: f64) -> f64 {
            low + (high - low) * self.0.f64()
        }
    }

    /// Calls `property` often.
    fn always(property: impl Fn(&mut Chance)) {
        let mut chance = Chance(fastrand::Rng::with_seed(7));
        (0..1000).for_each(|_| property(&mut chance));
    }

    fn end(time: f64, value: f64, slope: f64, weight: Option<f64>) -> End {
        End { time, value, slope, weight }
    }

    #[test]
    fn a_weight_of_a_third_is_the_hermite() {
        always(|chance| {
            let [v0, m0, v1, m1] = [(); 4].map(|()| chance.within(-10.0, 10.0));
            let time = chance.within(0.0, 2.0);
            let at = |weight| unity(end(0.0, v0, m0, weight), end(2.0, v1, m1, weight), time);
            let (plain, weighted) = (at(None), at(Some(DEFAULT_WEIGHT)));
            assert!((plain - weighted).abs() < 1e-9, "{plain} {weighted} at {time}");
        });
    }

    #[test]
    fn the_parameter_found_gives_the_time_asked_for() {
        always(|chance| {
            let [w0, w1] = [(); 2].map(|()| chance.within(-0.5, 1.5));
            let x = chance.within(0.0, 1.0);
            let u = bezier_parameter(w0, 1.0 - w1, x);
            assert!((0.0..=1.0).contains(&u), "{w0} {w1} {x}: {u}");
            let found = bernstein(0.0, w0, 1.0 - w1, 1.0, u);
            assert!((found - x).abs() < 1e-9, "{w0} {w1} {x}: {u} gives {found}");
        });
    }

    #[test]
    fn of_several_parameters_the_smallest_is_found() {
        always(|chance| {
            let [w0, w1] = [(); 2].map(|()| chance.within(1.0, 3.0));
            let x = chance.within(0.01, 0.99);
            let u = bezier_parameter(w0, 1.0 - w1, x);
            for step in 0..1000 {
                let before = (u - 1e-6) * f64::from(step) / 1000.0;
                let reached = bernstein(0.0, w0, 1.0 - w1, 1.0, before);
                assert!(reached < x, "{w0} {w1} {x}: {before} is before {u}");
            }
        });
    }
}
