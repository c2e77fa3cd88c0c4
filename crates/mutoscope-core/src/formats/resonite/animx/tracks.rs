//! The tracks of a file.

use std::sync::Arc;

use super::{
    decode::{Version, Whereabouts},
    values,
};
use crate::{
    clip::{Provenance, Values},
    diagnostics::{Error, Notices, SourceLocation},
    formats::resonite::{
        Columns, Interpolation, Interpolations, Keys, Scalar, TYPES, Tangents, Times, Track,
        TrackType, TypeInfo,
    },
    io::bytes::Cursor,
};

/// The fewest bytes that a track takes: its type, those of its values, two names and a count.
const SHORTEST_TRACK: usize = 4;

/// The order of time and value in a key that has a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOrder {
    /// The time, as most writers have it.
    TimeFirst,
    /// The value in keys of curves, as one description has it.
    ValueFirstInCurves,
    /// The value.
    ValueFirst,
}

/// The result of reading all tracks.
pub(super) struct Tracks {
    tracks: Vec<Track>,
    notices: Notices,
    /// How many of them have times that do not ascend.
    unsorted: usize,
    /// How many are missing.
    missing: u64,
}

impl Tracks {
    /// How much speaks against it.
    pub(super) fn faults(&self) -> (u64, usize) {
        (self.missing, self.unsorted)
    }

    /// The tracks. Issues go to `notices`.
    pub(super) fn told(self, notices: &mut Notices) -> Vec<Track> {
        notices.extend(self.notices);
        self.tracks
    }
}

/// Reads `count` tracks, or as many as can be read.
pub(super) fn read_tracks(
    mut cursor: Cursor,
    version: Version,
    count: u64,
    order: KeyOrder,
    whereabouts: &Whereabouts,
) -> Tracks {
    let mut read = Tracks { tracks: Vec::new(), notices: Notices::new(), unsorted: 0, missing: 0 };
    let fitting = count.min((cursor.left() / SHORTEST_TRACK) as u64);
    read.tracks.reserve(fitting.min(1024) as usize);
    let mut last_times = Arc::default();
    for index in 0..count {
        let mut reader = TrackReader {
            cursor: &mut cursor,
            order,
            whereabouts,
            notices: &mut read.notices,
            last_times: &mut last_times,
            index: index as usize,
            is_cut: false,
        };
        let result = reader.track(version);
        let is_cut = reader.is_cut;
        match result {
            Ok(track) => {
                read.unsorted += usize::from(!is_sorted(&track));
                read.tracks.push(track);
            }
            Err(error) => {
                let (place, message) = whereabouts.tell(&error);
                let lost = count - index;
                let message = format!("track {index}: {message}; the last {lost} are lost");
                read.notices.error(place, message);
                read.missing = lost;
                return read;
            }
        }
        if is_cut {
            read.missing = count - index;
            return read;
        }
    }
    if !cursor.is_at_end() {
        let message = format!("{} bytes after the last track", cursor.left());
        read.notices.warning(whereabouts.place(cursor.offset(), cursor.left()), message);
    }
    read
}

fn is_sorted(track: &Track) -> bool {
    match &track.keys.times {
        Times::Each(times) => {
            times.is_sorted() && times.iter().all(|time| (0.0..f64::INFINITY).contains(time))
        }
        Times::Even { .. } => true,
    }
}

struct TrackReader<'a, 'c> {
    cursor: &'a mut Cursor<'c>,
    order: KeyOrder,
    whereabouts: &'a Whereabouts,
    notices: &'a mut Notices,
    /// The times of the last track: what was keyed together has the same.
    last_times: &'a mut Arc<[f64]>,
    index: usize,
    /// Whether the file ends within its keys.
    is_cut: bool,
}

impl TrackReader<'_, '_> {
    fn track(&mut self, version: Version) -> Result<Track, Error> {
        let start = self.cursor.offset();
        let (track_type, value_type) = self.types(version)?;
        let node = self.name("the node")?;
        let property = self.name("the property")?;
        let count_place = self.cursor.place();
        let count = self.cursor.dotnet_count("the count of keys")?;
        // Each takes a byte at least; most are checked again, with what they take.
        let left = self.cursor.left() as u64;
        let count = usize::try_from(count).ok().filter(|_| count <= left).unwrap_or_else(|| {
            let message = format!("track {}: {count} keys, and {left} bytes are left", self.index);
            let (place, message) =
                self.whereabouts.tell(&Error::malformed(count_place, "keys that fit", message));
            self.notices.error(place, message);
            self.is_cut = true;
            left as usize
        });
        let (keys, places) = self.keys(track_type, value_type, count)?;
        let place = self.whereabouts.place(start, self.cursor.offset() - start);
        let source = match places {
            KeyPlaces::Packed { first_key, stride } => {
                Provenance::packed(place, first_key, stride, None)
            }
            KeyPlaces::Points(offsets) => Provenance::points(place, offsets),
        };
        let source = match self.whereabouts {
            Whereabouts::Packed(_) => source.in_unpacked(),
            Whereabouts::Here => source,
        };
        let index = self.index;
        Ok(Track { node, property, track_type, value_type, keys, index, is_json: false, source })
    }

