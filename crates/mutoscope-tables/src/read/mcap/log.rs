//! Collects the poses of all frames of a log, and builds the clip.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DQuat;
use mutoscope_core::{
    clip::{Clip, ColumnUse, ColumnUses, FormatId, Span, UnusedColumn},
    diagnostics::{Diagnostics, Error, SourceLocation, format_count},
};
use mutoscope_logs::{
    LogSpace,
    sampled::{SampledClip, SampledNode, SampledSignal},
};

use super::{
    UnreadTopic,
    clock::{Clock, MessageTime},
    codes,
    messages::MAX_POSES,
    parents::{FramePoses, TimedPose, choose_parents},
    pose::Pose,
    urdf::Robot,
};

/// The most joints of a robot that may follow each joint of the log, on average.
const MAX_MIMICS: usize = 64;

pub(super) struct Transform<'a> {
    pub(super) parent: &'a str,
    pub(super) child: &'a str,
    pub(super) pose: Pose,
}

/// The axes of poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Space {
    /// Forward, left, up, as in ROS.
    #[default]
    Frames,
    /// Right, up, back.
    OpenXr,
}

/// A node of the clip: a coordinate frame, or a pose of a topic.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) name: String,
    space: Space,
    /// The topic, unless this is a coordinate frame.
    topic: Option<usize>,
    /// The node from which the bone of this node comes.
    bone_from: Option<usize>,
    /// The samples in the order of the file.
    pub(super) samples: Vec<Sample>,
    rest: Option<(usize, Pose)>,
    has_other_rest: bool,
    radii: Vec<(MessageTime, f64)>,
}

/// A pose with the times of its message. The fields are small, because logs have many samples.
pub(super) struct Sample {
    stamp: i64,
    log: i64,
    topic: u32,
    /// The id of the parent.
    parent: u32,
    /// `None` while tracking was lost.
    pub(super) pose: Option<Pose>,
}

/// The stamp of a sample whose message has none.
const NO_STAMP: i64 = i64::MIN;

impl Sample {
    fn new(time: MessageTime, parent: usize, pose: Option<Pose>) -> Self {
        // There are fewer ids than bytes of names, which memory limits.
        let id = |id: usize| u32::try_from(id).unwrap_or(u32::MAX);
        Self {
            stamp: time.stamp.unwrap_or(NO_STAMP),
            log: time.log,
            topic: id(time.topic),
            parent: id(parent),
            pose,
        }
    }

    pub(super) fn time(&self) -> MessageTime {
        let stamp = (self.stamp != NO_STAMP).then_some(self.stamp);
        MessageTime { topic: self.topic as usize, stamp, log: self.log }
    }

    pub(super) fn parent(&self) -> usize {
        self.parent as usize
    }
}

impl Signal {
    pub(super) fn times(&self) -> impl Iterator<Item = MessageTime> {
        self.values.iter().map(|(time, _)| *time)
    }
}

impl Frame {
    pub(super) fn times(&self) -> impl Iterator<Item = MessageTime> {
        self.samples.iter().map(Sample::time)
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
    by_topic: HashMap<usize, HashMap<String, usize>>,
    parents: Names,
    topics: Names,
    /// The encoding of each topic that is read.
    encodings: BTreeMap<String, &'static str>,
    signals: Vec<Signal>,
    signal_of: HashMap<String, usize>,
    /// Pairs of the name of a joint and the index of the signal with its positions.
    joints: Vec<(String, usize)>,
    robot: Option<Robot>,
    invalid: usize,
    unrotated: usize,
    skipped_poses: usize,
}

pub(super) struct Signal {
    name: String,
    values: Vec<(MessageTime, f64)>,
}

impl Log {
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.signals.is_empty()
    }

    fn has_space(&self, space: Space) -> bool {
        self.frames.iter().any(|frame| frame.space == space)
    }

    /// Returns `true` if all poses are in the space of OpenXR.
    pub(super) fn is_openxr(&self) -> bool {
        self.has_space(Space::OpenXr) && !self.has_space(Space::Frames)
    }

    /// Returns the id of a topic that is read.
    pub(super) fn add_topic(&mut self, topic: &str, encoding: &'static str) -> usize {
        if !self.encodings.contains_key(topic) {
            self.encodings.insert(topic.to_owned(), encoding);
        }
        self.topics.id(topic)
    }

