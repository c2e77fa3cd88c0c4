//! Lines and cubics between two keys.
//!
//! `fraction` is the elapsed part of the time between the two keys, from 0 to 1.

/// Interpolates linearly. Returns exactly `left` if `fraction` is 0, because otherwise an infinite
/// `right` would be multiplied by 0 and give NaN.
#[inline]
pub(super) fn lerp(left: f64, right: f64, fraction: f64) -> f64 {
    if fraction == 0.0 { left } else { left + (right - left) * fraction }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HermiteEnd {
    pub value: f64,
    /// The slope in value per second.
    pub slope: f64,
}

pub(super) fn hermite(left: HermiteEnd, right: HermiteEnd, duration: f64, fraction: f64) -> f64 {
    let (x, x2, x3) = (fraction, fraction * fraction, fraction * fraction * fraction);
    (2.0 * x3 - 3.0 * x2 + 1.0) * left.value
        + (x3 - 2.0 * x2 + x) * duration * left.slope
        + (3.0 * x2 - 2.0 * x3) * right.value
        + (x3 - x2) * duration * right.slope
}

pub(super) fn cubic_bezier(p0: f64, p1: f64, p2: f64, p3: f64, u: f64) -> f64 {
    let v = 1.0 - u;
    v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3
}

/// Returns the smallest `u` from 0 to 1 at which the Bezier with the control values 0, `p1`, `p2`,
/// 1 reaches `x`. `x` has to be between 0 and 1.
///
/// If `p1` and `p2` are between 0 and 1, the Bezier is monotone. Otherwise the Bezier may turn
/// back, so this searches the pieces between turning points in order, until one reaches `x`. The
/// last piece always reaches `x`, if no earlier piece does.
pub(super) fn bezier_parameter(p1: f64, p2: f64, x: f64) -> f64 {
    let cubic = |u: f64| cubic_bezier(0.0, p1, p2, 1.0, u);
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
            return find_root(|u| cubic(u) - x, from, to);
        }
        from = to;
    }
    1.0
}

/// Returns the same as [`bezier_parameter`] for a monotone Bezier, but faster: by Newton's method,
/// with bisection whenever a step leaves the bracket.
pub(super) fn monotone_bezier_parameter(p1: f64, p2: f64, x: f64) -> f64 {
    const MAX_ITERATIONS: usize = 100;
    let (a, b, c) = (1.0 + 3.0 * (p1 - p2), 3.0 * p2 - 6.0 * p1, 3.0 * p1);
    let (mut low, mut high) = (0.0, 1.0);
    let mut u = x;
    for _ in 0..MAX_ITERATIONS {
        let difference = ((a * u + b) * u + c) * u - x;
        if difference == 0.0 {
            break;
        }
        if difference < 0.0 {
            low = u;
        } else {
            high = u;
        }
        let mut next = u - difference / ((3.0 * a * u + 2.0 * b) * u + c);
        if !(low < next && next < high) {
            next = 0.5 * (low + high);
        }
        let step = (next - u).abs();
        u = next;
        if step <= f64::EPSILON {
            break;
        }
    }
    u
}

/// Returns the turning points of the Bezier with the control values 0, `p1`, `p2`, 1: the values of
/// `u` between 0 and 1 at which the Bezier reverses its direction. They are in ascending order. NaN
/// stands for a turning point that does not exist.
fn turning_points(p1: f64, p2: f64) -> [f64; 2] {
    // The derivative of the Bezier, divided by 3, is a u² + b u + c.
    let a = 3.0 * p1 - 3.0 * p2 + 1.0;
    let b = 2.0 * p2 - 4.0 * p1;
    let c = p1;
    let root = (b * b - 4.0 * a * c).sqrt();
    // This form of the quadratic formula avoids cancellation if a is small.
    let q = -0.5 * (b + root.copysign(b));
    let mut points = [q / a, c / q].map(|u| if (0.0..1.0).contains(&u) { u } else { f64::NAN });
    points.sort_by(f64::total_cmp);
    points
}

/// Finds a root of `f` between `low` and `high` by the Illinois method. `f` must have opposite
/// signs at `low` and `high`.
///
/// Plain regula falsi may keep the same end in every iteration, and then converges slowly. If an
/// end is kept twice in a row, the Illinois method therefore halves the function value at that end.
/// As a result, both ends approach the root.
fn find_root(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const MAX_ITERATIONS: usize = 100;
    let (mut f_low, mut f_high) = (f(low), f(high));
    let mut last_kept_end = 0_i8;
    for _ in 0..MAX_ITERATIONS {
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
            f_low *= if last_kept_end == -1 { 0.5 } else { 1.0 };
            last_kept_end = -1;
        } else {
            (low, f_low) = (middle, f_middle);
            f_high *= if last_kept_end == 1 { 0.5 } else { 1.0 };
            last_kept_end = 1;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_testing::property::check_property;

    #[test]
    fn bezier_with_a_stationary_point_converges() {
        for (p1, p2) in [(1.0, 0.0), (4.0 / 3.0, 2.0 / 3.0), (1.0 / 3.0, -1.0 / 3.0), (0.0, 1.0)] {
            for step in 1..1000 {
                let x = f64::from(step) / 1000.0;
                let u = monotone_bezier_parameter(p1, p2, x);
                let found = cubic_bezier(0.0, p1, p2, 1.0, u);
                assert!((found - x).abs() < 1e-12, "{p1} {p2} at {x}: {u}, {found}");
            }
        }
    }

    #[test]
    fn bezier_parameter_gives_the_requested_time() {
        check_property(|random| {
            let [w0, w1] = [(); 2].map(|()| random.in_range(-0.5, 1.5));
            let x = random.in_range(0.0, 1.0);
            let u = bezier_parameter(w0, 1.0 - w1, x);
            assert!((0.0..=1.0).contains(&u), "{w0} {w1} {x}: {u}");
            let found = cubic_bezier(0.0, w0, 1.0 - w1, 1.0, u);
            assert!((found - x).abs() < 1e-9, "{w0} {w1} {x}: {u} gives {found}");
        });
    }

    #[test]
    fn both_solvers_agree_on_monotone_beziers() {
        check_property(|random| {
            let [p1, p2, x] = [(); 3].map(|()| random.in_range(0.0, 1.0));
            let u = monotone_bezier_parameter(p1, p2, x);
            assert!((0.0..=1.0).contains(&u), "{p1} {p2} {x}: {u}");
            let found = cubic_bezier(0.0, p1, p2, 1.0, u);
            assert!((found - x).abs() < 1e-12, "{p1} {p2} {x}: {u} gives {found}");
        });
    }

    #[test]
    fn smallest_parameter_is_chosen() {
        check_property(|random| {
            let [w0, w1] = [(); 2].map(|()| random.in_range(1.0, 3.0));
            let x = random.in_range(0.01, 0.99);
            let u = bezier_parameter(w0, 1.0 - w1, x);
            for step in 0..1000 {
                let before = (u - 1e-6) * f64::from(step) / 1000.0;
                let reached = cubic_bezier(0.0, w0, 1.0 - w1, 1.0, before);
                assert!(reached < x, "{w0} {w1} {x}: {before} is before {u}");
            }
        });
    }
}