    fn types(&mut self, version: Version) -> Result<(TrackType, &'static TypeInfo), Error> {
        let place = self.cursor.place();
        let first = self.cursor.u8("the type of the track")?;
        let (track_type, number) = match version {
            Version::V0 if first & 1 == 0 => (Some(&TrackType::Raw), first >> 1),
            Version::V0 => (Some(&TrackType::Curve), first >> 1),
            Version::V1 => {
                let track_type = TrackType::ALL.get(usize::from(first));
                (track_type, self.cursor.u8("the type of its values")?)
            }
        };
        match track_type {
            None => return Err(Error::malformed(place, "a type of track from 0 to 3", first)),
            Some(TrackType::Bezier) => {
                let message = "the layout of tracks of the type Bezier is unknown";
                return Err(Error::unsupported(place, message));
            }
            Some(_) => {}
        }
        let value_type = TYPES.get(usize::from(number));
        match (track_type, value_type) {
            (Some(&track_type), Some(value_type)) => Ok((track_type, value_type)),
            _ => Err(Error::malformed(place, "a type of values from 0 to 39", number)),
        }
    }

    fn name(&mut self, what: &str) -> Result<String, Error> {
        let start = self.cursor.offset();
        let bytes = self.cursor.dotnet_string(what)?;
        let name = String::from_utf8_lossy(bytes);
        if name.contains(char::REPLACEMENT_CHARACTER) && std::str::from_utf8(bytes).is_err() {
            let place = self.whereabouts.place(start, self.cursor.offset() - start);
            self.notices.warning(place, format!("track {}: {what} is not UTF-8", self.index));
        }
        Ok(name.into_owned())
    }

