//! The shape of a curve next to its keys, for drawing.

use super::{ScalarCurve, Segment, Shapes, Tangents, unity::DEFAULT_WEIGHT};

/// The end of a tangent handle, relative to its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleEnd {
    /// The time after the key, in seconds. Negative for a handle towards the key before.
    pub seconds: f64,
    /// The difference from the key's value.
    pub value: f64,
}

/// The tangent handles of a key, along which the curve enters and leaves the key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handles {
    /// The handle towards the key before. `None` if no handle shapes that segment.
    pub before: Option<HandleEnd>,
    /// The handle towards the key after. `None` if no handle shapes that segment.
    pub after: Option<HandleEnd>,
}

/// The values of a curve immediately before, at and immediately after a key. They differ if the
/// curve steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValuesAroundKey {
    /// The value immediately before the key.
    pub before: f64,
    /// The value at the key.
    pub at: f64,
    /// The value immediately after the key.
    pub after: f64,
}

/// The kind of interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the first key is held.
    Step,
    /// The value of the second key is held.
    StepNext,
    /// The value of the nearer key is held.
    Nearest,
    /// A straight line.
    Linear,
    /// A curve along tangents.
    Smooth,
}

impl ScalarCurve {
    /// Returns the interpolation between the key `left` and the next key. `None` if there is no
    /// next key.
    pub fn interpolation(&self, left: usize) -> Option<Interpolation> {
        if left + 1 >= self.len() {
            return None;
        }
        Some(match self.shapes() {
            _ if self.is_held_after(left) => Interpolation::Step,
            Shapes::Step | Shapes::Tangents(_) => Interpolation::Smooth,
            Shapes::Linear => Interpolation::Linear,
            Shapes::Nearest => Interpolation::Nearest,
            Shapes::Segments(segments) => match segments[left] {
                Segment::Step => Interpolation::Step,
                Segment::StepNext => Interpolation::StepNext,
                Segment::Linear => Interpolation::Linear,
                Segment::Hermite { .. } | Segment::ValueBezier { .. } | Segment::Bezier { .. } => {
                    Interpolation::Smooth
                }
            },
        })
    }

    /// Returns the tangent handles of the key with index `key`. A key has no handle towards a step
    /// or a straight segment. The first and the last key have no handle outwards.
    ///
    /// The handle of a tangent without a weight spans a third of its segment. With handles of that
    /// length, the Bezier equals the cubic that the slopes define.
    pub fn handles(&self, key: usize) -> Handles {
        let before = key.checked_sub(1).and_then(|left| self.segment_handles(left));
        let after = self.segment_handles(key);
        let negated = |end: HandleEnd| HandleEnd { seconds: -end.seconds, value: -end.value };
        Handles { before: before.map(|ends| negated(ends[1])), after: after.map(|ends| ends[0]) }
    }

    /// Returns the handles at both ends of the segment after the key `left`. The result contains
    /// the length of each handle in time, and the change of the value along the handle in the
    /// direction of time.
    fn segment_handles(&self, left: usize) -> Option<[HandleEnd; 2]> {
        let &[start, end] = self.times().as_slice().get(left..left + 2)? else { return None };
        let duration = end - start;
        if duration <= 0.0 {
            return None;
        }
        match self.shapes() {
            Shapes::Step | Shapes::Linear | Shapes::Nearest => None,
            Shapes::Tangents(tangents) => unity_handles(&tangents[left..left + 2], duration),
            Shapes::Segments(segments) => match segments[left] {
                Segment::Step | Segment::StepNext | Segment::Linear => None,
                Segment::Hermite { out_slope, in_slope } => {
                    let seconds = duration / 3.0;
                    Some([out_slope, in_slope].map(|slope| handle_end(slope, seconds)))
                }
                Segment::ValueBezier { out_value, in_value } => {
                    let (left, right) =
                        (self.values().value_at(left), self.values().value_at(left + 1));
                    let seconds = duration / 3.0;
                    let rises = [out_value - left, right - in_value];
                    Some(rises.map(|value| HandleEnd { seconds, value }))
                }
                Segment::Bezier { out_handle, in_handle } => {
                    let end = |handle: super::Handle| HandleEnd {
                        seconds: handle.fraction * duration,
                        value: handle.rise,
                    };
                    Some([end(out_handle), end(in_handle)])
                }
            },
        }
    }

