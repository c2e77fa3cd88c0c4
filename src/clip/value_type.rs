//! What the values of a track are made of.

use super::curve::Blend;

/// What one value of a track is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueType {
    /// The format's own word for it: `float3`.
    pub name: &'static str,
    /// What each of its components is.
    pub element: Element,
    /// What its components are together.
    pub form: Form,
}

/// What each component of a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Yes or no.
    Bool,
    /// A whole number within these bounds. Between keys it is rounded to the nearest.
    Integer {
        /// The smallest that there is.
        min: i64,
        /// The largest that there is.
        max: u64,
    },
    /// A number.
    Number,
}

/// What the components of a value are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One number, or a vector of several.
    Plain,
    /// Red, green, blue and opacity: whole numbers up to 255, or numbers of which 1 is full.
    Color,
    /// A square matrix, row by row.
    Matrix,
    /// A rotation: x, y, z, w.
    Quaternion {
        /// How the recording program itself turns from key to key in a straight line, for
        /// [`RotationRule::AsAuthored`](super::RotationRule::AsAuthored).
        faithful: Blend,
    },
}
