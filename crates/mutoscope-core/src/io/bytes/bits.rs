//! A reader of bits that are packed into words.

use byteorder::{BigEndian, ByteOrder};

const BITS_PER_WORD: u64 = 32;

const BYTES_PER_WORD: usize = 4;

/// A reader of bits that are packed into four-byte words. The bytes of a word are big-endian. Bits
/// and numbers are read from the least significant bit on, and a number may continue in the next
/// word.
///
/// The index of a bit is its position in the order of reading.
///
/// The `bitvec` crate could read the same after the words were converted to native byte order, but
/// takes two to three times as long. The tests compare this reader with it.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    words: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    /// Creates a reader at the first bit of `words`. Bytes after the last whole word are ignored.
    pub fn new(words: &'a [u8]) -> Self {
        Self { words, position: 0 }
    }

    /// Returns the number of bits.
    pub fn len(&self) -> u64 {
        (self.words.len() / BYTES_PER_WORD) as u64 * BITS_PER_WORD
    }

    /// Returns `true` if there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index of the next bit.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Moves to the bit with this index. The index may lie beyond the last bit; reads then return
    /// `None`.
    pub fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// Reads the next bit. Returns `None` after the last one.
    #[inline]
    pub fn read_bit(&mut self) -> Option<bool> {
        self.read_unsigned(1).map(|bit| bit != 0)
    }

    /// Reads the next `width` bits, at most 32, as an unsigned integer. Zero bits give 0. If fewer
    /// bits are left, returns `None` and reads nothing.
    #[inline]
    pub fn read_unsigned(&mut self, width: u32) -> Option<u32> {
        debug_assert!(width <= 32, "a number of {width} bits");
        let end = self.position.checked_add(width.into())?;
        if end > self.len() {
            return None;
        }
        let word = (self.position / BITS_PER_WORD) as usize;
        let shift = self.position % BITS_PER_WORD;
        let two_words =
            u64::from(self.word_at(word)) | u64::from(self.word_at(word + 1)) << BITS_PER_WORD;
        self.position = end;
        let mask = (1_u64 << width) - 1;
        Some((two_words >> shift & mask) as u32)
    }

    /// Reads the next `width` bits, at most 32, as a two's complement integer. Zero bits give 0. If
    /// fewer bits are left, returns `None` and reads nothing.
    #[inline]
    pub fn read_signed(&mut self, width: u32) -> Option<i32> {
        let unsigned = self.read_unsigned(width)?;
        // Extend the sign: shift the highest bit to the top, then shift arithmetically back.
        let unused = 32 - width;
        Some((u64::from(unsigned) << unused) as u32 as i32 >> unused.min(31))
    }

    /// Returns 0 after the last word, because `read_unsigned` always loads two words. It never uses
    /// the bits of a word that is missing.
    #[inline]
    fn word_at(&self, index: usize) -> u32 {
        let start = index * BYTES_PER_WORD;
        self.words.get(start..start + BYTES_PER_WORD).map_or(0, BigEndian::read_u32)
    }
}

#[cfg(test)]
mod tests {
    use bitvec::{
        field::BitField as _,
        prelude::{BitVec, Lsb0},
    };

    use super::*;

    fn reference(bytes: &[u8]) -> BitVec<u32, Lsb0> {
        BitVec::from_vec(bytes.chunks_exact(4).map(BigEndian::read_u32).collect())
    }

    #[test]
    fn numbers_of_every_width_match_bitvec() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..4 * random.usize(1..40)).map(|_| random.u8(..)).collect();
            let bits = reference(&bytes);
            let mut reader = BitReader::new(&bytes);
            assert_eq!(reader.len(), bits.len() as u64);
            loop {
                let (start, width) = (reader.position() as usize, random.u32(0..=32));
                let found = if random.bool() {
                    reader.read_signed(width).map(i64::from)
                } else {
                    reader.read_unsigned(width).map(i64::from)
                };
                let end = start + width as usize;
                if end > bits.len() {
                    assert_eq!((found, reader.position()), (None, start as u64));
                    break;
                }
                let expected = if width == 0 { 0 } else { bits[start..end].load_le::<u32>() };
                let mask = (1_i64 << width) - 1;
                assert_eq!(
                    found.map(|number| number & mask),
                    Some(expected.into()),
                    "{width} bits"
                );
            }
        }
    }

    #[test]
    fn highest_bit_is_the_sign() {
        // In reading order: 1, then 10 (−2), then 011 (3), then zero bits.
        let bytes = [0, 0, 0, 0b0001_1101];
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.read_bit(), Some(true));
        assert_eq!(reader.read_signed(2), Some(-2));
        assert_eq!(reader.read_signed(3), Some(3));
        assert_eq!(reader.read_signed(0), Some(0));
        assert_eq!(BitReader::new(&[0xff; 4]).read_signed(32), Some(-1));
        assert_eq!(BitReader::new(&[0x80, 0, 0, 0]).read_signed(32), Some(i32::MIN));
    }

    #[test]
    fn reading_stops_at_the_last_whole_word() {
        let mut reader = BitReader::new(&[0xff; 7]);
        reader.seek(30);
        assert_eq!(reader.read_unsigned(3), None);
        assert_eq!(reader.read_unsigned(2), Some(3));
        assert_eq!((reader.read_bit(), reader.read_unsigned(0)), (None, Some(0)));
        reader.seek(u64::MAX);
        assert_eq!((reader.read_bit(), reader.read_unsigned(32)), (None, None));
    }
}
