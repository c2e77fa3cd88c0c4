//! The values of a curve's keys.

use std::{borrow::Cow, sync::Arc};

use super::packed::PackedColumn;

/// The values of a curve's keys, as precise as in the file. Clones are cheap: a curve with other
/// shapes between the same keys shares its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// f32 values, as in most binary recordings.
    F32(Arc<[f32]>),
    /// f32 values, interleaved with the values of other curves.
    Packed(Box<PackedColumn>),
    /// f64 values, as in text files.
    F64(Arc<[f64]>),
    /// Integers, including those that f64 cannot represent.
    I64(Arc<[i64]>),
    /// Integers above `i64::MAX`.
    U64(Arc<[u64]>),
    /// The same number for all keys.
    Constant {
        /// The number.
        value: f64,
        /// The number of keys.
        count: usize,
    },
}

impl Values {
    /// Returns the value of the key with index `index`, rounded to f64.
    ///
    /// # Panics
    /// If there is no such key.
    #[inline]
    pub fn value_at(&self, index: usize) -> f64 {
        match self {
            Self::F32(values) => f64::from(values[index]),
            Self::Packed(column) => f64::from(column.value_at(index)),
            Self::F64(values) => values[index],
            Self::I64(values) => values[index] as f64,
            Self::U64(values) => values[index] as f64,
            Self::Constant { value, count } => {
                assert!(index < *count, "value {index} of {count}");
                *value
            }
        }
    }

    /// Returns the exact value of the key with index `index`. `None` if the values are not stored
    /// as integers.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn integer_at(&self, index: usize) -> Option<i128> {
        match self {
            Self::F32(_) | Self::Packed(_) | Self::F64(_) | Self::Constant { .. } => None,
            Self::I64(values) => Some(values[index].into()),
            Self::U64(values) => Some(values[index].into()),
        }
    }

    /// Returns all values as one slice. `None` unless they are contiguous f32 values.
    pub fn as_f32_slice(&self) -> Option<&[f32]> {
        match self {
            Self::F32(values) => Some(values),
            _ => None,
        }
    }

    /// Returns all values, or `None` if they are not stored as f32. Copies interleaved values.
    pub(crate) fn to_f32(&self) -> Option<Cow<'_, [f32]>> {
        match self {
            Self::F32(values) => Some(Cow::Borrowed(values)),
            Self::Packed(column) => {
                Some((0..column.len()).map(|index| column.value_at(index)).collect())
            }
            _ => None,
        }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::Packed(column) => column.len(),
            Self::F64(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::U64(values) => values.len(),
            Self::Constant { count, .. } => *count,
        }
    }

    /// Returns `true` if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an iterator over all values, in the order of time.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator + '_ {
        (0..self.len()).map(|index| self.value_at(index))
    }
}

impl From<Vec<f32>> for Values {
    fn from(values: Vec<f32>) -> Self {
        Self::F32(values.into())
    }
}

impl From<Arc<[f32]>> for Values {
    fn from(values: Arc<[f32]>) -> Self {
        Self::F32(values)
    }
}

impl From<&[f32]> for Values {
    fn from(values: &[f32]) -> Self {
        Self::F32(values.into())
    }
}

impl From<Vec<f64>> for Values {
    fn from(values: Vec<f64>) -> Self {
        Self::F64(values.into())
    }
}

impl From<Vec<i64>> for Values {
    fn from(values: Vec<i64>) -> Self {
        Self::I64(values.into())
    }
}

impl From<Vec<u64>> for Values {
    fn from(values: Vec<u64>) -> Self {
        Self::U64(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_values_are_indexed_like_others() {
        let values = Values::Constant { value: 2.5, count: 3 };
        assert_eq!(values.iter().collect::<Vec<_>>(), [2.5; 3]);
        assert_eq!((values.len(), values.integer_at(2), values.as_f32_slice()), (3, None, None));
    }
}
