//! Tracks: curves with their owners, their properties, and their locations in the file.

use std::sync::Arc;

use super::{AnyCurve, GroupId, NodeId, QuantizedKey, QuantizedKeys, Unit};
use crate::diagnostics::{LineIndex, SourceLocation};

/// The index of a track within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(u32);

impl TrackId {
    /// Creates the id of the track at `index`.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns the index of the track.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of one key of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId {
    /// The track.
    pub track: TrackId,
    /// The index of the key, in the order of time.
    pub index: usize,
}

/// The owner of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node.
    Node(NodeId),
    /// A group. The track that stores whether the left hand is tracked, for example, belongs to the
    /// group `left`.
    Group(GroupId),
}

/// One curve of the file.
#[derive(Clone, Debug)]
pub struct Track {
    /// The owner.
    pub owner: Owner,
    /// The property, in the words of the format: `position.x`.
    pub property: String,
    /// The curve, in the axes and units of the file.
    pub curve: AnyCurve,
    /// The unit, as far as the file or the format defines it.
    pub unit: Unit,
    /// The location in the file.
    pub source: TrackLocation,
}

/// The location of a track and of each of its keys in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackLocation {
    /// The location of the track, including its keys.
    pub location: SourceLocation,
    keys: KeyLocations,
    offset_base: OffsetBase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OffsetBase {
    /// The start of the file.
    #[default]
    File,
    /// The start of the data of the file after decompression.
    Unpacked,
    /// This byte of the file.
    From(u64),
    /// Another file.
    OtherFile,
    /// No file, because the decoder derived the keys.
    Derived,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyLocations {
    /// Consecutive keys of the same length.
    Packed {
        first_key: usize,
        bytes_per_key: usize,
        /// The index in the file of each key, in the order of time. `None` if the file stores the
        /// keys in that order.
        file_order: Option<Box<[u32]>>,
    },
    /// The line number of each key, in the order of time.
    Lines(Arc<[u32]>),
    /// The byte offset of each key, in the order of time.
    Points(Arc<[u32]>),
    /// The byte offset of each key in a text, in the order of time.
    Text { offsets: Box<[u32]>, lines: Arc<LineIndex> },
    /// The keys have no known locations, so the location of the track is used instead.
    Track,
    /// Quantised keys. They store their own locations.
    Quantized(SharedQuantizedKeys),
}

/// Quantised keys. They are equal if they are the same object.
#[derive(Clone, Debug)]
struct SharedQuantizedKeys(Arc<dyn QuantizedKeys>);

impl PartialEq for SharedQuantizedKeys {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedQuantizedKeys {}

impl TrackLocation {
    /// Creates the location of a track at `location` whose keys are stored one after another from
    /// byte `first_key` on, with `bytes_per_key` bytes each.
    ///
    /// `file_order` gives the index in the file of each key, in the order of time. `None` means
    /// that the file stores the keys in that order.
    pub fn packed(
        location: SourceLocation,
        first_key: usize,
        bytes_per_key: usize,
        file_order: Option<Box<[u32]>>,
    ) -> Self {
        Self {
            location,
            keys: KeyLocations::Packed { first_key, bytes_per_key, file_order },
            offset_base: OffsetBase::File,
        }
    }

    /// Creates the location of a track at `location` in a text, with the line number of each key in
    /// the order of time. Tracks with keys in the same lines can share them.
    pub fn lines(location: SourceLocation, lines: impl Into<Arc<[u32]>>) -> Self {
        Self { location, keys: KeyLocations::Lines(lines.into()), offset_base: OffsetBase::File }
    }

    /// Creates the location of a track at `location` in a text with these `lines`, with the byte
    /// offset of each key in the order of time.
    pub fn text(
        location: SourceLocation,
        offsets: impl Into<Box<[u32]>>,
        lines: Arc<LineIndex>,
    ) -> Self {
        Self {
            location,
            keys: KeyLocations::Text { offsets: offsets.into(), lines },
            offset_base: OffsetBase::File,
        }
    }

    /// Creates the location of a track at `location` whose keys have no known locations.
    pub fn for_track(location: SourceLocation) -> Self {
        Self { location, keys: KeyLocations::Track, offset_base: OffsetBase::File }
    }

    /// Creates the location of a track that the file does not contain, because the decoder derived
    /// its keys from other tracks.
    pub fn derived() -> Self {
        let location = SourceLocation::File;
        Self { location, keys: KeyLocations::Track, offset_base: OffsetBase::Derived }
    }

    /// Returns `true` if the decoder derived the track from other tracks.
    pub fn is_derived(&self) -> bool {
        self.offset_base == OffsetBase::Derived
    }

    /// Makes all offsets refer to the unpacked data of the file.
    pub fn in_unpacked_data(self) -> Self {
        Self { offset_base: OffsetBase::Unpacked, ..self }
    }

    /// Adds `start` to all offsets. Call this for a file that is contained in another file, and
    /// that begins at byte `start` of that file.
    pub fn shifted(self, start: u64) -> Self {
        Self {
            location: self.location.shifted(start),
            offset_base: OffsetBase::From(start),
            ..self
        }
    }

    /// Marks the track as part of another file, so that its keys have no locations in this file.
    pub fn in_other_file(self) -> Self {
        Self { location: SourceLocation::File, offset_base: OffsetBase::OtherFile, ..self }
    }

    /// Changes the keys from file order to the order of time. `order` gives the index in the file
    /// of each key, in the order of time.
    pub fn reordered(mut self, order: &[u32]) -> Self {
        let sorted = |offsets: &[u32]| -> Box<[u32]> {
            order.iter().map(|&index| offsets[index as usize]).collect()
        };
        match &mut self.keys {
            KeyLocations::Packed { file_order, .. } => *file_order = Some(order.into()),
            KeyLocations::Text { offsets, .. } => *offsets = sorted(offsets),
            KeyLocations::Lines(offsets) | KeyLocations::Points(offsets) => {
                *offsets = sorted(offsets).into();
            }
            // Quantised keys are already in the order of time.
            KeyLocations::Track | KeyLocations::Quantized(_) => {}
        }
        self
    }

    /// Creates the location of a track at `location`, with the byte offset of each key in the order
    /// of time. Tracks with keys at the same offsets can share them.
    pub fn points(location: SourceLocation, offsets: impl Into<Arc<[u32]>>) -> Self {
        Self { location, keys: KeyLocations::Points(offsets.into()), offset_base: OffsetBase::File }
    }

    /// Creates the source location of a track whose quantised keys are stored at `location`.
    pub fn quantized(location: SourceLocation, keys: Arc<dyn QuantizedKeys>) -> Self {
        Self {
            location,
            keys: KeyLocations::Quantized(SharedQuantizedKeys(keys)),
            offset_base: OffsetBase::File,
        }
    }

    /// Returns `true` if the keys have known locations.
    pub fn has_key_locations(&self) -> bool {
        !matches!(self.keys, KeyLocations::Track) && self.offset_base != OffsetBase::OtherFile
    }

    /// Returns `true` if the keys are quantised.
    pub fn is_quantized(&self) -> bool {
        matches!(self.keys, KeyLocations::Quantized(_))
    }

    /// Returns the quantised key at `index`, in the order of time. `None` if the keys are not
    /// quantised. This may have to read all keys before it.
    pub fn quantized_key(&self, index: usize) -> Option<QuantizedKey> {
        match &self.keys {
            KeyLocations::Quantized(keys) => keys.0.quantized_key(index),
            _ => None,
        }
    }

    /// Returns the indices, in the order of time, of keys that the file stores before their
    /// predecessor.
    pub fn out_of_order_keys(&self) -> impl Iterator<Item = usize> + '_ {
        let offsets = match &self.keys {
            KeyLocations::Packed { file_order, .. } => file_order.as_deref().unwrap_or_default(),
            KeyLocations::Text { offsets, .. } => offsets,
            KeyLocations::Lines(offsets) | KeyLocations::Points(offsets) => offsets,
            KeyLocations::Track | KeyLocations::Quantized(_) => &[],
        };
        let pairs = offsets.windows(2).enumerate();
        pairs.filter(|(_, pair)| pair[0] > pair[1]).map(|(index, _)| index + 1)
    }

    /// Returns the keys that the file stores directly after a later key: the index of each in the
    /// order of time, and how far it goes back, in seconds. `times` are the times of the keys.
    pub fn backward_steps(&self, times: &[f64]) -> Vec<(usize, f64)> {
        if self.out_of_order_keys().next().is_none() {
            return Vec::new();
        }
        let mut in_file_order: Vec<usize> = (0..times.len()).collect();
        in_file_order.sort_by_key(|&key| self.file_offset(key));
        let steps = in_file_order.windows(2).map(|pair| (pair[1], times[pair[0]] - times[pair[1]]));
        steps.filter(|(_, back_s)| *back_s > 0.0).collect()
    }

    /// Returns a number by which keys can be sorted in the order of the file.
    fn file_offset(&self, index: usize) -> u32 {
        match &self.keys {
            KeyLocations::Packed { file_order: Some(order), .. } => order[index],
            KeyLocations::Text { offsets, .. } => offsets[index],
            KeyLocations::Lines(offsets) | KeyLocations::Points(offsets) => offsets[index],
            KeyLocations::Packed { file_order: None, .. }
            | KeyLocations::Track
            | KeyLocations::Quantized(_) => index as u32,
        }
    }

    /// Returns the location of the key at `index`, in the order of time.
    pub fn key_location(&self, index: usize) -> SourceLocation {
        let location = self.raw_key_location(index);
        match self.offset_base {
            OffsetBase::File => location,
            OffsetBase::From(start) => location.shifted(start),
            OffsetBase::Unpacked => location.unpacked(),
            OffsetBase::OtherFile | OffsetBase::Derived => SourceLocation::File,
        }
    }

    fn raw_key_location(&self, index: usize) -> SourceLocation {
        match &self.keys {
            KeyLocations::Packed { first_key, bytes_per_key, file_order } => {
                let index = file_order.as_ref().map_or(index, |order| order[index] as usize);
                SourceLocation::span(first_key + index * bytes_per_key, *bytes_per_key)
            }
            KeyLocations::Lines(lines) => SourceLocation::line(lines[index]),
            KeyLocations::Text { offsets, lines } => lines.location(offsets[index] as usize),
            KeyLocations::Track => self.location.clone(),
            KeyLocations::Points(offsets) => SourceLocation::byte(offsets[index] as usize),
            KeyLocations::Quantized(keys) => keys.0.key_location(index),
        }
    }
}

/// A track that does not animate a transform. The timeline shows it as a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// The name, such as `left/pinch`.
    pub name: String,
    /// The track with the values.
    pub track: TrackId,
    /// The meaning.
    pub kind: SignalKind,
}

