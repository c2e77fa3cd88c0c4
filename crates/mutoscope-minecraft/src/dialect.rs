//! Defines the dialects of the format and their layouts.

use std::fmt;

/// A dialect of the format.
///
/// The version byte does not identify the dialect: the alpha versions of 1.4 and the builds shortly
/// before its release write the same byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Dialect {
    /// Motion Capture 1.0 to 1.1.1.
    V1,
    /// Motion Capture 1.2 and 1.2.1.
    V2,
    /// Motion Capture 1.3 to 1.3.9, for Minecraft up to 1.20.4.
    V3,
    /// Motion Capture 1.3.5 to 1.3.9, for Minecraft 1.20.6 and later.
    V4,
    /// Motion Capture 1.4-alpha-1 to 1.4-alpha-8.
    Alpha5,
    /// Builds between 1.4-alpha-8 and the release of 1.4.
    Exp5,
    /// Motion Capture 1.4 and later.
    V5,
}

impl Dialect {
    /// Returns the name of the dialect: `v1` to `v5`, `alpha5` or `exp5`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub(super) fn has_short_header(self) -> bool {
        self <= Self::V2
    }

    /// Returns `true` if a slot keeps its item when a change of items has no item for the slot. In
    /// the other dialects, the slot becomes empty.
    pub(super) fn keeps_unnamed_slots(self) -> bool {
        self <= Self::V3
    }

    /// Returns `true` if the changes of entities in a tick are stored after the end of that tick.
    pub(super) fn writes_entities_late(self) -> bool {
        matches!(self, Self::V3 | Self::V4)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The encoding of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringFormat {
    /// The string follows its length in bytes, an `i32`.
    I32Length,
    /// The string follows its length in bytes, a packed integer.
    PackedLength,
    /// No length: a zero byte ends the string.
    ZeroTerminated,
    /// The string follows its length in UTF-16 code units, an `i32`, although the string is UTF-8.
    /// This is a bug of versions 1.2 to 1.3.3.
    Utf16Length,
}

/// The layout of a file. The file does not identify its layout, so the reader tries several
/// layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The dialect.
    pub dialect: Dialect,
    /// The encoding of strings.
    pub strings: StringFormat,
    /// Whether the profile consists of a name only.
    pub plain_profile: bool,
    /// Whether each extension has a byte of flags and a header of its own, which begins with its
    /// length.
    pub extension_flags: bool,
}
