//! Unity's curve between two keys.

use super::cubic;

/// The weight of a tangent that states none: a third of the segment, which makes the weighted
/// Bezier the same curve as the cubic Hermite. Source: Unity's documentation of
/// `Keyframe.outWeight`.
pub(super) const DEFAULT_WEIGHT: f64 = 1.0 / 3.0;

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

/// Unity's segment: a step if either tangent is infinite, a weighted Bezier if either facing
/// tangent is weighted, else a cubic Hermite by slope.
pub(super) fn unity(left: End, right: End, time: f64) -> f64 {
    let duration = right.time - left.time;
    let part = (time - left.time) / duration;
    if part == 0.0 || left.slope.is_infinite() || right.slope.is_infinite() {
        left.value
    } else if left.weight.is_none() && right.weight.is_none() {
        cubic::hermite((left.value, left.slope), (right.value, right.slope), duration, part)
    } else {
        weighted_bezier(left, right, duration, part)
    }
}

/// The Bezier whose handles reach `weight` of the segment's duration along their slopes.
fn weighted_bezier(left: End, right: End, duration: f64, x: f64) -> f64 {
    let left_weight = left.weight.unwrap_or(DEFAULT_WEIGHT);
    let right_weight = right.weight.unwrap_or(DEFAULT_WEIGHT);
    let u = cubic::bezier_parameter(left_weight, 1.0 - right_weight, x);
    let left_handle = left.value + left_weight * duration * left.slope;
    let right_handle = right.value - right_weight * duration * right.slope;
    cubic::bernstein(left.value, left_handle, right_handle, right.value, u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_testing::chance::always;

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
}
