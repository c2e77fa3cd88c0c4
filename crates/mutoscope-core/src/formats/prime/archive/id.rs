//! The ids and types of resources.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::{diagnostics::Error, io::bytes::Cursor};

/// The id of a resource. It is written as eight upper-case hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssetId(u32);

impl AssetId {
    /// Returns the id with this number. `None` for 0 and 0xFFFFFFFF, because both mean “no
    /// resource” in the files.
    pub fn new(number: u32) -> Option<Self> {
        (number != 0 && number != u32::MAX).then_some(Self(number))
    }

    /// Returns the id as a number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the id in the name of an extracted file, with or without an extension: the last run
    /// of exactly eight hexadecimal digits, in either case. `None` if there is no such run.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut runs = stem.split(|character: char| !character.is_ascii_hexdigit());
        let last = runs.rfind(|run| run.len() == 8)?;
        u32::from_str_radix(last, 16).ok().and_then(Self::new)
    }

    /// Reads an id. `None` if the id means “no resource”.
    pub(in crate::formats::prime) fn read(
        cursor: &mut Cursor,
        what: &str,
    ) -> Result<Option<Self>, Error> {
        Ok(Self::new(cursor.u32_be(what)?))
    }
}

impl fmt::Display for AssetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08X}", self.0)
    }
}

impl Serialize for AssetId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The type of a resource: four characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceType(pub [u8; 4]);

impl ResourceType {
    /// The type of characters and their animations.
    pub const ANCS: Self = Self(*b"ANCS");
    /// The type of an animation.
    pub const ANIM: Self = Self(*b"ANIM");
    /// The type of a skeleton.
    pub const CINF: Self = Self(*b"CINF");
    /// The type of a model.
    pub const CMDL: Self = Self(*b"CMDL");
    /// The type of a model's skin.
    pub const CSKR: Self = Self(*b"CSKR");
    /// The type of an animation's events.
    pub const EVNT: Self = Self(*b"EVNT");
    /// The type of a texture.
    pub const TXTR: Self = Self(*b"TXTR");

    /// The types that we can read.
    pub const SUPPORTED: [Self; 7] =
        [Self::ANCS, Self::ANIM, Self::CINF, Self::CMDL, Self::CSKR, Self::EVNT, Self::TXTR];

    /// Returns the type for a file extension without its dot, in any case. `None` for types that we
    /// cannot read.
    pub fn from_extension(extension: &str) -> Option<Self> {
        let is_it = |kind: &Self| kind.0.eq_ignore_ascii_case(extension.as_bytes());
        Self::SUPPORTED.into_iter().find(is_it)
    }

    /// Returns `true` if all four characters are printable.
    pub fn is_printable(self) -> bool {
        self.0.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    }
}

impl fmt::Display for ResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.escape_ascii().fmt(f)
    }
}

impl fmt::Debug for ResourceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for ResourceType {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_from_the_end_of_file_names() {
        let cases = [
            ("1A2B3C4D.CMDL", Some("1A2B3C4D")),
            ("Samus_1a2b3c4d.cmdl", Some("1A2B3C4D")),
            ("0x1A2B3C4D", Some("1A2B3C4D")),
            ("DEADBEEF_1A2B3C4D_x.TXTR", Some("1A2B3C4D")),
            ("1A2B3C4D5.CMDL", None),
            ("00000000.CMDL", None),
            ("FFFFFFFF.CMDL", None),
            ("Samus.1A2B3C4D", None),
            ("", None),
        ];
        for (name, expected) in cases {
            let id = AssetId::from_file_name(name).map(|id| id.to_string());
            assert_eq!(id.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn types_are_found_by_extension_and_always_printable() {
        assert_eq!(ResourceType::from_extension("txtr"), Some(ResourceType::TXTR));
        assert_eq!(ResourceType::from_extension("pak"), None);
        assert_eq!(ResourceType([b'A', 0, b' ', 0xff]).to_string(), "A\\x00 \\xff");
    }
}
