//! A reading position in a byte slice.

use byteorder::{BigEndian, ByteOrder, LittleEndian};

use crate::diagnostics::{Error, SourceLocation};

/// The longest [`Cursor::dotnet_string`] that is accepted, in bytes.
const LONGEST_STRING: usize = 1 << 20;

/// A reading position in a byte slice that never runs past its end.
///
/// Every read names what it reads, so that an error can say "expected the count of keyframes".
/// Nothing is ever allocated here that the bytes left do not justify.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    /// How many bytes the file has before these, and after.
    around: (usize, usize),
}

impl<'a> Cursor<'a> {
    /// A cursor before the first byte of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, around: (0, 0) }
    }

    /// A cursor before the first byte of `piece`, which a file of `size` bytes has at `start`.
    /// Offsets are those of the file, and so is what is left; no more than the piece may be taken.
    pub fn within(piece: &'a [u8], start: usize, size: usize) -> Self {
        Self { bytes: piece, offset: 0, around: (start, size.saturating_sub(start + piece.len())) }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.around.0 + self.offset
    }

    /// The place of the next byte.
    pub fn place(&self) -> SourceLocation {
        SourceLocation::byte(self.offset())
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.offset + self.around.1
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.left() == 0
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if fewer are left.
    pub fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8], Error> {
        let left = self.left();
        if length > left {
            return Err(Error::truncated(self.place(), what, length as u64, left));
        }
        let taken = &self.bytes[self.offset..self.offset + length];
        self.offset += length;
        Ok(taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn u8(&mut self, what: &str) -> Result<u8, Error> {
        Ok(self.take(1, what)?[0])
    }

    /// The next four bytes as a little-endian signed integer.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn i32_le(&mut self, what: &str) -> Result<i32, Error> {
        Ok(LittleEndian::read_i32(self.take(4, what)?))
    }

    /// The next eight bytes as a little-endian signed integer.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn i64_le(&mut self, what: &str) -> Result<i64, Error> {
        Ok(LittleEndian::read_i64(self.take(8, what)?))
    }

    /// The next four bytes as a little-endian IEEE float.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn f32_le(&mut self, what: &str) -> Result<f32, Error> {
        Ok(LittleEndian::read_f32(self.take(4, what)?))
    }

    /// The next two bytes as a big-endian integer without a sign.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn u16_be(&mut self, what: &str) -> Result<u16, Error> {
        Ok(BigEndian::read_u16(self.take(2, what)?))
    }

    /// The next four bytes as a big-endian integer without a sign.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn u32_be(&mut self, what: &str) -> Result<u32, Error> {
        Ok(BigEndian::read_u32(self.take(4, what)?))
    }

    /// The next two bytes as a big-endian signed integer.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn i16_be(&mut self, what: &str) -> Result<i16, Error> {
        Ok(BigEndian::read_i16(self.take(2, what)?))
    }

    /// The next four bytes as a big-endian signed integer.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn i32_be(&mut self, what: &str) -> Result<i32, Error> {
        Ok(BigEndian::read_i32(self.take(4, what)?))
    }

    /// The next four bytes as a big-endian IEEE float.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn f32_be(&mut self, what: &str) -> Result<f32, Error> {
        Ok(BigEndian::read_f32(self.take(4, what)?))
    }

    /// The next eight bytes as a big-endian IEEE float.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn f64_be(&mut self, what: &str) -> Result<f64, Error> {
        Ok(BigEndian::read_f64(self.take(8, what)?))
    }

    /// The bytes that are left, of which none counts as read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// The count of `what`, a little-endian `i32`, each of which takes at least `bytes_each`
    /// bytes: checked against the bytes left, so that it may be allocated for.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) for a negative count,
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if that many do not fit.
    pub fn count_i32_le(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let place = SourceLocation::span(self.offset(), 4);
        let count = self.i32_le(&format!("the count of {what}"))?;
        let Ok(count) = usize::try_from(count) else {
            let expected = format!("a count of {what} that is not negative");
            return Err(Error::malformed(place, expected, count));
        };
        let needed = count as u64 * bytes_each as u64;
        if needed > self.left() as u64 {
            return Err(Error::truncated(place, format!("{count} {what}"), needed, self.left()));
        }
        Ok(count)
    }

    /// The count of `what`, a big-endian `u32`, each of which takes at least `bytes_each` bytes:
    /// checked against the bytes left, so that it may be allocated for.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if that many do not fit.
    pub fn count_u32_be(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let place = SourceLocation::span(self.offset(), 4);
        let count = self.u32_be(&format!("the count of {what}"))?;
        let needed = u64::from(count) * bytes_each as u64;
        if needed > self.left() as u64 {
            return Err(Error::truncated(place, format!("{count} {what}"), needed, self.left()));
        }
        Ok(count as usize)
    }

    /// The next `N` big-endian IEEE floats.
    ///
    /// # Errors
    /// As [`Self::take`].
    pub fn f32s_be<const N: usize>(&mut self, what: &str) -> Result<[f32; N], Error> {
        let bytes = self.take(4 * N, what)?;
        Ok(std::array::from_fn(|index| BigEndian::read_f32(&bytes[4 * index..])))
    }

    /// The bytes of the next string that ends in a 0, without that 0 (UTF-8 is not checked here).
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if it is longer than `longest` bytes,
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the bytes end before it does.
    pub fn c_string(&mut self, longest: usize, what: &str) -> Result<&'a [u8], Error> {
        let rest = self.rest();
        match rest.iter().take(longest + 1).position(|&byte| byte == 0) {
            Some(length) => {
                self.offset += length + 1;
                Ok(&rest[..length])
            }
            None if rest.len() > longest => {
                let expected = format!("{what} of at most {longest} bytes");
                Err(Error::malformed(self.place(), expected, "more"))
            }
            None => {
                let needed = rest.len() as u64 + 1;
                Err(Error::truncated(
                    self.place(),
                    format!("the end of {what}"),
                    needed,
                    rest.len(),
                ))
            }
        }
    }

    /// The next number as .NET's `BinaryWriter` writes counts: seven bits to a byte, lowest first.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if it takes more than five bytes.
    pub fn dotnet_count(&mut self, what: &str) -> Result<u64, Error> {
        let start = self.offset();
        let mut count = 0_u64;
        for byte_index in 0..5 {
            let byte = self.u8(what)?;
            count |= u64::from(byte & 0x7f) << (7 * byte_index);
            if byte & 0x80 == 0 {
                return Ok(count);
            }
        }
        Err(Error::malformed(
            SourceLocation::span(start, 5),
            format!("{what} in at most 5 bytes"),
            "a sixth",
        ))
    }

    /// The bytes of the next string as .NET's `BinaryWriter` writes it: its length in bytes, seven
    /// bits to a byte and lowest first, then that many bytes of UTF-8 (not checked here).
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if the length takes more than five
    /// bytes or exceeds a mebibyte, [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the
    /// string does not fit into the bytes left.
    pub fn dotnet_string(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let start = self.offset();
        let length = self.dotnet_count(&format!("the length of {what}"))?;
        if length > LONGEST_STRING as u64 {
            let expected = format!("a length of {what} up to {LONGEST_STRING}");
            return Err(Error::malformed(
                SourceLocation::span(start, self.offset() - start),
                expected,
                length,
            ));
        }
        self.take(length as usize, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::ErrorKind;

    #[test]
    fn read_past_the_end_reports_the_place_and_keeps_the_position() {
        let mut cursor = Cursor::new(&[1, 2, 3]);
        cursor.u8("a flag").unwrap();
        let error = cursor.i32_le("the major version").unwrap_err();
        assert_eq!(
            error.to_string(),
            "at byte 0x1: expected the major version (4 bytes), found the end of the file after 2 bytes"
        );
        assert_eq!(cursor.offset(), 1);
    }

    #[test]
    fn a_cursor_within_a_file_counts_as_the_file_does() {
        let mut cursor = Cursor::within(&[2, 0, 0, 0, 9], 100, 107);
        assert_eq!((cursor.offset(), cursor.left()), (100, 7));
        assert_eq!(cursor.clone().count_i32_le(1, "keyframes").unwrap(), 2);
        let error = cursor.count_i32_le(2, "keyframes").unwrap_err();
        assert_eq!(
            (error.kind(), error.place()),
            (ErrorKind::Truncated, &SourceLocation::span(100, 4))
        );
        assert_eq!(cursor.place(), SourceLocation::byte(104));
    }

    #[test]
    fn counts_are_checked_against_the_bytes_left() {
        let cases: [(&[u8], usize, Result<usize, ErrorKind>); 5] = [
            (&[2, 0, 0, 0, 9, 9], 1, Ok(2)),
            (&[3, 0, 0, 0, 9, 9], 1, Err(ErrorKind::Truncated)),
            (&[0xff, 0xff, 0xff, 0xff, 9], 1, Err(ErrorKind::Malformed)),
            (&[0xff, 0xff, 0xff, 0x7f, 9], 28, Err(ErrorKind::Truncated)),
            (&[0xff, 0xff], 28, Err(ErrorKind::Truncated)),
        ];
        for (bytes, bytes_each, expected) in cases {
            let count = Cursor::new(bytes).count_i32_le(bytes_each, "keyframes");
            assert_eq!(count.map_err(|error| error.kind()), expected, "{bytes:?}");
        }
    }

    #[test]
    fn big_endian_counts_and_strings_are_checked_against_the_bytes_left() {
        let count = |bytes: &[u8]| Cursor::new(bytes).count_u32_be(2, "ids").map_err(|e| e.kind());
        assert_eq!(count(&[0, 0, 0, 1, 7, 7]), Ok(1));
        assert_eq!(count(&[0, 0, 0, 2, 7, 7]), Err(ErrorKind::Truncated));
        assert_eq!(count(&[0xff; 6]), Err(ErrorKind::Truncated));
        let mut cursor = Cursor::new(b"ab\0\0cd");
        let mut next = || cursor.c_string(2, "a name").map_err(|error| error.kind());
        assert_eq!((next(), next()), (Ok(&b"ab"[..]), Ok(&b""[..])));
        assert_eq!(next(), Err(ErrorKind::Truncated));
        let long = Cursor::new(b"abc\0").c_string(2, "a name").map_err(|error| error.kind());
        assert_eq!(long, Err(ErrorKind::Malformed));
        assert_eq!(Cursor::new(&[0x3f, 0x80, 0, 0]).f32s_be("a weight").unwrap(), [1.0]);
    }

    #[test]
    fn dotnet_string_lengths_use_seven_bits_per_byte() {
        let mut long = vec![0xac, 0x02];
        long.extend(std::iter::repeat_n(b'x', 300));
        let cases: [(&[u8], Result<usize, ErrorKind>); 5] = [
            (b"\x00", Ok(0)),
            (b"\x05start", Ok(5)),
            (&long, Ok(300)),
            (b"\x05star", Err(ErrorKind::Truncated)),
            (b"\xff\xff\xff\xff\xff\x01", Err(ErrorKind::Malformed)),
        ];
        for (bytes, expected) in cases {
            let length = Cursor::new(bytes).dotnet_string("a marker's name").map(<[u8]>::len);
            assert_eq!(length.map_err(|error| error.kind()), expected, "{bytes:?}");
        }
    }

    #[test]
    fn strings_are_limited_to_a_mebibyte() {
        let mut bytes = vec![0x80, 0x80, 0x40];
        bytes.resize(3 + (1 << 20) + 1, b'x');
        assert_eq!(Cursor::new(&bytes).dotnet_string("a name").map(<[u8]>::len).unwrap(), 1 << 20);
        bytes[0] = 0x81;
        let error = Cursor::new(&bytes).dotnet_string("a name").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.message().contains("up to 1048576, found 1048577"), "{error}");
    }
}
