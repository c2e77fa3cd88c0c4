//! Converts values of one type to arrays.

use mutoscope_core::clip::{AnyCurve, Element, Value};
use numpy::{Element as NumpyElement, PyArray1, PyArrayMethods as _};
use pyo3::{IntoPyObjectExt as _, prelude::*, types::PyList};

/// The values of one curve, stored as compactly as their type allows. The components of a vector
/// are consecutive.
pub(crate) enum Column {
    Bools(usize, Vec<bool>),
    Signed(usize, Vec<i64>),
    Unsigned(usize, Vec<u64>),
    Numbers(usize, Vec<f64>),
    /// All other values: strings, and values of several types.
    Values(Vec<Value>),
}

impl Column {
    /// Creates an empty column with room for `capacity` values of `curve`.
    pub(crate) fn for_curve(curve: &AnyCurve, capacity: usize) -> Self {
        match curve {
            AnyCurve::Switch(_) => Self::Bools(1, Vec::with_capacity(capacity)),
            AnyCurve::Number(_) | AnyCurve::Driven(_) => {
                Self::Numbers(1, Vec::with_capacity(capacity))
            }
            AnyCurve::Typed(curve) => {
                let width = curve.components().len();
                // Reserve nothing here, because `push` changes the column to objects if a value has
                // another number of components.
                match curve.value_type().element {
                    Element::Bool => Self::Bools(width, Vec::new()),
                    Element::Integer { max, .. } if max > i64::MAX as u64 => {
                        Self::Unsigned(width, Vec::new())
                    }
                    Element::Integer { .. } => Self::Signed(width, Vec::new()),
                    Element::Number => Self::Numbers(width, Vec::new()),
                }
            }
            AnyCurve::Computed(curve) => match curve.type_name() {
                "bool" => Self::Bools(1, Vec::with_capacity(capacity)),
                "float" | "double" => Self::Numbers(1, Vec::with_capacity(capacity)),
                _ => Self::Values(Vec::with_capacity(capacity)),
            },
            AnyCurve::Text(_) => Self::Values(Vec::with_capacity(capacity)),
        }
    }

    /// Adds a value. If its type differs from the values before it, the column changes to objects.
    pub(crate) fn push(&mut self, value: &Value) {
        let fits = match (&mut *self, value) {
            (Self::Bools(1, bools), Value::Bool(value)) => {
                bools.push(*value);
                true
            }
            (Self::Bools(width, bools), Value::Bools(values)) if values.len() == *width => {
                bools.extend(values);
                true
            }
            (Self::Numbers(1, numbers), Value::Number(value)) => {
                numbers.push(*value);
                true
            }
            (Self::Numbers(width, numbers), Value::Numbers(values)) if values.len() == *width => {
                numbers.extend(values);
                true
            }
            (Self::Numbers(width, numbers), Value::Null) => {
                numbers.extend(std::iter::repeat_n(f64::NAN, *width));
                true
            }
            (Self::Signed(width, integers), value) => push_integers(integers, *width, value),
            (Self::Unsigned(width, integers), value) => push_integers(integers, *width, value),
            (Self::Values(values), value) => {
                values.push(value.clone());
                true
            }
            _ => false,
        };
        if !fits {
            let mut values = std::mem::replace(self, Self::Values(Vec::new())).into_values();
            values.push(value.clone());
            *self = Self::Values(values);
        }
    }

    /// Appends the values of another column of the same curve.
    pub(crate) fn append(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::Bools(width, all), Self::Bools(same, more)) if *width == same => {
                all.extend(more)
            }
            (Self::Signed(width, all), Self::Signed(same, more)) if *width == same => {
                all.extend(more);
            }
            (Self::Unsigned(width, all), Self::Unsigned(same, more)) if *width == same => {
                all.extend(more);
            }
            (Self::Numbers(width, all), Self::Numbers(same, more)) if *width == same => {
                all.extend(more);
            }
            (_, other) => other.into_values().iter().for_each(|value| self.push(value)),
        }
    }

    fn into_values(self) -> Vec<Value> {
        fn grouped<T: Copy>(width: usize, all: &[T], of: impl Fn(&[T]) -> Value) -> Vec<Value> {
            all.chunks_exact(width).map(of).collect()
        }
        match self {
            Self::Bools(width, all) => {
                grouped(width, &all, |some| Value::from_bools(some.iter().copied()))
            }
            Self::Signed(width, all) => grouped(width, &all, |some| {
                Value::from_integers(some.iter().map(|&integer| integer.into()))
            }),
            Self::Unsigned(width, all) => grouped(width, &all, |some| {
                Value::from_integers(some.iter().map(|&integer| integer.into()))
            }),
            Self::Numbers(width, all) => {
                grouped(width, &all, |some| Value::from_numbers(some.iter().copied()))
            }
            Self::Values(values) => values,
        }
    }

    /// Converts the column to an array of shape (n,), or (n, components), without copying.
    pub(crate) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Bools(width, values) => shaped(py, width, values),
            Self::Signed(width, values) => shaped(py, width, values),
            Self::Unsigned(width, values) => shaped(py, width, values),
            Self::Numbers(width, values) => shaped(py, width, values),
            Self::Values(values) => to_object_array(py, &values),
        }
    }
}

fn push_integers<T: TryFrom<i128>>(integers: &mut Vec<T>, width: usize, value: &Value) -> bool {
    let given = match value {
        Value::Integer(integer) => std::slice::from_ref(integer),
        Value::Integers(integers) => integers.as_slice(),
        _ => return false,
    };
    let Ok(exact) = given.iter().map(|&one| T::try_from(one)).collect::<Result<Vec<T>, _>>() else {
        return false;
    };
    let fits = exact.len() == width;
    if fits {
        integers.extend(exact);
    }
    fits
}

fn shaped<T: NumpyElement>(
    py: Python<'_>,
    width: usize,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyAny>> {
    let count = values.len() / width;
    let array = PyArray1::from_vec(py, values);
    Ok(if width == 1 { array.into_any() } else { array.reshape([count, width])?.into_any() })
}

/// Creates an array of objects element by element, because NumPy would convert lists to further
/// dimensions.
fn to_object_array<'py>(py: Python<'py>, values: &[Value]) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("empty", (values.len(), "O"))?;
    for (index, value) in values.iter().enumerate() {
        array.set_item(index, to_object(py, value)?)?;
    }
    Ok(array)
}

/// Converts one value to a Python object.
pub(crate) fn to_object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Integer(value) => value.into_bound_py_any(py),
        Value::Number(value) => value.into_bound_py_any(py),
        Value::Text(value) => (&**value).into_bound_py_any(py),
        Value::Bools(values) => Ok(PyList::new(py, values.iter())?.into_any()),
        Value::Integers(values) => Ok(PyList::new(py, values.iter())?.into_any()),
        Value::Numbers(values) => Ok(PyList::new(py, values.iter())?.into_any()),
    }
}
