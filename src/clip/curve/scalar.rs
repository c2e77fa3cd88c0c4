//! Curves of one number.

use super::{
    Extrapolation, Hint, KeyTimes,
    search::Keyed as _,
    segment::{self, End},
};

/// A curve of one number over time.
///
/// # Invariants
/// As many values, and as many [`Tangents`] if there are any, as there are key times.
#[derive(Clone, Debug)]
pub struct ScalarCurve {
    times: KeyTimes,
    values: Box<[f32]>,
    shapes: Shapes,
    before: Extrapolation,
    after: Extrapolation,
}

/// The shapes of the segments between a curve's keys.
#[derive(Clone, Debug)]
pub enum Shapes {
    /// A key's value holds until the next key.
    Step,
    /// Straight lines.
    Linear,
    /// Cubics by the tangents of the keys at either end: a step where one is infinite, Bezier
    /// where one is weighted, else Hermite. This is Unity's `AnimationCurve`.
    Tangents(Box<[Tangents]>),
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
    pub value: f32,
    /// Its tangents, on a curve that has them.
    pub tangents: Option<Tangents>,
}

impl ScalarCurve {
    /// A curve with these keys that is constant outside of them.
    ///
    /// # Panics
    /// If there are not as many values, or tangents, as key times.
    pub fn new(times: KeyTimes, values: impl Into<Box<[f32]>>, shapes: Shapes) -> Self {
        let values = values.into();
        assert_eq!(times.as_slice().len(), values.len(), "a value for each key time");
        if let Shapes::Tangents(tangents) = &shapes {
            assert_eq!(tangents.len(), values.len(), "tangents for each key");
        }
        let constant = Extrapolation::Constant;
        Self { times, values, shapes, before: constant, after: constant }
    }

    /// The same curve, continued as told before its first key and after its last.
    pub fn extrapolated(self, before: Extrapolation, after: Extrapolation) -> Self {
        Self { before, after, ..self }
    }

    /// The times of its keys.
    pub fn times(&self) -> &KeyTimes {
        &self.times
    }

    /// The values of its keys, as the file has them.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The shapes of its segments.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// What it does before its first key and after its last.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        (self.before, self.after)
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
        let tangents = match &self.shapes {
            Shapes::Tangents(tangents) => Some(*tangents.get(index)?),
            Shapes::Step | Shapes::Linear => None,
        };
        let time = *self.times.as_slice().get(index)?;
        Some(Key { time, value: self.values[index], tangents })
    }

    /// Its value at `time`, in seconds: 0 without keys, the value of its key with a single one.
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
        let Some(time) = self.fold(time) else { return 0.0 };
        let left = self.times.key_at(time, hint);
        let value = |index: usize| f64::from(self.values[index]) * sign(index);
        let Some(&end) = self.times.as_slice().get(left + 1) else { return value(left) };
        let start = self.times.as_slice()[left];
        match &self.shapes {
            Shapes::Step => value(left),
            Shapes::Linear => {
                segment::linear(value(left), value(left + 1), (time - start) / (end - start))
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
                segment::unity(left_end, right_end, time)
            }
        }
    }

    /// The time among its keys that answers for `time`; nothing without keys.
    fn fold(&self, time: f64) -> Option<f64> {
        let (first, last) = self.times.ends()?;
        Some(if time < first {
            self.before.fold(time, first, last)
        } else if time > last {
            self.after.fold(time, first, last)
        } else {
            time
        })
    }

    /// Whether it has keys, runs in straight lines between them and is constant outside of them:
    /// the case that recorders write.
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
    fn corners() {
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
    fn a_key_beside_an_infinite_one_keeps_its_own_value() {
        let curve = curve(&[0.0, 1.0], &[7.0, f32::INFINITY], Shapes::Linear);
        assert_eq!(curve.evaluate(0.0, &mut Hint::default()), 7.0);
    }
}