    pub(super) fn add_transform(
        &mut self,
        transform: &Transform<'_>,
        time: MessageTime,
        is_static: bool,
    ) {
        let Transform { parent, child, pose } = *transform;
        let is_valid = pose.is_finite() && pose.rotation.length_squared() > 0.0;
        if !is_valid || child.is_empty() {
            self.invalid += 1;
            return;
        }
        let parent = self.parents.id(parent);
        let index = match self.by_name.get(child) {
            Some(index) => *index,
            None => {
                self.frames.push(Frame { name: child.to_owned(), ..Frame::default() });
                self.by_name.insert(child.to_owned(), self.frames.len() - 1);
                self.frames.len() - 1
            }
        };
        let frame = &mut self.frames[index];
        if is_static {
            frame.has_other_rest |= frame.rest.is_some_and(|rest| rest != (parent, pose));
            frame.rest = Some((parent, pose));
        } else {
            frame.samples.push(Sample::new(time, parent, Some(pose)));
        }
    }

    /// Returns the index of a node that belongs to a topic.
    pub(super) fn topic_node(&mut self, topic: usize, name: &str, space: Space) -> usize {
        let nodes = self.by_topic.entry(topic).or_default();
        if let Some(index) = nodes.get(name) {
            return *index;
        }
        nodes.insert(name.to_owned(), self.frames.len());
        let frame = Frame { name: name.to_owned(), space, topic: Some(topic), ..Frame::default() };
        self.frames.push(frame);
        self.frames.len() - 1
    }

    /// Adds a pose, or `None` while tracking is lost. `parent` is the name of a frame.
    pub(super) fn add_pose(
        &mut self,
        node: usize,
        time: MessageTime,
        parent: &str,
        pose: Option<Pose>,
    ) {
        if pose.is_some_and(|pose| !pose.is_finite()) {
            self.invalid += 1;
            return;
        }
        let pose = pose.map(|Pose { position, rotation }| {
            // Programs that know no rotation write zeros.
            let is_rotated = rotation.length_squared() > 0.0;
            self.unrotated += usize::from(!is_rotated);
            Pose::new(position, if is_rotated { rotation } else { DQuat::IDENTITY })
        });
        let parent = self.parents.id(parent);
        self.frames[node].samples.push(Sample::new(time, parent, pose));
    }

    /// Ends the pose of a node. Returns `false` if the node has no pose.
    pub(super) fn lose_pose(&mut self, topic: usize, name: &str, time: MessageTime) -> bool {
        let node = self.by_topic.get(&topic).and_then(|nodes| nodes.get(name));
        let Some(frame) = node.map(|node| &mut self.frames[*node]) else { return false };
        let last = frame.samples.last().filter(|sample| sample.pose.is_some());
        let Some(parent) = last.map(Sample::parent) else { return false };
        frame.samples.push(Sample::new(time, parent, None));
        true
    }

    pub(super) fn set_bone(&mut self, node: usize, from: Option<usize>) {
        self.frames[node].bone_from = from;
    }

    pub(super) fn add_radius(&mut self, node: usize, time: MessageTime, radius: f64) {
        if radius.is_finite() {
            self.frames[node].radii.push((time, radius));
        }
    }

    /// Adds a value of a signal. Returns the index of the signal.
    pub(super) fn add_signal(&mut self, name: &str, time: MessageTime, value: f64) -> usize {
        let index = match self.signal_of.get(name) {
            Some(index) => *index,
            None => {
                self.signals.push(Signal { name: name.to_owned(), values: Vec::new() });
                self.signal_of.insert(name.to_owned(), self.signals.len() - 1);
                self.signals.len() - 1
            }
        };
        self.signals[index].values.push((time, value));
        index
    }

    /// Adds the position of a joint, in radians or metres.
    pub(super) fn add_joint_position(
        &mut self,
        topic: &str,
        joint: &str,
        time: MessageTime,
        position: f64,
    ) {
        let count = self.signals.len();
        let index = self.add_signal(&format!("{topic}/{joint}.position"), time, position);
        if index == count {
            self.joints.push((joint.to_owned(), index));
        }
    }

    pub(super) fn has_joints(&self) -> bool {
        !self.joints.is_empty()
    }

    pub(super) fn has_robot(&self) -> bool {
        self.robot.is_some()
    }

    /// Sets the description of the robot whose joints the log has.
    pub(super) fn set_robot(&mut self, robot: Robot) {
        self.robot = Some(robot);
    }

