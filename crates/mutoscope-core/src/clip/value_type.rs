//! The types of track values.

use super::curve::Blend;

/// The type of a track's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueType {
    /// The format's own name for the type: `float3`.
    pub name: &'static str,
    /// The type of each component.
    pub element: Element,
    /// The meaning of the components together.
    pub form: Form,
}

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A boolean.
    Bool,
    /// An integer. Interpolated values are rounded to the nearest integer within the bounds.
    Integer {
        /// The smallest value of the type.
        min: i64,
        /// The largest value of the type.
        max: u64,
    },
    /// A number.
    Number,
}

/// The meaning of the components of a value together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One number, or a vector.
    Plain,
    /// Red, green, blue and opacity: integers up to 255, or numbers up to 1.
    Color,
    /// A square matrix in row-major order.
    Matrix,
    /// A rotation: x, y, z, w.
    Quaternion {
        /// The interpolation of straight lines between rotations in the program that recorded the
        /// file. Used for [`RotationRule::AsAuthored`](super::RotationRule::AsAuthored).
        authored_blend: Blend,
    },
}
