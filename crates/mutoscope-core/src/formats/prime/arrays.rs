//! Version 0: arrays of floats, a key for every frame.

use byteorder::{BigEndian, ByteOrder};

use crate::diagnostics::SourceLocation;

/// The keys of a version 0 animation.
#[derive(Clone, Debug)]
pub struct Arrays<'a> {
    /// How many frames there are: each track has a key for each.
    pub key_count: u32,
    /// The bones that are animated, by ascending id.
    pub channels: Vec<ArrayChannel>,
    /// Scales: x, y, z.
    pub scales: KeyArray<'a, 3>,
    /// Rotations: w, x, y, z.
    pub rotations: KeyArray<'a, 4>,
    /// Translations: x, y, z.
    pub translations: KeyArray<'a, 3>,
}

/// An animated bone, and which tracks are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayChannel {
    /// The bone's id.
    pub bone: u8,
    /// Its track among the rotations.
    pub rotation: Option<u8>,
    /// Its track among the translations.
    pub translation: Option<u8>,
    /// Its track among the scales.
    pub scale: Option<u8>,
}

/// Keys of `N` floats each: all of a track's in the order of time, one track after the other.
#[derive(Clone, Copy, Debug)]
pub struct KeyArray<'a, const N: usize> {
    /// Where the first key is, in bytes from the start of the file.
    pub offset: usize,
    /// The keys.
    pub bytes: &'a [u8],
    /// How many keys a track has.
    pub keys_per_track: usize,
}

impl<const N: usize> KeyArray<'_, N> {
    /// How many bytes a key takes.
    pub const BYTES_PER_KEY: usize = 4 * N;

    /// An array without keys.
    pub(super) fn none(offset: usize) -> Self {
        Self { offset, bytes: &[], keys_per_track: 0 }
    }

    /// The keys of the track with this index, in the order of time.
    pub fn track(&self, index: usize) -> impl ExactSizeIterator<Item = [f32; N]> {
        let start = index * self.bytes_per_track();
        let bytes = &self.bytes[start..start + self.bytes_per_track()];
        let float = |key: &[u8], component: usize| BigEndian::read_f32(&key[4 * component..]);
        bytes
            .chunks_exact(Self::BYTES_PER_KEY)
            .map(move |key| std::array::from_fn(|component| float(key, component)))
    }

    /// Where the track with this index is.
    pub fn place(&self, index: usize) -> SourceLocation {
        SourceLocation::span(self.offset + index * self.bytes_per_track(), self.bytes_per_track())
    }

    fn bytes_per_track(&self) -> usize {
        self.keys_per_track * Self::BYTES_PER_KEY
    }
}
