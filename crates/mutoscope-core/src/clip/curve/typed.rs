//! Curves of vectors, rotations and other values of several components.

use glam::DVec4;

use super::{
    Hint, KeyTimes, ScalarCurve, blend::unit_or_zero, search::KeySearch as _, search::KeySpan,
};
use crate::clip::{Blend, Element, Extrapolation, Form, RotationRule, Value, ValueType};

/// A curve whose keys are values of some type: a vector, a rotation, a colour, a matrix, an exact
/// integer. It is constant before its first key and after its last key.
///
/// The components are scalar curves that share their key times and, segment by segment, their
/// shapes. A straight line between two rotations is interpolated by a [`Blend`].
///
/// # Invariants
/// There are 1 to 4 components, or up to 16 if they are numbers, and exactly 4 for a quaternion.
/// They share their key times, and their extrapolation is constant.
#[derive(Clone, Debug)]
pub struct TypedCurve {
    value_type: ValueType,
    components: Box<[ScalarCurve]>,
    is_frozen: bool,
}

impl TypedCurve {
    /// Creates a curve of values of type `value_type` with these components.
    ///
    /// # Panics
    /// If the components break an invariant.
    pub fn new(value_type: ValueType, components: impl Into<Box<[ScalarCurve]>>) -> Self {
        let components = components.into();
        let max_components = if value_type.element == Element::Number { 16 } else { 4 };
        assert!(
            (1..=max_components).contains(&components.len()),
            "a value has 1 to {max_components} components"
        );
        let times = components[0].times();
        let constant = (Extrapolation::Constant, Extrapolation::Constant);
        let fits = |curve: &ScalarCurve| {
            curve.times().is_shared_with(times) && curve.extrapolation() == constant
        };
        assert!(
            components.iter().all(fits),
            "components share their key times and are constant outside of them"
        );
        let is_quaternion = matches!(value_type.form, Form::Quaternion { .. });
        assert!(!is_quaternion || components.len() == 4, "a quaternion has four components");
        Self { value_type, components, is_frozen: false }
    }

    /// Makes the curve constant at the value of its first key. Decoders call this for files in
    /// which the keys are 0 seconds apart.
    pub fn frozen(self) -> Self {
        Self { is_frozen: true, ..self }
    }

    /// Returns `true` if the curve is constant at the value of its first key.
    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// Returns a curve of the same type with these components.
    ///
    /// # Panics
    /// If the components break an invariant.
    pub fn with_components(&self, components: impl Into<Box<[ScalarCurve]>>) -> Self {
        Self { is_frozen: self.is_frozen, ..Self::new(self.value_type, components) }
    }

    /// Returns the type of the values.
    pub fn value_type(&self) -> &ValueType {
        &self.value_type
    }

    /// Returns the curves of the components.
    pub fn components(&self) -> &[ScalarCurve] {
        &self.components
    }

    /// Returns the times of the keys.
    pub fn times(&self) -> &KeyTimes {
        self.components[0].times()
    }

    /// Returns the value of the key with index `index`, as stored in the file. `None` if there is
    /// no such key.
    pub fn key_value(&self, index: usize) -> Option<Value> {
        if index >= self.components[0].len() {
            return None;
        }
        let values = self.components.iter().map(ScalarCurve::values);
        Some(match self.value_type.element {
            Element::Bool => Value::from_bools(values.map(|values| values.value_at(index) > 0.5)),
            Element::Number => Value::from_numbers(values.map(|values| values.value_at(index))),
            Element::Integer { min, max } => Value::from_integers(values.map(|values| {
                let exact = values.integer_at(index);
                exact.unwrap_or_else(|| nearest_integer(values.value_at(index), min, max))
            })),
        })
    }

