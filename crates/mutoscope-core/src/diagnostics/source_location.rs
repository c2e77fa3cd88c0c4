//! Places in source files.

use std::{fmt, ops::Range};

/// A place in a file.
///
/// Printed, it is what messages show: `byte 0x1a4`, `bytes 0x1a4..0x1c0`,
/// `bits 3..17 from byte 0x1a4 on`, `bytes 0x10..0x18 of the unpacked data`, `line 12`, `line 12, column 5`, `the whole file`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum SourceLocation {
    /// The file as a whole: no part of it in particular.
    #[default]
    File,
    /// A range of byte offsets, counted from the start of the file. An empty range is a point.
    Bytes(Range<u64>),
    /// A range of byte offsets in what the file has packed, counted from the start of that.
    Unpacked(Range<u64>),
    /// Bits of a big-endian word of four bytes, and of the words after it.
    Bits {
        /// The offset of the word's first byte.
        word: u64,
        /// The bits, counted from the word's least significant one; those from 32 on are in the
        /// words after it.
        bits: Range<u64>,
    },
    /// A line of a text file.
    Line {
        /// Its number, from 1 on.
        line: u32,
        /// The character within it, in bytes and from 1 on; nothing if the line as a whole is meant.
        column: Option<u32>,
    },
}

impl SourceLocation {
    /// The point before the byte at `offset`.
    pub fn byte(offset: usize) -> Self {
        Self::span(offset, 0)
    }

    /// The `length` bytes from `offset` on.
    pub fn span(offset: usize, length: usize) -> Self {
        let start = offset as u64;
        Self::Bytes(start..start + length as u64)
    }

    /// The `length` bits from the one at `bit` on, of big-endian words of four bytes that begin at
    /// the byte `offset` and are read from their least significant bits on.
    pub fn bits(offset: usize, bit: u64, length: u64) -> Self {
        let (word, start) = (offset as u64 + bit / 32 * 4, bit % 32);
        Self::Bits { word, bits: start..start + length }
    }

    /// The same, counted from the byte at `start` on so far; places that are not of bytes stay.
    pub(crate) fn shifted(self, start: u64) -> Self {
        let moved = |at: u64| at.saturating_add(start);
        match self {
            Self::Bytes(range) => Self::Bytes(moved(range.start)..moved(range.end)),
            Self::Bits { word, bits } => Self::Bits { word: moved(word), bits },
            place => place,
        }
    }

    /// The same, in what the file has packed; bits as the bytes of their words.
    pub(crate) fn unpacked(self) -> Self {
        match self {
            Self::Bytes(range) => Self::Unpacked(range),
            Self::Bits { word, bits } => {
                Self::Unpacked(word + bits.start / 32 * 4..word + bits.end.div_ceil(32) * 4)
            }
            place => place,
        }
    }

    /// A whole line of a text file, counted from 1.
    pub fn line(line: u32) -> Self {
        Self::Line { line, column: None }
    }

    /// A character of a text file, both counted from 1.
    pub fn column(line: u32, column: u32) -> Self {
        Self::Line { line, column: Some(column) }
    }

    /// The offset of the first byte meant, if the place is one of bytes.
    pub fn first_byte(&self) -> Option<u64> {
        match self {
            Self::File | Self::Line { .. } => None,
            Self::Bytes(range) | Self::Unpacked(range) => Some(range.start),
            Self::Bits { word, .. } => Some(*word),
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the whole file"),
            Self::Bytes(range) if range.end <= range.start + 1 => {
                write!(f, "byte {:#x}", range.start)
            }
            Self::Bytes(range) => write!(f, "bytes {:#x}..{:#x}", range.start, range.end),
            Self::Unpacked(range) => {
                write!(f, "{} of the unpacked data", Self::Bytes(range.clone()))
            }
            Self::Bits { word, bits } => {
                write!(f, "bits {}..{} from byte {word:#x} on", bits.start, bits.end)
            }
            Self::Line { line, column: None } => write!(f, "line {line}"),
            Self::Line { line, column: Some(column) } => write!(f, "line {line}, column {column}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_file_locations_are_shifted_or_unpacked() {
        let bits = || SourceLocation::bits(0x10, 40, 20);
        assert_eq!(SourceLocation::span(4, 8).shifted(0x100), SourceLocation::span(0x104, 8));
        assert_eq!(bits().shifted(0x100), SourceLocation::bits(0x110, 40, 20));
        assert_eq!(SourceLocation::line(3).shifted(0x100), SourceLocation::line(3));
        assert_eq!(SourceLocation::span(4, 8).unpacked(), SourceLocation::Unpacked(4..12));
        // Bits 40 to 60 from byte 0x10 on are in the word at 0x14.
        assert_eq!(bits().unpacked(), SourceLocation::Unpacked(0x14..0x18));
    }

    #[test]
    fn locations_print_as_in_messages() {
        let cases = [
            (SourceLocation::File, "the whole file"),
            (SourceLocation::byte(0x1a4), "byte 0x1a4"),
            (SourceLocation::span(0x1a4, 1), "byte 0x1a4"),
            (SourceLocation::span(16, 28), "bytes 0x10..0x2c"),
            (SourceLocation::Unpacked(16..24), "bytes 0x10..0x18 of the unpacked data"),
            (SourceLocation::bits(0x1a0, 33, 40), "bits 1..41 from byte 0x1a4 on"),
            (SourceLocation::line(12), "line 12"),
            (SourceLocation::column(12, 5), "line 12, column 5"),
        ];
        for (place, text) in cases {
            assert_eq!(place.to_string(), text);
        }
    }
}
