//! Numbers on their way into columns.

use std::sync::Arc;

use super::json::Scalar as Json;
use crate::{
    clip::Values,
    formats::resonite::{Columns, Scalar, Shape, TypeInfo},
};

/// A value as written in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Numbers or booleans; nothing where one is missing.
    Components([Option<Number>; 4]),
    /// Words, or none.
    Text(Option<Arc<str>>),
}

/// A component as written in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

/// Why a value is not what its type asks for, and what is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// There is nothing.
    Missing,
    /// A boolean for a number, or a number for a boolean.
    WrongKind,
    /// A whole number with a point.
    NotWhole,
    /// A number beyond the bounds of the type.
    OutOfBounds,
}

impl Value {
    /// Nothing yet.
    #[inline]
    pub(super) fn none(value_type: &TypeInfo) -> Self {
        match value_type.scalar {
            Scalar::Text => Self::Text(None),
            _ => Self::Components([None; 4]),
        }
    }
}

impl Number {
    /// The number in the text, if there is one; quoted numbers count, too.
    #[inline]
    pub(super) fn of(json: &Json) -> Option<Self> {
        match json {
            Json::Bool(is_true) => Some(Self::Bool(*is_true)),
            Json::Unsigned(number) => Some(Self::Unsigned(*number)),
            Json::Signed(number) => Some(Self::Signed(*number)),
            Json::Float(number) => Some(Self::Float(*number)),
            Json::Text(text) => {
                let text = text.trim();
                let unsigned = text.parse().map(Self::Unsigned).ok();
                let signed = || text.parse().map(Self::Signed).ok();
                let float = || text.parse().ok().filter(|number: &f64| number.is_finite());
                unsigned.or_else(signed).or_else(|| float().map(Self::Float))
            }
            Json::Null | Json::Other(_) => None,
        }
    }

    #[inline]
    fn as_double(self) -> (f64, Option<Misfit>) {
        match self {
            Self::Bool(is_true) => (f64::from(u8::from(is_true)), Some(Misfit::WrongKind)),
            Self::Unsigned(number) => (number as f64, None),
            Self::Signed(number) => (number as f64, None),
            Self::Float(number) => (number, None),
        }
    }

    fn as_bool(self) -> (bool, Option<Misfit>) {
        match self {
            Self::Bool(is_true) => (is_true, None),
            Self::Unsigned(number) => (number != 0, Some(Misfit::WrongKind)),
            Self::Signed(_) => (true, Some(Misfit::WrongKind)),
            Self::Float(number) => (number != 0.0, Some(Misfit::WrongKind)),
        }
    }

    /// As a whole number within these bounds.
    fn as_integer(self, min: i64, max: u64) -> (i128, Option<Misfit>) {
        let (exact, misfit): (i128, _) = match self {
            Self::Bool(is_true) => (is_true.into(), Some(Misfit::WrongKind)),
            Self::Unsigned(number) => (number.into(), None),
            Self::Signed(number) => (number.into(), None),
            Self::Float(number) => (number.round() as i128, Some(Misfit::NotWhole)),
        };
        let within = exact.clamp(min.into(), max.into());
        (within, misfit.or((within != exact).then_some(Misfit::OutOfBounds)))
    }
}

/// Columns that grow by a value at a time.
#[derive(Debug)]
pub(super) enum Builder {
    Bools(Vec<Vec<f32>>),
    Signed(Vec<Vec<i64>>),
    Unsigned(Vec<Vec<u64>>),
    Doubles(Vec<Vec<f64>>),
    Texts(Vec<Option<Arc<str>>>),
}

