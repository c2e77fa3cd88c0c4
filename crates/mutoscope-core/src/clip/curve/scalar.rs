//! Curves of one number.

use std::sync::Arc;

use super::{
    Extrapolation, Hint, KeyTimes, Segment, Values, cubic,
    extrapolation::Counting,
    search::{KeySpan, Keyed as _},
    unity::{self, End},
};

/// A curve of one number over time.
///
/// # Invariants
/// As many values, and as many [`Tangents`] if there are any, as there are key times; a
/// [`Segment`] less, if there are any of those.
#[derive(Clone, Debug)]
pub struct ScalarCurve {
    times: KeyTimes,
    values: Values,
    shapes: Shapes,
    before: Extrapolation,
    after: Extrapolation,
    counting: Counting,
}

/// The shapes of the segments between a curve's keys.
#[derive(Clone, Debug)]
pub enum Shapes {
    /// A key's value holds until the next key.
    Step,
    /// Straight lines.
    Linear,
    /// The value of the nearer key; of the later one half-way.
    Nearest,
    /// Cubics by the tangents of the keys at either end: a step where one is infinite, Bezier
    /// where one is weighted, else Hermite. This is Unity's `AnimationCurve`.
    Tangents(Arc<[Tangents]>),
    /// Each segment has a shape of its own, in the order of time.
    Segments(Arc<[Segment]>),
}

/// The tangents of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangents {
    /// The slope of the segment before the key at the key, in value per second.
    pub in_slope: f32,
    /// The slope of the segment after the key at the key, in value per second.
    pub out_slope: f32,
    /// How much of the segment before the key the tangent spans, if it is weighted.
    pub in_weight: Option<f32>,
    /// How much of the segment after the key the tangent spans, if it is weighted.
    pub out_weight: Option<f32>,
}

/// One key as the file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Seconds.
    pub time: f64,
    /// In the file's own unit.
    pub value: f64,
    /// Its tangents, on a curve that has them.
    pub tangents: Option<Tangents>,
}