    /// Evaluates the curve at `time`, in seconds. Without keys, all components are 0 or `false`.
    ///
    /// Interpolated rotations have unit length. Values that are not interpolated are returned as
    /// stored in the file.
    pub fn evaluate(&self, time: f64, rule: RotationRule, hint: &mut Hint) -> Value {
        if let Some(value) = self.find_span(time, hint).and_then(|span| self.held_key(span)) {
            return self.key_value(value).unwrap_or_default();
        }
        if let Form::Quaternion { .. } = self.value_type.form {
            let rotation = self.rotation(time, rule, hint);
            return Value::from_numbers(rotation.to_array().into_iter());
        }
        let numbers = self.components.iter().map(|curve| curve.evaluate(time, hint));
        match self.value_type.element {
            Element::Bool => Value::from_bools(numbers.map(|number| number > 0.5)),
            Element::Number => Value::from_numbers(numbers),
            Element::Integer { min, max } => {
                Value::from_integers(numbers.map(|number| nearest_integer(number, min, max)))
            }
        }
    }

    /// Returns 0 if there are no keys, or no component with this index. `time` is in seconds.
    pub(crate) fn component(&self, index: usize, time: f64, hint: &mut Hint) -> f64 {
        match (self.components.get(index), self.is_frozen) {
            (None, _) => 0.0,
            (Some(curve), true) => curve.values().iter().next().unwrap_or(0.0),
            (Some(curve), false) => curve.evaluate(time, hint),
        }
    }

    /// Returns the first four components at `time` as x, y, z and w of a quaternion. Interpolated
    /// quaternions have unit length. Returns zero if there are no keys, or fewer than four
    /// components.
    pub(crate) fn rotation(&self, time: f64, rule: RotationRule, hint: &mut Hint) -> DVec4 {
        let [x, y, z, w, ..] = &*self.components else { return DVec4::ZERO };
        let curves = [x, y, z, w];
        let Some(span) = self.find_span(time, hint) else { return DVec4::ZERO };
        let key =
            |index: usize| DVec4::from_array(curves.map(|curve| curve.values().value_at(index)));
        if let Some(index) = self.held_key(span) {
            return key(index);
        }
        let blend = match (self.value_type.form, rule) {
            (Form::Quaternion { authored_blend }, RotationRule::AsAuthored) => authored_blend,
            _ => Blend::ShortSlerp,
        };
        if x.is_linear_after(span.left) {
            blend.interpolate(key(span.left), key(span.right), span.fraction)
        } else {
            unit_or_zero(DVec4::from_array(curves.map(|curve| curve.evaluate(time, hint))))
        }
    }

    fn find_span(&self, time: f64, hint: &mut Hint) -> Option<KeySpan> {
        match (self.components[0].is_empty(), self.is_frozen) {
            (true, _) => None,
            (false, true) => Some(KeySpan { left: 0, right: 0, fraction: 0.0 }),
            (false, false) => Some(self.times().find_span(time, hint)),
        }
    }

    fn held_key(&self, span: KeySpan) -> Option<usize> {
        self.components[0].held_key(span)
    }
}

