//! Compresses the data after the header.

use std::io::{self, Write as _};

use lz4_flex::block;
use lzma_rust2::{LzmaOptions, LzmaWriter};

use super::values::write_count;

/// The size of the chunks of lz4net, in bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Compresses `plain` like lz4net, the library that Resonite's assemblies refer to. A chunk that
/// LZ4 does not shorten is stored as it is.
pub(crate) fn pack_lz4_chunks(plain: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for chunk in plain.chunks(CHUNK_BYTES) {
        let compressed = block::compress(chunk);
        let is_shorter = compressed.len() < chunk.len();
        packed.push(u8::from(is_shorter));
        write_count(chunk.len(), &mut packed);
        if is_shorter {
            write_count(compressed.len(), &mut packed);
        }
        packed.extend(if is_shorter { &compressed } else { chunk });
    }
    packed
}

/// Compresses `plain` with LZMA, in the framing of Resonite: the properties, the size of the
/// dictionary, both sizes, and a stream without an end mark.
pub(crate) fn pack_lzma(plain: &[u8]) -> io::Result<Vec<u8>> {
    /// The size of the dictionary that Resonite uses.
    const DICTIONARY_BYTES: u32 = 1 << 21;
    let options = LzmaOptions { dict_size: DICTIONARY_BYTES, ..LzmaOptions::default() };
    let has_end_mark = false;
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, has_end_mark)?;
    writer.write_all(plain)?;
    let properties = writer.props();
    let stream = writer.finish()?;
    let mut packed = vec![properties];
    packed.extend(DICTIONARY_BYTES.to_le_bytes());
    packed.extend((plain.len() as u64).to_le_bytes());
    packed.extend((stream.len() as u64).to_le_bytes());
    packed.extend(stream);
    Ok(packed)
}
