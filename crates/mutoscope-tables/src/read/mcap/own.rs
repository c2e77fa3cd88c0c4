//! Reads our own MCAP exports.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use mutoscope_core::{
    clip::{Clip, ColumnUse, ColumnUses, Event, NodeId, Owner, Span},
    diagnostics::{Diagnostics, Error, SourceLocation},
};
use mutoscope_logs::sampled::{SampledClip, SampledNode, SampledSignal};
use prost::Message as _;

use super::{
    FORMAT_ID,
    container::Channel,
    log::{Frame, Log},
    pose::Pose,
};
use crate::{
    mcap::messages::{self, Number, Text},
    read::own::{export_convention, parse_nodes},
};

#[derive(Default)]
pub(super) struct OwnMessages {
    signals: Vec<(String, SignalValues)>,
    by_topic: HashMap<String, usize>,
    events: Vec<(u64, messages::Log)>,
}

enum SignalValues {
    Numbers(Vec<(u64, f64)>),
    Texts(Vec<(u64, Arc<str>)>),
}

/// Returns the poses of a frame of an export, whose messages all have time stamps.
fn stamped_poses(frame: &Frame) -> impl Iterator<Item = (i64, Option<Pose>)> {
    frame.samples.iter().map(|sample| {
        let time = sample.time();
        (time.stamp.unwrap_or(time.log), sample.pose)
    })
}

impl OwnMessages {
    pub(super) fn add_message(&mut self, channel: &Channel, time: u64, data: &[u8]) -> bool {
        if channel.encoding != "protobuf" {
            return false;
        }
        if channel.topic == "/events" {
            let Ok(event) = messages::Log::decode(data) else { return false };
            self.events.push((time, event));
            return true;
        }
        let Some(name) = channel.topic.strip_prefix("/signals/") else { return false };
        // Decoding a text message as a number fails, because the fields have different wire types.
        let number = Number::decode(data).ok();
        let index = match self.by_topic.get(name) {
            Some(index) => *index,
            None => {
                let signal = match number {
                    Some(_) => SignalValues::Numbers(Vec::new()),
                    None => SignalValues::Texts(Vec::new()),
                };
                self.signals.push((name.to_owned(), signal));
                self.by_topic.insert(name.to_owned(), self.signals.len() - 1);
                self.signals.len() - 1
            }
        };
        match &mut self.signals[index].1 {
            SignalValues::Numbers(values) => {
                values.extend(number.map(|number| (time, number.value)));
            }
            SignalValues::Texts(values) => {
                let text = Text::decode(data).ok();
                values.extend(text.map(|text| (time, text.text.as_str().into())));
            }
        }
        true
    }

    pub(super) fn into_clip(
        self,
        facts: &BTreeMap<String, String>,
        log: &Log,
        diagnostics: &mut Diagnostics,
    ) -> Result<Clip, Error> {
        let fact = |key: &str| facts.get(key).map(String::as_str).unwrap_or_default();
        let nodes = parse_nodes(fact("nodes")).ok_or_else(|| {
            Error::malformed(SourceLocation::File, "a list of nodes in the metadata", "none")
        })?;
        let zero: f64 = fact("log_time_zero").parse().unwrap_or(0.0);
        let seconds = |time: i64| time as f64 / 1e9 + zero;
        let by_name: HashMap<&str, &Frame> =
            log.frames.iter().map(|frame| (frame.name.as_str(), frame)).collect();
        // Each exported message contains the frame `world`, so all poses have the times of `world`.
        let world = by_name.get("world");
        let mut times: Vec<i64> = match world {
            Some(world) => stamped_poses(world).map(|(time, _)| time).collect(),
            None => log.frames.iter().flat_map(stamped_poses).map(|(time, _)| time).collect(),
        };
        times.sort_unstable();
        times.dedup();
        let mut clip = SampledClip::default();
        for node in &nodes {
            let mut sampled = SampledNode {
                name: node.name.clone(),
                parent: node.parent,
                ..SampledNode::default()
            };
            let frame = by_name.get(node.name.as_str());
            let mut poses = frame.into_iter().flat_map(|it| stamped_poses(it)).peekable();
            for time in &times {
                while poses.next_if(|(own, _)| own < time).is_some() {}
                let pose = poses.peek().filter(|(own, _)| own == time).and_then(|(_, it)| *it);
                let second = seconds(*time);
                if sampled.shown.last().is_none_or(|(_, shown)| *shown != pose.is_some()) {
                    sampled.shown.push((second, pose.is_some()));
                }
                if let Some(Pose { position, rotation }) = pose {
                    sampled.times.push(second);
                    sampled.positions.push(position);
                    sampled.rotations.push(rotation);
                }
            }
            clip.add_node(sampled);
        }
        clip.link_hands();
        let log_seconds = |time: u64| seconds(i64::try_from(time).unwrap_or(i64::MAX));
        for (name, signal) in self.signals {
            let signal = match signal {
                SignalValues::Numbers(values) => SampledSignal::Numbers(
                    values.into_iter().map(|(time, value)| (log_seconds(time), value)).collect(),
                ),
                SignalValues::Texts(values) => SampledSignal::Texts(
                    values
                        .into_iter()
                        .map(|(time, text)| (log_seconds(time), Some(text)))
                        .collect(),
                ),
            };
            clip.signal(&name, signal);
        }
        let owner = |name: &str| {
            let index = nodes.iter().position(|node| node.name == name);
            index.map(|index| Owner::Node(NodeId::new(index)))
        };
        let events = self.events.into_iter().map(|(time, event)| Event {
            time: log_seconds(time),
            owner: owner(&event.name),
            name: event.message,
            ..Event::default()
        });
        let start = times.first().map_or(0.0, |time| seconds(*time));
        let end = times.last().map_or(start, |time| seconds(*time));
        let mut made = Clip::new(FORMAT_ID, export_convention());
        made.name = fact("name").to_owned();
        made.version = "protobuf".to_owned();
        made.span = Span { start, duration: end - start };
        made.rate_hz = fact("rate").parse().ok();
        made.events = events.collect();
        let columns = ColumnUses {
            shape: "messages",
            time: "log_time".to_owned(),
            time_unit: "ns",
            used: vec![ColumnUse {
                column: "/tf".to_owned(),
                node: String::new(),
                property: String::new(),
            }],
            ignored: Vec::new(),
            assumed: Vec::new(),
            mapping: "# One of our own exports: its metadata states what it means.\n".to_owned(),
            ..ColumnUses::default()
        };
        Ok(clip.finish(columns, made, diagnostics))
    }
}
