//! The types of values of tracks.

use super::curve::Blend;

/// The type of the values of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueType {
    /// The format's own word for it: `float3`.
    pub name: &'static str,
    /// The type of each component.
    pub element: Element,
    /// The form of the components together.
    pub form: Form,
}

/// The type of a component of a value.
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

/// The form of the components of a value together.
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
        /// The recording program's own linear interpolation of rotations, for
        /// [`RotationRule::AsAuthored`](super::RotationRule::AsAuthored).
        faithful: Blend,
    },
}
