//! Tests of MCAP exports, decoded with the embedded schemas.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    ReadOptions,
    clip::{Clip, Event, NodeId, Pose, Value},
    decode,
    export::{ExportError, ExportOptions, Progress, names::deduplicate},
};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, ReflectMessage as _};

use crate::export::{
    exported, exported_as, fixtures, mcap_file::File, recordings, report_text, small_recordings,
};

struct Message {
    time: u64,
    content: DynamicMessage,
}

struct Log {
    topics: BTreeMap<String, Vec<Message>>,
    /// The names of schemas, by topic.
    schemas: BTreeMap<String, String>,
    facts: HashMap<String, String>,
}

impl Log {
    fn read(bytes: &[u8]) -> Self {
        let file = File::read(bytes);
        // Building the pool fails if the schema lacks a dependency.
        let schemas: HashMap<u16, MessageDescriptor> = file
            .schemas
            .iter()
            .map(|(&id, schema)| {
                assert_eq!(schema.encoding, "protobuf");
                let pool = DescriptorPool::decode(&*schema.data).unwrap();
                (id, pool.get_message_by_name(&schema.name).unwrap())
            })
            .collect();
        let mut topics: BTreeMap<String, Vec<Message>> = BTreeMap::new();
        for channel in file.channels.values() {
            assert!(
                !topics.contains_key(&channel.topic),
                "the topic {} is repeated",
                channel.topic
            );
            assert_eq!(channel.encoding, "protobuf");
            topics.insert(channel.topic.clone(), Vec::new());
        }
        for message in &file.messages {
            let channel = &file.channels[&message.channel];
            let schema = schemas[&channel.schema].clone();
            let content = DynamicMessage::decode(schema, &*message.data).unwrap();
            // An unknown field would mean that the schema is incomplete.
            assert_eq!(content.unknown_fields().count(), 0);
            let topic_messages = topics.get_mut(&channel.topic).unwrap();
            assert_eq!(message.sequence as usize, topic_messages.len(), "{}", channel.topic);
            topic_messages.push(Message { time: message.time, content });
        }
        let name = |channel: &crate::export::mcap_file::Channel| {
            file.schemas[&channel.schema].name.clone()
        };
        let channels = file.channels.values();
        Self {
            topics,
            schemas: channels.map(|channel| (channel.topic.clone(), name(channel))).collect(),
            facts: file.metadata["mutoscope"].clone(),
        }
    }

    fn messages(&self, topic: &str) -> &[Message] {
        self.topics.get(topic).map_or(&[], Vec::as_slice)
    }

    /// Returns the clip time at log time 0.
    fn zero(&self) -> f64 {
        self.facts["log_time_zero"].parse().unwrap()
    }
}

fn number(message: &DynamicMessage, field: &str) -> f64 {
    message.get_field_by_name(field).unwrap().as_f64().unwrap()
}

fn text(message: &DynamicMessage, field: &str) -> String {
    message.get_field_by_name(field).unwrap().as_str().unwrap().to_owned()
}

fn submessage(message: &DynamicMessage, field: &str) -> DynamicMessage {
    message.get_field_by_name(field).unwrap().as_message().unwrap().clone()
}

/// Returns the field `timestamp` in nanoseconds.
fn stamp(message: &DynamicMessage) -> u64 {
    let stamp = submessage(message, "timestamp");
    let seconds = stamp.get_field_by_name("seconds").unwrap().as_i64().unwrap();
    let nanos = stamp.get_field_by_name("nanos").unwrap().as_i32().unwrap();
    seconds as u64 * 1_000_000_000 + nanos as u64
}

#[derive(Clone, Debug)]
struct Frame {
    parent: String,
    translation: DVec3,
    rotation: DQuat,
}

