//! Reads the format's primitive values: flags, integers, counts, strings and positions.

use std::borrow::Cow;

use glam::{DVec3, IVec3};

use super::{
    Layout, StringFormat,
    format_diagnostics::{FormatDiagnostic, FormatDiagnostics},
};
use mutoscope_core::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) layout: Layout,
    pub(super) diagnostics: FormatDiagnostics,
    /// The frame being read. `None` while the header is read.
    pub(super) frame: Option<u32>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], layout: Layout) -> Self {
        let (cursor, diagnostics) = (Cursor::new(bytes), FormatDiagnostics::default());
        Self { cursor, layout, diagnostics, frame: None }
    }

    #[cold]
    pub(super) fn record_diagnostic(&mut self, diagnostic: FormatDiagnostic, start: usize) {
        let location = SourceLocation::span(start, self.cursor.offset() - start);
        self.diagnostics.record(diagnostic, location, self.frame);
    }

    /// Reads a byte as a flag. Only 1 is `true`, because the mod treats every other value as
    /// `false`.
    pub(super) fn bool(&mut self, what: &str) -> Result<bool, Error> {
        let start = self.cursor.offset();
        let byte = self.cursor.u8(what)?;
        if byte > 1 {
            self.record_diagnostic(FormatDiagnostic::InvalidBool, start);
        }
        Ok(byte == 1)
    }

    /// Reads an integer that is stored as one byte below 255, or as 255 and a big-endian `i32`.
    pub(super) fn packed_int(&mut self, what: &str) -> Result<i32, Error> {
        const LONG: u8 = 255;
        let start = self.cursor.offset();
        let byte = self.cursor.u8(what)?;
        if byte < LONG {
            return Ok(i32::from(byte));
        }
        let value = self.cursor.i32_be(what)?;
        if (0..i32::from(LONG)).contains(&value) {
            self.record_diagnostic(FormatDiagnostic::OverlongPackedInt, start);
        }
        Ok(value)
    }

    /// Converts `count` to `usize`. Fails if it is negative, or if fewer than `count * bytes_each`
    /// bytes are left.
    fn check_count(
        &self,
        start: usize,
        count: i32,
        bytes_each: usize,
        what: &str,
    ) -> Result<usize, Error> {
        let location = SourceLocation::span(start, self.cursor.offset() - start);
        let Ok(count) = usize::try_from(count) else {
            let expected = format!("a count of {what} that is not negative");
            return Err(Error::malformed(location, expected, count));
        };
        let needed = count as u64 * bytes_each as u64;
        if needed > self.cursor.remaining() as u64 {
            let left = self.cursor.remaining();
            return Err(Error::truncated(location, format!("{count} {what}"), needed, left));
        }
        Ok(count)
    }

    pub(super) fn count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.cursor.i32_be(what)?;
        self.check_count(start, count, bytes_each, what)
    }

    pub(super) fn short_count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.cursor.i16_be(what)?;
        self.check_count(start, i32::from(count), bytes_each, what)
    }

    pub(super) fn packed_count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.packed_int(what)?;
        self.check_count(start, count, bytes_each, what)
    }

    pub(super) fn string(&mut self, what: &str) -> Result<Cow<'a, str>, Error> {
        let start = self.cursor.offset();
        let bytes = match self.layout.strings {
            StringFormat::I32Length => {
                let length = self.count(1, what)?;
                self.cursor.read_bytes(length, what)?
            }
            StringFormat::PackedLength => {
                let length = self.packed_count(1, what)?;
                self.cursor.read_bytes(length, what)?
            }
            StringFormat::ZeroTerminated => self.zero_terminated(what)?,
            StringFormat::Utf16Length => {
                let units = self.count(1, what)?;
                let length = utf8_length(self.cursor.remaining_bytes(), units);
                self.cursor.read_bytes(length, what)?
            }
        };
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.record_diagnostic(FormatDiagnostic::InvalidUtf8, start);
        }
        Ok(text)
    }

    fn zero_terminated(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let rest = self.cursor.remaining_bytes();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            let expected = format!("{what} with a zero byte at its end");
            return Err(Error::malformed(self.cursor.location(), expected, "none up to the end"));
        };
        let bytes = self.cursor.read_bytes(length, what)?;
        self.cursor.u8(what)?;
        Ok(bytes)
    }

    pub(super) fn position(&mut self, what: &str) -> Result<DVec3, Error> {
        let mut read = || self.cursor.f64_be(what);
        Ok(DVec3::new(read()?, read()?, read()?))
    }

    pub(super) fn block_position(&mut self, what: &str) -> Result<IVec3, Error> {
        let mut read = || self.cursor.i32_be(what);
        Ok(IVec3::new(read()?, read()?, read()?))
    }
}

