//! The objects that tracks are.

use serde::de::{IgnoredAny, MapAccess};

use super::{
    json::{Name, Reading, Scalar, Take},
    keys::{KeyColumns, TakeKeys},
    member::Seen,
    reader::Reader,
};
use crate::{
    clip::Provenance,
    formats::resonite::{Interpolations, Keys, Shape, Times, Track, TrackType, TypeInfo},
};

/// The types that a track declares.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Header {
    pub(super) track_type: Option<TrackType>,
    pub(super) value_type: Option<&'static TypeInfo>,
    /// Whether its keys come before its types.
    pub(super) came_late: bool,
}

/// A track as far as it was read.
pub(super) struct PartialTrack {
    pub(super) index: usize,
    /// Where it begins, as an offset in the file.
    pub(super) start: usize,
    pub(super) header: Header,
    node: String,
    property: String,
    /// The distance of its keys in seconds, and where its name stands.
    interval: Option<(f64, usize)>,
    pub(super) keys: Option<KeyColumns>,
    /// Where the name of the array of its keys stands.
    pub(super) keys_start: Option<usize>,
}

impl PartialTrack {
    /// The type of the track; that which all others are special cases of, if it is not known.
    pub(super) fn track_type(&self) -> TrackType {
        self.header.track_type.unwrap_or(TrackType::Curve)
    }

    /// Removes the last value if it was a number and was read after the member whose name is at
    /// `offset`: the text ends there, and the number may have had more digits.
    pub(super) fn forget_last_number(&mut self, offset: usize) {
        if self.track_type() == TrackType::Raw && self.keys_start == Some(offset) {
            self.keys.iter_mut().for_each(KeyColumns::forget_last);
        }
        self.interval = self.interval.filter(|&(_, start)| start != offset);
    }

    /// Puts the track among those of the animation, if its values are known.
    pub(super) fn finish(mut self: Box<Self>, reader: &mut Reader) {
        let track_type = self.track_type();
        let Some(value_type) = self.header.value_type else { return };
        let keys = self.keys.take().unwrap_or_else(|| KeyColumns::new(value_type));
        let mut offsets = keys.offsets;
        if let (TrackType::Raw, Some(start)) = (track_type, self.keys_start) {
            offsets = reader.elements(start);
        }
        let place = reader.place(self.start);
        let values = keys.values.finish();
        // A text that is truncated may have begun one more.
        offsets.truncate(values.len());
        let source = if offsets.len() == values.len() {
            Provenance::text(place, offsets, reader.lines.clone())
        } else {
            Provenance::of_track(place)
        };
        let times = match track_type {
            TrackType::Raw => Times::Even { interval: self.interval.map(|(interval, _)| interval) },
            _ => Times::Each(keys.times.into()),
        };
        let interpolations = Interpolations::Each(keys.interpolations);
        reader.animation.tracks.push(Track {
            node: self.node,
            property: self.property,
            track_type,
            value_type,
            keys: Keys { times, values, interpolations, tangents: keys.tangents },
            index: self.index,
            is_json: true,
            source,
        });
    }
}

/// Takes a track.
pub(super) struct TakeTrack<'a, 'de, 'n> {
    pub(super) reader: &'a mut Reader<'de, 'n>,
    pub(super) index: usize,
}

const MEMBERS: [&str; 3] = ["trackType", "valueType", "data"];

impl<'de> Take<'de> for TakeTrack<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { reader, index } = self;
        let path = format!("tracks[{index}].");
        let known = reader.known.get(index).copied().unwrap_or_default();
        reader.track = Some(Box::new(PartialTrack {
            index,
            start: reader.here,
            header: known,
            node: String::new(),
            property: String::new(),
            interval: None,
            keys: None,
            keys_start: None,
        }));
        let (mut seen, mut met) = (Seen::default(), Vec::new());
        let mut header = Header::default();
        while let Some(name) = members.next_key_seed(Name)? {
            let here = reader.meet(&name);
            if met.is_empty() {
                let start = reader.start_of_object(here);
                reader.track.as_mut().expect("one is being read").start = start;
            }
            let member = MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.again(member as u8)) {
                reader.repeated(&path, &name);
            }
            met.push(member);
            let mut scalar = Scalar::Null;
            let value_type = reader.track.as_ref().and_then(|track| track.header.value_type);
            match (&*name, value_type) {
                // Such a track is skipped.
                ("data", Some(value_type)) if is_matrix(value_type) => {
                    members.next_value::<IgnoredAny>()?;
                }
                ("data", Some(_)) => members.next_value_seed(Reading(TakeData(reader)))?,
                ("data", None) => {
                    members.next_value::<IgnoredAny>()?;
                    header.came_late = true;
                }
                _ => members.next_value_seed(Reading(&mut scalar))?,
            }
            let said = match &*name {
                "data" => continue,
                "trackType" => {
                    let is = |text: &str| TrackType::ALL.iter().find(|one| one.name() == text);
                    header.track_type = text(&scalar).and_then(is).copied();
                    header.track_type.map(TrackType::name)
                }
                "valueType" => {
                    header.value_type = text(&scalar).and_then(TypeInfo::named);
                    header.value_type.map(|value_type| value_type.name)
                }
                _ => {
                    reader.unknown(&path, &name, &MEMBERS);
                    continue;
                }
            };
            if said.is_none() {
                say_unknown(reader, &path, &name, &scalar);
            }
            let track = reader.track.as_mut().expect("one is being read");
            track.header.track_type = header.track_type.or(track.header.track_type);
            track.header.value_type = header.value_type.or(track.header.value_type);
        }
        let track = reader.track.take().expect("one is being read");
        check(reader, &path, &track, &met, seen);
        reader.headers.resize(index + 1, Header::default());
        reader.headers[index] = header;
        if !track.header.value_type.is_some_and(is_matrix) {
            track.finish(reader);
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let path = format!("tracks[{}]", self.index);
        self.reader.misplaced(&path, "an object", &scalar);
    }
}

