//! Lines and cubics between two keys, in double precision.
//!
//! `part` is the fraction of the time from the one key to the other: 0..=1.

/// The straight line between two values, `part` of the way along; exact at both ends.
#[inline]
pub(super) fn linear(left: f64, right: f64, part: f64) -> f64 {
    if part == 0.0 { left } else { left + (right - left) * part }
}

/// The cubic with a value and a slope, in value per second, at either end.
pub(super) fn hermite(left: (f64, f64), right: (f64, f64), duration: f64, part: f64) -> f64 {
    let (x, x2, x3) = (part, part * part, part * part * part);
    (2.0 * x3 - 3.0 * x2 + 1.0) * left.0
        + (x3 - 2.0 * x2 + x) * duration * left.1
        + (3.0 * x2 - 2.0 * x3) * right.0
        + (x3 - x2) * duration * right.1
}

/// The cubic Bezier with these four control values at `u`.
pub(super) fn bernstein(p0: f64, p1: f64, p2: f64, p3: f64, u: f64) -> f64 {
    let v = 1.0 - u;
    v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3
}

/// The smallest `u` in 0..=1 at which the Bezier through 0, `p1`, `p2`, 1 reaches `x`.
///
/// Weights within 0..=1 make it monotone. Outside of that it may turn back: it is then cut where
/// it turns, and the first piece that reaches `x` is taken. The last one always does, for `x`
/// in 0..=1.
pub(super) fn bezier_parameter(p1: f64, p2: f64, x: f64) -> f64 {
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

/// The same for a Bezier that is known not to turn back, sooner found: by Newton's method, within
/// bounds that close in.
pub(super) fn monotone_bezier_parameter(p1: f64, p2: f64, x: f64) -> f64 {
    const ENOUGH: usize = 100;
    let (a, b, c) = (1.0 + 3.0 * (p1 - p2), 3.0 * p2 - 6.0 * p1, 3.0 * p1);
    let (mut low, mut high) = (0.0, 1.0);
    let mut u = x;
    for _ in 0..ENOUGH {
        let off = ((a * u + b) * u + c) * u - x;
        if off == 0.0 {
            break;
        }
        if off < 0.0 {
            low = u;
        } else {
            high = u;
        }
        let mut next = u - off / ((3.0 * a * u + 2.0 * b) * u + c);
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
    use mutoscope_testing::chance::always;

    #[test]
    fn bezier_with_a_stationary_point_converges() {
        for (p1, p2) in [(1.0, 0.0), (4.0 / 3.0, 2.0 / 3.0), (1.0 / 3.0, -1.0 / 3.0), (0.0, 1.0)] {
            for step in 1..1000 {
                let x = f64::from(step) / 1000.0;
                let u = monotone_bezier_parameter(p1, p2, x);
                let found = bernstein(0.0, p1, p2, 1.0, u);
                assert!((found - x).abs() < 1e-12, "{p1} {p2} at {x}: {u}, {found}");
            }
        }
    }

    #[test]
    fn bezier_parameter_gives_the_requested_time() {
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
    fn both_solvers_agree_on_monotone_beziers() {
        always(|chance| {
            let [p1, p2, x] = [(); 3].map(|()| chance.within(0.0, 1.0));
            let u = monotone_bezier_parameter(p1, p2, x);
            assert!((0.0..=1.0).contains(&u), "{p1} {p2} {x}: {u}");
            let found = bernstein(0.0, p1, p2, 1.0, u);
            assert!((found - x).abs() < 1e-12, "{p1} {p2} {x}: {u} gives {found}");
        });
    }

    #[test]
    fn smallest_parameter_is_chosen() {
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
