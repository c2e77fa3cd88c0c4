//! A bounds-checked reader of a byte slice.

use byteorder::{BigEndian, ByteOrder, LittleEndian};

use crate::diagnostics::{Error, SourceLocation};

const MAX_DOTNET_STRING_BYTES: usize = 1 << 20;

/// A reader of a byte slice that never reads past its end.
///
/// Each read takes the name of its value, so that an error can say "expected the count of
/// keyframes". No method allocates more memory than the remaining bytes can fill.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    bytes_before: usize,
    bytes_after: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first byte of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, bytes_before: 0, bytes_after: 0 }
    }

    /// Creates a cursor at the first byte of `piece`, which is at offset `start` of a file of
    /// `size` bytes. Offsets and [`Self::remaining`] refer to the whole file. Reading past the end
    /// of the piece panics.
    pub fn from_piece(piece: &'a [u8], start: usize, size: usize) -> Self {
        let bytes_after = size.saturating_sub(start + piece.len());
        Self { bytes: piece, offset: 0, bytes_before: start, bytes_after }
    }

    /// Returns the offset of the next byte in the file.
    pub fn offset(&self) -> usize {
        self.bytes_before + self.offset
    }

    /// Returns the location of the next byte.
    pub fn location(&self) -> SourceLocation {
        SourceLocation::byte(self.offset())
    }

    /// Returns the number of remaining bytes.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.offset + self.bytes_after
    }

    /// Returns `true` if no bytes remain.
    pub fn is_at_end(&self) -> bool {
        self.remaining() == 0
    }

    /// Reads the next `length` bytes. `what` names them in the error.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if fewer bytes remain.
    pub fn read_bytes(&mut self, length: usize, what: &str) -> Result<&'a [u8], Error> {
        let remaining = self.remaining();
        if length > remaining {
            return Err(Error::truncated(self.location(), what, length as u64, remaining));
        }
        let bytes = &self.bytes[self.offset..self.offset + length];
        self.offset += length;
        Ok(bytes)
    }

    /// Reads a byte.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn u8(&mut self, what: &str) -> Result<u8, Error> {
        Ok(self.read_bytes(1, what)?[0])
    }

    /// Reads a little-endian `i32`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn i32_le(&mut self, what: &str) -> Result<i32, Error> {
        Ok(LittleEndian::read_i32(self.read_bytes(4, what)?))
    }

    /// Reads a little-endian `i64`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn i64_le(&mut self, what: &str) -> Result<i64, Error> {
        Ok(LittleEndian::read_i64(self.read_bytes(8, what)?))
    }

    /// Reads a little-endian `f32`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn f32_le(&mut self, what: &str) -> Result<f32, Error> {
        Ok(LittleEndian::read_f32(self.read_bytes(4, what)?))
    }

    /// Reads a big-endian `u16`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn u16_be(&mut self, what: &str) -> Result<u16, Error> {
        Ok(BigEndian::read_u16(self.read_bytes(2, what)?))
    }

    /// Reads a big-endian `u32`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn u32_be(&mut self, what: &str) -> Result<u32, Error> {
        Ok(BigEndian::read_u32(self.read_bytes(4, what)?))
    }

    /// Reads a big-endian `i16`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn i16_be(&mut self, what: &str) -> Result<i16, Error> {
        Ok(BigEndian::read_i16(self.read_bytes(2, what)?))
    }

    /// Reads a big-endian `i32`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn i32_be(&mut self, what: &str) -> Result<i32, Error> {
        Ok(BigEndian::read_i32(self.read_bytes(4, what)?))
    }

    /// Reads a big-endian `f32`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn f32_be(&mut self, what: &str) -> Result<f32, Error> {
        Ok(BigEndian::read_f32(self.read_bytes(4, what)?))
    }

    /// Reads a big-endian `f64`.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn f64_be(&mut self, what: &str) -> Result<f64, Error> {
        Ok(BigEndian::read_f64(self.read_bytes(8, what)?))
    }

    /// Returns the remaining bytes of the slice without reading them.
    pub fn remaining_bytes(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// Reads a little-endian `i32` as the count of `what`. Each item takes at least `bytes_each`
    /// bytes, so a count that exceeds the remaining bytes is rejected. It is safe to allocate for
    /// the returned count.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) for a negative count,
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the items do not fit.
    pub fn count_i32_le(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let location = SourceLocation::span(self.offset(), 4);
        let count = self.i32_le(&format!("the count of {what}"))?;
        let Ok(count) = usize::try_from(count) else {
            let expected = format!("a count of {what} that is not negative");
            return Err(Error::malformed(location, expected, count));
        };
        let needed = count as u64 * bytes_each as u64;
        if needed > self.remaining() as u64 {
            return Err(Error::truncated(
                location,
                format!("{count} {what}"),
                needed,
                self.remaining(),
            ));
        }
        Ok(count)
    }

    /// Reads a big-endian `u32` as the count of `what`. Each item takes at least `bytes_each`
    /// bytes, so a count that exceeds the remaining bytes is rejected. It is safe to allocate for
    /// the returned count.
    ///
    /// # Errors
    /// [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the items do not fit.
    pub fn count_u32_be(&mut self, bytes_each: usize, what: &str) -> Result<usize, Error> {
        let location = SourceLocation::span(self.offset(), 4);
        let count = self.u32_be(&format!("the count of {what}"))?;
        let needed = u64::from(count) * bytes_each as u64;
        if needed > self.remaining() as u64 {
            return Err(Error::truncated(
                location,
                format!("{count} {what}"),
                needed,
                self.remaining(),
            ));
        }
        Ok(count as usize)
    }

    /// Reads `N` big-endian `f32` values.
    ///
    /// # Errors
    /// The same as for [`Self::read_bytes`].
    pub fn f32s_be<const N: usize>(&mut self, what: &str) -> Result<[f32; N], Error> {
        let bytes = self.read_bytes(4 * N, what)?;
        Ok(std::array::from_fn(|index| BigEndian::read_f32(&bytes[4 * index..])))
    }

    /// Reads a string up to its terminating 0. Returns its bytes without the 0, and does not
    /// validate UTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if it is longer than `max_length`
    /// bytes, [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the terminating 0 is
    /// missing.
    pub fn c_string(&mut self, max_length: usize, what: &str) -> Result<&'a [u8], Error> {
        let rest = self.remaining_bytes();
        match rest.iter().take(max_length + 1).position(|&byte| byte == 0) {
            Some(length) => {
                self.offset += length + 1;
                Ok(&rest[..length])
            }
            None if rest.len() > max_length => {
                let expected = format!("{what} of at most {max_length} bytes");
                Err(Error::malformed(self.location(), expected, "more"))
            }
            None => {
                let needed = rest.len() as u64 + 1;
                Err(Error::truncated(
                    self.location(),
                    format!("the end of {what}"),
                    needed,
                    rest.len(),
                ))
            }
        }
    }

    /// Reads a count as .NET's `BinaryWriter` writes it: seven bits per byte, lowest first.
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

    /// Reads a string as .NET's `BinaryWriter` writes it: [its length in
    /// bytes](Self::dotnet_count), then the bytes. Does not validate UTF-8.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::diagnostics::ErrorKind) if the length takes more than five
    /// bytes or exceeds a mebibyte, [`ErrorKind::Truncated`](crate::diagnostics::ErrorKind) if the
    /// string does not fit into the remaining bytes.
    pub fn dotnet_string(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let start = self.offset();
        let length = self.dotnet_count(&format!("the length of {what}"))?;
        if length > MAX_DOTNET_STRING_BYTES as u64 {
            let expected = format!("a length of {what} up to {MAX_DOTNET_STRING_BYTES}");
            return Err(Error::malformed(
                SourceLocation::span(start, self.offset() - start),
                expected,
                length,
            ));
        }
        self.read_bytes(length as usize, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::ErrorKind;

    #[test]
    fn read_past_the_end_reports_the_location_and_keeps_the_position() {
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
    fn cursor_from_a_piece_uses_file_offsets() {
        let mut cursor = Cursor::from_piece(&[2, 0, 0, 0, 9], 100, 107);
        assert_eq!((cursor.offset(), cursor.remaining()), (100, 7));
        assert_eq!(cursor.clone().count_i32_le(1, "keyframes").unwrap(), 2);
        let error = cursor.count_i32_le(2, "keyframes").unwrap_err();
        assert_eq!(
            (error.kind(), error.location()),
            (ErrorKind::Truncated, &SourceLocation::span(100, 4))
        );
        assert_eq!(cursor.location(), SourceLocation::byte(104));
    }

    #[test]
    fn counts_are_checked_against_the_remaining_bytes() {
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
    fn big_endian_counts_and_strings_are_checked_against_the_remaining_bytes() {
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
