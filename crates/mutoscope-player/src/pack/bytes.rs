//! Whole numbers in as few bytes as they need, and blocks that browsers unpack.

use std::io::{self, Write};

use flate2::{Compression, write::DeflateEncoder};

/// Bytes that are written number by number, little-endian.
#[derive(Debug, Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Bytes {
    /// A whole number in groups of seven bits, the lowest first; all but the last have the eighth bit.
    pub(super) fn count(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A signed number: 0, −1, 1, −2 as 0, 1, 2, 3.
    pub(super) fn signed(&mut self, number: i64) {
        self.count(((number << 1) ^ (number >> 63)) as u64);
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn double(&mut self, number: f64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn single(&mut self, number: f32) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn short(&mut self, number: u16) {
        self.0.extend(number.to_le_bytes());
    }

    /// Zeros up to a multiple of `size` bytes, where typed arrays may begin.
    pub(super) fn align(&mut self, size: usize) {
        self.0.resize(self.0.len().next_multiple_of(size), 0);
    }
}

/// The bytes compressed by deflate, without a header.
///
/// # Errors
/// None that memory does not give.
pub(super) fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(9));
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_take_one_byte() {
        let mut bytes = Bytes::default();
        [0, -1, 1, -2, 63, -64].into_iter().for_each(|number| bytes.signed(number));
        assert_eq!(bytes.0, [0, 1, 2, 3, 126, 127]);
        let mut bytes = Bytes::default();
        bytes.signed(64);
        bytes.count(300);
        assert_eq!(bytes.0, [0x80, 1, 0xac, 2]);
        let mut bytes = Bytes::default();
        bytes.signed(i64::MIN);
        assert_eq!(bytes.0.len(), 10);
    }
}