    /// Returns the values of the curve around the key with index `key`, or `None` if there is no
    /// such key. Outside of the first and last key, the value is that of the key.
    pub fn values_around_key(&self, key: usize) -> Option<ValuesAroundKey> {
        let at = self.key(key)?.value;
        let before = match key.checked_sub(1) {
            Some(left) if self.is_held_after(left) => self.values().value_at(left),
            _ => at,
        };
        let steps_after = matches!(self.shapes(), Shapes::Segments(segments)
            if matches!(segments.get(key), Some(Segment::StepNext)));
        let after = if steps_after { self.values().value_at(key + 1) } else { at };
        Some(ValuesAroundKey { before, at, after })
    }

    fn is_held_after(&self, left: usize) -> bool {
        match self.shapes() {
            Shapes::Step => left + 1 < self.len(),
            Shapes::Linear | Shapes::Nearest => false,
            Shapes::Tangents(tangents) => match tangents.get(left..left + 2) {
                Some([out, next]) => out.out_slope.is_infinite() || next.in_slope.is_infinite(),
                _ => false,
            },
            Shapes::Segments(segments) => matches!(segments.get(left), Some(Segment::Step)),
        }
    }
}

fn unity_handles(ends: &[Tangents], duration: f64) -> Option<[HandleEnd; 2]> {
    let &[out, next] = ends else { return None };
    if out.out_slope.is_infinite() || next.in_slope.is_infinite() {
        return None;
    }
    let sides = [(out.out_slope, out.out_weight), (next.in_slope, next.in_weight)];
    Some(sides.map(|(slope, weight)| {
        let weight = weight.map_or(DEFAULT_WEIGHT, f64::from);
        handle_end(f64::from(slope), weight * duration)
    }))
}

