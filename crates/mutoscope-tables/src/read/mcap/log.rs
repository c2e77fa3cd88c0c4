//! Collects the poses of all frames of a log, and builds the clip.

use std::collections::{BTreeMap, HashMap, HashSet};

use mutoscope_core::{
    clip::{Clip, ColumnUse, ColumnUses, FormatId, Span, UnusedColumn},
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
    formats::mrtk::JOINTS,
};
use mutoscope_logs::{
    LogSpace,
    sampled::{SampledClip, SampledNode},
};

use super::{
    UnreadTopic,
    clock::{Clock, MessageTime},
    flatbuffer::TrackedPose,
    parents::{FramePoses, TimedPose, choose_parents},
    pose::Pose,
};

pub(super) struct Transform<'a> {
    pub(super) parent: &'a str,
    pub(super) child: &'a str,
    pub(super) pose: Pose,
}

/// A node of the clip: a coordinate frame, or a pose of a topic.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) name: String,
    /// The samples in the order of the file.
    pub(super) samples: Vec<Sample>,
    rest: Option<(usize, Pose)>,
    has_other_rest: bool,
    radii: Vec<(MessageTime, f64)>,
}

pub(super) struct Sample {
    pub(super) time: MessageTime,
    /// The id of the parent.
    pub(super) parent: usize,
    /// `None` while tracking was lost.
    pub(super) pose: Option<Pose>,
}

impl Frame {
    pub(super) fn times(&self) -> impl Iterator<Item = MessageTime> {
        self.samples.iter().map(|sample| sample.time)
    }
}

/// Names by id. The id 0 is the empty name.
struct Names {
    names: Vec<String>,
    ids: HashMap<String, usize>,
}

impl Default for Names {
    fn default() -> Self {
        Self { names: vec![String::new()], ids: HashMap::from([(String::new(), 0)]) }
    }
}

impl Names {
    fn id(&mut self, name: &str) -> usize {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }
}

#[derive(Default)]
pub(super) struct Log {
    pub(super) frames: Vec<Frame>,
    by_name: HashMap<String, usize>,
    parents: Names,
    topics: Names,
    /// The encoding of each topic that is read.
    encodings: BTreeMap<String, &'static str>,
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

    /// Returns the id of a topic.
    pub(super) fn add_topic(&mut self, topic: &str, encoding: &'static str) -> usize {
        if !self.encodings.contains_key(topic) {
            self.encodings.insert(topic.to_owned(), encoding);
        }
        self.topics.id(topic)
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

    pub(super) fn add_transform(
        &mut self,
        transform: &Transform<'_>,
        time: MessageTime,
        is_static: bool,
    ) {
        let Transform { parent, child, pose } = *transform;
        if child.is_empty() {
            return;
        }
        let is_valid = pose.position.is_finite()
            && pose.rotation.is_finite()
            && pose.rotation.length_squared() > 0.0;
        self.invalid += usize::from(!is_valid);
        let parent = self.parents.id(parent);
        let frame = self.frame_mut(child);
        if !is_valid {
            return;
        }
        if is_static {
            frame.has_other_rest |= frame.rest.is_some_and(|rest| rest != (parent, pose));
            frame.rest = Some((parent, pose));
        } else {
            frame.samples.push(Sample { time, parent, pose: Some(pose) });
        }
    }

    pub(super) fn add_hand(&mut self, topic: &str, time: MessageTime, poses: &[TrackedPose]) {
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
            let pose = valid.map(|pose| Pose::new(pose.position, pose.rotation));
            frame.samples.push(Sample { time, parent: 0, pose });
            if let Some(pose) = valid.filter(|pose| pose.radius.is_finite()) {
                frame.radii.push((time, pose.radius));
            }
        }
    }

    pub(super) fn add_head(&mut self, time: MessageTime, poses: &[TrackedPose]) {
        self.is_openxr = true;
        let valid = poses.first().filter(|pose| pose.is_valid);
        let pose = valid.map(|pose| Pose::new(pose.position, pose.rotation));
        self.frame_mut("head").samples.push(Sample { time, parent: 0, pose });
    }

