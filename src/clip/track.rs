//! Authored curves: whose they are, what they move, and where the file has them.

use std::sync::Arc;

use super::{AnyCurve, GroupId, NodeId, QuantizedKey, QuantizedKeys, Unit};
use crate::diagnostics::{Lines, SourceLocation};

/// The index of a track within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(u32);

impl TrackId {
    /// The id of the track at `index`.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index of the track.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One key of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId {
    /// The track.
    pub track: TrackId,
    /// The index of the key in the order of time.
    pub index: usize,
}

/// Whose a track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node's.
    Node(NodeId),
    /// A whole group's, such as whether the left hand is tracked.
    Group(GroupId),
}

/// One authored curve.
#[derive(Clone, Debug)]
pub struct Track {
    /// Whose it is.
    pub owner: Owner,
    /// What it moves, in the format's own words: `position.x`.
    pub property: String,
    /// How that changes over time, in the file's own axes and units.
    pub curve: AnyCurve,
    /// What its numbers count, as far as the file or the format says.
    pub unit: Unit,
    /// Where the file has it.
    pub source: Provenance,
}

/// Where a file has a track and each of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// Where the track stands, its keys included.
    pub place: SourceLocation,
    keys: KeyPlaces,
    counted_in: CountedIn,
}

/// What the places of keys are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CountedIn {
    /// The file.
    #[default]
    File,
    /// What the file has packed.
    Unpacked,
    /// The bytes of the file from this one on.
    From(u64),
    /// Another file.
    OtherFile,
}

/// Where a file has the keys of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyPlaces {
    /// One after the other, each of the same length.
    Packed {
        first_key: usize,
        bytes_per_key: usize,
        /// For each key in the order of time its index in the file, where the two differ.
        file_order: Option<Box<[u32]>>,
    },
    /// In these lines of a text, in the order of time.
    Lines(Arc<[u32]>),
    /// At these offsets, in the order of time.
    Points(Arc<[u32]>),
    /// At these offsets in a text, in the order of time.
    Text { offsets: Box<[u32]>, lines: Arc<Lines> },
    /// No more exactly known than the track's.
    Track,
    /// Packed in some other way.
    Coded(SharedKeys),
}

/// Coded keys, which are equal if they are the very same.
#[derive(Clone, Debug)]
struct SharedKeys(Arc<dyn QuantizedKeys>);

impl PartialEq for SharedKeys {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedKeys {}

impl Provenance {
    /// A track at `place` whose keys take `bytes_per_key` bytes each from `first_key` on.
    ///
    /// `file_order` gives for each key, in the order of time, its index in the file, and nothing
    /// if the file has them in that order.
    pub fn packed(
        place: SourceLocation,
        first_key: usize,
        bytes_per_key: usize,
        file_order: Option<Box<[u32]>>,
    ) -> Self {
        Self {
            place,
            keys: KeyPlaces::Packed { first_key, bytes_per_key, file_order },
            counted_in: CountedIn::File,
        }
    }

    /// A track at `place` in a text, whose keys stand in these lines, in the order of time; tracks
    /// that are keyed by the same lines share them.
    pub fn lines(place: SourceLocation, lines: impl Into<Arc<[u32]>>) -> Self {
        Self { place, keys: KeyPlaces::Lines(lines.into()), counted_in: CountedIn::File }
    }

    /// A track at `place` in a text of these `lines`, whose keys stand at these offsets, in the
    /// order of time.
    pub fn text(place: SourceLocation, offsets: impl Into<Box<[u32]>>, lines: Arc<Lines>) -> Self {
        Self {
            place,
            keys: KeyPlaces::Text { offsets: offsets.into(), lines },
            counted_in: CountedIn::File,
        }
    }

    /// A track at `place` whose keys have no places of their own that could be told.
    pub fn of_track(place: SourceLocation) -> Self {
        Self { place, keys: KeyPlaces::Track, counted_in: CountedIn::File }
    }

    /// The same if its keys stand where they are said to in what the file has packed.
    pub fn in_unpacked(self) -> Self {
        Self { counted_in: CountedIn::Unpacked, ..self }
    }

    /// The same if it and its keys were counted from the byte at `start` on so far, in a file that has
    /// other files in it.
    pub fn from_byte(self, start: u64) -> Self {
        Self { place: self.place.shifted(start), counted_in: CountedIn::From(start), ..self }
    }

    /// The same if it is in another file than the one that places are told of.
    pub fn in_other_file(self) -> Self {
        Self { place: SourceLocation::File, counted_in: CountedIn::OtherFile, ..self }
    }

    /// The same if its keys were in the order of the file so far: `order` gives for each key, in
    /// the order of time, its index in the file.
    pub fn in_order(mut self, order: &[u32]) -> Self {
        let sorted = |places: &[u32]| -> Box<[u32]> {
            order.iter().map(|&index| places[index as usize]).collect()
        };
        match &mut self.keys {
            KeyPlaces::Packed { file_order, .. } => *file_order = Some(order.into()),
            KeyPlaces::Text { offsets, .. } => *offsets = sorted(offsets),
            KeyPlaces::Lines(places) | KeyPlaces::Points(places) => {
                *places = sorted(places).into();
            }
            // Coded keys are in the order of time as they are.
            KeyPlaces::Track | KeyPlaces::Coded(_) => {}
        }
        self
    }

