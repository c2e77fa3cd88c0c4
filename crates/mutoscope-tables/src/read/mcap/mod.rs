//! Reads MCAP logs of transforms.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | reads the records of a file, and decompresses chunks |
//! | `decode` | decodes messages according to their channel |
//! | `flatbuffer`, `ros` | implement two of the encodings |
//! | `log` | collects the poses of all frames, and builds the clip |
//! | `clock` | chooses between time stamps and log times |
//! | `parents` | gives each frame one parent |
//! | `pose` | positions with rotations |
//! | `own` | reads our own exports |

mod clock;
mod container;
mod decode;
mod flatbuffer;
mod log;
mod own;
mod parents;
mod pose;
mod ros;

use std::collections::{BTreeMap, HashMap};

use mutoscope_core::{
    clip::{Clip, FormatId, SourceAxes},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::{Decode, DecodeContext, Format, Recognition},
};

use container::{Channel, Record, Records};
use decode::MessageKind;
use log::Log;

const FORMAT_ID: FormatId = FormatId::new("mcap");

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

pub(super) static FORMATS: [Format; 1] = [Format {
    id: FORMAT_ID,
    name: "MCAP",
    extensions: &["mcap"],
    between_keys: "linear from message to message, rotations the short way",
    recognise: |bytes| {
        if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
    },
    decode: Decode::Whole(decode),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
}];

#[derive(Default)]
struct UnreadTopic {
    schema: String,
    messages: usize,
}

fn decode(
    bytes: &[u8],
    context: &DecodeContext<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let mut records = Records::new(bytes);
    let mut channels: HashMap<u16, (Channel, Option<MessageKind>)> = HashMap::new();
    let mut schemas = HashMap::new();
    let mut metadata: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut log = Log::default();
    let mut unread: BTreeMap<String, UnreadTopic> = BTreeMap::new();
    let mut own = own::OwnMessages::default();
    let mut broken = BrokenMessages::default();
    while let Some(record) = records.next_record() {
        match record {
            Record::Schema(schema) => drop(schemas.insert(schema.id, schema.name)),
            Record::Channel(channel) => {
                let schema = schemas.get(&channel.schema).map_or("", String::as_str);
                let kind = MessageKind::from_schema(schema, &channel.encoding);
                channels.insert(channel.id, (channel, kind));
            }
            Record::Metadata { name, entries } => drop(metadata.insert(name, entries)),
            Record::Message { channel, time, data } => {
                let Some((channel, kind)) = channels.get(&channel) else {
                    broken.add("a message without a channel");
                    continue;
                };
                if own.add_message(channel, time, data) {
                    continue;
                }
                match kind {
                    Some(kind) => {
                        if let Err(why) =
                            decode::decode_message(*kind, channel, time, data, &mut log)
                        {
                            broken.add(why);
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
    if let Some((location, what)) = records.problem() {
        let message = format!("the file ends too early or is broken: {what}; loaded up to there");
        diagnostics.error(location, message);
    }
    if let Some((count, first)) = broken.first {
        let message = format!("{first}; skipped. Such messages: {count}");
        diagnostics.error(SourceLocation::File, message);
    }
    if let Some(facts) = metadata.get("mutoscope").filter(|facts| facts.contains_key("nodes")) {
        return own.into_clip(facts, &log, diagnostics);
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
            "messages with frame transforms or hands",
            found,
        ));
    }
    let why = (!log.is_openxr()).then_some("frame transforms use the axes of ROS (REP 103)");
    let axes = if log.is_openxr() { SourceAxes::VIEWER } else { SourceAxes::ROS };
    let space = mutoscope_logs::log_space(context, axes, why, diagnostics)?;
    log.into_clip(FORMAT_ID, space, unread, diagnostics)
}

#[derive(Default)]
struct BrokenMessages {
    first: Option<(usize, String)>,
}

impl BrokenMessages {
    fn add(&mut self, why: impl Into<String>) {
        match &mut self.first {
            Some((count, _)) => *count += 1,
            None => self.first = Some((1, why.into())),
        }
    }
}
