//! Reads MCAP logs of poses.
//!
//! | file | what it does |
//! |---|---|
//! | `container` | reads the records of a file, and decompresses chunks |
//! | `codes` | the codes of diagnostics |
//! | `error` | the reasons why messages cannot be read |
//! | `decode` | chooses the decoder of a channel |
//! | `ros`, `ros_types`, `protobuf`, `flatbuffer` | decode messages by the schema in the file |
//! | `value` | the values of a message |
//! | `messages` | finds the poses in the values |
//! | `urdf` | reads robot descriptions, for the poses of links |
//! | `log` | collects the poses of all frames, and builds the clip |
//! | `clock` | chooses between time stamps and log times |
//! | `parents` | gives each frame one parent |
//! | `pose` | positions with rotations |
//! | `own` | reads our own exports |

mod clock;
pub(super) mod codes;
mod container;
mod decode;
mod error;
mod flatbuffer;
mod log;
mod messages;
mod own;
mod parents;
mod pose;
mod protobuf;
mod ros;
mod ros_types;
mod urdf;
mod value;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io,
    rc::Rc,
};

use mutoscope_core::{
    clip::{Clip, Content, FormatId, SourceAxes},
    diagnostics::{Diagnostics, Error, SourceLocation, format_number},
    formats::{Decode, Format, ReadOptions, Recognition, SourceFile},
};

use container::{Channel, Record, Records, Schema};
use decode::Decoder;
use error::MessageError;
use log::Log;
use messages::Topic;
use urdf::Robot;

const FORMAT_ID: FormatId = FormatId::new("mcap");

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// The most topics that a message lists.
const MAX_LISTED_TOPICS: usize = 8;

pub(super) const FORMAT: Format = Format {
    id: FORMAT_ID,
    name: "MCAP",
    extensions: &["mcap"],
    between_keys: "linear from message to message, rotations the short way",
    contents: &[
        Content::Motion,
        Content::Hierarchy,
        Content::RestPose,
        Content::Visibility,
        Content::Signals,
    ],
    recognise: |bytes| {
        if bytes.starts_with(MAGIC) { Recognition::Certain } else { Recognition::No }
    },
    decode: Decode::Whole(decode),
    skeleton_kind: None,
    variants: &[],
    animations: None,
    unpack: None,
    explain_rejection: None,
};

/// A topic whose messages are not read.
#[derive(Clone, Default)]
struct UnreadTopic {
    schema: String,
    /// Why messages with this schema are not read, unless only their schema is unsupported.
    why: Option<MessageError>,
    messages: usize,
}

impl UnreadTopic {
    fn describe(&self) -> String {
        match &self.why {
            Some(why) => {
                format!("messages with the schema {:?} are not read, because {why}", self.schema)
            }
            None => format!("messages with the unsupported schema {:?}", self.schema),
        }
    }
}

/// The channels of a file with their schemas and decoders.
#[derive(Default)]
struct Channels {
    schemas: HashMap<u16, Schema>,
    channels: HashMap<u16, Channel>,
    decoders: HashMap<u16, Result<Rc<Decoder>, UnreadTopic>>,
    /// Decoders by schema and encoding, because many channels may have the same schema.
    by_schema: HashMap<(u16, String), Result<Rc<Decoder>, UnreadTopic>>,
}

impl Channels {
    fn add_schema(&mut self, schema: Schema) {
        // The summary repeats schemas.
        if self.schemas.get(&schema.id) == Some(&schema) {
            return;
        }
        self.by_schema.retain(|(id, _), _| *id != schema.id);
        self.decoders.clear();
        self.schemas.insert(schema.id, schema);
    }

    fn add_channel(&mut self, channel: Channel) {
        if self.channels.get(&channel.id) != Some(&channel) {
            self.decoders.remove(&channel.id);
            self.channels.insert(channel.id, channel);
        }
    }

    /// Returns a channel and its decoder, or why its messages are not read.
    fn get(&mut self, id: u16) -> Option<(&Channel, &Result<Rc<Decoder>, UnreadTopic>)> {
        let channel = self.channels.get(&id)?;
        let decoder = self.decoders.entry(id).or_insert_with(|| {
            let key = (channel.schema, channel.encoding.clone());
            let schemas = &self.schemas;
            let decoder = self.by_schema.entry(key);
            decoder.or_insert_with(|| new_decoder(channel, schemas.get(&channel.schema))).clone()
        });
        Some((channel, decoder))
    }
}

