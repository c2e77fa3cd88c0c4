//! Decodes messages according to the schema and the encoding of their channel.

use glam::{DQuat, DVec3};
use prost::Message as _;
use serde::Deserialize;

use super::{
    clock::MessageTime,
    container::Channel,
    flatbuffer,
    log::{Log, Transform},
    pose::Pose,
    ros::{self, RosVersion},
};
use crate::mcap::messages::{FrameTransform, Quaternion, Timestamp, Vector3};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageKind {
    ProtobufTransforms,
    ProtobufTransform,
    JsonTransforms,
    JsonTransform,
    Ros1,
    Ros2,
    Hand,
    Head,
}

impl MessageKind {
    pub(super) fn from_schema(schema: &str, encoding: &str) -> Option<Self> {
        Some(match (schema, encoding) {
            ("foxglove.FrameTransforms", "protobuf") => Self::ProtobufTransforms,
            ("foxglove.FrameTransform", "protobuf") => Self::ProtobufTransform,
            ("foxglove.FrameTransforms", "json") => Self::JsonTransforms,
            ("foxglove.FrameTransform", "json") => Self::JsonTransform,
            ("tf2_msgs/TFMessage", "ros1") => Self::Ros1,
            ("tf2_msgs/msg/TFMessage", "cdr") => Self::Ros2,
            ("core.HandPoseRecord", "flatbuffer") => Self::Hand,
            ("core.HeadPoseRecord", "flatbuffer") => Self::Head,
            _ => return None,
        })
    }

    pub(super) fn encoding(self) -> &'static str {
        match self {
            Self::ProtobufTransforms | Self::ProtobufTransform => "protobuf",
            Self::JsonTransforms | Self::JsonTransform => "json",
            Self::Ros1 => "ros1",
            Self::Ros2 => "cdr",
            Self::Hand | Self::Head => "flatbuffer",
        }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
struct FrameTransforms {
    #[prost(message, repeated, tag = "1")]
    transforms: Vec<FrameTransform>,
}

#[derive(Deserialize)]
struct JsonTransforms {
    transforms: Vec<JsonTransform>,
}

#[derive(Deserialize)]
struct JsonTransform {
    timestamp: Option<JsonTime>,
    #[serde(default)]
    parent_frame_id: String,
    child_frame_id: String,
    translation: Option<JsonVector>,
    rotation: Option<JsonVector>,
}

#[derive(Deserialize)]
struct JsonTime {
    sec: i64,
    #[serde(alias = "nanosec")]
    nsec: i64,
}

/// A vector or a quaternion. Missing components are 0.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct JsonVector {
    x: f64,
    y: f64,
    z: f64,
    w: f64,
}

pub(super) fn decode_message(
    kind: MessageKind,
    channel: &Channel,
    time: u64,
    data: &[u8],
    log: &mut Log,
) -> Result<(), String> {
    let topic = log.add_topic(&channel.topic, kind.encoding());
    let is_static = channel.topic.ends_with("_static");
    let logged = i64::try_from(time).unwrap_or(i64::MAX);
    let time = |stamp: Option<i64>| MessageTime { topic, stamp, log: logged };
    let broken = || format!("a message of {:?} is not a complete {kind:?}", channel.topic);
    let mut add = |stamp: i64, transform: &Transform<'_>| {
        log.add_transform(transform, time(Some(stamp)), is_static);
    };
    match kind {
        MessageKind::ProtobufTransforms => {
            let message = FrameTransforms::decode(data).map_err(|_| broken())?;
            message.transforms.iter().for_each(|one| add(protobuf_stamp(one), &from_protobuf(one)));
        }
        MessageKind::ProtobufTransform => {
            let message = FrameTransform::decode(data).map_err(|_| broken())?;
            add(protobuf_stamp(&message), &from_protobuf(&message));
        }
        MessageKind::JsonTransforms => {
            let message: JsonTransforms = serde_json::from_slice(data).map_err(|_| broken())?;
            message.transforms.iter().for_each(|one| add(json_stamp(one), &from_json(one)));
        }
        MessageKind::JsonTransform => {
            let message: JsonTransform = serde_json::from_slice(data).map_err(|_| broken())?;
            add(json_stamp(&message), &from_json(&message));
        }
        MessageKind::Ros1 => ros::read_transforms(RosVersion::One, data, add).ok_or_else(broken)?,
        MessageKind::Ros2 => ros::read_transforms(RosVersion::Two, data, add).ok_or_else(broken)?,
        MessageKind::Hand => {
            let record = flatbuffer::read_hand(data).ok_or_else(broken)?;
            log.add_hand(&channel.topic, time(record.time), &record.poses);
        }
        MessageKind::Head => {
            let record = flatbuffer::read_head(data).ok_or_else(broken)?;
            log.add_head(time(record.time), &record.poses);
        }
    }
    Ok(())
}

pub(super) fn from_protobuf(transform: &FrameTransform) -> Transform<'_> {
    let Vector3 { x, y, z } = transform.translation.unwrap_or_default();
    let rotation = transform.rotation.map_or(DQuat::IDENTITY, |rotation| {
        let Quaternion { x, y, z, w } = rotation;
        DQuat::from_xyzw(x, y, z, w)
    });
    Transform {
        parent: &transform.parent_frame_id,
        child: &transform.child_frame_id,
        pose: Pose::new(DVec3::new(x, y, z), rotation),
    }
}

fn protobuf_stamp(transform: &FrameTransform) -> i64 {
    let Timestamp { seconds, nanos } = transform.timestamp.unwrap_or_default();
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos.into())
}

fn json_stamp(transform: &JsonTransform) -> i64 {
    let stamp = transform.timestamp.as_ref();
    stamp.map_or(0, |time| time.sec.saturating_mul(1_000_000_000).saturating_add(time.nsec))
}

fn from_json(transform: &JsonTransform) -> Transform<'_> {
    let translation = transform.translation.as_ref();
    let translation = translation.map_or(DVec3::ZERO, |it| DVec3::new(it.x, it.y, it.z));
    let rotation = transform.rotation.as_ref();
    let rotation = rotation.map_or(DQuat::IDENTITY, |it| DQuat::from_xyzw(it.x, it.y, it.z, it.w));
    Transform {
        parent: &transform.parent_frame_id,
        child: &transform.child_frame_id,
        pose: Pose::new(translation, rotation),
    }
}
