//! Writes integers in as few bytes as they need, and compresses blocks for browsers.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output,
    create_comp_flags_from_zip_params,
};

/// A buffer of little-endian values.
#[derive(Debug, Default)]
pub(super) struct ByteWriter(pub(super) Vec<u8>);

impl ByteWriter {
    /// Writes an integer as LEB128: groups of seven bits, the lowest first. Every byte except the
    /// last has its highest bit set.
    pub(super) fn write_varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes a signed integer as zigzag LEB128: 0, −1, 1, −2 become 0, 1, 2, 3.
    pub(super) fn write_signed_varint(&mut self, number: i64) {
        self.write_varint(((number << 1) ^ (number >> 63)) as u64);
    }

    pub(super) fn write_u8(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn write_f64(&mut self, number: f64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn write_f32(&mut self, number: f32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn write_u16(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    /// Pads with zeros to a multiple of `size` bytes, because JavaScript's typed arrays must be
    /// aligned.
    pub(super) fn align(&mut self, size: usize) {
        self.0.resize(self.0.len().next_multiple_of(size), 0);
    }
}

/// What a block contains, which decides how it is compressed.
#[derive(Clone, Copy, Debug)]
pub(super) enum BlockContent {
    /// Text or meshes.
    General,
    /// Differences from predictions, which hardly repeat. Ignoring short repetitions takes a third
    /// of the time and saves two percent of the bytes.
    Residuals,
}

/// Compresses a block by raw deflate.
pub(super) fn deflate(bytes: &[u8], content: BlockContent) -> Vec<u8> {
    /// Negative, because there is no zlib header.
    const WINDOW_BITS: i32 = -15;
    let (level, strategy) = match content {
        BlockContent::General => (9, CompressionStrategy::Default),
        BlockContent::Residuals => (3, CompressionStrategy::Filtered),
    };
    let flags = create_comp_flags_from_zip_params(level, WINDOW_BITS, strategy as i32);
    let mut compressed = Vec::new();
    let (status, _) =
        compress_to_output(&mut CompressorOxide::new(flags), bytes, TDEFLFlush::Finish, |part| {
            compressed.extend_from_slice(part);
            true
        });
    assert_eq!(status, TDEFLStatus::Done, "a `Vec` takes all bytes");
    compressed
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn small_numbers_take_one_byte() {
        let mut bytes = ByteWriter::default();
        [0, -1, 1, -2, 63, -64].into_iter().for_each(|number| bytes.write_signed_varint(number));
        assert_eq!(bytes.0, [0, 1, 2, 3, 126, 127]);
        let mut bytes = ByteWriter::default();
        bytes.write_signed_varint(64);
        bytes.write_varint(300);
        assert_eq!(bytes.0, [0x80, 1, 0xac, 2]);
        let mut bytes = ByteWriter::default();
        bytes.write_signed_varint(i64::MIN);
        assert_eq!(bytes.0.len(), 10);
    }

    #[test]
    fn compressed_residuals_are_unpacked_again() {
        let mut random = fastrand::Rng::with_seed(3);
        for length in [0, 1, 100, 300_000] {
            let bytes: Vec<u8> = (0..length).map(|_| random.u8(0..12) * random.u8(0..3)).collect();
            let compressed = deflate(&bytes, BlockContent::Residuals);
            let mut unpacked = Vec::new();
            flate2::read::DeflateDecoder::new(&compressed[..]).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked, bytes);
            assert!(compressed.len() <= length / 2 + 20, "{length}: {}", compressed.len());
        }
    }
}
