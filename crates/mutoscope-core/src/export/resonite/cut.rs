//! Cuts a part out of a curve segment without changing its shape.

use crate::clip::Segment;

pub(super) fn cut_segment(
    segment: Segment,
    [left, right]: [f64; 2],
    duration: f64,
    [from, to]: [f64; 2],
) -> Segment {
    let third = duration / 3.0;
    let (out, facing) = match segment {
        Segment::Hermite { out_slope, in_slope } => {
            (left + out_slope * third, right - in_slope * third)
        }
        Segment::ValueBezier { out_value, in_value } => (out_value, in_value),
        other => return other,
    };
    let control = [left, out, facing, right];
    let ends = [blossom(control, [from; 3]), blossom(control, [to; 3])];
    let handles = [blossom(control, [from, from, to]), blossom(control, [from, to, to])];
    let third = third * (to - from);
    match segment {
        Segment::Hermite { .. } if third > 0.0 => Segment::Hermite {
            out_slope: (handles[0] - ends[0]) / third,
            in_slope: (ends[1] - handles[1]) / third,
        },
        Segment::ValueBezier { .. } => {
            Segment::ValueBezier { out_value: handles[0], in_value: handles[1] }
        }
        other => other,
    }
}

/// Evaluates the polar form (blossom) of the cubic Bézier with the control values `control`. This
/// is de Casteljau's algorithm with a different parameter in each of the three steps.
fn blossom(control: [f64; 4], parameters: [f64; 3]) -> f64 {
    let [mut a, mut b, mut c, d] = control;
    let mix = |from: f64, to: f64, part: f64| from + (to - from) * part;
    (a, b, c) = (mix(a, b, parameters[0]), mix(b, c, parameters[0]), mix(c, d, parameters[0]));
    (a, b) = (mix(a, b, parameters[1]), mix(b, c, parameters[1]));
    mix(a, b, parameters[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Hint, KeyTimes, ScalarCurve, Shapes};

    fn curve(times: [f64; 2], values: [f64; 2], segment: Segment) -> ScalarCurve {
        let times = KeyTimes::new(times).unwrap();
        ScalarCurve::new(times, values.to_vec(), Shapes::Segments([segment].into()))
    }

    #[test]
    fn cut_segment_matches_the_whole() {
        for segment in [
            Segment::Hermite { out_slope: 3.0, in_slope: -2.0 },
            Segment::ValueBezier { out_value: 5.0, in_value: -4.0 },
            Segment::Linear,
        ] {
            let whole = curve([1.0, 3.0], [2.0, 1.0], segment);
            let at = |curve: &ScalarCurve, time| curve.evaluate(time, &mut Hint::default());
            let (from, to) = (1.5, 2.75);
            let part = cut_segment(segment, [2.0, 1.0], 2.0, [0.25, 0.875]);
            let part = curve([from, to], [at(&whole, from), at(&whole, to)], part);
            for step in 0..=20 {
                let time = from + (to - from) * f64::from(step) / 20.0;
                let (expected, found) = (at(&whole, time), at(&part, time));
                assert!((expected - found).abs() < 1e-12, "{segment:?} at {time}");
            }
        }
    }
}