impl ScalarCurve {
    /// A curve with these keys that is constant outside of them.
    ///
    /// # Panics
    /// If there are not as many values, or tangents, as key times, or not a segment less.
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
        let counting = Counting::Seconds;
        Self { times, values, shapes, before: constant, after: constant, counting }
    }

    /// The same curve with this extrapolation before its first key and after its last.
    pub fn extrapolated(self, before: Extrapolation, after: Extrapolation) -> Self {
        Self { before, after, ..self }
    }

    /// The same curve with this counting of times and repetitions.
    pub fn counted(self, counting: Counting) -> Self {
        Self { counting, ..self }
    }

    /// The times of its keys.
    pub fn times(&self) -> &KeyTimes {
        &self.times
    }

    /// The values of its keys, as the file has them.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The shapes of its segments.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// Its extrapolation before its first key and after its last.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        (self.before, self.after)
    }

    /// The same keys, with other shapes between them.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub(crate) fn shaped(&self, shapes: Shapes) -> Self {
        let Self { times, values, before, after, counting, .. } = self.clone();
        Self { before, after, counting, ..Self::new(times, values, shapes) }
    }

    /// The same curve, whose values are `values` by another way to hold them.
    pub(crate) fn hold(&mut self, values: Values) {
        debug_assert_eq!(self.len(), values.len(), "a value for each key");
        self.values = values;
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no keys; it is 0 everywhere then.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The key with this index, in the order of time.
    pub fn key(&self, index: usize) -> Option<Key> {
        let time = *self.times.as_slice().get(index)?;
        let tangents = match &self.shapes {
            Shapes::Tangents(tangents) => Some(tangents[index]),
            Shapes::Step | Shapes::Linear | Shapes::Nearest | Shapes::Segments(_) => None,
        };
        Some(Key { time, value: self.values.at(index), tangents })
    }

    /// Its value at `time`, in seconds: 0 without keys, the value of its key with a single one
    /// (unless it runs on in a straight line).
    pub fn evaluate(&self, time: f64, hint: &mut Hint) -> f64 {
        self.evaluate_signed(time, hint, |_| 1.0)
    }

    /// Its value at `time` if each key, its tangents included, is multiplied by the sign that
    /// `sign` gives for its index.
    pub(crate) fn evaluate_signed(
        &self,
        time: f64,
        hint: &mut Hint,
        sign: impl Fn(usize) -> f64,
    ) -> f64 {
        let Some((first, last)) = self.times.ends() else { return 0.0 };
        let slack = self.counting.slack();
        let beyond = if time < first - slack {
            self.before
        } else if time > last + slack {
            self.after
        } else {
            return self.evaluate_within(time, hint, sign);
        };
        let folded = beyond.fold(time, first, last, self.counting);
        let value = self.evaluate_within(folded.time, hint, sign);
        match beyond {
            Extrapolation::Linear { slope } => value + (time - folded.time) * slope,
            Extrapolation::CycleWithOffset => {
                let rise = self.values.at(self.len() - 1) - self.values.at(0);
                value + folded.lengths * rise
            }
            Extrapolation::Constant | Extrapolation::Cycle | Extrapolation::Oscillate => value,
        }
    }

    /// Its value at a `time` from its first key to its last, give or take what counts as one.
    fn evaluate_within(&self, time: f64, hint: &mut Hint, sign: impl Fn(usize) -> f64) -> f64 {
        let left = self.times.key_at(time, hint);
        let value = |index: usize| self.values.at(index) * sign(index);
        let Some(&end) = self.times.as_slice().get(left + 1) else { return value(left) };
        let start = self.times.as_slice()[left];
        match &self.shapes {
            Shapes::Step => value(left),
            Shapes::Nearest => value(if time - start < end - time { left } else { left + 1 }),
            Shapes::Linear => {
                cubic::linear(value(left), value(left + 1), (time - start) / (end - start))
            }
            Shapes::Tangents(tangents) => {
                let (out, facing) = (tangents[left], tangents[left + 1]);
                let left_end = End {
                    time: start,
                    value: value(left),
                    slope: f64::from(out.out_slope) * sign(left),
                    weight: out.out_weight.map(f64::from),
                };
                let right_end = End {
                    time: end,
                    value: value(left + 1),
                    slope: f64::from(facing.in_slope) * sign(left + 1),
                    weight: facing.in_weight.map(f64::from),
                };
                unity::unity(left_end, right_end, time)
            }
            Shapes::Segments(segments) => {
                if end - time < self.counting.slack() {
                    return value(left + 1);
                }
                if time - start < self.counting.slack() {
                    return value(left);
                }
                let duration = end - start;
                let part = (time - start).max(0.0) / duration;
                segments[left].evaluate(value(left), value(left + 1), duration, part)
            }
        }
    }

    /// The key whose value applies unchanged at `spot`, if there is one: on a key, outside of all
    /// keys, and where values hold.
    pub(super) fn uninterpolated(&self, spot: KeySpan) -> Option<usize> {
        let is_step = |shape: &Segment| matches!(shape, Segment::Step);
        let is_next = |shape: &Segment| matches!(shape, Segment::StepNext);
        match &self.shapes {
            _ if spot.part == 0.0 => Some(spot.left),
            Shapes::Step => Some(spot.left),
            Shapes::Nearest => Some(if spot.part < 0.5 { spot.left } else { spot.right }),
            Shapes::Segments(segments) if is_step(&segments[spot.left]) => Some(spot.left),
            Shapes::Segments(segments) if is_next(&segments[spot.left]) => Some(spot.right),
            Shapes::Segments(_) | Shapes::Linear | Shapes::Tangents(_) => None,
        }
    }

    /// Whether it runs in a straight line from the key at `left` to the next.
    pub(super) fn is_straight_after(&self, left: usize) -> bool {
        match &self.shapes {
            Shapes::Linear => true,
            Shapes::Segments(segments) => segments[left] == Segment::Linear,
            Shapes::Step | Shapes::Nearest | Shapes::Tangents(_) => false,
        }
    }

    /// The keys around `time` and the fraction of the gap between them, where the curve is linear
    /// there.
    pub(crate) fn straight_between(
        &self,
        time: f64,
        hint: &mut Hint,
    ) -> Option<(usize, usize, f64)> {
        if self.is_empty() {
            return None;
        }
        let spot = self.times.spot(time, hint);
        let is_between = self.uninterpolated(spot).is_none() && self.is_straight_after(spot.left);
        is_between.then_some((spot.left, spot.right, spot.part))
    }

    /// Whether it has keys, is linear between them and constant outside of them: the case that
    /// recorders write.
    pub(crate) fn is_plain(&self) -> bool {
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
    fn evaluation_at_edge_cases() {
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
        let at = |time| curve.evaluate(time, &mut Hint::default());
        let values = [-1.0, 0.0, 0.49, 0.5, 1.0, 2.4, 2.5, 9.0].map(at);
        assert_eq!(values, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn a_key_beside_an_infinite_one_keeps_its_own_value() {
        let curve = curve(&[0.0, 1.0], &[7.0, f32::INFINITY], Shapes::Linear);
        assert_eq!(curve.evaluate(0.0, &mut Hint::default()), 7.0);
    }
    #[test]
    fn each_segment_can_have_its_own_shape_and_keys_keep_their_values() {
        let segments = [Segment::Step, Segment::StepNext, Segment::Linear];
        let curve =
            curve(&[0.0, 1.0, 2.0, 3.0], &[1.0, 2.0, 5.0, 7.0], Shapes::Segments(segments.into()));
        let at = |time| curve.evaluate(time, &mut Hint::default());
        assert_eq!(
            [0.0, 0.9, 1.0, 1.01, 2.0, 2.5, 3.0].map(at),
            [1.0, 1.0, 2.0, 5.0, 5.0, 6.0, 7.0]
        );
    }

    #[test]
    fn times_within_half_a_tick_of_a_key_equal_it() {
        let steps = Shapes::Segments([Segment::Step, Segment::Step].into());
        let curve = curve(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], steps)
            .extrapolated(Extrapolation::Cycle, Extrapolation::Cycle)
            .counted(Counting::Ticks(1000.0));
        let at = |time| curve.evaluate(time, &mut Hint::default());
        let cases = [
            (0.9996, 1.0),
            (1.9994, 1.0),
            (1.9996, 2.0),
            (2.9996, 3.0),
            (3.0004, 3.0),
            (3.001, 1.0),
        ];
        for (time, expected) in cases {
            assert_eq!(at(time), expected, "{time}");
        }
    }

    #[test]
    fn times_right_after_a_key_equal_it() {
        let steps = Shapes::Segments([Segment::StepNext].into());
        let curve = curve(&[1.0, 2.0], &[1.0, 2.0], steps).counted(Counting::Ticks(1000.0));
        let at = |time| curve.evaluate(time, &mut Hint::default());
        assert_eq!([1.0, 1.0004, 1.0006, 2.0].map(at), [1.0, 1.0, 2.0, 2.0]);
    }

    #[test]
    fn linear_and_offset_extrapolation_continue_from_the_ends() {
        let line = curve(&[1.0, 3.0], &[10.0, 30.0], Shapes::Linear);
        let slope = Extrapolation::Linear { slope: -2.0 };
        let line = line.extrapolated(slope, Extrapolation::CycleWithOffset);
        let at = |time| line.evaluate(time, &mut Hint::default());
        assert_eq!([0.0, 1.0, 3.0, 4.0, 6.0].map(at), [12.0, 10.0, 30.0, 40.0, 60.0]);
    }
}
