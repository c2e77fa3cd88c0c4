//! Version 2: small integers, delta-encoded between keys and packed into bits.

use bitvec::prelude::{BitVec, Lsb0};

use crate::{diagnostics::SourceLocation, io::bytes::BitReader};

/// The keys of a version 2 animation.
#[derive(Clone, Debug)]
pub struct Bitstream<'a> {
    /// Whether the game plays it over and over.
    pub is_looping: bool,
    /// The integer of a quarter turn.
    pub rotation_divisor: u32,
    /// The length of the integer 1, in metres.
    pub translation_multiplier: f32,
    /// The factor of the integer 1; only Echoes has scales.
    pub scale_multiplier: Option<f32>,
    /// Whether each frame has keys.
    pub keyed: BitVec<u32, Lsb0>,
    /// The bones that are animated, in file order.
    pub channels: Vec<Channel>,
    /// All keys but the first, which the channels hold.
    pub stream: Stream<'a>,
}

/// An animated bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The bone's id.
    pub bone: u32,
    /// The bytes that describe it.
    pub place: SourceLocation,
    /// How it is turned.
    pub rotation: Option<Attribute>,
    /// Where it stands, relative to its parent.
    pub translation: Option<Attribute>,
    /// How large it is.
    pub scale: Option<Attribute>,
}

/// How the three numbers of a rotation, translation or scale are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Where its first key is, in bytes from the start of the file.
    pub offset: usize,
    /// How many keys the stream has of it, as far as the file says.
    pub keys_in_stream: u16,
    /// The first key.
    pub initial: [i16; 3],
    /// How many bits each difference takes.
    pub widths: [u8; 3],
    /// Whether the sign of a quaternion's w comes first, in a bit of its own.
    pub has_sign: bool,
    /// Where it begins in each of the stream's records, in bits.
    pub bit_in_record: u64,
}

/// Records of equal length, one for each keyed frame but the first: the differences of all
/// attributes of all channels.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// Where it begins, in bytes from the start of the file.
    pub offset: usize,
    /// The records, in whole words.
    pub words: &'a [u8],
    /// How long a record is.
    pub bits_per_record: u64,
}

/// A key as the file has it, its differences added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RawKey {
    /// Whether the w of a quaternion is negative.
    pub is_negative: bool,
    /// The integers for x, y and z.
    pub numbers: [i16; 3],
}

impl Channel {
    /// Its attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &Attribute> {
        [&self.rotation, &self.translation, &self.scale].into_iter().flatten()
    }
}

impl Attribute {
    /// How many bytes its first key takes, the widths between the numbers included.
    pub const INITIAL_BYTES: usize = 9;

    /// How many bits it takes in each record.
    pub fn bits(&self) -> u64 {
        u64::from(self.has_sign) + self.widths.iter().map(|&width| u64::from(width)).sum::<u64>()
    }
}

impl<'a> Stream<'a> {
    /// The keys of `attribute`: its first one, and one from each record.
    ///
    /// Numbers wrap around at 16 bits, as in the games.
    pub fn keys<'b>(self, attribute: &'b Attribute) -> impl Iterator<Item = RawKey> + use<'a, 'b> {
        let mut bits = BitReader::new(self.words);
        let first = RawKey { is_negative: false, numbers: attribute.initial };
        let mut record_start = attribute.bit_in_record;
        std::iter::successors(Some(first), move |before| {
            bits.seek(record_start);
            record_start += self.bits_per_record;
            let is_negative = attribute.has_sign && bits.bit()?;
            let mut numbers = before.numbers;
            for (number, &width) in numbers.iter_mut().zip(&attribute.widths) {
                *number = number.wrapping_add(bits.signed(width.into())? as i16);
            }
            Some(RawKey { is_negative, numbers })
        })
    }
}