    /// Adds the links of the robot as frames, except those that have transforms already.
    fn add_links(&mut self, diagnostics: &mut Diagnostics) {
        let Some(robot) = self.robot.take().filter(|_| self.has_joints()) else { return };
        let mut source_of: HashMap<&str, usize> = HashMap::new();
        for (joint, signal) in &self.joints {
            // Commands have the same message type as states.
            let is_state = self.signals[*signal].name.contains("joint_states/");
            let other = source_of.insert(joint, *signal);
            if let Some(other) = other.filter(|_| !is_state) {
                source_of.insert(joint, other);
            }
        }
        let joints: Vec<_> = robot
            .joints
            .iter()
            .filter(|joint| !joint.child.is_empty() && !self.by_name.contains_key(&joint.child))
            .map(|joint| (joint, source_of.get(joint.source()).copied()))
            .collect();
        let mut unmoved = Vec::new();
        // Any number of joints may have the positions of one.
        let values: usize = self.signals.iter().map(|signal| signal.values.len()).sum();
        let mut remaining = values.saturating_mul(MAX_MIMICS).saturating_add(1 << 16);
        for (joint, source) in joints {
            let source = source.filter(|_| !joint.is_fixed() && joint.is_supported());
            let values = source.map(|source| &self.signals[source].values);
            let values = values.filter(|values| values.len() <= remaining).cloned();
            let values = values.unwrap_or_default();
            remaining -= values.len();
            let at = |position| Transform {
                parent: joint.parent.as_str(),
                child: joint.child.as_str(),
                pose: joint.pose(position),
            };
            for (time, position) in &values {
                self.add_transform(&at(*position), *time, false);
            }
            if values.is_empty() {
                if !joint.is_fixed() {
                    unmoved.push(format!("{:?}", joint.name));
                }
                let time = MessageTime { topic: 0, stamp: None, log: 0 };
                self.add_transform(&at(0.0), time, true);
            }
        }
        if !unmoved.is_empty() {
            let unmoved_count = unmoved.len();
            let count = format_count(unmoved_count, "joint");
            unmoved.truncate(4);
            let message = format!(
                "the log has no positions for {count} of the robot, which are drawn at 0: {}",
                unmoved.join(", ")
            );
            diagnostics
                .warning(codes::JOINTS_WITHOUT_POSITIONS, SourceLocation::File, message)
                .with("count", unmoved_count);
        }
    }

    pub(super) fn count_skipped_poses(&mut self, count: usize) {
        self.skipped_poses += count;
    }

    /// Renames the nodes of topics, so that no two nodes have the same name.
    fn make_names_unique(&mut self) {
        let mut used: HashSet<String> =
            self.frames.iter().filter(|it| it.topic.is_none()).map(|it| it.name.clone()).collect();
        for frame in &mut self.frames {
            let Some(topic) = frame.topic else { continue };
            if !used.insert(frame.name.clone()) {
                let topic = self.topics.names[topic].trim_matches('/');
                let base = format!("{topic}/{}", frame.name);
                let numbered = (2..).map(|number| format!("{base} {number}"));
                let mut names = std::iter::once(base.clone()).chain(numbered);
                let free = names.find(|name| !used.contains(name));
                frame.name = free.unwrap_or(base);
                used.insert(frame.name.clone());
            }
        }
    }

    /// Converts the poses of OpenXR to the axes of ROS, if the log has both.
    fn unify_spaces(&mut self, diagnostics: &mut Diagnostics) {
        if !self.has_space(Space::OpenXr) || !self.has_space(Space::Frames) {
            return;
        }
        let message = "poses of OpenXR and of ROS are in one log; their origins are drawn at the same position";
        diagnostics.warning(codes::MIXED_SPACES, SourceLocation::File, message);
        for frame in self.frames.iter_mut().filter(|frame| frame.space == Space::OpenXr) {
            for pose in frame.samples.iter_mut().filter_map(|sample| sample.pose.as_mut()) {
                *pose = pose.with_ros_axes();
            }
        }
    }

