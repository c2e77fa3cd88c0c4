//! Keys that a file has in quantised form.

use std::fmt;

use crate::diagnostics::SourceLocation;

/// The quantised keys of a track.
pub trait QuantizedKeys: fmt::Debug + Send + Sync {
    /// Where the file has the key at `index` in the order of time.
    fn place(&self, index: usize) -> SourceLocation;

    /// The quantised key; `None` if there is no such key.
    fn code(&self, index: usize) -> Option<QuantizedKey>;
}

/// A quantised key: its integers and its quantisation error.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedKey {
    /// The integers for its components, differences from the key before added up.
    pub integers: Box<[i64]>,
    /// Whether the file has the sign of a quaternion's w as a bit, and it is set.
    pub is_negative: bool,
    /// The largest error of its value by rounding.
    pub deviation: Deviation,
}

/// A bound on the quantisation error of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deviation {
    /// Of a rotation: an angle in radians.
    Turn(f64),
    /// Of a vector: a distance in the track's own unit.
    Length(f64),
}
