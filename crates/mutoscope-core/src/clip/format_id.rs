//! The format that a clip was decoded from.

use std::fmt;

/// The identifier of a format; its text is the word that `--as` takes and `info` prints.
///
/// A plain name: all facts about a format are in its row of
/// the registry, [`formats::all`](crate::formats::all), and its constant here, such as `FormatId::MAYA`,
/// in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormatId(&'static str);

impl FormatId {
    /// The format with this word, which no other has.
    pub const fn new(word: &'static str) -> Self {
        Self(word)
    }

    /// Its word on the command line: `mrtk`.
    pub const fn word(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for FormatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
