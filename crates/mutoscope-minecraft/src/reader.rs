//! Reading the format's own kinds of values.

use std::borrow::Cow;

use glam::{DVec3, IVec3};

use super::{
    Layout, Strings,
    issues::{Issue, Issues},
};
use mutoscope_core::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

/// A cursor that knows how the file is laid out and notes what is odd.
pub(super) struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) layout: Layout,
    pub(super) issues: Issues,
    /// The frame that is being read, once the header is over.
    pub(super) frame: Option<u32>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], layout: Layout) -> Self {
        let (cursor, issues) = (Cursor::new(bytes), Issues::default());
        Self { cursor, layout, issues, frame: None }
    }

    /// Notes an issue in the bytes from `start` up to here.
    #[cold]
    pub(super) fn note(&mut self, issue: Issue, start: usize) {
        let place = SourceLocation::span(start, self.cursor.offset() - start);
        self.issues.note(issue, place, self.frame);
    }

    /// 1 is yes, anything else no: so the mod reads it.
    pub(super) fn bool(&mut self, what: &str) -> Result<bool, Error> {
        let start = self.cursor.offset();
        let byte = self.cursor.u8(what)?;
        if byte > 1 {
            self.note(Issue::Bool, start);
        }
        Ok(byte == 1)
    }

    /// One byte below 255, or 255 and four bytes.
    pub(super) fn packed_int(&mut self, what: &str) -> Result<i32, Error> {
        const LONG: u8 = 255;
        let start = self.cursor.offset();
        let byte = self.cursor.u8(what)?;
        if byte < LONG {
            return Ok(i32::from(byte));
        }
        let value = self.cursor.i32_be(what)?;
        if (0..i32::from(LONG)).contains(&value) {
            self.note(Issue::LongPacked, start);
        }
        Ok(value)
    }

    /// A count of `what`, of which each takes at least `bytes_each`, compared with the bytes left.
    fn checked(
        &self,
        start: usize,
        count: i32,
        bytes_each: usize,
        what: &str,
    ) -> Result<usize, Error> {
        let place = SourceLocation::span(start, self.cursor.offset() - start);
        let Ok(count) = usize::try_from(count) else {
            let expected = format!("a count of {what} that is not negative");
            return Err(Error::malformed(place, expected, count));
        };
        let needed = count as u64 * bytes_each as u64;
        if needed > self.cursor.left() as u64 {
            let left = self.cursor.left();
            return Err(Error::truncated(place, format!("{count} {what}"), needed, left));
        }
        Ok(count)
    }

    /// A count as four bytes.
    pub(super) fn count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.cursor.i32_be(what)?;
        self.checked(start, count, bytes_each, what)
    }

    /// A count as two bytes.
    pub(super) fn short_count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.cursor.i16_be(what)?;
        self.checked(start, i32::from(count), bytes_each, what)
    }

    /// A count as a packed integer.
    pub(super) fn packed_count(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let start = self.cursor.offset();
        let count = self.packed_int(what)?;
        self.checked(start, count, bytes_each, what)
    }

    /// A string, however this file writes them.
    pub(super) fn string(&mut self, what: &str) -> Result<Cow<'a, str>, Error> {
        let start = self.cursor.offset();
        let bytes = match self.layout.strings {
            Strings::Counted => {
                let length = self.count(1, what)?;
                self.cursor.take(length, what)?
            }
            Strings::Packed => {
                let length = self.packed_count(1, what)?;
                self.cursor.take(length, what)?
            }
            Strings::ZeroEnded => self.zero_ended(what)?,
            Strings::CountedInUtf16 => {
                let units = self.count(1, what)?;
                let length = bytes_of_units(self.cursor.rest(), units);
                self.cursor.take(length, what)?
            }
        };
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.note(Issue::Text, start);
        }
        Ok(text)
    }

    fn zero_ended(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let rest = self.cursor.rest();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            let expected = format!("{what} with a zero byte at its end");
            return Err(Error::malformed(self.cursor.place(), expected, "none up to the end"));
        };
        let bytes = self.cursor.take(length, what)?;
        self.cursor.u8(what)?;
        Ok(bytes)
    }

    /// A place in the world, in blocks.
    pub(super) fn position(&mut self, what: &str) -> Result<DVec3, Error> {
        let mut read = || self.cursor.f64_be(what);
        Ok(DVec3::new(read()?, read()?, read()?))
    }

    /// The place of a block.
    pub(super) fn block_place(&mut self, what: &str) -> Result<IVec3, Error> {
        let mut read = || self.cursor.i32_be(what);
        Ok(IVec3::new(read()?, read()?, read()?))
    }
}

/// How many of these bytes of UTF-8 make up this many units of UTF-16.
fn bytes_of_units(bytes: &[u8], units: usize) -> usize {
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

    fn reader(bytes: &[u8], strings: Strings) -> Reader<'_> {
        let dialect = Dialect::V5;
        let layout = Layout { dialect, strings, plain_profile: false, extension_flags: true };
        Reader::new(bytes, layout)
    }

    #[test]
    fn packed_integers() {
        // The published specification has some of these the other way round; files do not.
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
            let mut reader = reader(bytes, Strings::Packed);
            assert_eq!(reader.packed_int("a number").unwrap(), expected, "{bytes:?}");
            let mut notices = mutoscope_core::diagnostics::Notices::new();
            reader.issues.report(&mut notices);
            assert_eq!(!notices.is_empty(), is_odd, "{bytes:?}");
        }
    }

    #[test]
    fn strings_of_every_dialect_are_read() {
        let turtle = "Ż🐢".as_bytes();
        let with = |head: &[u8], tail: &[u8]| [head, turtle, tail].concat();
        let cases = [
            (Strings::Counted, with(&[0, 0, 0, 6], b"x")),
            (Strings::Packed, with(&[6], b"x")),
            (Strings::ZeroEnded, with(&[], b"\0x")),
            (Strings::CountedInUtf16, with(&[0, 0, 0, 3], b"x")),
        ];
        for (strings, bytes) in cases {
            let mut reader = reader(&bytes, strings);
            assert_eq!(reader.string("a name").unwrap(), "Ż🐢", "{strings:?}");
            assert_eq!(reader.cursor.left(), 1, "{strings:?}");
        }
    }

    #[test]
    fn unterminated_string_is_rejected() {
        let cases: [(Strings, &[u8]); 6] = [
            (Strings::Counted, &[0, 0, 0, 2, b'x']),
            (Strings::Counted, &[0xff, 0xff, 0xff, 0xff, b'x']),
            (Strings::Packed, &[0xff, 0x7f, 0xff, 0xff, 0xff, b'x']),
            (Strings::ZeroEnded, b"xy"),
            (Strings::CountedInUtf16, &[0, 0, 0, 1, 0xf0, 0x9f]),
            (Strings::CountedInUtf16, &[0, 0, 0, 4, b'x', b'y']),
        ];
        for (strings, bytes) in cases {
            assert!(reader(bytes, strings).string("a name").is_err(), "{strings:?} {bytes:?}");
        }
    }
}
