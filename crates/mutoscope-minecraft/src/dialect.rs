//! The dialects of the format, and the differences of their layouts.

use std::fmt;

/// A dialect of the format.
///
/// The version byte alone does not tell: what the alpha versions of 1.4 wrote bears the same byte
/// as what came shortly before its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Of Motion Capture 1.0 to 1.1.1.
    V1,
    /// Of 1.2 and 1.2.1.
    V2,
    /// Of 1.3 to 1.3.9, for Minecraft up to 1.20.4.
    V3,
    /// Of 1.3.5 to 1.3.9, for Minecraft 1.20.6 and later.
    V4,
    /// Of 1.4-alpha-1 to 1.4-alpha-8.
    Alpha5,
    /// Of what came between 1.4-alpha-8 and the release of 1.4.
    Exp5,
    /// Of 1.4 and later.
    V5,
}

impl Dialect {
    /// Its word: `v1` … `v5`, `alpha5`, `exp5`.
    pub fn word(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
            Self::Alpha5 => "alpha5",
            Self::Exp5 => "exp5",
            Self::V5 => "v5",
        }
    }

    /// Whether the header ends with the rotation at the start.
    pub(super) fn is_headerless(self) -> bool {
        self <= Self::V2
    }

    /// Whether a slot that a change of items names no item for stays as it was, rather than being
    /// emptied.
    pub(super) fn keeps_unnamed_slots(self) -> bool {
        self <= Self::V3
    }

    /// Whether changes of entities come after the end of their tick.
    pub(super) fn writes_entities_late(self) -> bool {
        matches!(self, Self::V3 | Self::V4)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How the lengths of strings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strings {
    /// In bytes, as four of them.
    Counted,
    /// In bytes, as a packed integer.
    Packed,
    /// Not at all: a zero byte ends them.
    ZeroEnded,
    /// In units of UTF-16, though UTF-8 follows: a defect of 1.2 to 1.3.3.
    CountedInUtf16,
}

/// How a file is laid out: what its bytes do not state and has to be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The dialect.
    pub dialect: Dialect,
    /// How strings are written.
    pub strings: Strings,
    /// Whether the profile is only a name.
    pub plain_profile: bool,
    /// Whether each extension has a byte of flags and the length of its own header.
    pub extension_flags: bool,
}
