//! Compresses the data after the header, as it arrives.

use std::io::{self, Write as _};

use lz4_flex::block;
use lzma_rust2::{LzmaOptions, LzmaWriter};

use super::values::write_count;

/// The size of the chunks of lz4net, in bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Compresses data like lz4net, the library that Resonite's assemblies refer to. A chunk that LZ4
/// does not shorten is stored as it is.
#[derive(Default)]
pub(crate) struct Lz4Packer {
    packed: Vec<u8>,
    open_chunk: Vec<u8>,
}

impl Lz4Packer {
    pub(crate) fn add(&mut self, mut plain: &[u8]) {
        while !plain.is_empty() {
            let room = (CHUNK_BYTES - self.open_chunk.len()).min(plain.len());
            self.open_chunk.extend_from_slice(&plain[..room]);
            plain = &plain[room..];
            if self.open_chunk.len() == CHUNK_BYTES {
                self.pack_chunk();
            }
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        if !self.open_chunk.is_empty() {
            self.pack_chunk();
        }
        self.packed
    }

    fn pack_chunk(&mut self) {
        let Self { packed, open_chunk: chunk } = self;
        let compressed = block::compress(chunk);
        let is_shorter = compressed.len() < chunk.len();
        packed.push(u8::from(is_shorter));
        write_count(chunk.len(), packed);
        if is_shorter {
            write_count(compressed.len(), packed);
        }
        packed.extend_from_slice(if is_shorter { &compressed } else { chunk });
        chunk.clear();
    }
}

/// Compresses data with LZMA, in the framing of Resonite: the properties, the size of the
/// dictionary, both sizes, and a stream without an end mark.
pub(crate) struct LzmaPacker {
    writer: LzmaWriter<Vec<u8>>,
}

impl LzmaPacker {
    /// The size of the dictionary that Resonite uses.
    const DICTIONARY_BYTES: u32 = 1 << 21;

    pub(crate) fn new() -> io::Result<Self> {
        let options = LzmaOptions { dict_size: Self::DICTIONARY_BYTES, ..LzmaOptions::default() };
        let has_end_mark = false;
        Ok(Self { writer: LzmaWriter::new_no_header(Vec::new(), &options, has_end_mark)? })
    }

    pub(crate) fn add(&mut self, plain: &[u8]) -> io::Result<()> {
        self.writer.write_all(plain)
    }

    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        let (properties, plain_size) = (self.writer.props(), self.writer.get_uncompressed_size());
        let stream = self.writer.finish()?;
        let mut packed = vec![properties];
        packed.extend(Self::DICTIONARY_BYTES.to_le_bytes());
        packed.extend(plain_size.to_le_bytes());
        packed.extend((stream.len() as u64).to_le_bytes());
        packed.extend(stream);
        Ok(packed)
    }
}
