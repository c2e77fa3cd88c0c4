//! Measures by name, in order.

use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// The value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A count.
    Count(usize),
    /// A number in the unit of the measure's name; always finite.
    Real(f64),
    /// It cannot be known.
    Unknown,
}

impl Number {
    /// The value as a number; `None` if it is unknown.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Count(count) => Some(count as f64),
            Self::Real(number) => Some(number),
            Self::Unknown => None,
        }
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        // −0 is 0: a difference of nothing.
        if number.is_finite() { Self::Real(number + 0.0) } else { Self::Unknown }
    }
}

impl From<Option<f64>> for Number {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Unknown, Self::from)
    }
}

impl From<usize> for Number {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<Option<usize>> for Number {
    fn from(count: Option<usize>) -> Self {
        count.map_or(Self::Unknown, Self::Count)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Count(count) => serializer.serialize_u64(count as u64),
            Self::Real(number) => serializer.serialize_f64(number),
            Self::Unknown => serializer.serialize_none(),
        }
    }
}

/// Measures by name, in the order in which they are printed. Names have their units: `_s`, `_m`, `_m3`, `_mps`,
/// `_deg`, `_degps`, `_hz`, `_per_min`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures(Vec<(String, Number)>);

impl Measures {
    /// The value of a measure; `None` if there is no such measure.
    pub fn get(&self, name: &str) -> Option<Number> {
        self.iter().find(|(own, _)| *own == name).map(|(_, number)| number)
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Number)> {
        self.0.iter().map(|(name, number)| (&**name, *number))
    }

    pub(crate) fn add(&mut self, name: impl Into<String>, number: impl Into<Number>) {
        self.0.push((name.into(), number.into()));
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.iter().try_for_each(|(name, number)| map.serialize_entry(name, &number))?;
        map.end()
    }
}

/// A number that may be NaN: null in JSON.
pub(crate) fn finite<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number::from(*number).serialize(serializer)
}
