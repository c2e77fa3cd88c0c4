//! The transforms of all frames of a log.

use std::collections::{BTreeMap, HashMap};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, ColumnUse, ColumnUses, FormatId, Span, UnusedColumn},
    diagnostics::{Error, Notices, SourceLocation},
    formats::mrtk::JOINTS,
};
use mutoscope_logs::{
    LogSpace,
    sampled::{SampledClip, SampledNode},
};

use super::{Unread, flatbuffer::TrackedPose};

/// A transform of a message.
pub(super) struct Transform<'a> {
    /// Nanoseconds since 1970; 0 for none.
    pub(super) stamp: i64,
    pub(super) parent: &'a str,
    pub(super) child: &'a str,
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
}

/// A frame, or a joint.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) parent: String,
    /// The times in nanoseconds, and the poses; none where it was lost.
    pub(super) poses: Vec<(i64, Option<(DVec3, DQuat)>)>,
    rest: Option<(DVec3, DQuat)>,
    radii: Vec<(i64, f64)>,
    has_other_parent: bool,
}

/// The transforms of all frames.
#[derive(Default)]
pub(super) struct Log {
    pub(super) frames: Vec<Frame>,
    by_name: HashMap<String, usize>,
    topics: BTreeMap<String, &'static str>,
    is_openxr: bool,
    /// Transforms that are none: not finite, or turned by nothing.
    invalid: usize,
}

impl Log {
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Whether it has hands and heads in the space of OpenXR.
    pub(super) fn is_openxr(&self) -> bool {
        self.is_openxr
    }

    pub(super) fn topic(&mut self, topic: &str, encoding: &'static str) {
        if !self.topics.contains_key(topic) {
            self.topics.insert(topic.to_owned(), encoding);
        }
    }

    fn frame(&mut self, name: &str) -> &mut Frame {
        let index = match self.by_name.get(name) {
            Some(index) => *index,
            None => {
                self.frames.push(Frame { name: name.to_owned(), ..Frame::default() });
                self.by_name.insert(name.to_owned(), self.frames.len() - 1);
                self.frames.len() - 1
            }
        };
        &mut self.frames[index]
    }

    /// Adds a transform, which was logged at `time` in nanoseconds.
    pub(super) fn add(&mut self, transform: &Transform<'_>, time: i64, is_static: bool) {
        let Transform { stamp, parent, child, translation, rotation } = *transform;
        if child.is_empty() {
            return;
        }
        let is_valid =
            translation.is_finite() && rotation.is_finite() && rotation.length_squared() > 0.0;
        self.invalid += usize::from(!is_valid);
        let frame = self.frame(child);
        if frame.parent.is_empty() {
            frame.parent = parent.to_owned();
        }
        frame.has_other_parent |= frame.parent != parent;
        if !is_valid {
            return;
        }
        match is_static {
            true => frame.rest = Some((translation, rotation)),
            false => {
                let time = if stamp == 0 { time } else { stamp };
                frame.poses.push((time, Some((translation, rotation))));
            }
        }
    }

    /// Adds the joints of a hand: 26, or none while it is lost.
    pub(super) fn hand(&mut self, topic: &str, time: i64, poses: &[TrackedPose]) {
        self.is_openxr = true;
        let side = if topic.to_ascii_lowercase().contains("right") { "right" } else { "left" };
        for index in 0..JOINTS.len() {
            // OpenXR begins with the palm, the joints with the wrist.
            let joint = match index {
                0 => 1,
                1 => 0,
                other => other,
            };
            let pose = poses.get(index);
            let valid = pose.filter(|pose| pose.is_valid);
            let frame = self.frame(&format!("{side}/{}", JOINTS[joint].name));
            frame.poses.push((time, valid.map(|pose| (pose.position, pose.rotation))));
            if let Some(pose) = valid.filter(|pose| pose.radius.is_finite()) {
                frame.radii.push((time, pose.radius));
            }
        }
    }

    /// Adds the head; no pose while it is lost.
    pub(super) fn head(&mut self, time: i64, poses: &[TrackedPose]) {
        self.is_openxr = true;
        let valid = poses.first().filter(|pose| pose.is_valid);
        let frame = self.frame("head");
        frame.poses.push((time, valid.map(|pose| (pose.position, pose.rotation))));
    }

