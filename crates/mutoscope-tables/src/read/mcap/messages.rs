//! Finds the poses in decoded messages, whatever their encoding.

use glam::{DQuat, DVec3};
use mutoscope_core::formats::mrtk::JOINTS;

use super::{
    clock::MessageTime,
    error::{MessageError, Result},
    log::{Log, Space, Transform},
    pose::Pose,
    urdf::Robot,
    value::Value,
};

/// The most poses that are read of a message.
pub(super) const MAX_POSES: usize = 4096;

/// The joints of `XR_BD_body_tracking`, each with the index of the joint from which its bone comes.
const BODY_JOINTS: [(&str, Option<usize>); 24] = [
    ("pelvis", None),
    ("left_hip", Some(0)),
    ("right_hip", Some(0)),
    ("spine1", Some(0)),
    ("left_knee", Some(1)),
    ("right_knee", Some(2)),
    ("spine2", Some(3)),
    ("left_ankle", Some(4)),
    ("right_ankle", Some(5)),
    ("spine3", Some(6)),
    ("left_foot", Some(7)),
    ("right_foot", Some(8)),
    ("neck", Some(9)),
    ("left_collar", Some(9)),
    ("right_collar", Some(9)),
    ("body_head", Some(12)),
    ("left_shoulder", Some(13)),
    ("right_shoulder", Some(14)),
    ("left_elbow", Some(16)),
    ("right_elbow", Some(17)),
    ("left_wrist", Some(18)),
    ("right_wrist", Some(19)),
    ("left_hand", Some(20)),
    ("right_hand", Some(21)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// A list of transforms of frames.
    Transforms,
    Transform,
    /// A pose, which becomes a node with the name of its topic.
    Pose,
    /// A list of poses, which become nodes with the name of their topic and an index.
    Poses,
    /// Joint angles. ROS has lists of names and of values.
    JointState,
    /// Joint angles. Foxglove has a list of joints.
    JointStates,
    /// A string with the URDF of a robot.
    RobotDescription,
    Isaac(IsaacRecord),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsaacRecord {
    Hand,
    Head,
    Body,
    Controller,
    Tracker,
    JointState,
}

impl MessageKind {
    /// Returns the kind of the messages of a topic with this schema, or `None` if they are not read.
    pub(super) fn from_schema(schema: &str, topic: &str) -> Option<Self> {
        let parts: Vec<&str> = schema
            .split(['/', '.', ':'])
            .filter(|part| !part.is_empty() && *part != "msg")
            .collect();
        let [.., package, name] = parts[..] else { return None };
        Some(match (package, name) {
            ("tf2_msgs", "TFMessage")
            | ("tf", "tfMessage")
            | ("foxglove" | "foxglove_msgs", "FrameTransforms") => Self::Transforms,
            ("geometry_msgs", "TransformStamped")
            | ("foxglove" | "foxglove_msgs", "FrameTransform") => Self::Transform,
            (
                "geometry_msgs",
                "Pose"
                | "PoseStamped"
                | "PoseWithCovariance"
                | "PoseWithCovarianceStamped"
                | "Transform",
            )
            | ("nav_msgs", "Odometry")
            | ("foxglove" | "foxglove_msgs", "PoseInFrame" | "Odometry") => Self::Pose,
            ("geometry_msgs", "PoseArray") | ("foxglove" | "foxglove_msgs", "PosesInFrame") => {
                Self::Poses
            }
            ("sensor_msgs", "JointState") => Self::JointState,
            ("foxglove" | "foxglove_msgs", "JointStates") => Self::JointStates,
            ("std_msgs", "String") if topic.ends_with("robot_description") => {
                Self::RobotDescription
            }
            ("core", name) => Self::Isaac(match name {
                "HandPoseRecord" => IsaacRecord::Hand,
                "HeadPoseRecord" => IsaacRecord::Head,
                "FullBodyPoseRecord" | "FullBodyPosePicoRecord" => IsaacRecord::Body,
                "ControllerSnapshotRecord" => IsaacRecord::Controller,
                "Se3TrackerPoseRecord" => IsaacRecord::Tracker,
                "JointStateOutputRecord" => IsaacRecord::JointState,
                _ => return None,
            }),
            _ => return None,
        })
    }
}

/// A topic of messages that are read.
pub(super) struct Topic<'a> {
    pub(super) id: usize,
    pub(super) name: &'a str,
}

impl Topic<'_> {
    fn is_static(&self) -> bool {
        self.name.ends_with("_static")
    }

    /// Returns the name of the topic as that of a node.
    fn node_name(&self) -> &str {
        let name = self.name.trim_matches('/');
        if name.is_empty() { "pose" } else { name }
    }

    /// Returns the side that the last part of the name states.
    fn side(&self) -> Option<&'static str> {
        let name = self.name.to_ascii_lowercase();
        let last = name.rsplit('/').next().unwrap_or_default();
        let of_text = |text: &str| match (text.contains("left"), text.contains("right")) {
            (true, false) => Some("left"),
            (false, true) => Some("right"),
            _ => None,
        };
        of_text(last).or_else(|| of_text(&name))
    }

    /// Returns the start of the names of the nodes of a hand or a controller.
    fn side_or_name(&self) -> &str {
        self.side().unwrap_or_else(|| self.node_name())
    }
}

