//! Undoing the compression.

use std::io::Read as _;

use lz4_flex::{block, frame::FrameDecoder};
use lzma_rust2::LzmaReader;

use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::Cursor,
};

/// The most bytes that are unpacked.
const MOST: u64 = 1 << 30;

/// The most bytes that LZMA makes of one: its longest match takes a fraction of a bit.
const LZMA_RATIO: u64 = 16 * 1024;

/// The most bytes that LZ4 makes of one.
const LZ4_RATIO: u64 = 255;

/// How the first bytes of an LZ4 frame are.
const LZ4_FRAME: &[u8] = &[0x04, 0x22, 0x4d, 0x18];

/// How all that follows the header is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Not at all.
    Plain,
    /// By LZ4: in frames, or in the chunks of an older library of .NET.
    Lz4,
    /// By LZMA, with both sizes before the stream.
    Lzma,
}

impl Encoding {
    /// The encoding of this number, which was read at `place`.
    pub(super) fn numbered(number: u8, place: SourceLocation) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Plain),
            1 => Ok(Self::Lz4),
            2 => Ok(Self::Lzma),
            _ => Err(Error::malformed(place, "an encoding from 0 to 2", number)),
        }
    }
}

/// Unpacks all that is left. Of a broken stream, what comes before the break is kept, and `notices`
/// say so.
///
/// # Errors
/// If the bytes before the stream are invalid.
pub(super) fn unpack(
    encoding: Encoding,
    mut cursor: Cursor,
    notices: &mut Notices,
) -> Result<Vec<u8>, Error> {
    match encoding {
        Encoding::Plain => Ok(cursor.rest().to_vec()),
        Encoding::Lzma => lzma(&mut cursor, notices),
        Encoding::Lz4 if cursor.rest().starts_with(LZ4_FRAME) => Ok(lz4_frame(&cursor, notices)),
        Encoding::Lz4 => Ok(lz4_chunks(&mut cursor, notices)),
    }
}

fn lzma(cursor: &mut Cursor, notices: &mut Notices) -> Result<Vec<u8>, Error> {
    let start = cursor.offset();
    let properties = cursor.u8("the properties of LZMA")?;
    let dictionary = cursor.i32_le("the size of the dictionary of LZMA")?.cast_unsigned();
    let size_place = SourceLocation::span(cursor.offset(), 8);
    let plain = cursor.i64_le("the unpacked size")?;
    let packed_place = SourceLocation::span(cursor.offset(), 8);
    let packed = cursor.i64_le("the packed size")?;
    let left = cursor.left() as u64;
    if u64::try_from(packed) != Ok(left) {
        let message = format!("the packed size is {packed}, and {left} bytes are left");
        notices.warning(packed_place, message);
    }
    let most = MOST.min(left * LZMA_RATIO);
    let Some(plain) = u64::try_from(plain).ok().filter(|&plain| plain <= most) else {
        let expected = format!("an unpacked size up to {most} for {left} packed bytes");
        return Err(Error::malformed(size_place, expected, plain));
    };
    // No match reaches farther back than there are bytes.
    let dictionary = dictionary.min(plain as u32);
    let place = SourceLocation::span(start, 5);
    let reader = LzmaReader::new_with_props(cursor.rest(), plain, properties, dictionary, None)
        .map_err(|error| Error::malformed(place, "the properties of LZMA", error))?;
    let stream = SourceLocation::span(cursor.offset(), cursor.left());
    Ok(read_all(reader, plain, stream, notices))
}

fn lz4_frame(cursor: &Cursor, notices: &mut Notices) -> Vec<u8> {
    let place = SourceLocation::span(cursor.offset(), cursor.left());
    let most = MOST.min(cursor.left() as u64 * LZ4_RATIO);
    read_all(FrameDecoder::new(cursor.rest()), most, place, notices)
}

/// Up to `most` bytes of `reader`, as far as it can be read.
fn read_all(
    reader: impl std::io::Read,
    most: u64,
    place: SourceLocation,
    notices: &mut Notices,
) -> Vec<u8> {
    let mut unpacked = Vec::new();
    if let Err(error) = reader.take(most).read_to_end(&mut unpacked) {
        broken(unpacked.len(), error, place, notices);
    }
    unpacked
}

fn broken(
    unpacked: usize,
    error: impl std::fmt::Display,
    place: SourceLocation,
    notices: &mut Notices,
) {
    let message = format!("the compressed data is broken after {unpacked} unpacked bytes: {error}");
    notices.error(place, message);
}

/// The chunks that the library lz4net writes: flags, of which the lowest says whether the chunk is
/// compressed, its unpacked size, its packed size if it is compressed, and its bytes.
fn lz4_chunks(cursor: &mut Cursor, notices: &mut Notices) -> Vec<u8> {
    let mut unpacked = Vec::new();
    while !cursor.is_at_end() {
        let start = cursor.offset();
        if let Err(error) = lz4_chunk(cursor, &mut unpacked) {
            broken(unpacked.len(), error.message(), SourceLocation::byte(start), notices);
            break;
        }
    }
    unpacked
}

fn lz4_chunk(cursor: &mut Cursor, unpacked: &mut Vec<u8>) -> Result<(), Error> {
    let flags = cursor.dotnet_count("the flags of a chunk")?;
    let place = cursor.place();
    let plain = cursor.dotnet_count("the unpacked size of a chunk")?;
    if flags & 1 == 0 {
        unpacked.extend_from_slice(cursor.take(plain as usize, "a chunk")?);
        return Ok(());
    }
    let packed = cursor.dotnet_count("the packed size of a chunk")?;
    let chunk = cursor.take(packed as usize, "a chunk")?;
    if plain > packed * LZ4_RATIO || plain + unpacked.len() as u64 > MOST {
        let expected = format!("an unpacked size that {packed} packed bytes can have");
        return Err(Error::malformed(place, expected, plain));
    }
    let bytes = block::decompress(chunk, plain as usize)
        .map_err(|error| Error::malformed(place, "a chunk of LZ4", error))?;
    unpacked.extend(bytes);
    Ok(())
}