fn utf8_length(bytes: &[u8], units: usize) -> usize {
    let (mut length, mut counted) = (0, 0);
    while counted < units && length < bytes.len() {
        let (bytes_here, units_here) = match bytes[length] {
            0xf0.. => (4, 2),
            0xe0.. => (3, 1),
            0xc0.. => (2, 1),
            _ => (1, 1),
        };
        length += bytes_here;
        counted += units_here;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    fn reader(bytes: &[u8], strings: StringFormat) -> Reader<'_> {
        let dialect = Dialect::V5;
        let layout = Layout { dialect, strings, plain_profile: false, extension_flags: true };
        Reader::new(bytes, layout)
    }

    #[test]
    fn packed_integers_are_decoded() {
        // Files store the four bytes in big-endian order. The published specification lists some of
        // these values in little-endian order.
        let cases: [(&[u8], i32, bool); 7] = [
            (&[0x00], 0, false),
            (&[0xa5], 165, false),
            (&[0xff, 0x00, 0x00, 0x00, 0xff], 255, false),
            (&[0xff, 0x00, 0x01, 0x00, 0x00], 65536, false),
            (&[0xff, 0xff, 0xff, 0xff, 0xff], -1, false),
            (&[0xff, 0x18, 0x00, 0x00, 0x00], 0x1800_0000, false),
            (&[0xff, 0x00, 0x00, 0x00, 0x18], 0x18, true),
        ];
        for (bytes, expected, is_odd) in cases {
            let mut reader = reader(bytes, StringFormat::PackedLength);
            assert_eq!(reader.packed_int("a number").unwrap(), expected, "{bytes:?}");
            let mut diagnostics = mutoscope_core::diagnostics::Diagnostics::new();
            reader.diagnostics.report(&mut diagnostics);
            assert_eq!(!diagnostics.is_empty(), is_odd, "{bytes:?}");
        }
    }

    #[test]
    fn strings_of_every_dialect_are_read() {
        let turtle = "Ż🐢".as_bytes();
        let with = |head: &[u8], tail: &[u8]| [head, turtle, tail].concat();
        let cases = [
            (StringFormat::I32Length, with(&[0, 0, 0, 6], b"x")),
            (StringFormat::PackedLength, with(&[6], b"x")),
            (StringFormat::ZeroTerminated, with(&[], b"\0x")),
            (StringFormat::Utf16Length, with(&[0, 0, 0, 3], b"x")),
        ];
        for (strings, bytes) in cases {
            let mut reader = reader(&bytes, strings);
            assert_eq!(reader.string("a name").unwrap(), "Ż🐢", "{strings:?}");
            assert_eq!(reader.cursor.remaining(), 1, "{strings:?}");
        }
    }

    #[test]
    fn unterminated_string_is_rejected() {
        let cases: [(StringFormat, &[u8]); 6] = [
            (StringFormat::I32Length, &[0, 0, 0, 2, b'x']),
            (StringFormat::I32Length, &[0xff, 0xff, 0xff, 0xff, b'x']),
            (StringFormat::PackedLength, &[0xff, 0x7f, 0xff, 0xff, 0xff, b'x']),
            (StringFormat::ZeroTerminated, b"xy"),
            (StringFormat::Utf16Length, &[0, 0, 0, 1, 0xf0, 0x9f]),
            (StringFormat::Utf16Length, &[0, 0, 0, 4, b'x', b'y']),
        ];
        for (strings, bytes) in cases {
            assert!(reader(bytes, strings).string("a name").is_err(), "{strings:?} {bytes:?}");
        }
    }
}