/// Adds the poses of a message to the log. `log_time` is in nanoseconds.
///
/// # Errors
/// If a field is missing, or has another type.
pub(super) fn add_message(
    kind: MessageKind,
    topic: &Topic<'_>,
    log_time: i64,
    message: &Value<'_>,
    log: &mut Log,
) -> Result<()> {
    let time = |stamp| MessageTime { topic: topic.id, stamp, log: log_time };
    match kind {
        MessageKind::Transforms => {
            for (index, transform) in message.require("transforms")?.list()?.iter().enumerate() {
                let result = add_transform(topic, time, transform, log);
                result.map_err(|error| error.within(format_args!("transform {index}")))?;
            }
        }
        MessageKind::Transform => add_transform(topic, time, message, log)?,
        MessageKind::Pose => {
            let header = Header::read(message)?;
            let pose = read_pose(find_pose(message))?;
            let child = message.field("child_frame_id").or_else(|| message.field("body_frame_id"));
            let name = match child.map(Value::text).transpose()?.unwrap_or_default() {
                "" => topic.node_name().to_owned(),
                // One topic may have the odometry of several robots.
                child => format!("{}/{}", topic.node_name(), child.trim_start_matches('/')),
            };
            let node = log.topic_node(topic.id, &name, Space::Frames);
            log.add_pose(node, time(header.stamp), header.frame, Some(pose));
        }
        MessageKind::Poses => {
            let header = Header::read(message)?;
            let poses = message.require("poses")?.list()?;
            log.count_skipped_poses(poses.len().saturating_sub(MAX_POSES));
            for (index, pose) in poses.iter().take(MAX_POSES).enumerate() {
                let pose =
                    read_pose(pose).map_err(|error| error.within(format_args!("pose {index}")))?;
                let name = format!("{}/{index}", topic.node_name());
                let node = log.topic_node(topic.id, &name, Space::Frames);
                log.add_pose(node, time(header.stamp), header.frame, Some(pose));
            }
            for index in poses.len().. {
                // The poses that an earlier message had, and this one lacks, are lost.
                let name = format!("{}/{index}", topic.node_name());
                if !log.lose_pose(topic.id, &name, time(header.stamp)) {
                    break;
                }
            }
        }
        MessageKind::JointState => {
            let stamp = Header::read(message)?.stamp;
            let names = message.require("name")?.list()?;
            for quantity in ["position", "velocity", "effort"] {
                let Some(values) = message.field(quantity) else { continue };
                for (name, value) in names.iter().zip(values.numbers()?.iter()) {
                    add_joint_value(topic, name.text()?, quantity, time(stamp), *value, log);
                }
            }
        }
        MessageKind::JointStates => {
            let stamp = Header::read(message)?.stamp;
            add_joints(topic, time(stamp), message.require("joints")?.list()?, log)?;
        }
        MessageKind::RobotDescription => {
            log.set_robot(Robot::parse(message.require("data")?.text()?)?);
        }
        MessageKind::Isaac(record) => add_isaac_record(record, topic, time, message, log)?,
    }
    Ok(())
}

fn add_transform(
    topic: &Topic<'_>,
    time: impl Fn(Option<i64>) -> MessageTime,
    message: &Value<'_>,
    log: &mut Log,
) -> Result<()> {
    // Frame ids of ROS 1 may begin with a slash, which has no meaning.
    let (parent, child, stamp, pose) = match message.field("header") {
        Some(_) => {
            let header = Header::read(message)?;
            let child = message.require("child_frame_id")?.text()?.trim_start_matches('/');
            (header.frame, child, header.stamp, message.require("transform")?)
        }
        None => {
            let parent = message.field("parent_frame_id").map(Value::text).transpose()?;
            let child = message.require("child_frame_id")?.text()?;
            (parent.unwrap_or_default(), child, read_stamp(message)?, message)
        }
    };
    let pose = read_pose(pose)?;
    log.add_transform(&Transform { parent, child, pose }, time(stamp), topic.is_static());
    Ok(())
}

