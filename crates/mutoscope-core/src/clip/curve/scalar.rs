//! Curves of single numbers.

use std::sync::Arc;

use super::{
    Extrapolation, Hint, KeyTimes, Segment, Values, cubic,
    extrapolation::TimeResolution,
    search::{KeySearch as _, KeySpan},
    unity::{self, SegmentEnd},
};

/// A curve of single numbers over time.
///
/// # Invariants
/// There are as many values as key times. If the shapes are [`Shapes::Tangents`], there are as many
/// tangents; if they are [`Shapes::Segments`], there is one segment less.
#[derive(Clone, Debug)]
pub struct ScalarCurve {
    times: KeyTimes,
    values: Values,
    shapes: Shapes,
    before: Extrapolation,
    after: Extrapolation,
    time_resolution: TimeResolution,
}

/// The shapes of the segments between keys.
#[derive(Clone, Debug)]
pub enum Shapes {
    /// Steps: the value of a key is held until the next key.
    Step,
    /// Straight lines.
    Linear,
    /// The value of the nearer key. Half-way between two keys, the later one is used.
    Nearest,
    /// Unity's `AnimationCurve`: cubics by the tangents of the keys at both ends. A segment is a
    /// step if one of its slopes is infinite, a Bezier if one of its tangents is weighted,
    /// otherwise a Hermite curve.
    Tangents(Arc<[Tangents]>),
    /// One shape for each segment, in the order of time.
    Segments(Arc<[Segment]>),
}

impl Shapes {
    /// Returns the segment after the key `left`. [`Self::Nearest`] and [`Self::Tangents`] become
    /// steps, because no format whose segments are exported has them.
    pub(crate) fn segment(&self, left: usize) -> Segment {
        match self {
            Self::Segments(segments) => segments[left],
            Self::Linear => Segment::Linear,
            Self::Step | Self::Nearest | Self::Tangents(_) => Segment::Step,
        }
    }
}

/// The tangents of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangents {
    /// The slope at the end of the segment before the key, in value units per second.
    pub in_slope: f32,
    /// The slope at the start of the segment after the key, in value units per second.
    pub out_slope: f32,
    /// The length of the tangent as a fraction of the segment before the key. `None` if the tangent
    /// is not weighted.
    pub in_weight: Option<f32>,
    /// The length of the tangent as a fraction of the segment after the key. `None` if the tangent
    /// is not weighted.
    pub out_weight: Option<f32>,
}

/// One key, as stored in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The time in seconds.
    pub time: f64,
    /// The value in the unit of the file.
    pub value: f64,
    /// The tangents. `None` unless the curve has [`Shapes::Tangents`].
    pub tangents: Option<Tangents>,
}

impl ScalarCurve {
    /// Creates a curve that is constant before its first key and after its last key.
    ///
    /// # Panics
    /// If the number of values, tangents or segments does not fit the number of key times.
    pub fn new(times: KeyTimes, values: impl Into<Values>, shapes: Shapes) -> Self {
        let values = values.into();
        assert_eq!(times.as_slice().len(), values.len(), "a value for each key time");
        match &shapes {
            Shapes::Step | Shapes::Linear | Shapes::Nearest => {}
            Shapes::Tangents(tangents) => {
                assert_eq!(tangents.len(), values.len(), "tangents for each key");
            }
            Shapes::Segments(segments) => {
                let gaps = values.len().saturating_sub(1);
                assert_eq!(segments.len(), gaps, "a segment between each two keys");
            }
        }
        let constant = Extrapolation::Constant;
        let time_resolution = TimeResolution::Continuous;
        Self { times, values, shapes, before: constant, after: constant, time_resolution }
    }

    /// Sets the extrapolation before the first key and after the last key.
    pub fn with_extrapolation(self, before: Extrapolation, after: Extrapolation) -> Self {
        Self { before, after, ..self }
    }

    /// Sets the resolution of time.
    pub fn with_time_resolution(self, counting: TimeResolution) -> Self {
        Self { time_resolution: counting, ..self }
    }

