//! Keys that a file stores in quantised form.

use std::fmt;

use crate::diagnostics::SourceLocation;

/// The quantised keys of a track.
pub trait QuantizedKeys: fmt::Debug + Send + Sync {
    /// Returns the location of the key at `index`. Keys are counted in the order of time.
    fn key_location(&self, index: usize) -> SourceLocation;

    /// Returns the quantised key at `index`, or `None` if there is no such key.
    fn quantized_key(&self, index: usize) -> Option<QuantizedKey>;
}

/// A quantised key: its integers and the bound of its quantisation error.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedKey {
    /// The integers of the components. If the file stores differences from the key before, these
    /// are the sums.
    pub integers: Box<[i64]>,
    /// `true` if w is negative, in files that store the sign of a quaternion's w as a bit.
    pub is_negative: bool,
    /// The largest possible quantisation error of the value.
    pub max_error: ErrorBound,
}

/// A bound on the quantisation error of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ErrorBound {
    /// For a rotation: an angle in radians.
    Turn(f64),
    /// For a vector: a distance in the unit of the track.
    Length(f64),
}
