//! The curve of a track, by the type of its values.

use std::sync::Arc;

use super::{
    ComputedCurve, Element, Extrapolation, Form, Hint, KeyTimes, RotationRule, ScalarCurve,
    TextCurve, TypedCurve, Value,
};

/// The curve of a track, by the type of its values.
#[derive(Clone, Debug)]
pub enum AnyCurve {
    /// Numbers.
    Number(ScalarCurve),
    /// Yes or no: whether the number is above one half.
    Switch(ScalarCurve),
    /// Numbers over another attribute, which is not in the file, rather than over time: a driven
    /// key, which cannot be played.
    Driven(ScalarCurve),
    /// Vectors, rotations and other values of several components.
    Typed(Box<TypedCurve>),
    /// Words.
    Text(Box<TextCurve>),
    /// A curve that the format computes itself. It may have values without keys.
    Computed(Arc<dyn ComputedCurve>),
}

impl AnyCurve {
    /// The curve of numbers below it.
    ///
    /// # Panics
    /// If its values are not single numbers.
    pub fn scalar(&self) -> &ScalarCurve {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve,
            Self::Typed(_) | Self::Text(_) | Self::Computed(_) => {
                panic!("a curve of {} is not a scalar", self.type_name())
            }
        }
    }

    /// The same, to be changed in how it is held.
    pub(super) fn scalar_mut(&mut self) -> &mut ScalarCurve {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve,
            Self::Typed(_) | Self::Text(_) | Self::Computed(_) => {
                panic!("a curve of {} is not a scalar", self.type_name())
            }
        }
    }

    /// The curves of its components: one if its values are single numbers, none if they are text or
    /// computed.
    pub fn components(&self) -> &[ScalarCurve] {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => {
                std::slice::from_ref(curve)
            }
            Self::Typed(curve) => curve.components(),
            Self::Text(_) | Self::Computed(_) => &[],
        }
    }

    /// The word for the type of its values: `float`, `bool`, or the format's own.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Number(_) | Self::Driven(_) => "float",
            Self::Switch(_) => "bool",
            Self::Typed(curve) => curve.value_type().name,
            Self::Text(_) => "string",
            Self::Computed(curve) => curve.type_name(),
        }
    }

    /// How many keys it has.
    pub fn key_count(&self) -> usize {
        self.times().as_slice().len()
    }

    /// The positions of its keys: in seconds, unless it is not over time.
    pub fn times(&self) -> &KeyTimes {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve.times(),
            Self::Typed(curve) => curve.times(),
            Self::Text(curve) => curve.times(),
            Self::Computed(curve) => curve.times(),
        }
    }

    /// The times of its keys in seconds, ascending; none if it is not over time.
    pub fn key_times(&self) -> &[f64] {
        match self {
            Self::Driven(_) => &[],
            _ => self.times().as_slice(),
        }
    }

    /// Whether it has no value, as it has no keys.
    pub(super) fn is_silent(&self) -> bool {
        !matches!(self, Self::Computed(_)) && self.key_count() == 0
    }

    /// Its extrapolation before its first key and after its last.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        self.components().first().map_or_else(Default::default, ScalarCurve::extrapolation)
    }

    /// Its value at `time`, in seconds, rotations by the short way; [`Value::Null`] without keys,
    /// and if it is not over time. [`Clip::value`](super::Clip::value) turns rotations by the
    /// clip's own rule.
    pub fn value(&self, time: f64) -> Value {
        if self.is_silent() {
            return Value::Null;
        }
        self.value_or_default(time, &mut Hint::default())
    }

    /// Its value at `time`, in seconds, rotations by the short way; 0 or `false` without keys;
    /// [`Value::Null`] if it is not over time.
    pub fn value_or_default(&self, time: f64, hint: &mut Hint) -> Value {
        self.value_by_rule(time, RotationRule::Continuous, hint)
    }

    /// The same, rotations by `rule`.
    pub(super) fn value_by_rule(&self, time: f64, rule: RotationRule, hint: &mut Hint) -> Value {
        match self {
            Self::Driven(_) => Value::Null,
            Self::Number(curve) => Value::Number(curve.evaluate(time, hint)),
            Self::Switch(curve) => Value::Bool(curve.evaluate(time, hint) > 0.5),
            Self::Typed(curve) => curve.evaluate(time, rule, hint),
            Self::Text(curve) => curve.evaluate(time, hint),
            Self::Computed(curve) => curve.value(time),
        }
    }

    /// One of its components at `time`, in seconds; 0 if there is no such.
    pub(super) fn component(&self, index: usize, time: f64, hint: &mut Hint) -> f64 {
        match self {
            Self::Typed(curve) => curve.component(index, time, hint),
            _ => self.components().get(index).map_or(0.0, |curve| curve.evaluate(time, hint)),
        }
    }

    /// Whether it is on at `time`, in seconds: `true`, or a number above one half.
    pub(crate) fn is_on(&self, time: f64, hint: &mut Hint) -> bool {
        match self {
            Self::Number(curve) | Self::Switch(curve) => curve.evaluate(time, hint) > 0.5,
            Self::Typed(_) => self.component(0, time, hint) > 0.5,
            Self::Computed(curve) => curve.value(time).is_true(),
            Self::Driven(_) | Self::Text(_) => true,
        }
    }

    /// The value of the key with this index, as the file has it.
    pub fn key_value(&self, index: usize) -> Value {
        let number = |curve: &ScalarCurve| curve.key(index).map(|key| key.value);
        match self {
            Self::Number(curve) | Self::Driven(curve) => {
                number(curve).map_or(Value::Null, Value::Number)
            }
            Self::Switch(curve) => {
                number(curve).map_or(Value::Null, |value| Value::Bool(value > 0.5))
            }
            Self::Typed(curve) => curve.key_value(index).unwrap_or_default(),
            Self::Text(curve) => curve.key_value(index),
            Self::Computed(curve) => curve.key_value(index),
        }
    }

    /// Whether its values are single booleans.
    pub fn is_switch(&self) -> bool {
        match self {
            Self::Switch(_) => true,
            Self::Typed(curve) => {
                curve.value_type().element == Element::Bool && curve.components().len() == 1
            }
            Self::Computed(curve) => curve.type_name() == "bool",
            Self::Number(_) | Self::Driven(_) | Self::Text(_) => false,
        }
    }

    /// Whether its values are colours.
    pub fn is_color(&self) -> bool {
        matches!(self, Self::Typed(curve) if curve.value_type().form == Form::Color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Shapes;

    #[test]
    fn boolean_curve_is_on_above_one_half() {
        let times = KeyTimes::new(vec![0.0, 1.0, 2.0]).unwrap();
        let curve = ScalarCurve::new(times, vec![0.5, 0.51, 0.0], Shapes::Step);
        let switch = AnyCurve::Switch(curve);
        let at = |time| switch.value(time);
        assert_eq!([at(0.0), at(1.5), at(2.0)], [false, true, false].map(Value::Bool));
    }

    #[test]
    fn curve_without_keys_is_null_and_moves_to_zero() {
        let none = ScalarCurve::new(KeyTimes::default(), Vec::<f32>::new(), Shapes::Step);
        let switch = AnyCurve::Switch(none);
        assert_eq!(switch.value(0.0), Value::Null);
        assert_eq!(switch.value_or_default(0.0, &mut Hint::default()), Value::Bool(false));
    }
}