    /// The clip of the log. Times count from the first.
    pub(super) fn clip(
        mut self,
        format: FormatId,
        space: LogSpace,
        unread: BTreeMap<String, Unread>,
        notices: &mut Notices,
    ) -> Result<Clip, Error> {
        let times = self.frames.iter().flat_map(|frame| frame.poses.iter().map(|(time, _)| *time));
        let first = times.clone().min().unwrap_or(0);
        let last = times.max().unwrap_or(first);
        let seconds = |time: i64| time.saturating_sub(first) as f64 / 1e9;
        notices.info(SourceLocation::File, "times are since an epoch; time 0 is the first of them");
        self.report(notices);
        let by_name = std::mem::take(&mut self.by_name);
        let mut clip = SampledClip::default();
        let mut radii = Vec::new();
        for (index, frame) in self.frames.iter_mut().enumerate() {
            frame.poses.sort_by_key(|(time, _)| *time);
            let mut sampled = SampledNode {
                name: frame.name.clone(),
                parent: by_name.get(&frame.parent).copied().filter(|parent| *parent != index),
                ..SampledNode::default()
            };
            for (time, pose) in &frame.poses {
                let time = seconds(*time);
                if sampled.shown.last().is_none_or(|(_, shown)| *shown != pose.is_some()) {
                    sampled.shown.push((time, pose.is_some()));
                }
                let Some((position, rotation)) = pose else { continue };
                if sampled.times.last() == Some(&time) {
                    // Two of one time: the later one counts.
                    sampled.times.pop();
                    sampled.positions.pop();
                    sampled.rotations.pop();
                }
                sampled.times.push(time);
                sampled.positions.push(*position);
                sampled.rotations.push(*rotation);
            }
            if sampled.times.is_empty() {
                sampled.rest = frame.rest;
            }
            // Before its first pose it is nowhere.
            let begins = sampled.shown.first().copied();
            if begins.is_some_and(|(time, shown)| shown && time > 0.0) {
                sampled.shown.insert(0, (0.0, false));
            }
            clip.node(sampled);
            if !frame.radii.is_empty() {
                frame.radii.sort_by_key(|(time, _)| *time);
                frame.radii.dedup_by_key(|(time, _)| *time);
                let values = frame.radii.iter().map(|(time, radius)| (seconds(*time), *radius));
                radii.push((index, values.collect()));
            }
        }
        radii.into_iter().for_each(|(index, values)| clip.radius(index, values));
        clip.link_hands();
        for fact in &space.assumed {
            let (what, value, why) = (fact.fact, &fact.value, &fact.why);
            notices.info(SourceLocation::File, format!("assumed {what}: {value}, as {why}"));
        }
        let encoding = self.topics.values().next().copied().unwrap_or_default();
        let made = Clip {
            version: encoding.to_owned(),
            span: Span { start: 0.0, duration: seconds(last) },
            ..Clip::new(format, space.convention)
        };
        let used = self.topics.keys().map(|topic| ColumnUse {
            column: topic.clone(),
            node: String::new(),
            property: String::new(),
        });
        let ignored = unread.into_iter().map(|(column, Unread { schema, messages })| {
            let why = format!("messages of the schema {schema:?}, which is not read: {messages}");
            UnusedColumn { column, why }
        });
        let columns = ColumnUses {
            shape: "messages",
            time: "timestamp".to_owned(),
            time_unit: "ns",
            used: used.collect(),
            ignored: ignored.collect(),
            assumed: space.assumed,
            mapping: space.mapping,
            choices: space.choices,
            read_by: space.read_by,
        };
        Ok(clip.finish(columns, made, notices))
    }

    fn report(&self, notices: &mut Notices) {
        let moved: Vec<_> =
            self.frames.iter().filter(|frame| frame.has_other_parent).take(4).collect();
        if let Some(first) = moved.first() {
            let message =
                format!("the frame {:?} has several parents; using {:?}", first.name, first.parent);
            notices.warning(SourceLocation::File, message);
        }
        if self.invalid > 0 {
            let message = format!(
                "transforms that are not finite, or with a rotation of zeros, skipped: {}",
                self.invalid
            );
            notices.warning(SourceLocation::File, message);
        }
    }
}
