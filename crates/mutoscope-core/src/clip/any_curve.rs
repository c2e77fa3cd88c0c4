//! The curve of a track, for any type of value.

use std::sync::Arc;

use super::{
    ComputedCurve, Element, Extrapolation, Form, Hint, KeyTimes, RotationRule, ScalarCurve,
    TextCurve, TypedCurve, Value,
};

/// The curve of a track, for any type of value.
#[derive(Clone, Debug)]
pub enum AnyCurve {
    /// Numbers.
    Number(ScalarCurve),
    /// Booleans: `true` if the number is above 0.5.
    Switch(ScalarCurve),
    /// Numbers over another attribute instead of over time (Maya's driven keys). The attribute is
    /// not in the file, so the curve cannot be played.
    Driven(ScalarCurve),
    /// Vectors, rotations and other values of several components.
    Typed(Box<TypedCurve>),
    /// Strings.
    Text(Box<TextCurve>),
    /// Values that the format computes. Such a curve may have values even if it has no keys.
    Computed(Arc<dyn ComputedCurve>),
}

impl AnyCurve {
    /// Returns the curve of single numbers.
    ///
    /// # Panics
    /// If the values are not single numbers.
    pub fn scalar(&self) -> &ScalarCurve {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve,
            Self::Typed(_) | Self::Text(_) | Self::Computed(_) => {
                panic!("a curve of {} is not a scalar", self.type_name())
            }
        }
    }

    pub(super) fn scalar_mut(&mut self) -> &mut ScalarCurve {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve,
            Self::Typed(_) | Self::Text(_) | Self::Computed(_) => {
                panic!("a curve of {} is not a scalar", self.type_name())
            }
        }
    }

    /// Returns the curves of the components: one for single numbers, none for text and computed
    /// curves.
    pub fn components(&self) -> &[ScalarCurve] {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => {
                std::slice::from_ref(curve)
            }
            Self::Typed(curve) => curve.components(),
            Self::Text(_) | Self::Computed(_) => &[],
        }
    }

    /// Returns the name of the value type: `float`, `bool`, `string`, or the format's own name.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Number(_) | Self::Driven(_) => "float",
            Self::Switch(_) => "bool",
            Self::Typed(curve) => curve.value_type().name,
            Self::Text(_) => "string",
            Self::Computed(curve) => curve.type_name(),
        }
    }

    /// Returns the number of keys.
    pub fn key_count(&self) -> usize {
        self.times().as_slice().len()
    }

    /// Returns the positions of the keys. They are times in seconds, except for [`Self::Driven`].
    pub fn times(&self) -> &KeyTimes {
        match self {
            Self::Number(curve) | Self::Switch(curve) | Self::Driven(curve) => curve.times(),
            Self::Typed(curve) => curve.times(),
            Self::Text(curve) => curve.times(),
            Self::Computed(curve) => curve.times(),
        }
    }

    /// Returns the times of the keys in seconds, in ascending order. The slice is empty for
    /// [`Self::Driven`].
    pub fn key_times(&self) -> &[f64] {
        match self {
            Self::Driven(_) => &[],
            _ => self.times().as_slice(),
        }
    }

    pub(super) fn has_no_value(&self) -> bool {
        !matches!(self, Self::Computed(_)) && self.key_count() == 0
    }

    /// Returns the extrapolation before the first key and after the last key.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        self.components().first().map_or_else(Default::default, ScalarCurve::extrapolation)
    }

    /// Evaluates the curve at `time`, in seconds. Rotations take the short way between keys.
    ///
    /// Returns [`Value::Null`] if the curve has no keys or is [`Self::Driven`]. To interpolate
    /// rotations by the clip's own rule, call [`Clip::value`](super::Clip::value).
    pub fn value(&self, time: f64) -> Value {
        if self.has_no_value() {
            return Value::Null;
        }
        self.value_or_default(time, &mut Hint::default())
    }

    /// Evaluates the curve at `time`, in seconds. Rotations take the short way between keys.
    ///
    /// Returns 0 or `false` if the curve has no keys, and [`Value::Null`] if it is
    /// [`Self::Driven`].
    pub fn value_or_default(&self, time: f64, hint: &mut Hint) -> Value {
        self.value_with_rotation_rule(time, RotationRule::Continuous, hint)
    }

    pub(super) fn value_with_rotation_rule(
        &self,
        time: f64,
        rule: RotationRule,
        hint: &mut Hint,
    ) -> Value {
        match self {
            Self::Driven(_) => Value::Null,
            Self::Number(curve) => Value::Number(curve.evaluate(time, hint)),
            Self::Switch(curve) => Value::Bool(curve.evaluate(time, hint) > 0.5),
            Self::Typed(curve) => curve.evaluate(time, rule, hint),
            Self::Text(curve) => curve.evaluate(time, hint),
            Self::Computed(curve) => curve.value(time),
        }
    }

    /// Returns 0 if the curve has no component with this index. `time` is in seconds.
    pub(super) fn component(&self, index: usize, time: f64, hint: &mut Hint) -> f64 {
        match self {
            Self::Typed(curve) => curve.component(index, time, hint),
            _ => self.components().get(index).map_or(0.0, |curve| curve.evaluate(time, hint)),
        }
    }

    /// Returns `true` if the value at `time` (in seconds) is `true` or a number above 0.5. Always
    /// returns `true` for text and driven curves.
    pub(crate) fn is_on(&self, time: f64, hint: &mut Hint) -> bool {
        match self {
            Self::Number(curve) | Self::Switch(curve) => curve.evaluate(time, hint) > 0.5,
            Self::Typed(_) => self.component(0, time, hint) > 0.5,
            Self::Computed(curve) => curve.value(time).is_true(),
            Self::Driven(_) | Self::Text(_) => true,
        }
    }

    /// Returns the value of the key with index `index`, as stored in the file.
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

    /// Returns `true` if the values are single booleans.
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

    /// Returns `true` if the values are colours.
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
        let value_at = |time| switch.value(time);
        assert_eq!(
            [value_at(0.0), value_at(1.5), value_at(2.0)],
            [false, true, false].map(Value::Bool)
        );
    }

    #[test]
    fn curve_without_keys_is_null_or_zero() {
        let none = ScalarCurve::new(KeyTimes::default(), Vec::<f32>::new(), Shapes::Step);
        let switch = AnyCurve::Switch(none);
        assert_eq!(switch.value(0.0), Value::Null);
        assert_eq!(switch.value_or_default(0.0, &mut Hint::default()), Value::Bool(false));
    }
}
