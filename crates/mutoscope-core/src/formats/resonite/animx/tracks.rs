//! Reads the tracks of an AnimX file.

use std::sync::Arc;

use strum::VariantArray as _;

use super::{
    decode::{ByteOrigin, Version},
    values,
};
use crate::{
    clip::{TrackLocation, Values},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::resonite::{
        Columns, Interpolation, Interpolations, Keys, Scalar, TYPES, Tangents, Times, Track,
        TrackType, TypeInfo, codes,
    },
    io::bytes::Cursor,
};

/// The size of the smallest track, in version 0: one byte for the types of the track and its
/// values, two empty names, and the count 0.
const MIN_TRACK_BYTES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyOrder {
    /// The time of a key comes before its value. Most writers use this layout.
    TimeFirst,
    /// In curves, the value of a key comes before its time. In other tracks, the time comes first.
    /// One description of the format says so.
    ValueFirstInCurves,
    /// The value of a key comes before its time.
    ValueFirst,
}

pub(super) struct DecodedTracks {
    tracks: Vec<Track>,
    diagnostics: Diagnostics,
    unsorted: usize,
    missing: u64,
}

impl DecodedTracks {
    pub(super) fn fault_counts(&self) -> (u64, usize) {
        (self.missing, self.unsorted)
    }

    pub(super) fn into_tracks(self, diagnostics: &mut Diagnostics) -> Vec<Track> {
        diagnostics.extend(self.diagnostics);
        self.tracks
    }
}