fn is_matrix(value_type: &TypeInfo) -> bool {
    matches!(value_type.shape, Shape::Matrix(_))
}

fn text<'a>(scalar: &'a Scalar) -> Option<&'a str> {
    match scalar {
        Scalar::Text(text) => Some(text),
        _ => None,
    }
}

/// Says that a type is none that is known.
fn say_unknown(reader: &mut Reader, path: &str, name: &str, scalar: &Scalar) {
    let found = match scalar {
        Scalar::Text(text) => format!("{text:?}"),
        other => other.word().to_owned(),
    };
    let expected = if name == "trackType" {
        "Raw, Discrete or Curve"
    } else {
        "a type such as float, float3, floatQ, int, bool, color or string"
    };
    let message = || format!("{path}{name}: expected {expected}, found {found}");
    reader.oddities.error("unknown types", reader.here(), message);
}

/// Reports the issues of the order and the presence of members.
fn check(reader: &mut Reader, path: &str, track: &PartialTrack, met: &[Option<usize>], seen: Seen) {
    let place = reader.place(track.start);
    let path = path.trim_end_matches('.');
    if let Some(value_type) = track.header.value_type {
        if is_matrix(value_type) {
            let message =
                || format!("{path}: {} exists in AnimX only; track skipped", value_type.name);
            reader.oddities.error("tracks of matrices", place, message);
            return;
        }
    } else {
        let message = || {
            let what = if seen.has(1) { "no known valueType" } else { "no valueType" };
            format!("{path}: {what}; track skipped; Resonite refuses the file")
        };
        reader.oddities.error("tracks skipped", place, message);
        return;
    }
    for (member, name) in [(0, "trackType"), (2, "data")] {
        if !seen.has(member) {
            let message = || format!("{path}: no {name}; Resonite refuses the file");
            reader.oddities.warning("tracks that lack a member", place.clone(), message);
        }
    }
    if !met.iter().copied().eq((0..met.len()).map(Some)) {
        let message = || {
            format!(
                "{path}: its members are in another order than trackType, valueType, data; read \
                 here. Resonite refuses it"
            )
        };
        reader.oddities.warning("tracks in another order of members", place, message);
    }
}

/// Takes the object that holds the keys of a track and whose they are.
struct TakeData<'a, 'de, 'n>(&'a mut Reader<'de, 'n>);

const DATA_MEMBERS: [&str; 4] = ["node", "property", "keyframes", "interval"];

impl<'de> Take<'de> for TakeData<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let reader = self.0;
        let index = reader.track.as_ref().map_or(0, |track| track.index);
        let path = format!("tracks[{index}].data.");
        let mut seen = Seen::default();
        while let Some(name) = members.next_key_seed(Name)? {
            let here = reader.meet(&name);
            let member = DATA_MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.again(member as u8)) {
                reader.repeated(&path, &name);
            }
            let mut scalar = Scalar::Null;
            if name == "keyframes" {
                let track = reader.track.as_mut().expect("one is being read");
                track.keys = track.header.value_type.map(KeyColumns::new);
                track.keys_start = Some(here);
                members.next_value_seed(Reading(TakeKeys(reader)))?;
                continue;
            }
            members.next_value_seed(Reading(&mut scalar))?;
            let track = reader.track.as_mut().expect("one is being read");
            match (&*name, scalar) {
                ("node" | "property", Scalar::Null) => {}
                ("node", Scalar::Text(text)) => track.node = text.into_owned(),
                ("property", Scalar::Text(text)) => track.property = text.into_owned(),
                ("node" | "property", other) => {
                    reader.misplaced(&format!("{path}{name}"), "text", &other);
                }
                ("interval", scalar) => {
                    let is_raw = track.track_type() == TrackType::Raw;
                    track.interval = scalar.number().map(|interval| (interval, here));
                    if scalar.number().is_none() {
                        reader.misplaced(&format!("{path}interval"), "a number", &scalar);
                    } else if !is_raw {
                        let message = || format!("{path}interval is used by Raw tracks only");
                        reader.oddities.warning("unused members", reader.here(), message);
                    }
                }
                _ => reader.unknown(&path, &name, &DATA_MEMBERS),
            }
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let index = self.0.track.as_ref().map_or(0, |track| track.index);
        self.0.misplaced(&format!("tracks[{index}].data"), "an object", &scalar);
    }
}
