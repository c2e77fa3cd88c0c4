//! The Protobuf messages. Field numbers match the descriptors in `schemas`.

use prost::Message;

pub(crate) type Schema = (&'static str, &'static [u8]);

pub(crate) const FRAME_TRANSFORMS: Schema =
    ("foxglove.FrameTransforms", include_bytes!("schemas/FrameTransforms.bin"));
pub(crate) const LOG: Schema = ("foxglove.Log", include_bytes!("schemas/Log.bin"));
pub(crate) const NUMBER: Schema = ("mutoscope.Number", include_bytes!("schemas/Number.bin"));
pub(crate) const TEXT: Schema = ("mutoscope.Text", include_bytes!("schemas/Text.bin"));

pub(crate) const TRANSFORMS: u32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FrameTransform {
    #[prost(message, optional, tag = "1")]
    pub(crate) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(crate) parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub(crate) child_frame_id: String,
    #[prost(message, optional, tag = "4")]
    pub(crate) translation: Option<Vector3>,
    #[prost(message, optional, tag = "5")]
    pub(crate) rotation: Option<Quaternion>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Timestamp {
    #[prost(int64, tag = "1")]
    pub(crate) seconds: i64,
    #[prost(int32, tag = "2")]
    pub(crate) nanos: i32,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Vector3 {
    #[prost(double, tag = "1")]
    pub(crate) x: f64,
    #[prost(double, tag = "2")]
    pub(crate) y: f64,
    #[prost(double, tag = "3")]
    pub(crate) z: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Quaternion {
    #[prost(double, tag = "1")]
    pub(crate) x: f64,
    #[prost(double, tag = "2")]
    pub(crate) y: f64,
    #[prost(double, tag = "3")]
    pub(crate) z: f64,
    #[prost(double, tag = "4")]
    pub(crate) w: f64,
}

/// `foxglove.Log`, without the fields `file` and `line`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Log {
    #[prost(message, optional, tag = "1")]
    pub(crate) timestamp: Option<Timestamp>,
    #[prost(int32, tag = "2")]
    pub(crate) level: i32,
    #[prost(string, tag = "3")]
    pub(crate) message: String,
    #[prost(string, tag = "4")]
    pub(crate) name: String,
}

impl Log {
    pub(crate) const INFO: i32 = 2;
}

/// `mutoscope.Number`, the value of a numeric signal.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct Number {
    #[prost(double, tag = "1")]
    pub(crate) value: f64,
}

/// `mutoscope.Text`, the value of a text signal.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Text {
    #[prost(string, tag = "1")]
    pub(crate) text: String,
}

impl Timestamp {
    pub(crate) fn from_nanoseconds(time: u64) -> Self {
        const SECOND: u64 = 1_000_000_000;
        Self { seconds: (time / SECOND) as i64, nanos: (time % SECOND) as i32 }
    }
}
