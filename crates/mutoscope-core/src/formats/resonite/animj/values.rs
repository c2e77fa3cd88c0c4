//! Converts JSON numbers to columns of values.

use std::sync::Arc;

use super::json::Scalar as Json;
use crate::{
    clip::Values,
    formats::resonite::{Columns, Scalar, Shape, TypeInfo},
};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Numbers or booleans. `None` for components that are missing.
    Components([Option<Number>; 4]),
    /// A string, or `None` for null.
    Text(Option<Arc<str>>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueProblem {
    /// The value is missing. A default is used.
    Missing,
    /// The value is a boolean instead of a number, or a number instead of a boolean. It is
    /// converted.
    WrongKind,
    /// An integer is written with a decimal point. It is rounded.
    NotInteger,
    /// The number is out of the bounds of the type. It is clamped.
    OutOfBounds,
}

impl Value {
    #[inline]
    pub(super) fn empty(value_type: &TypeInfo) -> Self {
        match value_type.scalar {
            Scalar::Text => Self::Text(None),
            _ => Self::Components([None; 4]),
        }
    }
}

impl Number {
    #[inline]
    pub(super) fn from_json(json: &Json) -> Option<Self> {
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
    fn as_f64(self) -> (f64, Option<ValueProblem>) {
        match self {
            Self::Bool(is_true) => (f64::from(u8::from(is_true)), Some(ValueProblem::WrongKind)),
            Self::Unsigned(number) => (number as f64, None),
            Self::Signed(number) => (number as f64, None),
            Self::Float(number) => (number, None),
        }
    }

    fn as_bool(self) -> (bool, Option<ValueProblem>) {
        match self {
            Self::Bool(is_true) => (is_true, None),
            Self::Unsigned(number) => (number != 0, Some(ValueProblem::WrongKind)),
            Self::Signed(_) => (true, Some(ValueProblem::WrongKind)),
            Self::Float(number) => (number != 0.0, Some(ValueProblem::WrongKind)),
        }
    }

    fn as_integer(self, min: i64, max: u64) -> (i128, Option<ValueProblem>) {
        let (exact, problem): (i128, _) = match self {
            Self::Bool(is_true) => (is_true.into(), Some(ValueProblem::WrongKind)),
            Self::Unsigned(number) => (number.into(), None),
            Self::Signed(number) => (number.into(), None),
            Self::Float(number) => (number.round() as i128, Some(ValueProblem::NotInteger)),
        };
        let within = exact.clamp(min.into(), max.into());
        (within, problem.or((within != exact).then_some(ValueProblem::OutOfBounds)))
    }
}

#[derive(Debug)]
pub(super) enum ColumnBuilder {
    Bools(Vec<Vec<f32>>),
    Signed(Vec<Vec<i64>>),
    Unsigned(Vec<Vec<u64>>),
    Doubles(Vec<Vec<f64>>),
    Texts(Vec<Option<Arc<str>>>),
}

impl ColumnBuilder {
    pub(super) fn new(value_type: &TypeInfo) -> Self {
        fn none<T>(count: usize) -> Vec<Vec<T>> {
            (0..count).map(|_| Vec::new()).collect()
        }
        let count = value_type.component_count();
        match value_type.scalar {
            Scalar::Bool => Self::Bools(none(count)),
            Scalar::Unsigned(8) => Self::Unsigned(none(count)),
            Scalar::Unsigned(_) | Scalar::Signed(_) => Self::Signed(none(count)),
            Scalar::Single | Scalar::Double => Self::Doubles(none(count)),
            Scalar::Text => Self::Texts(Vec::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bools(columns) => columns[0].len(),
            Self::Signed(columns) => columns[0].len(),
            Self::Unsigned(columns) => columns[0].len(),
            Self::Doubles(columns) => columns[0].len(),
            Self::Texts(texts) => texts.len(),
        }
    }

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

    #[inline]
    pub(super) fn push(
        &mut self,
        value: Value,
        value_type: &TypeInfo,
        mut on_problem: impl FnMut(usize, ValueProblem),
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
        // Use full opacity if a colour has no alpha, as Resonite's own reader does.
        let opaque = if value_type.scalar == Scalar::Single { 1 } else { 255 };
        let number = |component: usize| match numbers[component] {
            Some(number) => (number, None),
            None if value_type.shape == Shape::Color && component == 3 => {
                (Number::Unsigned(opaque), Some(ValueProblem::Missing))
            }
            None if value_type.scalar == Scalar::Bool => {
                (Number::Bool(false), Some(ValueProblem::Missing))
            }
            None => (Number::Unsigned(0), Some(ValueProblem::Missing)),
        };
        let (min, max) = value_type.integer_bounds().unwrap_or_default();
        for component in 0..value_type.component_count() {
            let (number, missing) = number(component);
            let problem = match self {
                Self::Bools(columns) => {
                    let (is_true, problem) = number.as_bool();
                    columns[component].push(f32::from(u8::from(is_true)));
                    problem
                }
                Self::Signed(columns) => {
                    let (integer, problem) = number.as_integer(min, max);
                    columns[component].push(integer as i64);
                    problem
                }
                Self::Unsigned(columns) => {
                    let (integer, problem) = number.as_integer(min, max);
                    columns[component].push(integer as u64);
                    problem
                }
                Self::Doubles(columns) => {
                    let (double, problem) = number.as_f64();
                    columns[component].push(double);
                    problem
                }
                Self::Texts(_) => None,
            };
            if let Some(problem) = missing.or(problem) {
                on_problem(component, problem);
            }
        }
    }

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
    pub(super) fn first_problem(&self, value_type: &TypeInfo) -> Option<(usize, ValueProblem)> {
        let Self::Components(numbers) = self else { return None };
        let problem = |number: Number| match (value_type.scalar, value_type.integer_bounds()) {
            (_, Some((min, max))) => number.as_integer(min, max).1,
            (Scalar::Single | Scalar::Double, None) => number.as_f64().1,
            (_, None) => None,
        };
        let given = numbers.iter().take(value_type.component_count()).enumerate();
        given.filter_map(|(index, number)| Some((index, problem((*number)?)?))).next()
    }

    #[inline]
    pub(super) fn to_f64s(&self) -> [f64; 4] {
        match self {
            Self::Components(numbers) => {
                numbers.map(|number| number.map_or(0.0, |number| number.as_f64().0))
            }
            Self::Text(_) => [0.0; 4],
        }
    }
}
