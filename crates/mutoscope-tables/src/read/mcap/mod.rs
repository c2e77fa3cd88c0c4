//! MCAP logs of transforms as recordings.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | the records of a file, chunks unpacked |
//! | `decode` | messages by the encoding and the schema of their channel |
//! | `flatbuffer`, `ros` | two of these encodings |
//! | `log` | the transforms of all frames |
//! | `own` | our own exports |

mod container;
mod decode;
mod flatbuffer;
mod log;
mod own;
mod ros;

use std::collections::{BTreeMap, HashMap};

use mutoscope_core::{
    clip::{Clip, FormatId, SourceAxes},
    diagnostics::{Error, Notices, SourceLocation},
    formats::{Decode, DecodeContext, Format, Recognition},
};

use container::{Channel, Record, Records};
use decode::Kind;
use log::Log;

/// The id of the format: its word is `mcap`.
const FORMAT_ID: FormatId = FormatId::new("mcap");

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// The row of the registry.
pub(super) static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "MCAP",
    extensions: &["mcap"],
    between_keys: "linear from message to message, rotations the short way",
    recognise: |bytes| {
        if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
    },
    decode: Decode::Whole(decode),
    rig: None,
    variants: &[],
    animations: None,
    unpacked: None,
}];

/// A topic that is not read.
#[derive(Default)]
struct Unread {
    schema: String,
    messages: usize,
}

fn decode(bytes: &[u8], context: &DecodeContext<'_>, notices: &mut Notices) -> Result<Clip, Error> {
    let mut records = Records::new(bytes);
    let mut channels: HashMap<u16, (Channel, Option<Kind>)> = HashMap::new();
    let mut schemas = HashMap::new();
    let mut metadata: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut log = Log::default();
    let mut unread: BTreeMap<String, Unread> = BTreeMap::new();
    let mut own = own::Messages::default();
    let mut broken = Broken::default();
    while let Some(record) = records.next() {
        match record {
            Record::Schema(schema) => drop(schemas.insert(schema.id, schema.name)),
            Record::Channel(channel) => {
                let schema = schemas.get(&channel.schema).map_or("", String::as_str);
                let kind = Kind::of(schema, &channel.encoding);
                channels.insert(channel.id, (channel, kind));
            }
            Record::Metadata { name, entries } => drop(metadata.insert(name, entries)),
            Record::Message { channel, time, data } => {
                let Some((channel, kind)) = channels.get(&channel) else {
                    broken.note("a message of no channel");
                    continue;
                };
                if own.add(channel, time, data) {
                    continue;
                }
                match kind {
                    Some(kind) => {
                        if let Err(why) = decode::message(*kind, channel, time, data, &mut log) {
                            broken.note(why);
                        }
                    }
                    None => {
                        let one = unread.entry(channel.topic.clone()).or_default();
                        one.messages += 1;
                        if one.schema.is_empty() {
                            let schema = schemas.get(&channel.schema).cloned();
                            one.schema = schema.unwrap_or_default();
                        }
                    }
                }
            }
        }
    }
    if let Some((place, what)) = records.problem() {
        let message = format!("the file ends too early, or is broken: {what}; loaded up to there");
        notices.error(place, message);
    }
    if let Some((count, first)) = broken.first {
        let message = format!("{first}; skipped. Such messages: {count}");
        notices.error(SourceLocation::File, message);
    }
    if let Some(facts) = metadata.get("mutoscope").filter(|facts| facts.contains_key("nodes")) {
        return own.clip(facts, &log, notices);
    }
    if log.is_empty() {
        let topics: Vec<_> = unread
            .iter()
            .take(8)
            .map(|(topic, one)| format!("{topic:?} ({})", one.schema))
            .collect();
        let found = if topics.is_empty() { "no messages".to_owned() } else { topics.join(", ") };
        return Err(Error::malformed(
            SourceLocation::File,
            "messages with transforms of frames or with hands",
            found,
        ));
    }
    let why = (!log.is_openxr()).then_some("transforms of frames are in the axes of ROS, REP 103");
    let axes = if log.is_openxr() { SourceAxes::VIEWER } else { SourceAxes::ROS };
    let space = mutoscope_logs::log_space(context, axes, why, notices)?;
    log.clip(FORMAT_ID, space, unread, notices)
}

/// Messages that cannot be read.
#[derive(Default)]
struct Broken {
    first: Option<(usize, String)>,
}

impl Broken {
    fn note(&mut self, why: impl Into<String>) {
        match &mut self.first {
            Some((count, _)) => *count += 1,
            None => self.first = Some((1, why.into())),
        }
    }
}