fn handle_end(slope: f64, seconds: f64) -> HandleEnd {
    HandleEnd { seconds, value: slope * seconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Handle, Hint, KeyTimes};

    fn curve(times: &[f64], values: &[f32], shapes: Shapes) -> ScalarCurve {
        ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes)
    }

    fn end(seconds: f64, value: f64) -> Option<HandleEnd> {
        Some(HandleEnd { seconds, value })
    }

    #[test]
    fn tangents_without_weight_reach_a_third_of_the_way() {
        let tangents =
            Tangents { in_slope: 2.0, out_slope: -1.0, in_weight: None, out_weight: None };
        let shapes = Shapes::Tangents([tangents; 3].into());
        let curve = curve(&[0.0, 3.0, 9.0], &[0.0, 0.0, 0.0], shapes);
        assert_eq!(curve.handles(0), Handles { before: None, after: end(1.0, -1.0) });
        assert_eq!(curve.handles(1), Handles { before: end(-1.0, -2.0), after: end(2.0, -2.0) });
        assert_eq!(curve.handles(2), Handles { before: end(-2.0, -4.0), after: None });
        assert_eq!(curve.handles(3), Handles::default());
    }

    #[test]
    fn a_weight_makes_a_handle_longer() {
        let plain = Tangents { in_slope: 2.0, out_slope: 2.0, in_weight: None, out_weight: None };
        let long = Tangents { out_weight: Some(0.5), in_weight: Some(0.75), ..plain };
        let shapes = Shapes::Tangents([long, long].into());
        let curve = curve(&[0.0, 4.0], &[0.0, 0.0], shapes);
        assert_eq!(curve.handles(0).after, end(2.0, 4.0));
        assert_eq!(curve.handles(1).before, end(-3.0, -6.0));
    }

    #[test]
    fn segments_have_the_handles_of_their_shape() {
        let [out_handle, in_handle] =
            [(0.5, 3.0), (0.25, -1.0)].map(|(fraction, rise)| Handle { fraction, rise });
        let segments = [
            Segment::Hermite { out_slope: 6.0, in_slope: -3.0 },
            Segment::Bezier { out_handle, in_handle },
            Segment::Linear,
            Segment::Step,
        ];
        let curve = curve(&[0.0, 1.0, 5.0, 6.0, 7.0], &[0.0; 5], Shapes::Segments(segments.into()));
        assert_eq!(curve.handles(0).after, end(1.0 / 3.0, 2.0));
        assert_eq!(
            curve.handles(1),
            Handles { before: end(-1.0 / 3.0, 1.0), after: end(2.0, 3.0) }
        );
        assert_eq!(curve.handles(2), Handles { before: end(-1.0, 1.0), after: None });
        assert_eq!(curve.handles(3), Handles::default());
    }

    #[test]
    fn value_bezier_handles_span_a_third_of_the_interval() {
        let shape = Segment::ValueBezier { out_value: 2.0, in_value: 7.0 };
        let curve = curve(&[0.0, 6.0], &[1.0, 4.0], Shapes::Segments([shape].into()));
        assert_eq!(curve.handles(0).after, end(2.0, 1.0));
        assert_eq!(curve.handles(1).before, end(-2.0, 3.0));
    }

    #[test]
    fn curves_leave_keys_along_their_handles() {
        let tangents =
            Tangents { in_slope: 5.0, out_slope: -7.0, in_weight: None, out_weight: Some(0.2) };
        let curve = curve(&[0.0, 2.0], &[1.0, 4.0], Shapes::Tangents([tangents; 2].into()));
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        let Handles { after: Some(out), .. } = curve.handles(0) else { panic!("no handle") };
        assert!(((value_at(1e-6) - value_at(0.0)) / 1e-6 - out.value / out.seconds).abs() < 1e-3);
        let Handles { before: Some(back), .. } = curve.handles(1) else { panic!("no handle") };
        assert!(
            ((value_at(2.0) - value_at(2.0 - 1e-6)) / 1e-6 - back.value / back.seconds).abs()
                < 1e-3
        );
    }

    #[test]
    fn values_differ_around_a_step() {
        let segments = [Segment::Step, Segment::StepNext, Segment::Linear];
        let values = [1.0, 2.0, 5.0, 7.0];
        let curve = curve(&[0.0, 1.0, 2.0, 3.0], &values, Shapes::Segments(segments.into()));
        let sides =
            |key| curve.values_around_key(key).map(|sides| [sides.before, sides.at, sides.after]);
        assert_eq!(sides(0), Some([1.0, 1.0, 1.0]));
        assert_eq!(sides(1), Some([1.0, 2.0, 5.0]));
        assert_eq!(sides(2), Some([5.0, 5.0, 5.0]));
        assert_eq!(sides(4), None);
        let step = self::curve(&[0.0, 1.0], &[3.0, 4.0], Shapes::Step);
        assert_eq!(step.values_around_key(1).map(|sides| sides.before), Some(3.0));
        assert_eq!([0, 1].map(|left| step.interpolation(left)), [Some(Interpolation::Step), None]);
        let interpolations = [0, 1, 2].map(|left| curve.interpolation(left));
        assert_eq!(
            interpolations,
            [Interpolation::Step, Interpolation::StepNext, Interpolation::Linear].map(Some)
        );
    }

    #[test]
    fn infinite_tangent_gives_a_step() {
        let plain = Tangents { in_slope: 0.0, out_slope: 0.0, in_weight: None, out_weight: None };
        let next = Tangents { in_slope: f32::INFINITY, ..plain };
        let curve = curve(&[0.0, 1.0], &[3.0, 4.0], Shapes::Tangents([plain, next].into()));
        assert_eq!(curve.handles(0), Handles::default());
        assert_eq!(curve.values_around_key(1).map(|sides| sides.before), Some(3.0));
    }
}
