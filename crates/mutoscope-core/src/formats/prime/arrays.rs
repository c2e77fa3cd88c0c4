//! Version 0 of an animation: arrays of floats, with a key for every frame.

use byteorder::{BigEndian, ByteOrder};

use crate::diagnostics::SourceLocation;

/// The keys of a version 0 animation.
#[derive(Clone, Debug)]
pub struct Arrays<'a> {
    /// The number of frames. Each track has one key per frame.
    pub key_count: u32,
    /// The animated bones, by ascending id.
    pub channels: Vec<ArrayChannel>,
    /// The scale keys: x, y, z.
    pub scales: KeyArray<'a, 3>,
    /// The rotation keys: w, x, y, z.
    pub rotations: KeyArray<'a, 4>,
    /// The translation keys: x, y, z.
    pub translations: KeyArray<'a, 3>,
}

/// An animated bone and the indices of its tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayChannel {
    /// The id of the bone.
    pub bone: u8,
    /// The index of the bone's track in [`Arrays::rotations`], if the bone rotates.
    pub rotation: Option<u8>,
    /// The index of the bone's track in [`Arrays::translations`], if the bone moves.
    pub translation: Option<u8>,
    /// The index of the bone's track in [`Arrays::scales`], if the bone is scaled.
    pub scale: Option<u8>,
}

/// Keys of `N` floats each, in big-endian byte order. The tracks follow each other, and each track
/// stores its keys in time order.
#[derive(Clone, Copy, Debug)]
pub struct KeyArray<'a, const N: usize> {
    /// The offset of the first key, in bytes from the start of the file.
    pub offset: usize,
    /// The bytes of all keys.
    pub bytes: &'a [u8],
    /// The number of keys in each track.
    pub keys_per_track: usize,
}

impl<const N: usize> KeyArray<'_, N> {
    /// The size of a key, in bytes.
    pub const BYTES_PER_KEY: usize = 4 * N;

    pub(super) fn empty(offset: usize) -> Self {
        Self { offset, bytes: &[], keys_per_track: 0 }
    }

    /// Returns the keys of the track at `index`, in time order.
    pub fn track_keys(&self, index: usize) -> impl ExactSizeIterator<Item = [f32; N]> {
        let start = index * self.bytes_per_track();
        let bytes = &self.bytes[start..start + self.bytes_per_track()];
        let float = |key: &[u8], component: usize| BigEndian::read_f32(&key[4 * component..]);
        bytes
            .chunks_exact(Self::BYTES_PER_KEY)
            .map(move |key| std::array::from_fn(|component| float(key, component)))
    }

    /// Returns the location of the track at `index` in the file.
    pub fn track_location(&self, index: usize) -> SourceLocation {
        SourceLocation::span(self.offset + index * self.bytes_per_track(), self.bytes_per_track())
    }

    fn bytes_per_track(&self) -> usize {
        self.keys_per_track * Self::BYTES_PER_KEY
    }
}
