//! The values of a curve's keys.

use std::sync::Arc;

use super::packed::PackedColumn;

/// The values of a curve's keys, as precise as their file has them. Cheap to clone: the same keys
/// in another convention, or with other shapes between them, are not copied.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// In single precision: half the memory, and enough for binary recordings.
    Single(Arc<[f32]>),
    /// In single precision, interleaved with the values of other curves.
    Packed(Box<PackedColumn>),
    /// In double precision, as in text files.
    Double(Arc<[f64]>),
    /// Whole numbers, exact where a double is not.
    Signed(Arc<[i64]>),
    /// Whole numbers beyond those.
    Unsigned(Arc<[u64]>),
    /// The same number for all keys, which takes no memory.
    Same {
        /// The number.
        value: f64,
        /// How many keys there are.
        count: usize,
    },
}

impl Values {
    /// The value with this index, as near to it as a double can be.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Single(values) => f64::from(values[index]),
            Self::Packed(column) => f64::from(column.at(index)),
            Self::Double(values) => values[index],
            Self::Signed(values) => values[index] as f64,
            Self::Unsigned(values) => values[index] as f64,
            Self::Same { value, count } => {
                assert!(index < *count, "value {index} of {count}");
                *value
            }
        }
    }

    /// The value with this index to the last digit, if it was stored as a whole number.
    ///
    /// # Panics
    /// If there are not as many.
    pub fn integer_at(&self, index: usize) -> Option<i128> {
        match self {
            Self::Single(_) | Self::Packed(_) | Self::Double(_) | Self::Same { .. } => None,
            Self::Signed(values) => Some(values[index].into()),
            Self::Unsigned(values) => Some(values[index].into()),
        }
    }

    /// All values as one slice, if they are contiguous and in single precision.
    pub fn as_singles(&self) -> Option<&[f32]> {
        match self {
            Self::Single(values) => Some(values),
            _ => None,
        }
    }

    /// Whether they are in single precision.
    pub fn are_single(&self) -> bool {
        matches!(self, Self::Single(_) | Self::Packed(_))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(values) => values.len(),
            Self::Packed(column) => column.len(),
            Self::Double(values) => values.len(),
            Self::Signed(values) => values.len(),
            Self::Unsigned(values) => values.len(),
            Self::Same { count, .. } => *count,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of them, in the order of time.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + '_ {
        (0..self.len()).map(|index| self.at(index))
    }
}

impl From<Vec<f32>> for Values {
    fn from(values: Vec<f32>) -> Self {
        Self::Single(values.into())
    }
}

impl From<Arc<[f32]>> for Values {
    fn from(values: Arc<[f32]>) -> Self {
        Self::Single(values)
    }
}

impl From<&[f32]> for Values {
    fn from(values: &[f32]) -> Self {
        Self::Single(values.into())
    }
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Self::Double(values.into())
    }
}

impl From<Vec<i64>> for Values {
    fn from(values: Vec<i64>) -> Self {
        Self::Signed(values.into())
    }
}

impl From<Vec<u64>> for Values {
    fn from(values: Vec<u64>) -> Self {
        Self::Unsigned(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_values_are_indexed_like_others() {
        let values = Values::Same { value: 2.5, count: 3 };
        assert_eq!(values.iter().collect::<Vec<_>>(), [2.5; 3]);
        assert_eq!((values.len(), values.integer_at(2), values.as_singles()), (3, None, None));
    }
}