fn add_joints(
    topic: &Topic<'_>,
    time: MessageTime,
    joints: &[Value<'_>],
    log: &mut Log,
) -> Result<()> {
    for joint in joints {
        let name = joint.require("name")?.text()?;
        if joint.field("valid").map(Value::is_true).transpose()? == Some(false) {
            continue;
        }
        for quantity in ["position", "velocity", "acceleration", "effort"] {
            if let Some(value) = joint.field(quantity).filter(|value| !value.is_missing()) {
                add_joint_value(topic, name, quantity, time, value.number()?, log);
            }
        }
    }
    Ok(())
}

fn add_joint_value(
    topic: &Topic<'_>,
    joint: &str,
    quantity: &str,
    time: MessageTime,
    value: f64,
    log: &mut Log,
) {
    match quantity {
        "position" => log.add_joint_position(topic.node_name(), joint, time, value),
        _ => {
            log.add_signal(&format!("{}/{joint}.{quantity}", topic.node_name()), time, value);
        }
    }
}

fn add_isaac_record(
    record: IsaacRecord,
    topic: &Topic<'_>,
    time: impl Fn(Option<i64>) -> MessageTime,
    message: &Value<'_>,
    log: &mut Log,
) -> Result<()> {
    // The record has no data while the device is not tracked.
    let data = message.require("data")?;
    let stamp = match message.field("timestamp") {
        Some(Value::Missing) | None => None,
        Some(times) => Some(times.require("sample_time_local_common_clock")?.integer()?),
    };
    let time = time(stamp);
    let optional = |name: &str| match data {
        Value::Missing => Ok(&Value::Missing),
        data => data.require(name),
    };
    match record {
        IsaacRecord::Head => {
            let pose = optional("pose")?;
            let is_valid = optional("is_valid")?.is_true()?;
            let pose = is_valid.then(|| read_pose(pose)).transpose()?;
            add_tracked(log, topic, "head", time, pose);
        }
        IsaacRecord::Tracker => {
            let pose = optional("pose")?;
            let is_valid = optional("is_valid")?.is_true()?;
            let pose = is_valid.then(|| read_pose(pose)).transpose()?;
            add_tracked(log, topic, topic.node_name(), time, pose);
        }
        IsaacRecord::Hand => {
            let joints = match optional("joints")? {
                Value::Missing => &Value::Missing,
                joints => joints.require("poses")?,
            };
            let poses = read_tracked_poses(joints, JOINTS.len())?;
            let radii = joints.list()?;
            for index in 0..JOINTS.len() {
                // OpenXR lists the palm first, but [`JOINTS`] lists the wrist first.
                let joint = match index {
                    0 => 1,
                    1 => 0,
                    other => other,
                };
                let pose = poses.get(index).copied().flatten();
                let name = format!("{}/{}", topic.side_or_name(), JOINTS[joint].name);
                let node = add_tracked(log, topic, &name, time, pose);
                if let (Some(_), Some(joint)) = (pose, radii.get(index)) {
                    log.add_radius(node, time, joint.require("radius")?.number()?);
                }
            }
        }
        IsaacRecord::Body => {
            let joints = match optional("joints")? {
                Value::Missing => &Value::Missing,
                joints => joints.require("joints")?,
            };
            let poses = read_tracked_poses(joints, BODY_JOINTS.len())?;
            let mut nodes = Vec::with_capacity(BODY_JOINTS.len());
            for (index, (name, bone_from)) in BODY_JOINTS.iter().enumerate() {
                let node = add_tracked(log, topic, name, time, poses.get(index).copied().flatten());
                log.set_bone(node, bone_from.map(|from| nodes[from]));
                nodes.push(node);
            }
        }
        IsaacRecord::Controller => {
            for (field, name) in [("grip_pose", "controller"), ("aim_pose", "aim")] {
                let pose = match optional(field)? {
                    Value::Missing => None,
                    pose if pose.require("is_valid")?.is_true()? => {
                        Some(read_pose(pose.require("pose")?)?)
                    }
                    _ => None,
                };
                add_tracked(log, topic, &format!("{}/{name}", topic.side_or_name()), time, pose);
            }
            if let Value::Record(inputs) = optional("inputs")? {
                for (name, value) in inputs {
                    let signal = format!("{}/{name}", topic.side_or_name());
                    log.add_signal(&signal, time, value.number()?);
                }
            }
        }
        IsaacRecord::JointState => {
            add_joints(topic, time, optional("joints")?.list()?, log)?;
            let pose = optional("ee_pose")?;
            if optional("ee_pose_valid")?.is_true()? && !pose.is_missing() {
                let pose = read_pose(pose)?;
                add_tracked(
                    log,
                    topic,
                    &format!("{}/ee_pose", topic.node_name()),
                    time,
                    Some(pose),
                );
            }
        }
    }
    Ok(())
}

fn add_tracked(
    log: &mut Log,
    topic: &Topic<'_>,
    name: &str,
    time: MessageTime,
    pose: Option<Pose>,
) -> usize {
    let node = log.topic_node(topic.id, name, Space::OpenXr);
    log.add_pose(node, time, "", pose);
    node
}

/// Reads joints with flags. Returns an empty list if there are no joints.
fn read_tracked_poses(joints: &Value<'_>, count: usize) -> Result<Vec<Option<Pose>>> {
    let joints = joints.list()?;
    if !joints.is_empty() && joints.len() != count {
        let expected = format!("{count} joints");
        return Err(MessageError::unexpected(expected, joints.len().to_string()));
    }
    let read = |joint: &Value<'_>| match joint.require("is_valid")?.is_true()? {
        true => read_pose(joint.require("pose")?).map(Some),
        false => Ok(None),
    };
    joints.iter().map(read).collect()
}

