//! The types and functions for decoding and sampling a recording.

pub use crate::{
    Clip, DecodeRequest, Diagnostic, Diagnostics, Node, NodeId, NodePose, Pose, Severity,
    SourceLocation, Span, Track, TrackId, Transform, Value, decode,
};