/// Returns the transforms of a message, by child frame.
fn frames(message: &Message) -> HashMap<String, Frame> {
    let list = message.content.get_field_by_name("transforms").unwrap();
    let frame = |value: &prost_reflect::Value| {
        let transform = value.as_message().unwrap();
        assert_eq!(stamp(transform), message.time);
        let (at, turned) =
            (submessage(transform, "translation"), submessage(transform, "rotation"));
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|axis| number(&turned, axis));
        let frame = Frame {
            parent: text(transform, "parent_frame_id"),
            translation: DVec3::from(["x", "y", "z"].map(|axis| number(&at, axis))),
            rotation: DQuat::from_xyzw(x, y, z, w),
        };
        assert!((frame.rotation.length() - 1.0).abs() < 1e-12, "{frame:?}");
        (text(transform, "child_frame_id"), frame)
    };
    let list = list.as_list().unwrap();
    let frames: HashMap<String, Frame> = list.iter().map(frame).collect();
    assert_eq!(frames.len(), list.len(), "frames must not repeat");
    frames
}

/// Composes the transforms from a frame up to `world`.
fn in_world(frames: &HashMap<String, Frame>, name: &str) -> (DVec3, DQuat) {
    let (mut translation, mut rotation) = (DVec3::ZERO, DQuat::IDENTITY);
    let mut name = name;
    while name != "world" {
        let frame = &frames[name];
        translation = frame.translation + frame.rotation * translation;
        rotation = frame.rotation * rotation;
        name = &frame.parent;
    }
    (translation, rotation)
}

pub(crate) fn transform_numbers(bytes: &[u8]) -> Vec<f64> {
    let log = Log::read(bytes);
    let frames = log.messages("/tf").iter().flat_map(frames);
    let numbers = frames.flat_map(|(_, Frame { translation, rotation, .. })| {
        translation.to_array().into_iter().chain(rotation.to_array())
    });
    numbers.collect()
}

/// Returns the times of the messages. They are those of the rows in CSV, which are exact, without
/// rows that have the same log time.
fn message_times(clip: &Clip, options: &ExportOptions, zero: f64) -> Vec<f64> {
    let text = String::from_utf8(exported_as(clip, "csv", options).0).unwrap();
    let rows = crate::export::csv::parse_rows(&text);
    let mut times: Vec<f64> = Vec::new();
    for time in rows[1..].iter().map(|row| row[0].parse().unwrap()) {
        let stamp = |time: f64| ((time - zero) * 1e9).round();
        times.pop_if(|last| stamp(*last) == stamp(time));
        times.push(time);
    }
    times
}

fn frame_names(clip: &Clip) -> Vec<String> {
    let clean = |name: &str| match name.trim_start_matches('/') {
        "" => "node".to_owned(),
        name => name.to_owned(),
    };
    let names: Vec<String> = clip.nodes.iter().map(|node| clean(&node.name)).collect();
    let all = ["z_up", "world"].into_iter().chain(names.iter().map(String::as_str));
    deduplicate(all, '.').split_off(2)
}