fn nearest_integer(number: f64, min: i64, max: u64) -> i128 {
    (number.round() as i128).clamp(min.into(), max.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Segment, Shapes, Values};

    const LONG: Element = Element::Integer { min: i64::MIN, max: i64::MAX as u64 };

    fn curve<V: Into<Values>>(
        element: Element,
        form: Form,
        times: &[f64],
        components: Vec<V>,
        shapes: &Shapes,
    ) -> TypedCurve {
        let times = KeyTimes::new(times).unwrap();
        let component = |values: V| ScalarCurve::new(times.clone(), values, shapes.clone());
        let components: Vec<_> = components.into_iter().map(component).collect();
        TypedCurve::new(ValueType { name: "test", element, form }, components)
    }

    fn evaluate(curve: &TypedCurve, time: f64) -> Value {
        curve.evaluate(time, RotationRule::Continuous, &mut Hint::default())
    }

    #[test]
    fn vectors_interpolate_component_by_component() {
        let columns = vec![vec![0.0, 4.0], vec![1.0, -1.0], vec![2.0, 2.5]];
        let vector = curve(Element::Number, Form::Plain, &[0.0, 4.0], columns, &Shapes::Linear);
        let expected = [(-1.0, [0.0, 1.0, 2.0]), (1.0, [1.0, 0.5, 2.125]), (9.0, [4.0, -1.0, 2.5])];
        for (time, expected) in expected {
            assert_eq!(
                evaluate(&vector, time),
                Value::from_numbers(expected.into_iter()),
                "{time}"
            );
        }
    }

    #[test]
    fn integers_are_exact_at_keys_and_rounded_between() {
        let large = i64::MAX - 1;
        let shapes = Shapes::Segments([Segment::Step, Segment::Linear].into());
        let values = vec![vec![large, -3, 4]];
        let long = curve(LONG, Form::Plain, &[0.0, 1.0, 2.0], values, &shapes);
        let cases = [(0.0, large), (0.7, large), (1.0, -3), (1.2, -2), (1.6, 1), (5.0, 4)];
        for (time, expected) in cases {
            assert_eq!(evaluate(&long, time), Value::Integer(expected.into()), "{time}");
        }
    }

    #[test]
    fn integers_stay_within_their_type() {
        let byte = Element::Integer { min: 0, max: 255 };
        let over = Segment::ValueBezier { out_value: 2000.0, in_value: -2000.0 };
        let shapes = Shapes::Segments([over].into());
        let values = vec![vec![250_i64, 3]];
        let curve = curve(byte, Form::Plain, &[0.0, 1.0], values, &shapes);
        assert_eq!([0.2, 0.8].map(|time| evaluate(&curve, time)), [255, 0].map(Value::Integer));
    }

    #[test]
    fn rotations_take_the_short_way_unless_as_authored() {
        let half = 0.5_f64.sqrt();
        let form = Form::Quaternion { authored_blend: Blend::Lerp };
        let columns = vec![vec![0.0, 0.0], vec![0.0, -half], vec![0.0, 0.0], vec![1.0, -half]];
        let curve = curve(Element::Number, form, &[0.0, 1.0], columns, &Shapes::Linear);
        let turn = |rule, time| {
            let q = curve.rotation(time, rule, &mut Hint::default());
            (2.0 * q.y.atan2(q.w)).to_degrees()
        };
        assert!((turn(RotationRule::Continuous, 0.5) - 45.0).abs() < 1e-9);
        assert!((turn(RotationRule::AsAuthored, 0.5) + 135.0).abs() < 1e-9);
        assert_eq!(
            evaluate(&curve, 7.0),
            Value::from_numbers([0.0, -half, 0.0, -half].into_iter())
        );
    }

    #[test]
    fn a_frozen_curve_keeps_its_first_value() {
        let columns = vec![vec![0.5, 0.7, 0.8]];
        let times = [0.0, 0.0, 0.0];
        let frozen = curve(Element::Number, Form::Plain, &times, columns, &Shapes::Linear).frozen();
        for time in [-1.0, 0.0, 2.0] {
            assert_eq!(evaluate(&frozen, time), Value::Number(0.5), "{time}");
            assert_eq!(frozen.component(0, time, &mut Hint::default()), 0.5, "{time}");
        }
    }

    #[test]
    fn components_are_zero_without_keys() {
        let columns = vec![Vec::<f64>::new(); 3];
        let empty = curve(Element::Number, Form::Plain, &[], columns, &Shapes::Linear);
        assert_eq!(evaluate(&empty, 0.0), Value::from_numbers([0.0; 3].into_iter()));
        let columns = vec![Vec::<f32>::new(); 2];
        let empty = curve(Element::Bool, Form::Plain, &[], columns, &Shapes::Step);
        assert_eq!(evaluate(&empty, 0.0), Value::from_bools([false; 2].into_iter()));
    }
}
