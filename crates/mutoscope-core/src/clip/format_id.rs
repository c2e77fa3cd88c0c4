//! The identifiers of formats.

use std::fmt;

/// The identifier of a format. It is the name that `--as` accepts and `info` prints.
///
/// The [`Registry`](crate::Registry) has one row for each format, which contains
/// all facts about it. The folder of each format defines a constant for its id, such as
/// `FormatId::MAYA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormatId(&'static str);

impl FormatId {
    /// Creates the id of the format with this name. Names have to be unique.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Returns the name on the command line: `mrtk`.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for FormatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
