//! An ordered list of named measures and their values.

use serde::{Serialize, Serializer, ser::SerializeMap as _};

/// The value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A count.
    Count(usize),
    /// A real number in the unit that the measure's name ends in; always finite.
    Real(f64),
    /// A value that cannot be known.
    Unknown,
}

impl Number {
    /// Returns the value as a real number, or `None` if it is unknown.
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
        // Adding 0 turns −0 into 0, so that reports never print "-0".
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

/// Measures by name, in the order in which they are printed.
///
/// Names end in their units: `_s`, `_m`, `_m3`, `_mps`, `_deg`, `_degps`, `_hz`, `_per_min`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures(Vec<(String, Number)>);

impl Measures {
    /// Returns the value of a measure, or `None` if there is no measure of this name.
    pub fn get(&self, name: &str) -> Option<Number> {
        self.iter().find(|(own, _)| *own == name).map(|(_, number)| number)
    }

    /// Iterates over the names and values, in the order in which they are printed.
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

/// Serialises a number that may be NaN or infinite. JSON has neither, so both become null.
pub(crate) fn serialize_finite<S: Serializer>(
    number: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Number::from(*number).serialize(serializer)
}