    pub(super) fn into_clip(
        mut self,
        format: FormatId,
        space: LogSpace,
        unread: BTreeMap<String, UnreadTopic>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Clip, Error> {
        self.add_links(diagnostics);
        self.report(diagnostics);
        self.unify_spaces(diagnostics);
        self.make_names_unique();
        let clock = Clock::new(&self.topics.names, &self.frames, &self.signals, diagnostics);
        let mut frames: Vec<FramePoses> =
            self.frames.iter_mut().map(|frame| take_poses(frame, &clock)).collect();
        let frame_of = self
            .parents
            .ids
            .iter()
            .filter_map(|(name, id)| Some((*id, *self.by_name.get(name)?)))
            .collect();
        choose_parents(&mut frames, &self.parents.names, &frame_of, diagnostics);
        report_unconnected_frames(&frames, &self.parents.names, &frame_of, diagnostics);
        let signals: Vec<(&str, Vec<(i64, f64)>)> = self
            .signals
            .iter()
            .map(|signal| (signal.name.as_str(), sorted_values(&signal.values, &clock)))
            .collect();
        let times = frames.iter().flat_map(|frame| frame.poses.iter().map(|pose| pose.time));
        let times =
            times.chain(signals.iter().flat_map(|(_, values)| values.iter().map(|it| it.0)));
        let first = times.clone().min().unwrap_or(0);
        let last = times.max().unwrap_or(first);
        let seconds = |time: i64| time.saturating_sub(first) as f64 / 1e9;
        diagnostics.info(
            codes::EPOCH_TIMES,
            SourceLocation::File,
            "times are counted from an epoch; the first one becomes time 0",
        );
        let mut clip = SampledClip::default();
        for (index, frame) in frames.iter().enumerate() {
            let parent = frame.parent.and_then(|parent| frame_of.get(&parent)).copied();
            clip.add_node(SampledNode {
                parent: parent.filter(|parent| *parent != index),
                bone_from: self.frames[index].bone_from,
                ..sampled_node(frame, seconds)
            });
        }
        for (index, frame) in self.frames.iter().enumerate().filter(|(_, it)| !it.radii.is_empty())
        {
            let values = sorted_values(&frame.radii, &clock).into_iter();
            clip.add_radius(index, values.map(|(time, radius)| (seconds(time), radius)).collect());
        }
        for (name, values) in signals {
            let values = values.into_iter().map(|(time, value)| (seconds(time), value));
            clip.signal(name, SampledSignal::Numbers(values.collect()));
        }
        clip.link_hands();
        for fact in &space.assumed {
            let (what, value, why) = (fact.fact, &fact.value, &fact.why);
            diagnostics
                .info(
                    codes::ASSUMED,
                    SourceLocation::File,
                    format!("assumed {what}: {value}, as {why}"),
                )
                .with("fact", what)
                .with("value", value.as_str());
        }
        let encoding = self.encodings.values().next().copied().unwrap_or_default();
        let mut made = Clip::new(format, space.convention);
        made.version = encoding.to_owned();
        made.span = Span { start: 0.0, duration: seconds(last) };
        let used = self.encodings.keys().map(|topic| ColumnUse {
            column: topic.clone(),
            node: String::new(),
            property: String::new(),
        });
        let ignored = unread.into_iter().map(|(column, topic)| {
            let why = format!("{}: {}", topic.describe(), topic.messages);
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
            questions: Vec::new(),
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
            diagnostics.warning(codes::STATIC_CHANGES, SourceLocation::File, message);
        }
        if self.invalid > 0 {
            let message = format!(
                "transforms skipped because they are not finite, have no frame id, or their rotation is zero: {}",
                self.invalid
            );
            diagnostics
                .warning(codes::INVALID_TRANSFORM, SourceLocation::File, message)
                .with("count", self.invalid);
        }
        if self.unrotated > 0 {
            let poses = format_count(self.unrotated, "pose");
            let message = format!("{poses} with a rotation of zeros; drawn without a rotation");
            diagnostics
                .warning(codes::ZERO_ROTATION, SourceLocation::File, message)
                .with("count", self.unrotated);
        }
        if self.skipped_poses > 0 {
            let poses = format_count(self.skipped_poses, "pose");
            let message =
                format!("{poses} skipped, because only {MAX_POSES} of a message are read");
            diagnostics
                .warning(codes::TOO_MANY_POSES, SourceLocation::File, message)
                .with("count", self.skipped_poses)
                .with("limit", MAX_POSES);
        }
    }
}

/// Moves the poses out of a frame, and sorts them by time. If several have the same time and the same
/// parent, the last of those in the file is used.
fn take_poses(frame: &mut Frame, clock: &Clock) -> FramePoses {
    let mut poses: Vec<TimedPose> = std::mem::take(&mut frame.samples)
        .into_iter()
        .map(|sample| TimedPose {
            time: clock.time(sample.time()),
            parent: sample.parent(),
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

/// Returns values sorted by time. If several have the same time, the last of those in the file is
/// used.
fn sorted_values(values: &[(MessageTime, f64)], clock: &Clock) -> Vec<(i64, f64)> {
    let mut values: Vec<(i64, f64)> =
        values.iter().map(|(time, value)| (clock.time(*time), *value)).collect();
    values.reverse();
    values.sort_by_key(|(time, _)| *time);
    values.dedup_by_key(|(time, _)| *time);
    values
}

fn sampled_node(frame: &FramePoses, seconds: impl Fn(i64) -> f64) -> SampledNode {
    let mut sampled = SampledNode { name: frame.name.clone(), ..SampledNode::default() };
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
    diagnostics
        .warning(codes::UNCONNECTED_FRAMES, SourceLocation::File, message)
        .with("count", roots.len())
        .with("frames", roots);
}
