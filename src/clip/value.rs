//! One value of a track.

/// What a track or a signal says at one time, in the file's own axes and units.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
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
