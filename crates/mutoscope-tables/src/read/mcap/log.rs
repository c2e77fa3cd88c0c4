//! Collects the transforms of all frames of a log, and builds the clip.

use std::collections::{BTreeMap, HashMap};

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, ColumnUse, ColumnUses, FormatId, Span, UnusedColumn},
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::mrtk::JOINTS,
};
use mutoscope_logs::{
    LogSpace,
    sampled::{SampledClip, SampledNode},
};

use super::{UnreadTopic, flatbuffer::TrackedPose};

pub(super) struct Transform<'a> {
    /// Nanoseconds since 1970. 0 means that the message has no time stamp.
    pub(super) stamp: i64,
    pub(super) parent: &'a str,
    pub(super) child: &'a str,
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
}

#[derive(Default)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) parent: String,
    /// The times in nanoseconds, with the translation and the rotation at each time. The pose is
    /// `None` while tracking was lost.
    pub(super) poses: Vec<(i64, Option<(DVec3, DQuat)>)>,
    rest: Option<(DVec3, DQuat)>,
    radii: Vec<(i64, f64)>,
    has_other_parent: bool,
}

#[derive(Default)]
pub(super) struct Log {
    pub(super) frames: Vec<Frame>,
    by_name: HashMap<String, usize>,
    topics: BTreeMap<String, &'static str>,
    is_openxr: bool,
    invalid: usize,
}

impl Log {
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns `true` if the log has hands or heads. Those are in the space of OpenXR.
    pub(super) fn is_openxr(&self) -> bool {
        self.is_openxr
    }

    pub(super) fn add_topic(&mut self, topic: &str, encoding: &'static str) {
        if !self.topics.contains_key(topic) {
            self.topics.insert(topic.to_owned(), encoding);
        }
    }

    fn frame_mut(&mut self, name: &str) -> &mut Frame {
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

    pub(super) fn add_transform(&mut self, transform: &Transform<'_>, time: i64, is_static: bool) {
        let Transform { stamp, parent, child, translation, rotation } = *transform;
        if child.is_empty() {
            return;
        }
        let is_valid =
            translation.is_finite() && rotation.is_finite() && rotation.length_squared() > 0.0;
        self.invalid += usize::from(!is_valid);
        let frame = self.frame_mut(child);
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

    pub(super) fn add_hand(&mut self, topic: &str, time: i64, poses: &[TrackedPose]) {
        self.is_openxr = true;
        let side = if topic.to_ascii_lowercase().contains("right") { "right" } else { "left" };
        for index in 0..JOINTS.len() {
            // OpenXR lists the palm first, but [`JOINTS`] lists the wrist first.
            let joint = match index {
                0 => 1,
                1 => 0,
                other => other,
            };
            let pose = poses.get(index);
            let valid = pose.filter(|pose| pose.is_valid);
            let frame = self.frame_mut(&format!("{side}/{}", JOINTS[joint].name));
            frame.poses.push((time, valid.map(|pose| (pose.position, pose.rotation))));
            if let Some(pose) = valid.filter(|pose| pose.radius.is_finite()) {
                frame.radii.push((time, pose.radius));
            }
        }
    }

    pub(super) fn add_head(&mut self, time: i64, poses: &[TrackedPose]) {
        self.is_openxr = true;
        let valid = poses.first().filter(|pose| pose.is_valid);
        let frame = self.frame_mut("head");
        frame.poses.push((time, valid.map(|pose| (pose.position, pose.rotation))));
    }

    pub(super) fn into_clip(
        mut self,
        format: FormatId,
        space: LogSpace,
        unread: BTreeMap<String, UnreadTopic>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Clip, Error> {
        let times = self.frames.iter().flat_map(|frame| frame.poses.iter().map(|(time, _)| *time));
        let first = times.clone().min().unwrap_or(0);
        let last = times.max().unwrap_or(first);
        let seconds = |time: i64| time.saturating_sub(first) as f64 / 1e9;
        diagnostics.info(
            SourceLocation::File,
            "times are counted from an epoch; the first one becomes time 0",
        );
        self.report(diagnostics);
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
                    // If two poses have the same time, use the later one.
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
            // Hide the node until its first pose.
            let begins = sampled.shown.first().copied();
            if begins.is_some_and(|(time, shown)| shown && time > 0.0) {
                sampled.shown.insert(0, (0.0, false));
            }
            clip.add_node(sampled);
            if !frame.radii.is_empty() {
                frame.radii.sort_by_key(|(time, _)| *time);
                frame.radii.dedup_by_key(|(time, _)| *time);
                let values = frame.radii.iter().map(|(time, radius)| (seconds(*time), *radius));
                radii.push((index, values.collect()));
            }
        }
        radii.into_iter().for_each(|(index, values)| clip.add_radius(index, values));
        clip.link_hands();
        for fact in &space.assumed {
            let (what, value, why) = (fact.fact, &fact.value, &fact.why);
            diagnostics.info(SourceLocation::File, format!("assumed {what}: {value}, as {why}"));
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
        let ignored = unread.into_iter().map(|(column, UnreadTopic { schema, messages })| {
            let why = format!("messages with the unsupported schema {schema:?}: {messages}");
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
            mapping_file: space.read_by,
        };
        Ok(clip.finish(columns, made, diagnostics))
    }

    fn report(&self, diagnostics: &mut Diagnostics) {
        let moved: Vec<_> =
            self.frames.iter().filter(|frame| frame.has_other_parent).take(4).collect();
        if let Some(first) = moved.first() {
            let message =
                format!("the frame {:?} has several parents; using {:?}", first.name, first.parent);
            diagnostics.warning(SourceLocation::File, message);
        }
        if self.invalid > 0 {
            let message = format!(
                "transforms skipped because they are not finite, or their rotation is zero: {}",
                self.invalid
            );
            diagnostics.warning(SourceLocation::File, message);
        }
    }
}
