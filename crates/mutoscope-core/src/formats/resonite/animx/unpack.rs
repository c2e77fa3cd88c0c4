//! Decompresses the data after the header.

use std::io::Read as _;

use lz4_flex::{block, frame::FrameDecoder};
use lzma_rust2::LzmaReader;

use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::resonite::codes,
    io::bytes::Cursor,
};

pub(crate) const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// The largest number of bytes to which one byte of LZMA can unpack. The number is large because
/// the longest match can be encoded in a fraction of a bit.
const LZMA_RATIO: u64 = 16 * 1024;

const LZ4_RATIO: u64 = 255;

const LZ4_FRAME_MAGIC: &[u8] = &[0x04, 0x22, 0x4d, 0x18];

/// The compression of a file. The discriminants are the numbers in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Encoding {
    /// No compression.
    Plain,
    /// LZ4, either as frames or as the chunks of an older .NET library.
    Lz4,
    /// LZMA, with the unpacked and the packed size before the stream.
    Lzma,
}

impl Encoding {
    pub(super) fn from_number(number: u8, location: SourceLocation) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Plain),
            1 => Ok(Self::Lz4),
            2 => Ok(Self::Lzma),
            _ => Err(Error::malformed(location, "an encoding from 0 to 2", number)),
        }
    }
}

pub(super) fn unpack(
    encoding: Encoding,
    mut cursor: Cursor,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, Error> {
    match encoding {
        Encoding::Plain => Ok(cursor.remaining_bytes().to_vec()),
        Encoding::Lzma => unpack_lzma(&mut cursor, diagnostics),
        Encoding::Lz4 if cursor.remaining_bytes().starts_with(LZ4_FRAME_MAGIC) => {
            Ok(unpack_lz4_frame(&cursor, diagnostics))
        }
        Encoding::Lz4 => Ok(unpack_lz4_chunks(&mut cursor, diagnostics)),
    }
}

fn unpack_lzma(cursor: &mut Cursor, diagnostics: &mut Diagnostics) -> Result<Vec<u8>, Error> {
    let start = cursor.offset();
    let properties = cursor.u8("the properties of LZMA")?;
    let dictionary = cursor.i32_le("the size of the dictionary of LZMA")?.cast_unsigned();
    let size_place = SourceLocation::span(cursor.offset(), 8);
    let plain = cursor.i64_le("the unpacked size")?;
    let packed_place = SourceLocation::span(cursor.offset(), 8);
    let packed = cursor.i64_le("the packed size")?;
    let left = cursor.remaining() as u64;
    if u64::try_from(packed) != Ok(left) {
        let message = format!("the packed size is {packed}, but {left} bytes are left");
        diagnostics
            .warning(codes::PACKED_SIZE, packed_place, message)
            .with("expected", packed)
            .with("found", left);
    }
    let most = MAX_UNPACKED_BYTES.min(left * LZMA_RATIO);
    let Some(plain) = u64::try_from(plain).ok().filter(|&plain| plain <= most) else {
        let expected = format!("an unpacked size up to {most} for {left} packed bytes");
        return Err(Error::malformed(size_place, expected, plain));
    };
    // Limit the dictionary to the unpacked size, because no match can reach back further. A larger
    // dictionary would only waste memory.
    let dictionary = dictionary.min(plain as u32);
    let location = SourceLocation::span(start, 5);
    let reader =
        LzmaReader::new_with_props(cursor.remaining_bytes(), plain, properties, dictionary, None)
            .map_err(|error| Error::malformed(location, "the properties of LZMA", error))?;
    let stream = SourceLocation::span(cursor.offset(), cursor.remaining());
    Ok(read_all(reader, plain, stream, diagnostics))
}

fn unpack_lz4_frame(cursor: &Cursor, diagnostics: &mut Diagnostics) -> Vec<u8> {
    let location = SourceLocation::span(cursor.offset(), cursor.remaining());
    let most = MAX_UNPACKED_BYTES.min(cursor.remaining() as u64 * LZ4_RATIO);
    read_all(FrameDecoder::new(cursor.remaining_bytes()), most, location, diagnostics)
}

fn read_all(
    reader: impl std::io::Read,
    most: u64,
    location: SourceLocation,
    diagnostics: &mut Diagnostics,
) -> Vec<u8> {
    let mut unpacked = Vec::new();
    if let Err(error) = reader.take(most).read_to_end(&mut unpacked) {
        report_broken_stream(unpacked.len(), error, location, diagnostics);
    }
    unpacked
}

fn report_broken_stream(
    unpacked: usize,
    error: impl std::fmt::Display,
    location: SourceLocation,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("the compressed data is broken after {unpacked} unpacked bytes: {error}");
    diagnostics.error(codes::BROKEN_COMPRESSION, location, message).with("count", unpacked);
}

/// Unpacks the chunks that the library lz4net writes. A chunk consists of flags, the unpacked size,
/// the packed size and the bytes. The lowest flag is set if the chunk is compressed. If the flag is
/// not set, the chunk has no packed size.
fn unpack_lz4_chunks(cursor: &mut Cursor, diagnostics: &mut Diagnostics) -> Vec<u8> {
    let mut unpacked = Vec::new();
    while !cursor.is_at_end() {
        let start = cursor.offset();
        if let Err(error) = unpack_lz4_chunk(cursor, &mut unpacked) {
            report_broken_stream(
                unpacked.len(),
                error.message(),
                SourceLocation::byte(start),
                diagnostics,
            );
            break;
        }
    }
    unpacked
}

fn unpack_lz4_chunk(cursor: &mut Cursor, unpacked: &mut Vec<u8>) -> Result<(), Error> {
    let flags = cursor.dotnet_count("the flags of a chunk")?;
    let location = cursor.location();
    let plain = cursor.dotnet_count("the unpacked size of a chunk")?;
    if flags & 1 == 0 {
        unpacked.extend_from_slice(cursor.read_bytes(plain as usize, "a chunk")?);
        return Ok(());
    }
    let packed = cursor.dotnet_count("the packed size of a chunk")?;
    let chunk = cursor.read_bytes(packed as usize, "a chunk")?;
    if plain > packed * LZ4_RATIO || plain + unpacked.len() as u64 > MAX_UNPACKED_BYTES {
        let expected = format!("an unpacked size that {packed} packed bytes can have");
        return Err(Error::malformed(location, expected, plain));
    }
    let bytes = block::decompress(chunk, plain as usize)
        .map_err(|error| Error::malformed(location, "a chunk of LZ4", error))?;
    unpacked.extend(bytes);
    Ok(())
}
