//! Unpacks resources: Metroid Prime uses zlib, and Echoes uses segments of LZO.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

/// The limit for an unpacked resource. It is generous, because the consoles have 24 MiB of main
/// memory.
const MAX_UNPACKED_BYTES: usize = 64 << 20;

/// The unpacked size of an LZO segment, except of the last one.
const SEGMENT_BYTES: usize = 0x4000;

/// The compression of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// A single zlib stream, used by Metroid Prime and by the demo of Echoes.
    Zlib,
    /// Segments that are LZO1X or stored unpacked, used by Echoes.
    Lzo,
}

impl Compression {
    /// Detects the compression from the first two bytes after the unpacked size.
    ///
    /// In LZO data, these bytes are the length of a segment. A packed segment has at most 0x4443
    /// bytes and a stored segment at most 0x4000, so the length cannot be mistaken for a zlib
    /// header.
    fn from_header(head: u16) -> Self {
        let is_zlib = head >> 8 == 0x78 && head.is_multiple_of(31);
        if is_zlib { Self::Zlib } else { Self::Lzo }
    }

    fn max_expansion(self) -> u64 {
        match self {
            Self::Zlib => 1032,
            Self::Lzo => 255,
        }
    }

    pub(super) fn from_stored_bytes(stored: &[u8]) -> Option<Self> {
        let head = stored.get(4..6)?;
        Some(Self::from_header(u16::from_be_bytes([head[0], head[1]])))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Unpacked {
    /// The bytes before the error, or all bytes.
    pub(super) bytes: Vec<u8>,
    /// The reason why the bytes are incomplete. Its location is relative to the stored bytes.
    pub(super) error: Option<Error>,
}

pub(super) fn declared_size(stored: &[u8]) -> Option<u32> {
    Cursor::new(stored).u32_be("the unpacked size").ok()
}

/// Unpacks the stored bytes of a resource. The memory for the result grows as bytes are unpacked,
/// because the size that the resource declares may be far too large.
pub(super) fn unpack(stored: &[u8]) -> Unpacked {
    let mut bytes = Vec::new();
    let error = unpack_into(stored, &mut bytes).err();
    Unpacked { bytes, error }
}

fn unpack_into(stored: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    let mut cursor = Cursor::new(stored);
    let size = cursor.u32_be("the unpacked size")?;
    if size == 0 {
        return Ok(());
    }
    let head = cursor.clone().u16_be("a packed stream")?;
    let compression = Compression::from_header(head);
    let most = compression.max_expansion() * cursor.remaining() as u64;
    if u64::from(size) > most.min(MAX_UNPACKED_BYTES as u64) {
        let expected =
            format!("an unpacked size of at most {}", most.min(MAX_UNPACKED_BYTES as u64));
        return Err(Error::malformed(SourceLocation::span(0, 4), expected, size));
    }
    match compression {
        Compression::Zlib => inflate(&cursor, size as usize, out),
        Compression::Lzo => unpack_segments(&mut cursor, size as usize, out),
    }
}

fn inflate(cursor: &Cursor, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let location = SourceLocation::span(cursor.offset(), cursor.remaining());
    // Read one byte too many, so that a stream that is longer than declared is detected.
    let mut decoder = ZlibDecoder::new(cursor.remaining_bytes()).take(size as u64 + 1);
    let result = decoder.read_to_end(out);
    let found = out.len();
    out.truncate(size);
    match result {
        Err(error) => {
            let found = format!("{found} and then: {error}");
            Err(Error::malformed(location, format!("a zlib stream of {size} bytes"), found))
        }
        Ok(_) if found > size => {
            Err(Error::malformed(location, format!("a zlib stream of {size} bytes"), "more"))
        }
        Ok(_) if found < size => {
            Err(Error::malformed(location, format!("a zlib stream of {size} bytes"), found))
        }
        Ok(_) => Ok(()),
    }
}

fn unpack_segments(cursor: &mut Cursor, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    while out.len() < size {
        let location = SourceLocation::span(cursor.offset(), 2);
        let length = cursor.i16_be("the length of an LZO segment")?;
        let wanted = SEGMENT_BYTES.min(size - out.len());
        let stored = usize::from(length.unsigned_abs());
        if length == 0 || (length < 0 && stored > wanted) {
            let expected = format!("the length of an LZO segment of {wanted} bytes");
            return Err(Error::malformed(location, expected, length));
        }
        let location = SourceLocation::span(cursor.offset(), stored);
        let packed = cursor.read_bytes(stored, "an LZO segment")?;
        if length < 0 {
            out.extend_from_slice(packed);
            continue;
        }
        let start = out.len();
        out.resize(start + wanted, 0);
        let found = match lzokay::decompress::decompress(packed, &mut out[start..]) {
            Ok(found) if found == wanted => continue,
            Ok(found) => {
                out.truncate(start + found);
                format!("{found}")
            }
            Err(error) => {
                out.truncate(start);
                format!("a broken segment: {error:?}")
            }
        };
        let expected = format!("an LZO segment of {wanted} bytes");
        return Err(Error::malformed(location, expected, found));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zlib_header_is_no_segment_length() {
        for head in [0x78da, 0x789c, 0x7801] {
            assert_eq!(Compression::from_header(head), Compression::Zlib, "{head:x}");
        }
        for length in [1_i16, 0x4443, -1, -0x4000] {
            assert_eq!(Compression::from_header(length as u16), Compression::Lzo, "{length:x}");
        }
    }

    #[test]
    fn stored_segments_are_copied() {
        let mut stored = vec![0, 0, 0, 3, 0xff, 0xfd];
        stored.extend(b"abc and padding");
        let Unpacked { bytes, error } = unpack(&stored);
        assert_eq!((bytes.as_slice(), error), (&b"abc"[..], None));
    }

    #[test]
    fn impossible_sizes_allocate_nothing() {
        let stored = [0xff, 0xff, 0xff, 0xfe, 0x78, 0x9c, 1, 2, 3];
        let Unpacked { bytes, error } = unpack(&stored);
        assert_eq!(bytes.capacity(), 0);
        assert!(error.is_some_and(|error| error.message().contains("at most 5160")));
    }
}