/// The meaning of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// The owner of the track is tracked.
    Tracked,
    /// Thumb and index finger pinch.
    Pinch,
    /// An attribute with the meaning that its name describes.
    Attribute,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_locations_follow_the_file_order() {
        let sorted = TrackLocation::packed(SourceLocation::span(0, 68), 12, 28, None);
        assert_eq!(sorted.key_location(1), SourceLocation::span(40, 28));
        let unsorted =
            TrackLocation::packed(SourceLocation::span(0, 28), 12, 8, Some([1, 0].into()));
        assert_eq!(unsorted.key_location(0), SourceLocation::span(20, 8));
        let packed = TrackLocation::packed(SourceLocation::span(0, 28), 12, 8, None);
        assert_eq!(packed.reordered(&[1, 0]), unsorted);
        // The file stores the times 0, 5, 3, 4.
        let file_order = Some([0, 2, 3, 1].into());
        let packed = TrackLocation::packed(SourceLocation::span(0, 32), 0, 8, file_order);
        assert_eq!(packed.backward_steps(&[0.0, 3.0, 4.0, 5.0]), [(1, 2.0)]);
    }

    #[test]
    fn text_keys_have_a_line_and_a_column() {
        let lines = Arc::new(LineIndex::new(b"one\ntwo three"));
        let keys = TrackLocation::text(SourceLocation::line(1), [0, 8], lines).reordered(&[1, 0]);
        assert_eq!(
            [0, 1].map(|key| keys.key_location(key)),
            [SourceLocation::column(2, 5), SourceLocation::column(1, 1)]
        );
        assert_eq!(
            TrackLocation::for_track(SourceLocation::line(7)).key_location(3),
            SourceLocation::line(7)
        );
    }
}
