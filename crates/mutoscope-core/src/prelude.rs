//! The types and functions for decoding and sampling a recording.

pub use crate::{
    Clip, Diagnostic, Diagnostics, Node, NodeId, NodePose, Pose, ReadOptions, Recording, Severity,
    Source, SourceFile, SourceLocation, Span, Track, TrackId, Transform, Value, decode, open,
};