/// The time and the frame of a message.
struct Header<'a> {
    stamp: Option<i64>,
    frame: &'a str,
}

impl<'a> Header<'a> {
    fn read(message: &'a Value<'_>) -> Result<Self> {
        let header = match message.field("header") {
            Some(Value::Missing) | None => message,
            Some(header) => header,
        };
        let frame = header.field("frame_id").map(Value::text).transpose()?.unwrap_or_default();
        Ok(Self { stamp: read_stamp(header)?, frame: frame.trim_start_matches('/') })
    }
}

/// Returns the time stamp in nanoseconds, or `None` if the message has none.
fn read_stamp(message: &Value<'_>) -> Result<Option<i64>> {
    let stamp = match message.field("stamp").or_else(|| message.field("timestamp")) {
        None | Some(Value::Missing) => return Ok(None),
        Some(stamp) => stamp,
    };
    // Protobuf's JSON has dates.
    if let Value::Text(text) = stamp {
        let time = mutoscope_logs::parse_nanoseconds(text);
        let unexpected = || MessageError::unexpected("a time stamp", format!("{text:?}"));
        return time.map(Some).ok_or_else(unexpected);
    }
    let part = |names: &[&str]| names.iter().find_map(|name| stamp.field(name));
    let seconds = part(&["sec", "secs", "seconds"]);
    let seconds = seconds.map_or_else(|| stamp.require("sec"), Ok)?.integer()?;
    let nanoseconds = part(&["nsec", "nanosec", "nsecs", "nanos", "nanoseconds"]);
    let nanoseconds = nanoseconds.map(Value::integer).transpose()?.unwrap_or_default();
    Ok(Some(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)))
}

/// Returns the innermost field `pose` of a message. A pose with a covariance is in another message.
fn find_pose<'a, 'b>(message: &'a Value<'b>) -> &'a Value<'b> {
    let mut pose = message;
    while let Some(inner) = pose.field("pose") {
        pose = inner;
    }
    pose
}

/// Reads a pose (`position`, `orientation`) or a transform (`translation`, `rotation`).
fn read_pose(value: &Value<'_>) -> Result<Pose> {
    if value.is_missing() {
        return Ok(Pose::IDENTITY);
    }
    let (position, rotation) = match value.field("translation") {
        Some(translation) => (translation, "rotation"),
        None => (value.require("position")?, "orientation"),
    };
    let [x, y, z] = read_components(position, ["x", "y", "z"])?;
    let rotation = value.require(rotation)?;
    let rotation = match rotation.is_missing() {
        true => DQuat::IDENTITY,
        false => DQuat::from_array(read_components(rotation, ["x", "y", "z", "w"])?),
    };
    Ok(Pose::new(DVec3::new(x, y, z), rotation))
}

/// Reads the components of a vector or a quaternion. Writers of JSON leave out zeros.
fn read_components<const N: usize>(value: &Value<'_>, names: [&str; N]) -> Result<[f64; N]> {
    let has_any = names.iter().any(|name| value.field(name).is_some());
    let is_empty = matches!(value, Value::Record(fields) if fields.is_empty());
    if !has_any && !is_empty && !value.is_missing() {
        value.require(names[0])?;
    }
    let mut components = [0.0; N];
    for (component, name) in components.iter_mut().zip(names) {
        *component = value.field(name).map(Value::number).transpose()?.unwrap_or_default();
    }
    Ok(components)
}
