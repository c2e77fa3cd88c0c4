//! Reads the objects of tracks.

use serde::de::{IgnoredAny, MapAccess};

use super::{
    json::{JsonSink, NameSeed, Scalar, SinkSeed},
    keys::{KeyColumns, KeysSink},
    member::SeenMembers,
    reader::AnimationReader,
};
use crate::{
    clip::TrackLocation,
    diagnostics::Severity,
    formats::resonite::{Interpolations, Keys, Shape, Times, Track, TrackType, TypeInfo, codes},
};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Header {
    pub(super) track_type: Option<TrackType>,
    pub(super) value_type: Option<&'static TypeInfo>,
    /// `true` if the file declares the types after the keys, so that this pass cannot read the
    /// keys.
    pub(super) follows_keys: bool,
}

pub(super) struct PartialTrack {
    pub(super) index: usize,
    pub(super) start: usize,
    pub(super) header: Header,
    node: String,
    property: String,
    /// The interval between keys in seconds, and the offset of its member name in the file.
    interval: Option<(f64, usize)>,
    pub(super) keys: Option<KeyColumns>,
    pub(super) keys_start: Option<usize>,
}

impl PartialTrack {
    /// Returns the type of the track. If the type is unknown, returns `Curve`, because a Curve can
    /// hold the keys of the other types.
    pub(super) fn track_type(&self) -> TrackType {
        self.header.track_type.unwrap_or(TrackType::Curve)
    }

    /// Removes the last value of the track if it is a number that follows the member name at
    /// `offset`. The text is truncated there, so the number may lack digits.
    pub(super) fn drop_last_number(&mut self, offset: usize) {
        if self.track_type() == TrackType::Raw && self.keys_start == Some(offset) {
            self.keys.iter_mut().for_each(KeyColumns::drop_last_number);
        }
        self.interval = self.interval.filter(|&(_, start)| start != offset);
    }

    pub(super) fn finish(mut self: Box<Self>, reader: &mut AnimationReader) {
        let track_type = self.track_type();
        let Some(value_type) = self.header.value_type else { return };
        let keys = self.keys.take().unwrap_or_else(|| KeyColumns::new(value_type));
        let mut offsets = keys.offsets;
        if let (TrackType::Raw, Some(start)) = (track_type, self.keys_start) {
            offsets = reader.element_starts(start);
        }
        let location = reader.location(self.start);
        let values = keys.values.finish();
        // Drop the offset of the last key if the truncated text contains only the start of that
        // key.
        offsets.truncate(values.len());
        let source = if offsets.len() == values.len() {
            TrackLocation::text(location, offsets, reader.lines.clone())
        } else {
            TrackLocation::for_track(location)
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

pub(super) struct TrackSink<'a, 'de, 'n> {
    pub(super) reader: &'a mut AnimationReader<'de, 'n>,
    pub(super) index: usize,
}

const TRACK_MEMBERS: [&str; 3] = ["trackType", "valueType", "data"];

impl<'de> JsonSink<'de> for TrackSink<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { reader, index } = self;
        let path = format!("tracks[{index}].");
        let known = reader.known_headers.get(index).copied().unwrap_or_default();
        reader.track = Some(Box::new(PartialTrack {
            index,
            start: reader.last_member_offset,
            header: known,
            node: String::new(),
            property: String::new(),
            interval: None,
            keys: None,
            keys_start: None,
        }));
        let (mut seen, mut member_order) = (SeenMembers::default(), Vec::new());
        let mut header = Header::default();
        while let Some(name) = members.next_key_seed(NameSeed)? {
            let here = reader.record_member_offset(&name);
            if member_order.is_empty() {
                let start = reader.object_start(here);
                reader.track.as_mut().expect("a track is being read").start = start;
            }
            let member = TRACK_MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.check_repeated(member as u8)) {
                reader.report_repeated_member(&path, &name);
            }
            member_order.push(member);
            let mut scalar = Scalar::Null;
            let value_type = reader.track.as_ref().and_then(|track| track.header.value_type);
            match (&*name, value_type) {
                // A track of matrices is skipped, because only AnimX has them.
                ("data", Some(value_type)) if is_matrix(value_type) => {
                    members.next_value::<IgnoredAny>()?;
                }
                ("data", Some(_)) => members.next_value_seed(SinkSeed(DataSink(reader)))?,
                ("data", None) => {
                    members.next_value::<IgnoredAny>()?;
                    header.follows_keys = true;
                }
                _ => members.next_value_seed(SinkSeed(&mut scalar))?,
            }
            let recognised_name = match &*name {
                "data" => continue,
                "trackType" => {
                    header.track_type = as_text(&scalar).and_then(|name| name.parse().ok());
                    header.track_type.map(TrackType::name)
                }
                "valueType" => {
                    header.value_type = as_text(&scalar).and_then(TypeInfo::from_name);
                    header.value_type.map(|value_type| value_type.name)
                }
                _ => {
                    reader.report_unknown_member(&path, &name, &TRACK_MEMBERS);
                    continue;
                }
            };
            if recognised_name.is_none() {
                report_unknown_type(reader, &path, &name, &scalar);
            }
            let track = reader.track.as_mut().expect("a track is being read");
            track.header.track_type = header.track_type.or(track.header.track_type);
            track.header.value_type = header.value_type.or(track.header.value_type);
        }
        let track = reader.track.take().expect("a track is being read");
        check_members(reader, &path, &track, &member_order, seen);
        reader.headers.resize(index + 1, Header::default());
        reader.headers[index] = header;
        if !track.header.value_type.is_some_and(is_matrix) {
            track.finish(reader);
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let path = format!("tracks[{}]", self.index);
        self.reader.report_wrong_type(&path, "an object", &scalar);
    }
}