fn new_decoder(channel: &Channel, schema: Option<&Schema>) -> Result<Rc<Decoder>, UnreadTopic> {
    let Some(schema) = schema else { return Err(UnreadTopic::default()) };
    let unread = |why| UnreadTopic { schema: schema.name.clone(), why, messages: 0 };
    match Decoder::new(schema, channel) {
        Some(Ok(decoder)) => Ok(Rc::new(decoder)),
        Some(Err(why)) => Err(unread(Some(why))),
        None => Err(unread(None)),
    }
}

fn decode(
    bytes: &[u8],
    file: &SourceFile<'_>,
    options: &ReadOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Clip, Error> {
    let mut records = Records::new(bytes);
    let mut channels = Channels::default();
    let mut metadata: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let is_export = |facts: &BTreeMap<String, String>| facts.contains_key("nodes");
    let mut log = Log::default();
    let mut unread: BTreeMap<String, UnreadTopic> = BTreeMap::new();
    let mut assumed_schemas: BTreeSet<String> = BTreeSet::new();
    let mut own = own::OwnMessages::default();
    let mut broken = BrokenMessages::default();
    while let Some(record) = records.next_record() {
        match record {
            Record::Schema(schema) => channels.add_schema(schema),
            Record::Channel(channel) => channels.add_channel(channel),
            Record::Metadata { name, entries } => drop(metadata.insert(name, entries)),
            Record::Message { channel, time, data } => {
                let Some((channel, decoder)) = channels.get(channel) else {
                    broken.add("a message without a channel");
                    continue;
                };
                // Our exports begin with their metadata.
                let is_own = metadata.get("mutoscope").is_some_and(is_export);
                if is_own && own.add_message(channel, time, data) {
                    continue;
                }
                let decoder = match decoder {
                    Ok(decoder) => decoder,
                    Err(why) => {
                        let topic =
                            unread.entry(channel.topic.clone()).or_insert_with(|| why.clone());
                        topic.messages += 1;
                        continue;
                    }
                };
                if decoder.is_schema_assumed && !assumed_schemas.contains(&channel.topic) {
                    assumed_schemas.insert(channel.topic.clone());
                }
                let id = log.add_topic(&channel.topic, decoder.encoding);
                let topic = Topic { id, name: &channel.topic };
                let time = i64::try_from(time).unwrap_or(i64::MAX);
                let result = decoder.decode(data).and_then(|message| {
                    messages::add_message(decoder.kind, &topic, time, &message, &mut log)
                });
                if let Err(why) = result {
                    broken.add(format!("cannot read a message of {:?}: {why}", channel.topic));
                }
            }
        }
    }
    if let Some((location, what)) = records.problem() {
        let message = format!("the file ends too early or is broken: {what}; loaded up to there");
        diagnostics.error(codes::TRUNCATED, location, message);
    }
    if let Some((count, first)) = broken.first {
        let message = format!("{first}; skipped. Such messages: {count}");
        diagnostics
            .error(codes::INVALID_MESSAGE, SourceLocation::File, message)
            .with("count", count);
    }
    if let Some(facts) = metadata.get("mutoscope").filter(|facts| is_export(facts)) {
        return own.into_clip(facts, &log, diagnostics);
    }
    let unread_topics = list_topics(
        unread.iter().map(|(topic, one)| format!("{topic:?} ({})", one.schema)).collect(),
    );
    if log.is_empty() {
        let found = if unread.is_empty() { "no messages".to_owned() } else { unread_topics };
        let expected = "messages with poses, such as frame transforms";
        return Err(Error::malformed(SourceLocation::File, expected, found));
    }
    if !unread.is_empty() {
        let message = format!("topics that are not read: {unread_topics}");
        diagnostics
            .info(codes::UNREAD_TOPICS, SourceLocation::File, message)
            .with("topics", unread.keys().cloned().collect::<Vec<_>>());
    }
    for (topic, one) in &unread {
        if let Some(why) = &one.why {
            let message = format!("the messages of {topic:?} ({}) are not read: {why}", one.schema);
            diagnostics
                .warning(codes::UNSUPPORTED_SCHEMA, SourceLocation::File, message)
                .with("topic", topic.as_str())
                .with("schema", one.schema.as_str());
        }
    }
    if !assumed_schemas.is_empty() {
        let topics =
            list_topics(assumed_schemas.iter().map(|topic| format!("{topic:?}")).collect());
        let message =
            format!("the usual fields are assumed, because the schema is missing: {topics}");
        diagnostics
            .info(codes::SCHEMA_ASSUMED, SourceLocation::File, message)
            .with("topics", assumed_schemas.into_iter().collect::<Vec<_>>());
    }
    if log.has_joints() && !log.has_robot() {
        add_robot_beside(file, &mut log, diagnostics);
    }
    let why = (!log.is_openxr()).then_some("frame transforms use the axes of ROS (REP 103)");
    let axes = if log.is_openxr() { SourceAxes::VIEWER } else { SourceAxes::ROS };
    let space = mutoscope_logs::log_space(file, options, axes, why, diagnostics)?;
    log.into_clip(FORMAT_ID, space, unread, diagnostics)
}

/// Reads the robot description next to the log: the one with the name of the log, or the only one.
fn add_robot_beside(file: &SourceFile<'_>, log: &mut Log, diagnostics: &mut Diagnostics) {
    let stem = file.name.rsplit_once('.').map_or(file.name, |(stem, _)| stem);
    let own = (!stem.is_empty()).then(|| format!("{stem}.urdf"));
    let is_urdf = |name: &String| name.to_ascii_lowercase().ends_with(".urdf");
    let beside: Vec<String> = file.sidecars.names().into_iter().filter(is_urdf).collect();
    let has_own = own.as_ref().is_some_and(|own| beside.is_empty() || beside.contains(own));
    let name = match (&beside[..], own) {
        (_, Some(own)) if has_own => own,
        ([only], _) => only.clone(),
        ([], _) => return,
        _ => {
            let message = "the folder has several robot descriptions, and none is named after the log; none is used";
            diagnostics.warning(codes::SEVERAL_ROBOTS, SourceLocation::File, message);
            return;
        }
    };
    let bytes = match file.sidecars.read(&name) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            let message = format!("cannot read {name}: {error}; skipped");
            diagnostics
                .warning(codes::ROBOT_UNREADABLE, SourceLocation::File, message)
                .with("file", name);
            return;
        }
    };
    match Robot::parse(&String::from_utf8_lossy(&bytes)) {
        Ok(robot) => {
            diagnostics
                .info(
                    codes::ROBOT_BESIDE,
                    SourceLocation::File,
                    format!("the links of the robot are from {name}"),
                )
                .with("file", name.as_str());
            log.set_robot(robot);
        }
        Err(why) => {
            let message = format!("cannot read {name}: {why}; skipped");
            diagnostics
                .warning(codes::ROBOT_UNREADABLE, SourceLocation::File, message)
                .with("file", name);
        }
    }
}

