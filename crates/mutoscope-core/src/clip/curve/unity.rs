//! Unity's curve between two keys.

use super::cubic::{self, HermiteEnd};

/// The weight of a tangent without a weight. At a third of the segment, the weighted Bezier and the
/// cubic Hermite are the same curve. Source: Unity's documentation of `Keyframe.outWeight`.
pub(super) const DEFAULT_WEIGHT: f64 = 1.0 / 3.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentEnd {
    /// The time of the key in seconds.
    pub time: f64,
    /// The value of the key.
    pub value: f64,
    /// The slope in value per second; infinite for a step.
    pub slope: f64,
    /// The length of the tangent as a fraction of the segment. `None` if the tangent is not
    /// weighted.
    pub weight: Option<f64>,
}

/// Unity's rule: a step if one of the slopes is infinite, a weighted Bezier if one of the tangents
/// is weighted, otherwise a cubic Hermite.
pub(super) fn evaluate_segment(left: SegmentEnd, right: SegmentEnd, time: f64) -> f64 {
    let duration = right.time - left.time;
    let fraction = (time - left.time) / duration;
    if fraction == 0.0 || left.slope.is_infinite() || right.slope.is_infinite() {
        left.value
    } else if left.weight.is_none() && right.weight.is_none() {
        let left_end = HermiteEnd { value: left.value, slope: left.slope };
        let right_end = HermiteEnd { value: right.value, slope: right.slope };
        cubic::hermite(left_end, right_end, duration, fraction)
    } else {
        weighted_bezier(left, right, duration, fraction)
    }
}

/// The handles span `weight` of the segment's duration along their slopes.
fn weighted_bezier(left: SegmentEnd, right: SegmentEnd, duration: f64, x: f64) -> f64 {
    let left_weight = left.weight.unwrap_or(DEFAULT_WEIGHT);
    let right_weight = right.weight.unwrap_or(DEFAULT_WEIGHT);
    let u = cubic::bezier_parameter(left_weight, 1.0 - right_weight, x);
    let left_handle = left.value + left_weight * duration * left.slope;
    let right_handle = right.value - right_weight * duration * right.slope;
    cubic::cubic_bezier(left.value, left_handle, right_handle, right.value, u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_testing::property::check_property;

    fn end(time: f64, value: f64, slope: f64, weight: Option<f64>) -> SegmentEnd {
        SegmentEnd { time, value, slope, weight }
    }

    #[test]
    fn weight_of_a_third_gives_a_hermite_curve() {
        check_property(|random| {
            let [v0, m0, v1, m1] = [(); 4].map(|()| random.in_range(-10.0, 10.0));
            let time = random.in_range(0.0, 2.0);
            let evaluate =
                |weight| evaluate_segment(end(0.0, v0, m0, weight), end(2.0, v1, m1, weight), time);
            let (plain, weighted) = (evaluate(None), evaluate(Some(DEFAULT_WEIGHT)));
            assert!((plain - weighted).abs() < 1e-9, "{plain} {weighted} at {time}");
        });
    }
}