/// Compares composed transforms with samples, and returns the number of comparisons.
fn compare(name: &str, clip: &Clip, options: &ExportOptions) -> usize {
    let (bytes, _) = exported_as(clip, "mcap", options);
    let (log, names) = (Log::read(&bytes), frame_names(clip));
    let times = message_times(clip, options, log.zero());
    let messages = log.messages("/tf");
    assert_eq!(log.schemas["/tf"], "foxglove.FrameTransforms");
    assert_eq!(messages.len(), times.len(), "{name}");
    assert!(messages.is_sorted_by(|one, next| one.time < next.time), "{name}");
    let step = messages.len().div_ceil(100).max(1);
    let (mut pose, mut compared) = (Pose::default(), 0);
    for (message, &time) in messages.iter().zip(&times).step_by(step) {
        let nanoseconds = (time - log.zero()) * 1e9;
        assert!((message.time as f64 - nanoseconds).abs() <= 0.5 + nanoseconds * 1e-15, "{name}");
        let frames = frames(message);
        clip.sample(time, &mut pose);
        let shown = pose.nodes.iter().filter(|node| node.is_visible).count();
        assert_eq!(
            frames.len(),
            1 + shown,
            "{name} {time}: expected only visible nodes and `world`"
        );
        for ((id, node), frame) in clip.nodes.with_ids().zip(&names) {
            let stands = &pose[id];
            if !stands.is_visible {
                continue;
            }
            let parent = node.parent.map_or("world", |parent| &names[parent.index()]);
            assert_eq!(frames[frame].parent, parent, "{name}");
            let (translation, rotation) = in_world(&frames, frame);
            let expected = stands.world.translation;
            let off = translation.distance(expected);
            let farthest = pose.nodes.iter().filter(|node| node.is_visible);
            let farthest = farthest.map(|node| node.world.translation.length()).fold(1.0, f64::max);
            assert!(off <= 1e-12 * farthest, "{name} {time} {frame}: {off}");
            // A quaternion and its negative are the same rotation.
            let dot = rotation.dot(stands.world.rotation.normalize()).abs();
            assert!(1.0 - dot < 1e-12, "{name} {time} {frame}: {rotation}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn composed_transforms_match_sampling() {
    let mut all = recordings();
    for (name, bytes) in [
        ("walk.bvh", &include_bytes!("../../../../../assets/bvh/walk.bvh")[..]),
        ("walker.glb", include_bytes!("../../../../../assets/gltf/walker.glb")),
        (
            "head_hands.csv",
            include_bytes!("../../../../../tests/data/tables-in/head_hands/head_hands.csv"),
        ),
        (
            "frames.mcap",
            include_bytes!("../../../../../tests/data/tables-in/mcap_json/mcap_json.mcap"),
        ),
        (
            "mixamo_names.fbx",
            include_bytes!("../../../../../tests/data/characters/mixamo_names.fbx"),
        ),
    ] {
        let clip = decode(bytes, &ReadOptions::from(mutoscope_cli::registry())).unwrap();
        all.push((name.to_owned(), clip));
    }
    let formats: HashSet<&str> = all.iter().map(|(_, clip)| clip.format.as_str()).collect();
    assert_eq!(formats.len(), mutoscope_cli::registry().formats().count(), "{formats:?}");
    let compare = |(name, clip)| compare(name, clip, &ExportOptions::default());
    let compared: usize = all.iter().map(|(name, clip)| compare((name, clip))).sum();
    assert!(compared > 25_000, "{compared}");
}

#[test]
fn messages_are_at_regular_times_and_at_both_ends_of_a_range() {
    for (name, clip) in small_recordings() {
        let (from, to) = (clip.span.start, clip.span.end());
        let range = Some(from + 0.31 * (to - from)..=from + 0.83 * (to - from));
        let rate = Some(10.5 / (to - from)).filter(|rate| rate.is_finite());
        compare(&name, &clip, &ExportOptions { range, rate, ..ExportOptions::default() });
    }
}

#[test]
fn world_frame_is_a_child_of_a_z_up_frame() {
    let bytes = exported(&fixture("proc_v11_good.bin"), "mcap").0;
    for message in Log::read(&bytes).messages("/tf") {
        let world = frames(message)["world"].clone();
        assert_eq!((world.parent.as_str(), world.translation), ("z_up", DVec3::ZERO));
        assert!((world.rotation * DVec3::Y).distance(DVec3::Z) < 1e-15);
        assert!((world.rotation * DVec3::X).distance(DVec3::X) < 1e-15);
    }
}

#[test]
fn quaternions_have_continuous_signs() {
    for (name, clip) in small_recordings() {
        let mut before: HashMap<String, DQuat> = HashMap::new();
        for message in Log::read(&exported(&clip, "mcap").0).messages("/tf") {
            for (frame, Frame { rotation, .. }) in frames(message) {
                if let Some(before) = before.insert(frame.clone(), rotation) {
                    assert!(before.dot(rotation) >= 0.0, "{name}: {frame}");
                }
            }
        }
    }
}

#[test]
fn signals_are_topics_of_one_field() {
    let [mut numbers, mut texts] = [0; 2];
    for (name, clip) in small_recordings() {
        let options = ExportOptions::default();
        let log = Log::read(&exported(&clip, "mcap").0);
        let zero = log.zero();
        let signals = deduplicate(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
        let mut pose = Pose::default();
        let mut expected: BTreeMap<String, Vec<(u64, Value)>> = BTreeMap::new();
        for time in message_times(&clip, &options, zero) {
            clip.sample(time, &mut pose);
            let stamp = ((time - zero) * 1e9).round() as u64;
            let mut add = |topic: String, value: Value| {
                expected.entry(topic).or_default().push((stamp, value));
            };
            for ((value, signal), of) in pose.signals.iter().zip(&signals).zip(&clip.signals) {
                let is_color = clip.track(of.track).curve.is_color();
                let word = |part: usize, count: usize| match (count, is_color) {
                    (0..=4, true) => ["r", "g", "b", "a"][part].to_owned(),
                    (0..=4, false) => ["x", "y", "z", "w"][part].to_owned(),
                    _ => part.to_string(),
                };
                let topic = |part, count| format!("/signals/{signal}/{}", word(part, count));
                match value {
                    Value::Null => {}
                    Value::Bools(all) => all.iter().enumerate().for_each(|(part, &one)| {
                        add(topic(part, all.len()), Value::Bool(one));
                    }),
                    Value::Integers(all) => all.iter().enumerate().for_each(|(part, &one)| {
                        add(topic(part, all.len()), Value::Integer(one));
                    }),
                    Value::Numbers(all) => all.iter().enumerate().for_each(|(part, &one)| {
                        add(topic(part, all.len()), Value::Number(one));
                    }),
                    one => add(format!("/signals/{signal}"), one.clone()),
                }
            }
        }
        let found = log.topics.keys().filter(|topic| topic.starts_with("/signals/"));
        assert!(found.eq(expected.keys()), "{name}: {:?}", log.topics.keys());
        for (topic, values) in expected {
            let is_text = log.schemas[&topic] == "mutoscope.Text";
            let mut messages = log.messages(&topic).iter();
            for (time, value) in values {
                let expected = match &value {
                    Value::Bool(is_on) => f64::from(*is_on),
                    Value::Integer(integer) => *integer as f64,
                    Value::Number(number) => *number,
                    _ => f64::NAN,
                };
                if !is_text && !expected.is_finite() {
                    continue;
                }
                let message = messages.next().unwrap();
                assert_eq!(message.time, time, "{name} {topic}");
                assert_eq!(message.content.descriptor().fields().count(), 1);
                if is_text {
                    let Value::Text(words) = &value else { panic!("{name} {topic}: {value:?}") };
                    assert_eq!(text(&message.content, "text"), **words, "{name} {topic}");
                    texts += 1;
                } else {
                    assert_eq!(number(&message.content, "value"), expected, "{name} {topic}");
                    numbers += 1;
                }
            }
            assert!(messages.next().is_none(), "{name} {topic}");
        }
    }
    assert!(numbers > 10_000 && texts > 0, "{numbers} {texts}");
}

#[test]
fn events_are_log_messages() {
    let mut compared = 0;
    for (name, clip) in recordings() {
        let log = Log::read(&exported(&clip, "mcap").0);
        let span = clip.span.start..=clip.span.end();
        let mut events: Vec<&Event> =
            clip.events.iter().filter(|event| span.contains(&event.time)).collect();
        events.sort_by(|one, other| one.time.total_cmp(&other.time));
        let messages = log.messages("/events");
        assert_eq!(messages.len(), events.len(), "{name}");
        assert_eq!(log.schemas.contains_key("/events"), !events.is_empty());
        for (Message { time, content }, event) in messages.iter().zip(events) {
            assert_eq!(log.schemas["/events"], "foxglove.Log");
            let expected = ((event.time - log.zero()) * 1e9).round() as u64;
            assert_eq!((*time, stamp(content)), (expected, expected), "{name}");
            let level = content.get_field_by_name("level").unwrap().as_enum_number();
            assert_eq!(level, Some(2));
            let line = text(content, "message");
            assert!(line.starts_with(&event.name), "{name}: {line:?}");
            match event.value.as_deref() {
                None | Some(Value::Null) => {}
                Some(Value::Text(words)) => assert!(line.contains(&**words), "{name}: {line:?}"),
                Some(value) => {
                    let value = serde_json::to_string(value).unwrap();
                    assert!(line.contains(&value), "{name}: {line:?}");
                }
            }
            let node = match (&event.details, event.owner) {
                (Some(details), _) => {
                    let mut words = vec![details.kind.to_owned()];
                    words.extend(details.effect.map(str::to_owned));
                    words.extend((details.duration > 0.0).then(|| details.duration.to_string()));
                    words.extend((!details.is_fired).then(|| "not played".to_owned()));
                    assert!(words.iter().all(|word| line.contains(word)), "{name}: {line:?}");
                    details.node.as_str()
                }
                (None, Some(owner)) => clip.owner_name(owner),
                (None, None) => "",
            };
            assert_eq!(text(content, "name"), node, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn metadata_has_format_units_space_and_nodes() {
    for (name, clip) in small_recordings() {
        let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
        let facts = Log::read(&exported_as(&clip, "mcap", &options).0).facts;
        let json = |key: &str| serde_json::from_str::<serde_json::Value>(&facts[key]).unwrap();
        assert_eq!(facts["format"], clip.format.as_str(), "{name}");
        assert_eq!(facts["version"], clip.version, "{name}");
        assert_eq!(facts["source"], "take");
        assert!(facts["space"].contains("right-handed, Y up"));
        assert_eq!(json("units")["translation"], "m");
        assert_eq!(json("range"), serde_json::json!([clip.span.start, clip.span.end()]));
        assert!(json("convention")["metres_per_unit"].is_number());
        let nodes = json("nodes");
        let names = frame_names(&clip);
        for (index, (node, of)) in
            nodes.as_array().unwrap().iter().zip(clip.nodes.iter()).enumerate()
        {
            assert_eq!(node["name"], names[index], "{name}");
            assert_eq!(node["parent"].as_u64(), of.parent.map(|it| it.index() as u64), "{name}");
        }
        assert!(!facts.contains_key("rate"));
    }
}

#[test]
fn hidden_nodes_and_scales_are_skipped_and_reported() {
    let [mut hidden, mut scaled, mut whole] = [0; 3];
    for (name, clip) in small_recordings() {
        let (bytes, report) = exported(&clip, "mcap");
        let (log, text) = (Log::read(&bytes), report_text(&report));
        let messages = log.messages("/tf");
        let mut message_counts: HashMap<String, usize> = HashMap::new();
        for message in messages {
            for frame in frames(message).into_keys() {
                *message_counts.entry(frame).or_default() += 1;
            }
        }
        let counts: Vec<usize> = frame_names(&clip)
            .iter()
            .map(|frame| message_counts.get(frame).copied().unwrap_or_default())
            .collect();
        let never = counts.contains(&0);
        let at_times = counts.iter().any(|&count| count > 0 && count < messages.len());
        assert_eq!(text.contains("warning: nodes skipped, hidden throughout: "), never, "{name}");
        assert_eq!(text.contains("warning: frames of hidden nodes skipped"), at_times, "{name}");
        let mut pose = Pose::default();
        let is_scaled =
            message_times(&clip, &ExportOptions::default(), log.zero()).into_iter().any(|time| {
                clip.sample(time, &mut pose);
                let is_scaled = |scale: DVec3| (scale - DVec3::ONE).abs().max_element() > 1e-6;
                pose.nodes.iter().any(|node| node.is_visible && is_scaled(node.world.scale))
            });
        assert_eq!(text.contains("warning: scales skipped: "), is_scaled, "{name}: {text}");
        hidden += usize::from(never || at_times);
        scaled += usize::from(is_scaled);
        whole += usize::from(!text.contains("warning: "));
    }
    assert!(hidden > 10 && scaled > 5 && whole > 10, "{hidden} {scaled} {whole}");
}

#[test]
fn times_before_zero_are_shifted_and_reported() {
    let clip = fixture("proc_v11_good.bin");
    let options =
        ExportOptions { range: Some(-0.5..=0.5), rate: Some(4.0), ..ExportOptions::default() };
    let (bytes, report) = exported_as(&clip, "mcap", &options);
    let log = Log::read(&bytes);
    let times: Vec<u64> = log.messages("/tf").iter().map(|message| message.time).collect();
    assert_eq!(times, [0, 250_000_000, 500_000_000, 750_000_000, 1_000_000_000]);
    assert_eq!(log.zero(), -0.5);
    let text = report_text(&report);
    assert!(text.contains("info: time 0 of the file is -0.5 s of the recording"), "{text}");
    compare("before zero", &clip, &options);
    // If no time is negative, the file has the recording's own times.
    let options = ExportOptions { range: Some(0.5..=1.0), ..options };
    let (bytes, report) = exported_as(&clip, "mcap", &options);
    assert_eq!(Log::read(&bytes).messages("/tf")[0].time, 500_000_000);
    assert!(!report_text(&report).contains("time 0 of the file"));
}

#[test]
fn spans_beyond_292_years_are_refused() {
    let clip = fixture("proc_v11_good.bin");
    let target = mutoscope_cli::targets().target("mcap").unwrap();
    let write = |range| {
        let options =
            ExportOptions { range: Some(range), rate: Some(1e-9), ..ExportOptions::default() };
        let mut bytes = Vec::new();
        target.write(&clip, &options, &mut bytes, &mut Progress::default()).map(|_| bytes)
    };
    let refused = write(0.0..=1e10);
    assert!(matches!(refused, Err(ExportError::LimitExceeded(_))), "{refused:?}");
    assert!(write(0.0..=9e9).is_ok());
    // If the range is too far from 0, log times are relative to its start.
    let log = Log::read(&write(1e10..=1.1e10).unwrap());
    assert_eq!((log.zero(), log.messages("/tf")[0].time), (1e10, 0));
}

#[test]
fn frame_ids_are_unique_and_valid() {
    let track = |node: &str| {
        let node = serde_json::to_string(node).unwrap();
        format!(
            r#"{{"trackType": "Curve", "valueType": "float3", "data": {{"node": {node},
               "property": "Position", "keyframes": [
               {{"time": 0, "value": {{"x": 0, "y": 0, "z": 0}}, "interpolation": "Linear"}}]}}}}"#
        )
    };
    let tracks = ["", "world", "z_up", "/a", "a", "a"].map(track);
    let text = format!(r#"{{"tracks": [{}]}}"#, tracks.join(","));
    let request = ReadOptions::from(mutoscope_cli::registry())
        .with_format(mutoscope_core::formats::FormatId::ANIMJ);
    let clip = decode(text.as_bytes(), &request).unwrap();
    let names: Vec<&str> = clip.nodes.iter().map(|node| node.name.as_str()).collect();
    let (bytes, report) = exported(&clip, "mcap");
    let frames = frames(&Log::read(&bytes).messages("/tf")[0]);
    let mut found: Vec<&str> = frames.keys().map(String::as_str).collect();
    found.sort_unstable();
    assert!(found.contains(&"world") && found.contains(&"z_up.001"), "{names:?}: {found:?}");
    assert!(found.contains(&"world.001") && found.contains(&"a"), "{names:?}: {found:?}");
    assert_eq!(found.len(), 1 + clip.nodes.len(), "{names:?}: {found:?}");
    assert!(found.iter().all(|name| !name.is_empty() && !name.starts_with('/')), "{found:?}");
    assert!(
        report_text(&report).contains("changed to be unique and legible"),
        "{}",
        report_text(&report)
    );
    for id in (0..clip.nodes.len()).map(NodeId::new) {
        assert_eq!(clip.nodes[id].parent, None);
    }
}

#[test]
fn long_recordings_have_chunks_of_a_mebibyte() {
    let (_, clip) = recordings().into_iter().max_by_key(|(_, clip)| clip.key_count()).unwrap();
    let options = ExportOptions { rate: Some(1000.0), ..ExportOptions::default() };
    let file = File::read(&exported_as(&clip, "mcap", &options).0);
    assert!(file.chunks.len() > 2, "{:?}", file.chunks);
    let (_, whole) = file.chunks.split_last().unwrap();
    assert!(whole.iter().all(|size| (1 << 20..1 << 21).contains(size)), "{:?}", file.chunks);
}

fn fixture(name: &str) -> Clip {
    decode(&fixtures::mrtk_file(name), &ReadOptions::from(mutoscope_cli::registry())).unwrap()
}
