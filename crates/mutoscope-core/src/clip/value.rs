//! One value of a track.

use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};

/// The value of a track or a signal at one time, in the file's own axes and units.
///
/// Serialised, it is plain JSON: null, a boolean, a number, a text, or an array of booleans or
/// numbers. Cloning one allocates nothing.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// No value: the curve has no keys, or no value at that time.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number, exact.
    Integer(i128),
    /// A number.
    Number(f64),
    /// Text, such as a subtitle.
    Text(Arc<str>),
    /// A vector of booleans.
    Bools(ArrayVec<bool, 4>),
    /// A vector of whole numbers.
    Integers(ArrayVec<i128, 4>),
    /// A vector, a quaternion, a colour, or a matrix row by row.
    Numbers(ArrayVec<f64, 16>),
}

impl Value {
    /// Whether it is the boolean `true`.
    pub fn is_true(&self) -> bool {
        *self == Self::Bool(true)
    }

    /// These booleans as one value; a single one as such.
    ///
    /// # Panics
    /// If there are none, or too many for a value: more than 4, or more than 16 for
    /// [`Self::of_numbers`].
    pub fn of_bools(bools: impl ExactSizeIterator<Item = bool>) -> Self {
        of_components(bools, Self::Bool, Self::Bools)
    }

    /// These integers as one value; a single one as such.
    ///
    /// # Panics
    /// As [`Self::of_bools`].
    pub fn of_integers(integers: impl ExactSizeIterator<Item = i128>) -> Self {
        of_components(integers, Self::Integer, Self::Integers)
    }

    /// These numbers as one value; a single one as such.
    ///
    /// # Panics
    /// As [`Self::of_bools`].
    pub fn of_numbers(numbers: impl ExactSizeIterator<Item = f64>) -> Self {
        of_components(numbers, Self::Number, Self::Numbers)
    }
}

fn of_components<T, const MOST: usize>(
    mut components: impl ExactSizeIterator<Item = T>,
    single: impl Fn(T) -> Value,
    several: impl Fn(ArrayVec<T, MOST>) -> Value,
) -> Value {
    match components.len() {
        1 => single(components.next().expect("there is one")),
        0 => panic!("a value has components"),
        _ => several(components.collect()),
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_unit(),
            Self::Bool(is_true) => to.serialize_bool(*is_true),
            Self::Integer(integer) => to.serialize_i128(*integer),
            Self::Number(number) => to.serialize_f64(*number),
            Self::Text(text) => to.serialize_str(text),
            Self::Bools(bools) => to.collect_seq(bools),
            Self::Integers(integers) => to.collect_seq(integers),
            Self::Numbers(numbers) => to.collect_seq(numbers),
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
            (Value::of_bools([true].into_iter()), "true"),
            (Value::of_bools([true, false].into_iter()), "[true,false]"),
            (Value::of_integers([u64::MAX.into()].into_iter()), "18446744073709551615"),
            (Value::of_integers([i64::MIN.into(), 0].into_iter()), "[-9223372036854775808,0]"),
            (Value::of_numbers([0.1].into_iter()), "0.1"),
            (Value::of_numbers([0.5, f64::NAN].into_iter()), "[0.5,null]"),
            (Value::Text("a \"b\"".into()), "\"a \\\"b\\\"\""),
        ];
        for (value, text) in cases {
            assert_eq!(serde_json::to_string(&value).unwrap(), text);
        }
    }
}
