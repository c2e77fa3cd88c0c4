//! Keys that a file has in fewer bits than their values take.

use std::fmt;

use crate::diagnostics::SourceLocation;

/// The keys of a track, as its file packs them.
pub trait QuantizedKeys: fmt::Debug + Send + Sync {
    /// Where the file has the key at `index` in the order of time.
    fn place(&self, index: usize) -> SourceLocation;

    /// What the file has there; nothing if there is no such key.
    fn code(&self, index: usize) -> Option<QuantizedKey>;
}

/// A key as its file packs it: integers, and how coarse they are.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedKey {
    /// The integers for its components, differences from the key before added up.
    pub integers: Box<[i64]>,
    /// Whether the file has the sign of a quaternion's w as a bit, and it is set.
    pub is_negative: bool,
    /// The most that its value can differ from the one that was meant, as it was rounded.
    pub deviation: Deviation,
}

/// How far a value can be from the one that was meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deviation {
    /// A rotation, by a turn of so many radians.
    Turn(f64),
    /// A vector, by one of this length, in the track's own unit.
    Length(f64),
}