pub(super) fn read_tracks(
    mut cursor: Cursor,
    version: Version,
    count: u64,
    order: KeyOrder,
    origin: &ByteOrigin,
) -> DecodedTracks {
    let mut read = DecodedTracks {
        tracks: Vec::new(),
        diagnostics: Diagnostics::new(),
        unsorted: 0,
        missing: 0,
    };
    let fitting = count.min((cursor.remaining() / MIN_TRACK_BYTES) as u64);
    read.tracks.reserve(fitting.min(1024) as usize);
    let mut last_times = Arc::default();
    for index in 0..count {
        let mut reader = TrackReader {
            cursor: &mut cursor,
            order,
            origin,
            diagnostics: &mut read.diagnostics,
            last_times: &mut last_times,
            index: index as usize,
            is_cut: false,
        };
        let result = reader.read_track(version);
        let is_cut = reader.is_cut;
        match result {
            Ok(track) => {
                read.unsorted += usize::from(!is_sorted(&track));
                read.tracks.push(track);
            }
            Err(error) => {
                let (location, message) = origin.describe_error(&error);
                let lost = count - index;
                let message = format!(
                    "track {index}: {message}; this and all later tracks are lost ({lost})"
                );
                read.diagnostics
                    .error(codes::TRACKS_LOST, location, message)
                    .with("track", index)
                    .with("count", lost);
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
        let message = format!("{} bytes after the last track", cursor.remaining());
        let location = origin.location(cursor.offset(), cursor.remaining());
        read.diagnostics
            .warning(codes::TRAILING_DATA, location, message)
            .with("count", cursor.remaining());
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
    origin: &'a ByteOrigin,
    diagnostics: &'a mut Diagnostics,
    /// The times of the previous track. If the next track has the same times, both tracks share
    /// this array.
    last_times: &'a mut Arc<[f64]>,
    index: usize,
    is_cut: bool,
}

impl TrackReader<'_, '_> {
    fn read_track(&mut self, version: Version) -> Result<Track, Error> {
        let start = self.cursor.offset();
        let (track_type, value_type) = self.read_types(version)?;
        let node = self.read_name("the node")?;
        let property = self.read_name("the property")?;
        let count_place = self.cursor.location();
        let count = self.cursor.dotnet_count("the count of keys")?;
        // A key takes at least one byte, so a count above the number of remaining bytes is corrupt.
        // Most track types check the count again with the actual size of a key.
        let left = self.cursor.remaining() as u64;
        let count = usize::try_from(count).ok().filter(|_| count <= left).unwrap_or_else(|| {
            let message = format!("track {}: {count} keys, and {left} bytes are left", self.index);
            let (location, message) = self.origin.describe_error(&Error::malformed(
                count_place,
                "keys that fit",
                message,
            ));
            self.diagnostics.error(codes::TRACKS_LOST, location, message).with("track", self.index);
            self.is_cut = true;
            left as usize
        });
        let (keys, locations) = self.read_keys(track_type, value_type, count)?;
        let location = self.origin.location(start, self.cursor.offset() - start);
        let source = match locations {
            KeyLocations::Packed { first_key, stride } => {
                TrackLocation::packed(location, first_key, stride, None)
            }
            KeyLocations::Points(offsets) => TrackLocation::points(location, offsets),
        };
        let source = match self.origin {
            ByteOrigin::Packed(_) => source.in_unpacked_data(),
            ByteOrigin::InFile => source,
        };
        let index = self.index;
        Ok(Track { node, property, track_type, value_type, keys, index, is_json: false, source })
    }

    fn read_types(&mut self, version: Version) -> Result<(TrackType, &'static TypeInfo), Error> {
        let location = self.cursor.location();
        let first = self.cursor.u8("the type of the track")?;
        let (track_type, number) = match version {
            Version::V0 if first & 1 == 0 => (Some(&TrackType::Raw), first >> 1),
            Version::V0 => (Some(&TrackType::Curve), first >> 1),
            Version::V1 => {
                let track_type = TrackType::VARIANTS.get(usize::from(first));
                (track_type, self.cursor.u8("the type of its values")?)
            }
        };
        match track_type {
            None => return Err(Error::malformed(location, "a type of track from 0 to 3", first)),
            Some(TrackType::Bezier) => {
                let message = "the layout of tracks of the type Bezier is unknown";
                return Err(Error::unsupported(location, message));
            }
            Some(_) => {}
        }
        let value_type = TYPES.get(usize::from(number));
        match (track_type, value_type) {
            (Some(&track_type), Some(value_type)) => Ok((track_type, value_type)),
            _ => Err(Error::malformed(location, "a type of values from 0 to 39", number)),
        }
    }

    fn read_name(&mut self, what: &str) -> Result<String, Error> {
        let start = self.cursor.offset();
        let bytes = self.cursor.dotnet_string(what)?;
        let name = String::from_utf8_lossy(bytes);
        if name.contains(char::REPLACEMENT_CHARACTER) && std::str::from_utf8(bytes).is_err() {
            let location = self.origin.location(start, self.cursor.offset() - start);
            let message = format!("track {}: {what} is not UTF-8", self.index);
            self.diagnostics
                .warning(codes::NAME_NOT_UTF8, location, message)
                .with("track", self.index);
        }
        Ok(name.into_owned())
    }

    fn read_keys(
        &mut self,
        track_type: TrackType,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<(Keys, KeyLocations), Error> {
        match track_type {
            TrackType::Raw => {
                let interval = f64::from(self.cursor.f32_le("the interval")?);
                let interval = Some(interval).filter(|interval| interval.is_finite());
                let (_, values, locations) =
                    self.read_entries(EntryLayout::Value, value_type, count)?;
                let keys = Keys { times: Times::Even { interval }, values, ..Keys::default() };
                Ok((keys, locations))
            }
            TrackType::Discrete => {
                let entry = match self.order {
                    KeyOrder::TimeFirst | KeyOrder::ValueFirstInCurves => EntryLayout::TimeValue,
                    KeyOrder::ValueFirst => EntryLayout::ValueTime,
                };
                let (times, values, locations) = self.read_entries(entry, value_type, count)?;
                Ok((Keys { times: Times::Each(times), values, ..Keys::default() }, locations))
            }
            TrackType::Curve | TrackType::Bezier => self.read_curve(value_type, count),
        }
    }

    fn read_curve(
        &mut self,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<(Keys, KeyLocations), Error> {
        let location = self.cursor.location();
        let flags = self.cursor.u8("the flags of the curve")?;
        if flags > 3 {
            return Err(Error::malformed(location, "flags of a curve from 0 to 3", flags));
        }
        let interpolations = if flags & 1 == 1 {
            let bytes = self.cursor.read_bytes(count, "the interpolations of the keys")?;
            let each = bytes.iter().map(|&byte| self.parse_interpolation(byte));
            Interpolations::Each(each.collect::<Result<_, _>>()?)
        } else {
            let byte = self.cursor.u8("the interpolation of the keys")?;
            Interpolations::All(self.parse_interpolation(byte)?)
        };
        let entry = match self.order {
            KeyOrder::TimeFirst => EntryLayout::TimeValue,
            KeyOrder::ValueFirstInCurves | KeyOrder::ValueFirst => EntryLayout::ValueTime,
        };
        let (times, values, locations) = self.read_entries(entry, value_type, count)?;
        let found = values.len();
        let interpolations = match interpolations {
            Interpolations::Each(mut each) => {
                each.truncate(found);
                Interpolations::Each(each)
            }
            all @ Interpolations::All(_) => all,
        };
        let tangents = (flags & 2 == 2 && !self.is_cut)
            .then(|| self.read_tangents(value_type, found))
            .transpose()?
            .flatten();
        Ok((Keys { times: Times::Each(times), values, interpolations, tangents }, locations))
    }

    fn parse_interpolation(&self, byte: u8) -> Result<Interpolation, Error> {
        let known = Interpolation::VARIANTS.get(usize::from(byte));
        known.copied().ok_or_else(|| {
            Error::malformed(self.cursor.location(), "an interpolation from 0 to 3", byte)
        })
    }

    /// Reads the tangents of `count` keys. For each key, the tangent before it comes first.
    fn read_tangents(
        &mut self,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<Option<Box<Tangents>>, Error> {
        if value_type.scalar == Scalar::Text {
            for _ in 0..2 * count {
                values::read_text(self.cursor)?;
            }
            return Ok(None);
        }
        let size = value_type.byte_size();
        let bytes = self.cursor.read_bytes(count * 2 * size, "the tangents of the keys")?;
        let doubles = |offset: usize| {
            let columns = values::read_columns(bytes, 2 * size, offset, value_type);
            columns.iter().map(|column| column.iter().collect()).collect()
        };
        let (left, right) = (doubles(0), doubles(size));
        Ok(Some(Box::new(Tangents { left, right, given: Vec::new() })))
    }

    fn read_entries(
        &mut self,
        entry: EntryLayout,
        value_type: &TypeInfo,
        count: usize,
    ) -> Result<(Arc<[f64]>, Columns, KeyLocations), Error> {
        if value_type.scalar == Scalar::Text {
            return self.read_texts(entry, count);
        }
        let size = value_type.byte_size();
        let (time_offset, value_offset) = entry.offsets(size);
        let stride = size + if time_offset.is_some() { 4 } else { 0 };
        let found = count.min(self.cursor.remaining() / stride);
        if found < count && !self.is_cut {
            self.report_truncated(count, found);
        }
        let first_key = self.cursor.offset();
        let bytes = self.cursor.read_bytes(found * stride, "keys")?;
        let times = match time_offset {
            None => Arc::default(),
            Some(at) => {
                *self.last_times = values::read_times(bytes, stride, at, self.last_times);
                self.last_times.clone()
            }
        };
        let columns: Vec<Values> = values::read_columns(bytes, stride, value_offset, value_type);
        Ok((times, Columns::Components(columns), KeyLocations::Packed { first_key, stride }))
    }

    fn read_texts(
        &mut self,
        entry: EntryLayout,
        count: usize,
    ) -> Result<(Arc<[f64]>, Columns, KeyLocations), Error> {
        let (mut times, mut texts, mut offsets) = (Vec::<f64>::new(), Vec::new(), Vec::new());
        for found in 0..count {
            let start = self.cursor.offset();
            let mut time = || self.cursor.f32_le("the time of a key").map(f64::from);
            let key = match entry {
                EntryLayout::Value => values::read_text(self.cursor).map(|text| (None, text)),
                EntryLayout::TimeValue => {
                    time().and_then(|time| Ok((Some(time), values::read_text(self.cursor)?)))
                }
                EntryLayout::ValueTime => values::read_text(self.cursor).and_then(|text| {
                    Ok((Some(self.cursor.f32_le("the time of a key").map(f64::from)?), text))
                }),
            };
            let Ok((time, text)) = key else {
                self.report_truncated(count, found);
                break;
            };
            times.extend(time);
            texts.push(text);
            offsets.push(u32::try_from(start).unwrap_or(u32::MAX));
        }
        Ok((times.into(), Columns::Texts(texts), KeyLocations::Points(offsets)))
    }

    fn report_truncated(&mut self, count: usize, found: usize) {
        self.is_cut = true;
        let location: SourceLocation =
            self.origin.location(self.cursor.offset(), self.cursor.remaining());
        let index = self.index;
        let message = format!(
            "track {index}: expected {count} keys, found {found}; the tracks after it are lost"
        );
        self.diagnostics
            .error(codes::TRACKS_LOST, location, message)
            .with("track", index)
            .with("expected", count)
            .with("found", found);
    }
}

enum KeyLocations {
    Packed { first_key: usize, stride: usize },
    Points(Vec<u32>),
}

#[derive(Clone, Copy)]
enum EntryLayout {
    Value,
    TimeValue,
    ValueTime,
}

impl EntryLayout {
    fn offsets(self, size: usize) -> (Option<usize>, usize) {
        match self {
            Self::Value => (None, 0),
            Self::TimeValue => (Some(0), 4),
            Self::ValueTime => (Some(size), 0),
        }
    }
}
