//! A reading position in a stream of bits.

use byteorder::{BigEndian, ByteOrder};

/// How many bits a word has.
const BITS_PER_WORD: u64 = 32;

/// How many bytes a word has.
const BYTES_PER_WORD: usize = 4;

/// A reading position in bits that are packed into words of four bytes: the bytes of a word are
/// big-endian, its bits are read from the least significant one on, and so are numbers, which may
/// begin in one word and end in the next.
///
/// Bits are counted in the order in which they are read.
///
/// The crate bitvec reads the same after the words were copied into the order of the machine. It
/// takes two to three times as long for numbers as well as for single bits, so it is what the tests
/// hold this against instead.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    words: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    /// A reader before the first bit of `words`. Bytes after the last whole word count as none.
    pub fn new(words: &'a [u8]) -> Self {
        Self { words, position: 0 }
    }

    /// How many bits there are.
    pub fn len(&self) -> u64 {
        (self.words.len() / BYTES_PER_WORD) as u64 * BITS_PER_WORD
    }

    /// Whether there are no bits at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of the next bit.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Goes to the bit with this index, which may lie beyond the last one: nothing can be read
    /// there.
    pub fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// The next bit; nothing after the last one.
    #[inline]
    pub fn bit(&mut self) -> Option<bool> {
        self.unsigned(1).map(|bit| bit != 0)
    }

    /// The next `width` bits, of at most 32, as a number without a sign: of no bits it is 0.
    /// Nothing if fewer bits are left, which are then still to be read.
    #[inline]
    pub fn unsigned(&mut self, width: u32) -> Option<u32> {
        debug_assert!(width <= 32, "a number of {width} bits");
        let end = self.position.checked_add(width.into())?;
        if end > self.len() {
            return None;
        }
        let word = (self.position / BITS_PER_WORD) as usize;
        let shift = self.position % BITS_PER_WORD;
        let both = u64::from(self.word(word)) | u64::from(self.word(word + 1)) << BITS_PER_WORD;
        self.position = end;
        let mask = (1_u64 << width) - 1;
        Some((both >> shift & mask) as u32)
    }

    /// The next `width` bits, of at most 32, as a two's complement number: of no bits it is 0.
    /// Nothing if fewer bits are left, which are then still to be read.
    #[inline]
    pub fn signed(&mut self, width: u32) -> Option<i32> {
        let unsigned = self.unsigned(width)?;
        // The highest bit goes to the top and is drawn back down as the sign.
        let unused = 32 - width;
        Some((u64::from(unsigned) << unused) as u32 as i32 >> unused.min(31))
    }

    /// The word with this index, or 0 after the last one, where no bit is ever used of it.
    #[inline]
    fn word(&self, index: usize) -> u32 {
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

    /// The same bits as an independent crate has them.
    fn reference(bytes: &[u8]) -> BitVec<u32, Lsb0> {
        BitVec::from_vec(bytes.chunks_exact(4).map(BigEndian::read_u32).collect())
    }

    #[test]
    fn numbers_of_every_width_match_bitvec() {
        let mut chance = fastrand::Rng::with_seed(5);
        for _ in 0..300 {
            let bytes: Vec<u8> = (0..4 * chance.usize(1..40)).map(|_| chance.u8(..)).collect();
            let bits = reference(&bytes);
            let mut reader = BitReader::new(&bytes);
            assert_eq!(reader.len(), bits.len() as u64);
            loop {
                let (start, width) = (reader.position() as usize, chance.u32(0..=32));
                let found = if chance.bool() {
                    reader.signed(width).map(i64::from)
                } else {
                    reader.unsigned(width).map(i64::from)
                };
                let end = start + width as usize;
                if end > bits.len() {
                    assert_eq!((found, reader.position()), (None, start as u64));
                    break;
                }
                let wanted = if width == 0 { 0 } else { bits[start..end].load_le::<u32>() };
                let mask = (1_i64 << width) - 1;
                assert_eq!(found.map(|number| number & mask), Some(wanted.into()), "{width} bits");
            }
        }
    }

    #[test]
    fn the_highest_bit_is_the_sign() {
        // Read from the least significant bit on: 1, 10 (−2), 011 (3), and no bits at all.
        let bytes = [0, 0, 0, 0b0001_1101];
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.bit(), Some(true));
        assert_eq!(reader.signed(2), Some(-2));
        assert_eq!(reader.signed(3), Some(3));
        assert_eq!(reader.signed(0), Some(0));
        assert_eq!(BitReader::new(&[0xff; 4]).signed(32), Some(-1));
        assert_eq!(BitReader::new(&[0x80, 0, 0, 0]).signed(32), Some(i32::MIN));
    }

    #[test]
    fn reading_stops_at_the_last_whole_word() {
        let mut reader = BitReader::new(&[0xff; 7]);
        reader.seek(30);
        assert_eq!(reader.unsigned(3), None);
        assert_eq!(reader.unsigned(2), Some(3));
        assert_eq!((reader.bit(), reader.unsigned(0)), (None, Some(0)));
        reader.seek(u64::MAX);
        assert_eq!((reader.bit(), reader.unsigned(32)), (None, None));
    }
}
