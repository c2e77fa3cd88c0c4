//! One value of a track.

use serde::Serialize;

/// What a track or a signal says at one time, in the file's own axes and units.
///
/// Serialised, it is just that: nothing, a boolean or a number.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: the curve has no keys.
    #[default]
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
}

impl Value {
    /// Whether it is the boolean `true`.
    pub fn is_true(self) -> bool {
        self == Self::Bool(true)
    }
}
