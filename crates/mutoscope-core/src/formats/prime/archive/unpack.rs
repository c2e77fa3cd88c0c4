//! Unpacking: zlib in Metroid Prime, segments of LZO in Echoes.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

/// The most bytes that a resource may unpack to: the consoles have 24 MiB of main memory.
const LARGEST: usize = 64 << 20;

/// How many bytes a segment of LZO unpacks to, unless it is the last.
const SEGMENT: usize = 0x4000;

/// How a resource is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// One stream: Metroid Prime, and the demo of Echoes.
    Zlib,
    /// Segments of LZO1X, or stored as they are: Echoes.
    Lzo,
}

impl Compression {
    /// How a resource is packed, by the first two bytes after its size.
    ///
    /// A segment of LZO has at most 0x4443 bytes, and a stored one at most 0x4000, so neither's
    /// length can be mistaken for the head of a zlib stream.
    fn of(head: u16) -> Self {
        let is_zlib = head >> 8 == 0x78 && head.is_multiple_of(31);
        if is_zlib { Self::Zlib } else { Self::Lzo }
    }

    /// How many bytes one byte can unpack to at most.
    fn most_by_byte(self) -> u64 {
        match self {
            Self::Zlib => 1032,
            Self::Lzo => 255,
        }
    }

    /// How the `stored` bytes of a packed resource are packed; nothing if they are too few to tell.
    pub(super) fn of_stored(stored: &[u8]) -> Option<Self> {
        let head = stored.get(4..6)?;
        Some(Self::of(u16::from_be_bytes([head[0], head[1]])))
    }
}

/// The result of unpacking.
#[derive(Clone, Debug)]
pub(super) struct Unpacked {
    /// The bytes up to the error.
    pub(super) bytes: Vec<u8>,
    /// Why the bytes are incomplete, with an offset in the stored bytes.
    pub(super) error: Option<Error>,
}

/// The unpacked size that a packed resource declares, in bytes.
pub(super) fn stated_size(stored: &[u8]) -> Option<u32> {
    Cursor::new(stored).u32_be("the unpacked size").ok()
}

/// Unpacks a resource. No more memory is taken than comes out of the bytes, whatever size is stated.
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
    let compression = Compression::of(head);
    let most = compression.most_by_byte() * cursor.left() as u64;
    if u64::from(size) > most.min(LARGEST as u64) {
        let expected = format!("an unpacked size of at most {}", most.min(LARGEST as u64));
        return Err(Error::malformed(SourceLocation::span(0, 4), expected, size));
    }
    match compression {
        Compression::Zlib => inflate(&cursor, size as usize, out),
        Compression::Lzo => segments(&mut cursor, size as usize, out),
    }
}

fn inflate(cursor: &Cursor, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let place = SourceLocation::span(cursor.offset(), cursor.left());
    // One extra byte shows whether there are more than stated.
    let mut decoder = ZlibDecoder::new(cursor.rest()).take(size as u64 + 1);
    let result = decoder.read_to_end(out);
    let found = out.len();
    out.truncate(size);
    match result {
        Err(error) => {
            let found = format!("{found} and then: {error}");
            Err(Error::malformed(place, format!("a zlib stream of {size} bytes"), found))
        }
        Ok(_) if found > size => {
            Err(Error::malformed(place, format!("a zlib stream of {size} bytes"), "more"))
        }
        Ok(_) if found < size => {
            Err(Error::malformed(place, format!("a zlib stream of {size} bytes"), found))
        }
        Ok(_) => Ok(()),
    }
}

fn segments(cursor: &mut Cursor, size: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    while out.len() < size {
        let place = SourceLocation::span(cursor.offset(), 2);
        let length = cursor.i16_be("the length of an LZO segment")?;
        let wanted = SEGMENT.min(size - out.len());
        let stored = usize::from(length.unsigned_abs());
        if length == 0 || (length < 0 && stored > wanted) {
            let expected = format!("the length of an LZO segment of {wanted} bytes");
            return Err(Error::malformed(place, expected, length));
        }
        let place = SourceLocation::span(cursor.offset(), stored);
        let packed = cursor.take(stored, "an LZO segment")?;
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
                format!("one that is broken: {error:?}")
            }
        };
        let expected = format!("an LZO segment of {wanted} bytes");
        return Err(Error::malformed(place, expected, found));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zlib_header_is_no_segment_length() {
        for head in [0x78da, 0x789c, 0x7801] {
            assert_eq!(Compression::of(head), Compression::Zlib, "{head:x}");
        }
        for length in [1_i16, 0x4443, -1, -0x4000] {
            assert_eq!(Compression::of(length as u16), Compression::Lzo, "{length:x}");
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
