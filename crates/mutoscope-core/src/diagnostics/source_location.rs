//! Locations in source files.

use std::{fmt, ops::Range};

/// A location in a file.
///
/// Messages show it as `byte 0x1a4`, `bytes 0x1a4..0x1c0`, `bits 3..17 from byte 0x1a4 on`, `bytes
/// 0x10..0x18 of the unpacked data`, `line 12`, `line 12, column 5` or `the whole file`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum SourceLocation {
    /// The file as a whole.
    #[default]
    File,
    /// A range of byte offsets from the start of the file. An empty range is the point before a
    /// byte.
    Bytes(Range<u64>),
    /// A range of byte offsets from the start of the data that the file contains in compressed
    /// form.
    Unpacked(Range<u64>),
    /// A range of bits in consecutive big-endian words of four bytes.
    Bits {
        /// The offset of the first byte of the first word.
        word: u64,
        /// The bits, counted from the least significant bit of the first word. Bits from 32 on are
        /// in the words after it.
        bits: Range<u64>,
    },
    /// A line of a text file.
    Line {
        /// The line number, from 1.
        line: u32,
        /// The byte within the line, from 1. `None` for the whole line.
        column: Option<u32>,
    },
}

impl SourceLocation {
    /// Returns the point before the byte at `offset`.
    pub fn byte(offset: usize) -> Self {
        Self::span(offset, 0)
    }

    /// Returns the range of `length` bytes from `offset` on.
    pub fn span(offset: usize, length: usize) -> Self {
        let start = offset as u64;
        Self::Bytes(start..start + length as u64)
    }

    /// Returns the range of `length` bits from `bit` on.
    ///
    /// Bit 0 is the least significant bit of the big-endian four-byte word at byte `offset`. Bit 32
    /// is the least significant bit of the word after it.
    pub fn bits(offset: usize, bit: u64, length: u64) -> Self {
        let (word, start) = (offset as u64 + bit / 32 * 4, bit % 32);
        Self::Bits { word, bits: start..start + length }
    }

    pub(crate) fn shifted(self, start: u64) -> Self {
        let shift = |offset: u64| offset.saturating_add(start);
        match self {
            Self::Bytes(range) => Self::Bytes(shift(range.start)..shift(range.end)),
            Self::Bits { word, bits } => Self::Bits { word: shift(word), bits },
            location => location,
        }
    }

    pub(crate) fn unpacked(self) -> Self {
        match self {
            Self::Bytes(range) => Self::Unpacked(range),
            Self::Bits { word, bits } => {
                Self::Unpacked(word + bits.start / 32 * 4..word + bits.end.div_ceil(32) * 4)
            }
            location => location,
        }
    }

    /// Returns a whole line of a text file. `line` counts from 1.
    pub fn line(line: u32) -> Self {
        Self::Line { line, column: None }
    }

    /// Returns a character of a text file. `line` and `column` count from 1; `column` counts bytes.
    pub fn column(line: u32, column: u32) -> Self {
        Self::Line { line, column: Some(column) }
    }

    /// Returns the offset of the first byte, or `None` for a line or a whole file.
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
        // The bits 40 to 60 from byte 0x10 on are in the word at 0x14.
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
        for (location, text) in cases {
            assert_eq!(location.to_string(), text);
        }
    }
}
