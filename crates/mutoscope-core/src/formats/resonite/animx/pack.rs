//! Compresses the data after the header, as it arrives.

use std::io::{self, Write};

use lz4_flex::block;
use lzma_rust2::{LzmaOptions, LzmaWriter};

use super::values::write_count;

/// The size of the chunks of lz4net, in bytes.
const CHUNK_BYTES: usize = 1 << 20;

/// Compresses data like lz4net, the library that Resonite's assemblies refer to. A chunk that LZ4
/// does not shorten is stored as it is.
pub(crate) struct Lz4Packer<W> {
    packed: W,
    open_chunk: Vec<u8>,
}

impl<W: Write> Lz4Packer<W> {
    pub(crate) fn new(packed: W) -> Self {
        Self { packed, open_chunk: Vec::new() }
    }

    pub(crate) fn add(&mut self, mut plain: &[u8]) -> io::Result<()> {
        while !plain.is_empty() {
            let room = (CHUNK_BYTES - self.open_chunk.len()).min(plain.len());
            self.open_chunk.extend_from_slice(&plain[..room]);
            plain = &plain[room..];
            if self.open_chunk.len() == CHUNK_BYTES {
                self.pack_chunk()?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        if !self.open_chunk.is_empty() {
            self.pack_chunk()?;
        }
        Ok(self.packed)
    }

    fn pack_chunk(&mut self) -> io::Result<()> {
        let Self { packed, open_chunk: chunk } = self;
        let compressed = block::compress(chunk);
        let is_shorter = compressed.len() < chunk.len();
        let mut header = vec![u8::from(is_shorter)];
        write_count(chunk.len(), &mut header);
        if is_shorter {
            write_count(compressed.len(), &mut header);
        }
        packed.write_all(&header)?;
        packed.write_all(if is_shorter { &compressed } else { chunk })?;
        chunk.clear();
        Ok(())
    }
}

/// Compresses data with LZMA, in the framing of Resonite: the properties, the size of the
/// dictionary, both sizes, and a stream without an end mark.
pub(crate) struct LzmaPacker<W: Write> {
    writer: LzmaWriter<W>,
}

impl<W: Write> LzmaPacker<W> {
    /// The size of the dictionary that Resonite uses.
    const DICTIONARY_BYTES: u32 = 1 << 21;

    pub(crate) fn new(packed: W) -> io::Result<Self> {
        let options = LzmaOptions { dict_size: Self::DICTIONARY_BYTES, ..LzmaOptions::default() };
        let has_end_mark = false;
        Ok(Self { writer: LzmaWriter::new_no_header(packed, &options, has_end_mark)? })
    }

    pub(crate) fn add(&mut self, plain: &[u8]) -> io::Result<()> {
        self.writer.write_all(plain)
    }

    /// Returns the header and the stream. The caller writes the length of the stream between them.
    pub(crate) fn finish(self) -> io::Result<(Vec<u8>, W)> {
        let mut header = vec![self.writer.props()];
        header.extend(Self::DICTIONARY_BYTES.to_le_bytes());
        header.extend(self.writer.get_uncompressed_size().to_le_bytes());
        Ok((header, self.writer.finish()?))
    }
}