    /// A track at `place` whose keys begin at these offsets, in the order of time; tracks that the
    /// same bytes have keys for share them.
    pub fn points(place: SourceLocation, offsets: impl Into<Arc<[u32]>>) -> Self {
        Self { place, keys: KeyPlaces::Points(offsets.into()), counted_in: CountedIn::File }
    }

    /// A track at `place` whose keys the file packs in a way of its own.
    pub fn coded(place: SourceLocation, keys: Arc<dyn QuantizedKeys>) -> Self {
        Self { place, keys: KeyPlaces::Coded(SharedKeys(keys)), counted_in: CountedIn::File }
    }

    /// Whether its keys have places of their own.
    pub fn has_key_places(&self) -> bool {
        !matches!(self.keys, KeyPlaces::Track) && self.counted_in != CountedIn::OtherFile
    }

    /// Whether the file packs its keys in a way of its own.
    pub fn is_coded(&self) -> bool {
        matches!(self.keys, KeyPlaces::Coded(_))
    }

    /// What the file has for the key that is at `index` in the order of time, where that is not its
    /// value as such. It may have to go through all keys before it.
    pub fn code(&self, index: usize) -> Option<QuantizedKey> {
        match &self.keys {
            KeyPlaces::Coded(keys) => keys.0.code(index),
            _ => None,
        }
    }

    /// The keys, by their indices in the order of time, that the file has before the key that is
    /// before them in that order.
    pub fn out_of_order(&self) -> impl Iterator<Item = usize> + '_ {
        let places = match &self.keys {
            KeyPlaces::Packed { file_order, .. } => file_order.as_deref().unwrap_or_default(),
            KeyPlaces::Text { offsets, .. } => offsets,
            KeyPlaces::Lines(places) | KeyPlaces::Points(places) => places,
            KeyPlaces::Track | KeyPlaces::Coded(_) => &[],
        };
        let pairs = places.windows(2).enumerate();
        pairs.filter(|(_, pair)| pair[0] > pair[1]).map(|(index, _)| index + 1)
    }

    /// Where the file has the key that is at `index` in the order of time.
    pub fn key(&self, index: usize) -> SourceLocation {
        let place = self.key_as_told(index);
        match self.counted_in {
            CountedIn::File => place,
            CountedIn::From(start) => place.shifted(start),
            CountedIn::Unpacked => place.unpacked(),
            CountedIn::OtherFile => SourceLocation::File,
        }
    }

    fn key_as_told(&self, index: usize) -> SourceLocation {
        match &self.keys {
            KeyPlaces::Packed { first_key, bytes_per_key, file_order } => {
                let index = file_order.as_ref().map_or(index, |order| order[index] as usize);
                SourceLocation::span(first_key + index * bytes_per_key, *bytes_per_key)
            }
            KeyPlaces::Lines(lines) => SourceLocation::line(lines[index]),
            KeyPlaces::Text { offsets, lines } => lines.place(offsets[index] as usize),
            KeyPlaces::Track => self.place.clone(),
            KeyPlaces::Points(offsets) => SourceLocation::byte(offsets[index] as usize),
            KeyPlaces::Coded(keys) => keys.0.place(index),
        }
    }
}

/// A track that is not a place in space, shown as a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name: `left/pinch`.
    pub name: String,
    /// Its values.
    pub track: TrackId,
    /// What it tells.
    pub kind: SignalKind,
}

/// What a signal tells of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// Whether it is there at all.
    Tracked,
    /// Whether thumb and index finger pinch.
    Pinch,
    /// Whatever its name says.
    Attribute,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_know_their_bytes_in_any_file_order() {
        let sorted = Provenance::packed(SourceLocation::span(0, 68), 12, 28, None);
        assert_eq!(sorted.key(1), SourceLocation::span(40, 28));
        let unsorted = Provenance::packed(SourceLocation::span(0, 28), 12, 8, Some([1, 0].into()));
        assert_eq!(unsorted.key(0), SourceLocation::span(20, 8));
        let packed = Provenance::packed(SourceLocation::span(0, 28), 12, 8, None);
        assert_eq!(packed.in_order(&[1, 0]), unsorted);
    }

    #[test]
    fn text_keys_know_their_line_and_column() {
        let lines = Arc::new(Lines::new(b"one\ntwo three"));
        let keys = Provenance::text(SourceLocation::line(1), [0, 8], lines).in_order(&[1, 0]);
        assert_eq!(
            [0, 1].map(|key| keys.key(key)),
            [SourceLocation::column(2, 5), SourceLocation::column(1, 1)]
        );
        assert_eq!(Provenance::of_track(SourceLocation::line(7)).key(3), SourceLocation::line(7));
    }
}
