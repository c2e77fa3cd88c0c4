//! Authored curves: their owners, their properties, and where the file has them.

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

/// The owner of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A node.
    Node(NodeId),
    /// A group, such as of whether the left hand is tracked.
    Group(GroupId),
}

/// One authored curve.
#[derive(Clone, Debug)]
pub struct Track {
    /// Its owner.
    pub owner: Owner,
    /// Its property, in the format's own words: `position.x`.
    pub property: String,
    /// Its curve, in the file's own axes and units.
    pub curve: AnyCurve,
    /// Its unit, as far as the file or the format gives it.
    pub unit: Unit,
    /// Where the file has it.
    pub source: Provenance,
}

/// Where a file has a track and each of its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The place of the track, its keys included.
    pub place: SourceLocation,
    keys: KeyPlaces,
    counted_in: CountedIn,
}

/// The data that the places of keys are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CountedIn {
    /// The file.
    #[default]
    File,
    /// The unpacked data of the file.
    Unpacked,
    /// The bytes of the file from this one on.
    From(u64),
    /// Another file.
    OtherFile,
    /// Nothing: the decoder derived the keys.
    Nothing,
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
    /// Known only as that of the track.
    Track,
    /// Quantised.
    Coded(SharedKeys),
}

/// Quantised keys, which are equal if they are identical.
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

    /// A track at `place` in a text, whose keys are in these lines, in the order of time; tracks
    /// that are keyed by the same lines share them.
    pub fn lines(place: SourceLocation, lines: impl Into<Arc<[u32]>>) -> Self {
        Self { place, keys: KeyPlaces::Lines(lines.into()), counted_in: CountedIn::File }
    }

    /// A track at `place` in a text of these `lines`, whose keys are at these offsets, in the order
    /// of time.
    pub fn text(place: SourceLocation, offsets: impl Into<Box<[u32]>>, lines: Arc<Lines>) -> Self {
        Self {
            place,
            keys: KeyPlaces::Text { offsets: offsets.into(), lines },
            counted_in: CountedIn::File,
        }
    }

    /// A track at `place` whose keys have no known places of their own.
    pub fn of_track(place: SourceLocation) -> Self {
        Self { place, keys: KeyPlaces::Track, counted_in: CountedIn::File }
    }

    /// A track that the file does not have: its keys follow from those of others.
    pub fn derived() -> Self {
        let place = SourceLocation::File;
        Self { place, keys: KeyPlaces::Track, counted_in: CountedIn::Nothing }
    }

    /// Whether the file does not have the track, as the decoder derived it from others.
    pub fn is_derived(&self) -> bool {
        self.counted_in == CountedIn::Nothing
    }

    /// The same, with its places in the unpacked data of the file.
    pub fn in_unpacked(self) -> Self {
        Self { counted_in: CountedIn::Unpacked, ..self }
    }

    /// The same, shifted by `start` bytes: for files within files.
    pub fn from_byte(self, start: u64) -> Self {
        Self { place: self.place.shifted(start), counted_in: CountedIn::From(start), ..self }
    }

    /// The same, in another file than the one that places refer to.
    pub fn in_other_file(self) -> Self {
        Self { place: SourceLocation::File, counted_in: CountedIn::OtherFile, ..self }
    }

    /// The same, reordered from the order of the file: `order` gives for each key, in the order of
    /// time, its index in the file.
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
            // Quantised keys are already in the order of time.
            KeyPlaces::Track | KeyPlaces::Coded(_) => {}
        }
        self
    }

    /// A track at `place` whose keys begin at these offsets, in the order of time; tracks that are
    /// keyed by the same bytes share them.
    pub fn points(place: SourceLocation, offsets: impl Into<Arc<[u32]>>) -> Self {
        Self { place, keys: KeyPlaces::Points(offsets.into()), counted_in: CountedIn::File }
    }

    /// A track at `place` with quantised keys.
    pub fn coded(place: SourceLocation, keys: Arc<dyn QuantizedKeys>) -> Self {
        Self { place, keys: KeyPlaces::Coded(SharedKeys(keys)), counted_in: CountedIn::File }
    }

    /// Whether its keys have places of their own.
    pub fn has_key_places(&self) -> bool {
        !matches!(self.keys, KeyPlaces::Track) && self.counted_in != CountedIn::OtherFile
    }

    /// Whether its keys are quantised.
    pub fn is_coded(&self) -> bool {
        matches!(self.keys, KeyPlaces::Coded(_))
    }

    /// The quantised key at `index` in the order of time, if its keys are quantised. It may have to
    /// read all keys before it.
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
            CountedIn::OtherFile | CountedIn::Nothing => SourceLocation::File,
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

/// A track other than a transform, shown as a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name: `left/pinch`.
    pub name: String,
    /// Its values.
    pub track: TrackId,
    /// Its meaning.
    pub kind: SignalKind,
}

/// The meaning of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// Whether its owner is tracked.
    Tracked,
    /// Whether thumb and index finger pinch.
    Pinch,
    /// As its name says.
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