fn list_topics(mut topics: Vec<String>) -> String {
    let others = topics.len().saturating_sub(MAX_LISTED_TOPICS);
    topics.truncate(MAX_LISTED_TOPICS);
    if others > 0 {
        topics.push(format!("and {} more", format_number(others as f64)));
    }
    topics.join(", ")
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

#[cfg(test)]
mod tests {
    use super::{ros, ros::RosVersion, ros_types::RosTypes};

    fn ros_error(definition: &str, data: &[u8]) -> String {
        let types = RosTypes::parse(RosVersion::One, "a/Root", definition).unwrap();
        ros::decode(RosVersion::One, &types, data).unwrap_err().to_string()
    }

    #[test]
    fn nested_arrays_of_empty_messages_are_bounded() {
        let definition = "A[9999999] a\n===\nMSG: a/A\nB[9999999] b\n===\nMSG: a/B\n";
        let error = ros_error(definition, &[0; 64]);
        assert!(error.contains("expected 9999999 elements, found 64 bytes"), "{error}");
        let definition = "A[60] a\n===\nMSG: a/A\nB[60] b\n===\nMSG: a/B\nC[60] c\n===\nMSG: a/C\n";
        let error = ros_error(definition, &[0; 64]);
        assert!(error.contains("too many values"), "{error}");
    }

    #[test]
    fn schemas_that_contain_themselves_are_bounded() {
        let error = ros_error("Root root", &[0; 64]);
        assert!(error.contains("nested deeper than 32"), "{error}");
    }

    #[test]
    fn messages_longer_than_their_schema_are_not_read() {
        assert!(ros_error("float64 x", &[0; 64]).contains("56 bytes longer"));
    }
}
