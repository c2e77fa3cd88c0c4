//! Compresses the data after the header.

use lz4_flex::block;

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
