//! Version 2 of an animation: small integers, delta-encoded between keys and packed into bits.

use bitvec::prelude::{BitVec, Lsb0};

use crate::{diagnostics::SourceLocation, io::bytes::BitReader};

/// The keys of a version 2 animation.
#[derive(Clone, Debug)]
pub struct Bitstream<'a> {
    /// `true` if the game repeats the animation.
    pub is_looping: bool,
    /// The integer that represents a quarter turn.
    pub rotation_divisor: u32,
    /// The length in metres that the integer 1 represents.
    pub translation_multiplier: f32,
    /// The scale factor that the integer 1 represents. `None` except in Echoes, because only Echoes
    /// has scales.
    pub scale_multiplier: Option<f32>,
    /// A bit for each frame, which is set if the frame has keys.
    pub keyed: BitVec<u32, Lsb0>,
    /// The animated bones, in file order.
    pub channels: Vec<Channel>,
    /// The keys after the first. The first key of each attribute is stored in its channel.
    pub stream: Stream<'a>,
}

/// An animated bone and its packed attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The id of the bone.
    pub bone: u32,
    /// The location of the bone's descriptor in the file.
    pub location: SourceLocation,
    /// The rotation, if it is animated.
    pub rotation: Option<Attribute>,
    /// The translation relative to the parent bone, if it is animated.
    pub translation: Option<Attribute>,
    /// The scale, if it is animated.
    pub scale: Option<Attribute>,
}

/// The packing of a rotation, translation or scale, which has three components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The offset of the first key, in bytes from the start of the file.
    pub offset: usize,
    /// The number of keys that the file declares for this attribute in the stream.
    pub keys_in_stream: u16,
    /// The three integers of the first key.
    pub initial: [i16; 3],
    /// The number of bits of each component's difference.
    pub widths: [u8; 3],
    /// `true` if each record begins with a bit for the sign of the quaternion's w.
    pub has_sign: bool,
    /// The position of the attribute within each record of the stream, in bits.
    pub bit_in_record: u64,
}

/// Records of equal length, one for each keyed frame except the first. A record holds the
/// differences of all attributes of all channels.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// The offset of the first record, in bytes from the start of the file.
    pub offset: usize,
    /// The records, padded to a multiple of four bytes.
    pub words: &'a [u8],
    /// The length of a record, in bits.
    pub bits_per_record: u64,
}

/// The integers of a key, after its differences have been added to the previous key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RawKey {
    /// `true` if the w of the quaternion is negative.
    pub is_negative: bool,
    /// The integers for x, y and z.
    pub numbers: [i16; 3],
}

impl Channel {
    /// Returns the animated attributes: rotation, translation, scale.
    pub fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        [&self.rotation, &self.translation, &self.scale].into_iter().flatten()
    }
}

impl Attribute {
    /// The size of the first key in bytes, including the bit width after each integer.
    pub const INITIAL_BYTES: usize = 9;

    /// Returns the number of bits that the attribute takes in each record.
    pub fn bit_count(&self) -> u64 {
        u64::from(self.has_sign) + self.widths.iter().map(|&width| u64::from(width)).sum::<u64>()
    }
}

impl<'a> Stream<'a> {
    /// Returns the keys of `attribute`: the first key, then one key from each record.
    ///
    /// Integers wrap around at 16 bits, as they do in the games.
    pub fn keys<'b>(self, attribute: &'b Attribute) -> impl Iterator<Item = RawKey> + use<'a, 'b> {
        let mut bits = BitReader::new(self.words);
        let first = RawKey { is_negative: false, numbers: attribute.initial };
        let mut record_start = attribute.bit_in_record;
        std::iter::successors(Some(first), move |before| {
            bits.seek(record_start);
            record_start += self.bits_per_record;
            let is_negative = attribute.has_sign && bits.read_bit()?;
            let mut numbers = before.numbers;
            for (number, &width) in numbers.iter_mut().zip(&attribute.widths) {
                *number = number.wrapping_add(bits.read_signed(width.into())? as i16);
            }
            Some(RawKey { is_negative, numbers })
        })
    }
}
