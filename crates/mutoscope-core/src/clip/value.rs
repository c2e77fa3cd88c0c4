//! The value of a track at one time.

use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};

/// The value of a track or a signal at one time, in the axes and units of the file.
///
/// Values serialise as plain JSON: null, a boolean, a number, a string, or an array of booleans or
/// numbers. Cloning a value does not allocate memory.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// No value, because the curve has no keys or no value at that time.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An exact integer.
    Integer(i128),
    /// A number.
    Number(f64),
    /// A string, such as a subtitle.
    Text(Arc<str>),
    /// A vector of booleans.
    Bools(ArrayVec<bool, 4>),
    /// A vector of exact integers.
    Integers(ArrayVec<i128, 4>),
    /// A vector, a quaternion, a colour, or a matrix in row-major order.
    Numbers(ArrayVec<f64, 16>),
}

impl Value {
    /// Returns `true` for the boolean `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// Creates a value from its components. A single component becomes [`Self::Bool`].
    ///
    /// # Panics
    /// If there are no components, or more than 4.
    pub fn from_bools(bools: impl ExactSizeIterator<Item = bool>) -> Self {
        from_components(bools, Self::Bool, Self::Bools)
    }

    /// Creates a value from its components. A single component becomes [`Self::Integer`].
    ///
    /// # Panics
    /// If there are no components, or more than 4.
    pub fn from_integers(integers: impl ExactSizeIterator<Item = i128>) -> Self {
        from_components(integers, Self::Integer, Self::Integers)
    }

    /// Creates a value from its components. A single component becomes [`Self::Number`].
    ///
    /// # Panics
    /// If there are no components, or more than 16.
    pub fn from_numbers(numbers: impl ExactSizeIterator<Item = f64>) -> Self {
        from_components(numbers, Self::Number, Self::Numbers)
    }
}

fn from_components<T, const CAPACITY: usize>(
    mut components: impl ExactSizeIterator<Item = T>,
    single: impl Fn(T) -> Value,
    several: impl Fn(ArrayVec<T, CAPACITY>) -> Value,
) -> Value {
    match components.len() {
        1 => single(components.next().expect("the length is 1")),
        0 => panic!("a value has at least one component"),
        _ => several(components.collect()),
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(is_true) => serializer.serialize_bool(*is_true),
            Self::Integer(integer) => serializer.serialize_i128(*integer),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bools(bools) => serializer.collect_seq(bools),
            Self::Integers(integers) => serializer.collect_seq(integers),
            Self::Numbers(numbers) => serializer.collect_seq(numbers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_serialise_as_plain_json() {
        let cases = [
            (Value::Null, "null"),
            (Value::from_bools([true].into_iter()), "true"),
            (Value::from_bools([true, false].into_iter()), "[true,false]"),
            (Value::from_integers([u64::MAX.into()].into_iter()), "18446744073709551615"),
            (Value::from_integers([i64::MIN.into(), 0].into_iter()), "[-9223372036854775808,0]"),
            (Value::from_numbers([0.1].into_iter()), "0.1"),
            (Value::from_numbers([0.5, f64::NAN].into_iter()), "[0.5,null]"),
            (Value::Text("a \"b\"".into()), "\"a \\\"b\\\"\""),
        ];
        for (value, text) in cases {
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
        }
    }
}
