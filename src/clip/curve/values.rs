//! The values of a curve's keys.

/// The values of a curve's keys, as precise as their file has them.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// In single precision: half the memory, and all that binary recorders write.
    Single(Box<[f32]>),
    /// In double precision: what text holds.
    Double(Box<[f64]>),
}

impl Values {
    /// The value with this index.
    ///
    /// # Panics
    /// If there are not as many.
    #[inline]
    pub fn at(&self, index: usize) -> f64 {
        match self {
            Self::Single(values) => f64::from(values[index]),
            Self::Double(values) => values[index],
        }
    }

    /// All of them, if they are in single precision.
    pub fn as_singles(&self) -> Option<&[f32]> {
        match self {
            Self::Single(values) => Some(values),
            Self::Double(_) => None,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(values) => values.len(),
            Self::Double(values) => values.len(),
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