fn is_matrix(value_type: &TypeInfo) -> bool {
    matches!(value_type.shape, Shape::Matrix(_))
}

fn as_text<'a>(scalar: &'a Scalar) -> Option<&'a str> {
    match scalar {
        Scalar::Text(text) => Some(text),
        _ => None,
    }
}

fn report_unknown_type(reader: &mut AnimationReader, path: &str, name: &str, scalar: &Scalar) {
    let found = match scalar {
        Scalar::Text(text) => format!("{text:?}"),
        other => other.type_name().to_owned(),
    };
    let expected = if name == "trackType" {
        "Raw, Discrete or Curve"
    } else {
        "a type such as float, float3, floatQ, int, bool, color or string"
    };
    let problem = format_args!(": expected {expected}, found {found}");
    let (code, kind) = (codes::UNKNOWN_NAME, "unknown types");
    reader.report_member(Severity::Error, code, kind, &format!("{path}{name}"), problem);
}

fn check_members(
    reader: &mut AnimationReader,
    path: &str,
    track: &PartialTrack,
    member_order: &[Option<usize>],
    seen: SeenMembers,
) {
    let location = reader.location(track.start);
    let path = path.trim_end_matches('.');
    let mut report = |severity, code, kind, problem: &str| {
        let what = || (location.clone(), format!("{path}: {problem}"));
        if let Some(diagnostic) = reader.limiter.add(severity, code, kind, what) {
            diagnostic.with("path", path);
        }
    };
    let Some(value_type) = track.header.value_type else {
        let what = if seen.contains(1) { "no known valueType" } else { "no valueType" };
        let problem = format!("{what}; track skipped. Resonite refuses the file");
        return report(Severity::Error, codes::MISSING_MEMBER, "tracks skipped", &problem);
    };
    if is_matrix(value_type) {
        let problem = format!("{} exists in AnimX only; track skipped", value_type.name);
        return report(Severity::Error, codes::MATRIX_TRACK, "tracks of matrices", &problem);
    }
    for (member, name) in [(0, "trackType"), (2, "data")] {
        if !seen.contains(member) {
            let problem = format!("no {name}; Resonite refuses the file");
            let kind = "tracks with a missing member";
            report(Severity::Warning, codes::MISSING_MEMBER, kind, &problem);
        }
    }
    if !member_order.iter().copied().eq((0..member_order.len()).map(Some)) {
        let kind = "tracks with members in the wrong order";
        let problem = "the members are not in the order trackType, valueType, data; loaded all the \
                       same. Resonite refuses the file";
        report(Severity::Warning, codes::MEMBER_ORDER, kind, problem);
    }
}

struct DataSink<'a, 'de, 'n>(&'a mut AnimationReader<'de, 'n>);

const DATA_MEMBERS: [&str; 4] = ["node", "property", "keyframes", "interval"];

impl<'de> JsonSink<'de> for DataSink<'_, 'de, '_> {
    fn object<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let reader = self.0;
        let index = reader.track.as_ref().map_or(0, |track| track.index);
        let path = format!("tracks[{index}].data.");
        let mut seen = SeenMembers::default();
        while let Some(name) = members.next_key_seed(NameSeed)? {
            let here = reader.record_member_offset(&name);
            let member = DATA_MEMBERS.iter().position(|known| *known == name);
            if member.is_some_and(|member| seen.check_repeated(member as u8)) {
                reader.report_repeated_member(&path, &name);
            }
            let mut scalar = Scalar::Null;
            if name == "keyframes" {
                let track = reader.track.as_mut().expect("a track is being read");
                track.keys = track.header.value_type.map(KeyColumns::new);
                track.keys_start = Some(here);
                members.next_value_seed(SinkSeed(KeysSink(reader)))?;
                continue;
            }
            members.next_value_seed(SinkSeed(&mut scalar))?;
            let track = reader.track.as_mut().expect("a track is being read");
            match (&*name, scalar) {
                ("node" | "property", Scalar::Null) => {}
                ("node", Scalar::Text(text)) => track.node = text.into_owned(),
                ("property", Scalar::Text(text)) => track.property = text.into_owned(),
                ("node" | "property", other) => {
                    reader.report_wrong_type(&format!("{path}{name}"), "a string", &other);
                }
                ("interval", scalar) => {
                    let is_raw = track.track_type() == TrackType::Raw;
                    track.interval = scalar.as_f64().map(|interval| (interval, here));
                    if scalar.as_f64().is_none() {
                        reader.report_wrong_type(&format!("{path}interval"), "a number", &scalar);
                    } else if !is_raw {
                        let path = format!("{path}interval");
                        reader.report_unused_member(&path, " is used only by Raw tracks");
                    }
                }
                _ => reader.report_unknown_member(&path, &name, &DATA_MEMBERS),
            }
        }
        Ok(())
    }

    fn scalar(self, scalar: Scalar<'de>) {
        let index = self.0.track.as_ref().map_or(0, |track| track.index);
        self.0.report_wrong_type(&format!("tracks[{index}].data"), "an object", &scalar);
    }
}