    fn keys(
        &mut self,
        track_type: TrackType,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<(Keys, KeyPlaces), Error> {
        match track_type {
            TrackType::Raw => {
                let interval = f64::from(self.cursor.f32_le("the interval")?);
                let interval = Some(interval).filter(|interval| interval.is_finite());
                let (_, values, places) = self.entries(Entry::Value, value_type, count)?;
                let keys = Keys { times: Times::Even { interval }, values, ..Keys::default() };
                Ok((keys, places))
            }
            TrackType::Discrete => {
                let entry = match self.order {
                    KeyOrder::TimeFirst | KeyOrder::ValueFirstInCurves => Entry::TimeValue,
                    KeyOrder::ValueFirst => Entry::ValueTime,
                };
                let (times, values, places) = self.entries(entry, value_type, count)?;
                Ok((Keys { times: Times::Each(times), values, ..Keys::default() }, places))
            }
            TrackType::Curve | TrackType::Bezier => self.curve(value_type, count),
        }
    }

    fn curve(&mut self, value_type: &TypeInfo, count: usize) -> Result<(Keys, KeyPlaces), Error> {
        let place = self.cursor.place();
        let flags = self.cursor.u8("the flags of the curve")?;
        if flags > 3 {
            return Err(Error::malformed(place, "flags of a curve from 0 to 3", flags));
        }
        let interpolations = if flags & 1 == 1 {
            let bytes = self.cursor.take(count, "the interpolations of the keys")?;
            let each = bytes.iter().map(|&byte| self.interpolation(byte));
            Interpolations::Each(each.collect::<Result<_, _>>()?)
        } else {
            let byte = self.cursor.u8("the interpolation of the keys")?;
            Interpolations::All(self.interpolation(byte)?)
        };
        let entry = match self.order {
            KeyOrder::TimeFirst => Entry::TimeValue,
            KeyOrder::ValueFirstInCurves | KeyOrder::ValueFirst => Entry::ValueTime,
        };
        let (times, values, places) = self.entries(entry, value_type, count)?;
        let found = values.len();
        let interpolations = match interpolations {
            Interpolations::Each(mut each) => {
                each.truncate(found);
                Interpolations::Each(each)
            }
            all @ Interpolations::All(_) => all,
        };
        let tangents = (flags & 2 == 2 && !self.is_cut)
            .then(|| self.tangents(value_type, found))
            .transpose()?
            .flatten();
        Ok((Keys { times: Times::Each(times), values, interpolations, tangents }, places))
    }

    fn interpolation(&self, byte: u8) -> Result<Interpolation, Error> {
        let known = Interpolation::ALL.get(usize::from(byte));
        known.copied().ok_or_else(|| {
            Error::malformed(self.cursor.place(), "an interpolation from 0 to 3", byte)
        })
    }

    /// The tangents of this many keys, each the one before the key and then the one after it.
    fn tangents(
        &mut self,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<Option<Box<Tangents>>, Error> {
        if value_type.scalar == Scalar::Text {
            for _ in 0..2 * count {
                values::text(self.cursor)?;
            }
            return Ok(None);
        }
        let size = value_type.bytes();
        let bytes = self.cursor.take(count * 2 * size, "the tangents of the keys")?;
        let doubles = |offset: usize| {
            let columns = values::columns(bytes, 2 * size, offset, value_type);
            columns.iter().map(|column| column.iter().collect()).collect()
        };
        let (left, right) = (doubles(0), doubles(size));
        Ok(Some(Box::new(Tangents { left, right, given: Vec::new() })))
    }

    /// As many of `count` entries as are there.
    fn entries(
        &mut self,
        entry: Entry,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<(Arc<[f64]>, Columns, KeyPlaces), Error> {
        if value_type.scalar == Scalar::Text {
            return self.texts(entry, count);
        }
        let size = value_type.bytes();
        let (time_at, value_at) = entry.offsets(size);
        let stride = size + if time_at.is_some() { 4 } else { 0 };
        let found = count.min(self.cursor.left() / stride);
        if found < count && !self.is_cut {
            self.cut(count, found);
        }
        let first_key = self.cursor.offset();
        let bytes = self.cursor.take(found * stride, "keys")?;
        let times = match time_at {
            None => Arc::default(),
            Some(at) => {
                *self.last_times = values::times(bytes, stride, at, self.last_times);
                self.last_times.clone()
            }
        };
        let columns: Vec<Values> = values::columns(bytes, stride, value_at, value_type);
        Ok((times, Columns::Components(columns), KeyPlaces::Packed { first_key, stride }))
    }

    fn texts(
        &mut self,
        entry: Entry,
        count: usize,
    ) -> Result<(Arc<[f64]>, Columns, KeyPlaces), Error> {
        let (mut times, mut texts, mut offsets) = (Vec::<f64>::new(), Vec::new(), Vec::new());
        for found in 0..count {
            let start = self.cursor.offset();
            let mut time = || self.cursor.f32_le("the time of a key").map(f64::from);
            let key = match entry {
                Entry::Value => values::text(self.cursor).map(|text| (None, text)),
                Entry::TimeValue => {
                    time().and_then(|time| Ok((Some(time), values::text(self.cursor)?)))
                }
                Entry::ValueTime => values::text(self.cursor).and_then(|text| {
                    Ok((Some(self.cursor.f32_le("the time of a key").map(f64::from)?), text))
                }),
            };
            let Ok((time, text)) = key else {
                self.cut(count, found);
                break;
            };
            times.extend(time);
            texts.push(text);
            offsets.push(u32::try_from(start).unwrap_or(u32::MAX));
        }
        Ok((times.into(), Columns::Texts(texts), KeyPlaces::Points(offsets)))
    }

    /// Says that only `found` of `count` keys are there.
    fn cut(&mut self, count: usize, found: usize) {
        self.is_cut = true;
        let place: SourceLocation =
            self.whereabouts.place(self.cursor.offset(), self.cursor.left());
        let index = self.index;
        let message = format!(
            "track {index}: expected {count} keys, found {found}; the tracks after it are lost"
        );
        self.notices.error(place, message);
    }
}

/// Where the keys of a track stand.
enum KeyPlaces {
    Packed { first_key: usize, stride: usize },
    Points(Vec<u32>),
}

/// The layout of one entry of a key.
#[derive(Clone, Copy)]
enum Entry {
    Value,
    TimeValue,
    ValueTime,
}

impl Entry {
    /// Where the time and the value of this many bytes stand.
    fn offsets(self, size: usize) -> (Option<usize>, usize) {
        match self {
            Self::Value => (None, 0),
            Self::TimeValue => (Some(0), 4),
            Self::ValueTime => (Some(size), 0),
        }
    }
}