    /// Returns the times of the keys.
    pub fn times(&self) -> &KeyTimes {
        &self.times
    }

    /// Returns the values of the keys, as stored in the file.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the shapes of the segments.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Returns the extrapolation before the first key and after the last key.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        (self.before, self.after)
    }

    /// Returns a curve with the same keys but other shapes between them.
    ///
    /// # Panics
    /// If the number of tangents or segments does not fit the number of keys.
    pub(crate) fn with_shapes(&self, shapes: Shapes) -> Self {
        let Self { times, values, before, after, time_resolution: counting, .. } = self.clone();
        Self { before, after, time_resolution: counting, ..Self::new(times, values, shapes) }
    }

    /// Replaces the storage of the values. `values` has to contain the same numbers.
    pub(crate) fn set_values(&mut self, values: Values) {
        debug_assert_eq!(self.len(), values.len(), "a value for each key");
        self.values = values;
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns `true` if the curve has no keys. Such a curve is 0 at all times.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the key with index `index`, in the order of time, or `None` if there is no such key.
    pub fn key(&self, index: usize) -> Option<Key> {
        let time = *self.times.as_slice().get(index)?;
        let tangents = match &self.shapes {
            Shapes::Tangents(tangents) => Some(tangents[index]),
            Shapes::Step | Shapes::Linear | Shapes::Nearest | Shapes::Segments(_) => None,
        };
        Some(Key { time, value: self.values.value_at(index), tangents })
    }

    /// Evaluates the curve at `time`, in seconds. Returns 0 if the curve has no keys.
    pub fn evaluate(&self, time: f64, hint: &mut Hint) -> f64 {
        self.evaluate_signed(time, hint, |_| 1.0)
    }

    pub(crate) fn evaluate_signed(
        &self,
        time: f64,
        hint: &mut Hint,
        sign: impl Fn(usize) -> f64,
    ) -> f64 {
        let Some((first, last)) = self.times.first_and_last() else { return 0.0 };
        let tolerance_s = self.time_resolution.tolerance_s();
        let extrapolation = if time < first - tolerance_s {
            self.before
        } else if time > last + tolerance_s {
            self.after
        } else {
            return self.evaluate_between_ends(time, hint, sign);
        };
        let wrapped = extrapolation.wrap_time(time, first, last, self.time_resolution);
        let value = self.evaluate_between_ends(wrapped.time, hint, sign);
        match extrapolation {
            Extrapolation::Linear { slope } => value + (time - wrapped.time) * slope,
            Extrapolation::CycleWithOffset => {
                let rise = self.values.value_at(self.len() - 1) - self.values.value_at(0);
                value + wrapped.repetitions * rise
            }
            Extrapolation::Constant | Extrapolation::Cycle | Extrapolation::Oscillate => value,
        }
    }

    /// `time` must be between the first and the last key, but may be outside by up to the tolerance
    /// of the time resolution.
    fn evaluate_between_ends(
        &self,
        time: f64,
        hint: &mut Hint,
        sign: impl Fn(usize) -> f64,
    ) -> f64 {
        let left = self.times.find_key(time, hint);
        let value = |index: usize| self.values.value_at(index) * sign(index);
        let Some(&end) = self.times.as_slice().get(left + 1) else { return value(left) };
        let start = self.times.as_slice()[left];
        match &self.shapes {
            Shapes::Step => value(left),
            Shapes::Nearest => value(if time - start < end - time { left } else { left + 1 }),
            Shapes::Linear => {
                cubic::lerp(value(left), value(left + 1), (time - start) / (end - start))
            }
            Shapes::Tangents(tangents) => {
                let (out, facing) = (tangents[left], tangents[left + 1]);
                let left_end = SegmentEnd {
                    time: start,
                    value: value(left),
                    slope: f64::from(out.out_slope) * sign(left),
                    weight: out.out_weight.map(f64::from),
                };
                let right_end = SegmentEnd {
                    time: end,
                    value: value(left + 1),
                    slope: f64::from(facing.in_slope) * sign(left + 1),
                    weight: facing.in_weight.map(f64::from),
                };
                unity::evaluate_segment(left_end, right_end, time)
            }
            Shapes::Segments(segments) => {
                if end - time < self.time_resolution.tolerance_s() {
                    return value(left + 1);
                }
                if time - start < self.time_resolution.tolerance_s() {
                    return value(left);
                }
                let duration = end - start;
                let fraction = (time - start).max(0.0) / duration;
                segments[left].evaluate(value(left), value(left + 1), duration, fraction)
            }
        }
    }

    /// Returns the key whose value the curve has at `span`. `None` if the curve interpolates there.
    pub(super) fn held_key(&self, span: KeySpan) -> Option<usize> {
        let is_step = |shape: &Segment| matches!(shape, Segment::Step);
        let is_next = |shape: &Segment| matches!(shape, Segment::StepNext);
        match &self.shapes {
            _ if span.fraction == 0.0 => Some(span.left),
            Shapes::Step => Some(span.left),
            Shapes::Nearest => Some(if span.fraction < 0.5 { span.left } else { span.right }),
            Shapes::Segments(segments) if is_step(&segments[span.left]) => Some(span.left),
            Shapes::Segments(segments) if is_next(&segments[span.left]) => Some(span.right),
            Shapes::Segments(_) | Shapes::Linear | Shapes::Tangents(_) => None,
        }
    }

    pub(super) fn is_linear_after(&self, left: usize) -> bool {
        match &self.shapes {
            Shapes::Linear => true,
            Shapes::Segments(segments) => segments[left] == Segment::Linear,
            Shapes::Step | Shapes::Nearest | Shapes::Tangents(_) => false,
        }
    }

    /// Returns the indices of the keys before and after `time`, and the fraction of the interval
    /// that has passed at `time`. `None` unless `time` is between two keys and the curve is a
    /// straight line there.
    pub(crate) fn linear_span_at(&self, time: f64, hint: &mut Hint) -> Option<(usize, usize, f64)> {
        if self.is_empty() {
            return None;
        }
        let span = self.times.find_span(time, hint);
        let is_between = self.held_key(span).is_none() && self.is_linear_after(span.left);
        is_between.then_some((span.left, span.right, span.fraction))
    }

    pub(crate) fn is_linear_and_clamped(&self) -> bool {
        !self.is_empty()
            && matches!(self.shapes, Shapes::Linear)
            && self.extrapolation() == (Extrapolation::Constant, Extrapolation::Constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(times: &[f64], values: &[f32], shapes: Shapes) -> ScalarCurve {
        ScalarCurve::new(KeyTimes::new(times).unwrap(), values, shapes)
    }

    #[test]
    fn evaluation_before_at_and_after_keys() {
        let none = curve(&[], &[], Shapes::Linear);
        let one = curve(&[4.0], &[2.5], Shapes::Linear);
        let line = curve(&[1.0, 3.0], &[10.0, 30.0], Shapes::Linear);
        let step = curve(&[-2.0, 1.0, 2.0], &[1.0, 0.0, 1.0], Shapes::Step);
        let jump = curve(&[0.0, 1.0, 1.0, 2.0], &[0.0, 1.0, 5.0, 6.0], Shapes::Linear);
        let cases = [
            (&none, 3.0, 0.0),
            (&one, -100.0, 2.5),
            (&one, 100.0, 2.5),
            (&line, 0.0, 10.0),
            (&line, 2.0, 20.0),
            (&line, 9.0, 30.0),
            (&step, -3.0, 1.0),
            (&step, 0.999_999, 1.0),
            (&step, 1.0, 0.0),
            (&step, 9.0, 1.0),
            (&jump, 0.5, 0.5),
            (&jump, 1.0, 5.0),
            (&jump, 1.5, 5.5),
        ];
        for (curve, time, expected) in cases {
            assert_eq!(curve.evaluate(time, &mut Hint::default()), expected, "{curve:?} at {time}");
        }
    }

    #[test]
    fn nearest_interpolation_uses_the_nearer_key() {
        let curve = curve(&[0.0, 1.0, 4.0], &[1.0, 2.0, 3.0], Shapes::Nearest);
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        let values = [-1.0, 0.0, 0.49, 0.5, 1.0, 2.4, 2.5, 9.0].map(value_at);
        assert_eq!(values, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn sign_of_a_key_applies_to_its_value_and_its_slopes() {
        let tangents = |slope| Tangents {
            in_slope: slope,
            out_slope: slope,
            in_weight: None,
            out_weight: None,
        };
        let with_second_key = |value: f32, slope: f32| {
            let shapes = Shapes::Tangents([tangents(3.0), tangents(slope), tangents(1.0)].into());
            curve(&[0.0, 1.0, 2.0], &[5.0, value, 2.0], shapes)
        };
        let (plain, negated) = (with_second_key(-1.0, -4.0), with_second_key(1.0, 4.0));
        for time in [0.0, 0.3, 1.0, 1.7, 2.0] {
            let sign = |key| if key == 1 { -1.0 } else { 1.0 };
            let found = negated.evaluate_signed(time, &mut Hint::default(), sign);
            assert_eq!(found, plain.evaluate(time, &mut Hint::default()), "{time}");
        }
    }

    #[test]
    fn key_next_to_an_infinite_key_keeps_its_value() {
        let curve = curve(&[0.0, 1.0], &[7.0, f32::INFINITY], Shapes::Linear);
        assert_eq!(curve.evaluate(0.0, &mut Hint::default()), 7.0);
    }

    #[test]
    fn each_segment_can_have_its_own_shape_and_keys_keep_their_values() {
        let segments = [Segment::Step, Segment::StepNext, Segment::Linear];
        let curve =
            curve(&[0.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 5.0, 7.0], Shapes::Segments(segments.into()));
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        assert_eq!(
            [0.0, 0.9, 1.0, 1.01, 2.0, 2.5, 3.0].map(value_at),
            [1.0, 1.0, 2.0, 5.0, 5.0, 6.0, 7.0]
        );
    }

    #[test]
    fn times_within_half_a_tick_of_a_key_use_its_value() {
        let steps = Shapes::Segments([Segment::Step, Segment::Step].into());
        let curve = curve(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], steps)
            .with_extrapolation(Extrapolation::Cycle, Extrapolation::Cycle)
            .with_time_resolution(TimeResolution::Ticks(1000.0));
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        let cases = [
            (0.9996, 1.0),
            (1.9994, 1.0),
            (1.9996, 2.0),
            (2.9996, 3.0),
            (3.0004, 3.0),
            (3.001, 1.0),
        ];
        for (time, expected) in cases {
            assert_eq!(value_at(time), expected, "{time}");
        }
    }

    #[test]
    fn step_next_within_half_a_tick_of_a_key_holds_its_value() {
        let steps = Shapes::Segments([Segment::StepNext].into());
        let curve = curve(&[1.0, 2.0], &[1.0, 2.0], steps)
            .with_time_resolution(TimeResolution::Ticks(1000.0));
        let value_at = |time| curve.evaluate(time, &mut Hint::default());
        assert_eq!([1.0, 1.0004, 1.0006, 2.0].map(value_at), [1.0, 1.0, 2.0, 2.0]);
    }

    #[test]
    fn linear_and_offset_extrapolation_continue_from_the_ends() {
        let line = curve(&[1.0, 3.0], &[10.0, 30.0], Shapes::Linear);
        let slope = Extrapolation::Linear { slope: -2.0 };
        let line = line.with_extrapolation(slope, Extrapolation::CycleWithOffset);
        let value_at = |time| line.evaluate(time, &mut Hint::default());
        assert_eq!([0.0, 1.0, 3.0, 4.0, 6.0].map(value_at), [12.0, 10.0, 30.0, 40.0, 60.0]);
    }
}