impl Builder {
    pub(super) fn new(value_type: &TypeInfo) -> Self {
        fn none<T>(count: usize) -> Vec<Vec<T>> {
            (0..count).map(|_| Vec::new()).collect()
        }
        let count = value_type.components();
        match value_type.scalar {
            Scalar::Bool => Self::Bools(none(count)),
            Scalar::Unsigned(8) => Self::Unsigned(none(count)),
            Scalar::Unsigned(_) | Scalar::Signed(_) => Self::Signed(none(count)),
            Scalar::Single | Scalar::Double => Self::Doubles(none(count)),
            Scalar::Text => Self::Texts(Vec::new()),
        }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bools(columns) => columns[0].len(),
            Self::Signed(columns) => columns[0].len(),
            Self::Unsigned(columns) => columns[0].len(),
            Self::Doubles(columns) => columns[0].len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Takes back the value that was added last.
    pub(super) fn pop(&mut self) {
        fn pop<T>(columns: &mut [Vec<T>]) {
            columns.iter_mut().for_each(|column| drop(column.pop()));
        }
        match self {
            Self::Bools(columns) => pop(columns),
            Self::Signed(columns) => pop(columns),
            Self::Unsigned(columns) => pop(columns),
            Self::Doubles(columns) => pop(columns),
            Self::Texts(texts) => drop(texts.pop()),
        }
    }

    /// Adds a value. `tell` is called for components that do not fit the type.
    #[inline]
    pub(super) fn push(
        &mut self,
        value: Value,
        value_type: &TypeInfo,
        mut tell: impl FnMut(usize, Misfit),
    ) {
        let numbers = match value {
            Value::Components(numbers) => numbers,
            Value::Text(text) => {
                if let Self::Texts(texts) = self {
                    texts.push(text);
                }
                return;
            }
        };
        // Of a colour without opacity, Resonite's own reader makes one that can be seen.
        let opaque = if value_type.scalar == Scalar::Single { 1 } else { 255 };
        let number = |component: usize| match numbers[component] {
            Some(number) => (number, None),
            None if value_type.shape == Shape::Color && component == 3 => {
                (Number::Unsigned(opaque), Some(Misfit::Missing))
            }
            None if value_type.scalar == Scalar::Bool => {
                (Number::Bool(false), Some(Misfit::Missing))
            }
            None => (Number::Unsigned(0), Some(Misfit::Missing)),
        };
        let (min, max) = value_type.integer_bounds().unwrap_or_default();
        for component in 0..value_type.components() {
            let (number, missing) = number(component);
            let misfit = match self {
                Self::Bools(columns) => {
                    let (is_true, misfit) = number.as_bool();
                    columns[component].push(f32::from(u8::from(is_true)));
                    misfit
                }
                Self::Signed(columns) => {
                    let (integer, misfit) = number.as_integer(min, max);
                    columns[component].push(integer as i64);
                    misfit
                }
                Self::Unsigned(columns) => {
                    let (integer, misfit) = number.as_integer(min, max);
                    columns[component].push(integer as u64);
                    misfit
                }
                Self::Doubles(columns) => {
                    let (double, misfit) = number.as_double();
                    columns[component].push(double);
                    misfit
                }
                Self::Texts(_) => None,
            };
            if let Some(misfit) = missing.or(misfit) {
                tell(component, misfit);
            }
        }
    }

    /// The columns.
    pub(super) fn finish(self) -> Columns {
        fn values<T>(columns: Vec<Vec<T>>) -> Columns
        where
            Values: From<Vec<T>>,
        {
            Columns::Components(columns.into_iter().map(Values::from).collect())
        }
        match self {
            Self::Bools(columns) => values(columns),
            Self::Signed(columns) => values(columns),
            Self::Unsigned(columns) => values(columns),
            Self::Doubles(columns) => values(columns),
            Self::Texts(texts) => Columns::Texts(texts),
        }
    }
}

impl Value {
    /// The first of its components that is there and is not what `value_type` asks for.
    pub(super) fn misfit(&self, value_type: &TypeInfo) -> Option<(usize, Misfit)> {
        let Self::Components(numbers) = self else { return None };
        let misfit = |number: Number| match (value_type.scalar, value_type.integer_bounds()) {
            (_, Some((min, max))) => number.as_integer(min, max).1,
            (Scalar::Single | Scalar::Double, None) => number.as_double().1,
            (_, None) => None,
        };
        let given = numbers.iter().take(value_type.components()).enumerate();
        given.filter_map(|(index, number)| Some((index, misfit((*number)?)?))).next()
    }

    /// Its components as doubles; 0 where one is missing.
    #[inline]
    pub(super) fn doubles(&self) -> [f64; 4] {
        match self {
            Self::Components(numbers) => {
                numbers.map(|number| number.map_or(0.0, |number| number.as_double().0))
            }
            Self::Text(_) => [0.0; 4],
        }
    }
}
