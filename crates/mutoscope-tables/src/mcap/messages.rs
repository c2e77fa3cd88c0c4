//! The Protobuf messages. Field numbers are those of the descriptors in `schemas`.

use prost::Message;

/// A schema: the name of its message, and its `FileDescriptorSet` with all dependencies.
pub(super) type Schema = (&'static str, &'static [u8]);

pub(super) const FRAME_TRANSFORMS: Schema =
    ("foxglove.FrameTransforms", include_bytes!("schemas/FrameTransforms.bin"));
pub(super) const LOG: Schema = ("foxglove.Log", include_bytes!("schemas/Log.bin"));
pub(super) const NUMBER: Schema = ("mutoscope.Number", include_bytes!("schemas/Number.bin"));
pub(super) const TEXT: Schema = ("mutoscope.Text", include_bytes!("schemas/Text.bin"));

/// The number of the field `transforms` of `foxglove.FrameTransforms`.
pub(super) const TRANSFORMS: u32 = 1;

/// `foxglove.FrameTransform`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct FrameTransform {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub(super) child_frame_id: String,
    #[prost(message, optional, tag = "4")]
    pub(super) translation: Option<Vector3>,
    #[prost(message, optional, tag = "5")]
    pub(super) rotation: Option<Quaternion>,
}

/// `google.protobuf.Timestamp`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(super) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(super) nanos: i32,
}

/// `foxglove.Vector3`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Vector3 {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
}

/// `foxglove.Quaternion`.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Quaternion {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
    #[prost(double, tag = "4")]
    pub(super) w: f64,
}

/// `foxglove.Log`, without its fields `file` and `line`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Log {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(int32, tag = "2")]
    pub(super) level: i32,
    #[prost(string, tag = "3")]
    pub(super) message: String,
    #[prost(string, tag = "4")]
    pub(super) name: String,
}

impl Log {
    /// The value `INFO` of its field `level`.
    pub(super) const INFO: i32 = 2;
}

/// `mutoscope.Number`: the value of a numeric signal.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Number {
    #[prost(double, tag = "1")]
    pub(super) value: f64,
}

/// `mutoscope.Text`: the value of a text signal.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Text {
    #[prost(string, tag = "1")]
    pub(super) text: String,
}

impl Timestamp {
    pub(super) fn of_nanoseconds(time: u64) -> Self {
        const SECOND: u64 = 1_000_000_000;
        Self { seconds: (time / SECOND) as i64, nanos: (time % SECOND) as i32 }
    }
}