    pub(super) fn into_clip(
        self,
        format: FormatId,
        space: LogSpace,
        unread: BTreeMap<String, UnreadTopic>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Clip, Error> {
        self.report(diagnostics);
        let clock = Clock::new(&self.topics.names, &self.frames, &[], diagnostics);
        let mut frames: Vec<FramePoses> =
            self.frames.iter().map(|frame| frame_poses(frame, &clock)).collect();
        let frame_of = self
            .parents
            .ids
            .iter()
            .filter_map(|(name, id)| Some((*id, *self.by_name.get(name)?)))
            .collect();
        choose_parents(&mut frames, &self.parents.names, &frame_of, diagnostics);
        report_unconnected_frames(&frames, &self.parents.names, &frame_of, diagnostics);
        let times = frames.iter().flat_map(|frame| frame.poses.iter().map(|pose| pose.time));
        let first = times.clone().min().unwrap_or(0);
        let last = times.max().unwrap_or(first);
        let seconds = |time: i64| time.saturating_sub(first) as f64 / 1e9;
        diagnostics.info(
            SourceLocation::File,
            "times are counted from an epoch; the first one becomes time 0",
        );
        let mut clip = SampledClip::default();
        for (index, frame) in frames.iter().enumerate() {
            let parent = frame.parent.and_then(|parent| frame_of.get(&parent)).copied();
            clip.add_node(sampled_node(frame, parent.filter(|parent| *parent != index), seconds));
        }
        for (index, frame) in self.frames.iter().enumerate().filter(|(_, it)| !it.radii.is_empty())
        {
            let mut radii: Vec<(i64, f64)> =
                frame.radii.iter().map(|(time, radius)| (clock.time(*time), *radius)).collect();
            radii.sort_by_key(|(time, _)| *time);
            radii.dedup_by_key(|(time, _)| *time);
            let values = radii.into_iter().map(|(time, radius)| (seconds(time), radius));
            clip.add_radius(index, values.collect());
        }
        clip.link_hands();
        for fact in &space.assumed {
            let (what, value, why) = (fact.fact, &fact.value, &fact.why);
            diagnostics.info(SourceLocation::File, format!("assumed {what}: {value}, as {why}"));
        }
        let encoding = self.encodings.values().next().copied().unwrap_or_default();
        let made = Clip {
            version: encoding.to_owned(),
            span: Span { start: 0.0, duration: seconds(last) },
            ..Clip::new(format, space.convention)
        };
        let used = self.encodings.keys().map(|topic| ColumnUse {
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
        let changed = self.frames.iter().filter(|frame| frame.has_other_rest);
        let names: Vec<_> = changed.map(|frame| format!("{:?}", frame.name)).take(4).collect();
        if !names.is_empty() {
            let message = format!(
                "static transforms change; the last of each frame is used: {}",
                names.join(", ")
            );
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

/// Returns the poses of a frame, sorted by time. If several have the same time and the same parent,
/// the last of those in the file is used.
fn frame_poses(frame: &Frame, clock: &Clock) -> FramePoses {
    let mut poses: Vec<TimedPose> = frame
        .samples
        .iter()
        .map(|sample| TimedPose {
            time: clock.time(sample.time),
            parent: sample.parent,
            pose: sample.pose,
        })
        .collect();
    if clock.keeps_first_pass() {
        let mut last = i64::MIN;
        poses.retain(|pose| {
            let is_late = pose.time < last;
            last = last.max(pose.time);
            !is_late
        });
    }
    poses.sort_by_key(|pose| pose.time);
    FramePoses { name: frame.name.clone(), poses, rest: frame.rest, parent: None }
}

fn sampled_node(
    frame: &FramePoses,
    parent: Option<usize>,
    seconds: impl Fn(i64) -> f64,
) -> SampledNode {
    let mut sampled = SampledNode { name: frame.name.clone(), parent, ..SampledNode::default() };
    for pose in &frame.poses {
        let time = seconds(pose.time);
        if sampled.shown.last().is_none_or(|(_, shown)| *shown != pose.pose.is_some()) {
            sampled.shown.push((time, pose.pose.is_some()));
        }
        let Some(Pose { position, rotation }) = pose.pose else { continue };
        if sampled.times.last() == Some(&time) {
            // If two poses have the same time, use the later one.
            sampled.times.pop();
            sampled.positions.pop();
            sampled.rotations.pop();
        }
        sampled.times.push(time);
        sampled.positions.push(position);
        sampled.rotations.push(rotation);
    }
    if sampled.times.is_empty() {
        sampled.rest = frame.rest.map(|(_, pose)| (pose.position, pose.rotation));
    }
    // Hide the node until its first pose.
    let begins = sampled.shown.first().copied();
    if begins.is_some_and(|(time, shown)| shown && time > 0.0) {
        sampled.shown.insert(0, (0.0, false));
    }
    sampled
}

/// Reports that the poses of frames without a common ancestor are drawn around the same origin.
fn report_unconnected_frames(
    frames: &[FramePoses],
    names: &[String],
    frame_of: &HashMap<usize, usize>,
    diagnostics: &mut Diagnostics,
) {
    let parents: HashSet<usize> = frames.iter().filter_map(|frame| frame.parent).collect();
    let is_root = |id: &usize| !frame_of.contains_key(id) && !names[*id].is_empty();
    let mut roots: Vec<&str> =
        parents.into_iter().filter(is_root).map(|id| names[id].as_str()).collect();
    if roots.len() < 2 {
        return;
    }
    roots.sort_unstable();
    let listed: Vec<String> = roots.iter().take(4).map(|name| format!("{name:?}")).collect();
    let message = format!(
        "{} are not connected by transforms, and are drawn at the same origin: {}{}",
        format_count(roots.len(), "frame"),
        listed.join(", "),
        if roots.len() > listed.len() { " …" } else { "" },
    );
    diagnostics.warning(SourceLocation::File, message);
}
