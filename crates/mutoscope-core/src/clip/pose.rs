//! Poses: a clip at one time.

use glam::DMat3;

use super::{Hint, Transform, Value};

/// A clip at one time, in the viewer's space: right-handed, Y up, −Z forward, metres.
///
/// A buffer for [`Clip::sample`](super::Clip::sample): it allocates when it first meets a clip of
/// another shape and never again. One pose can sample any clip; its former content has no
/// influence.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The time it was sampled at, in seconds.
    pub time: f64,
    /// One for each of the clip's nodes, in their order.
    pub nodes: Vec<NodePose>,
    /// One for each of the clip's signals, in their order, in the file's own units.
    pub signals: Vec<Value>,
    /// For each node, where the last searches of translation and rotation ended.
    pub(super) hints: Vec<[Hint; 2]>,
    /// For each node of a clip with scales, its world matrix without the translation.
    pub(super) linear: Vec<DMat3>,
}

/// The transforms of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodePose {
    /// Whether it and its ancestors are visible. The transforms are given all the same.
    pub shown: bool,
    /// Relative to its parent.
    pub local: Transform,
    /// Absolute. Where scales that differ by axis meet rotations, its translation is exact, but
    /// the shear of the node itself is not represented.
    pub world: Transform,
}
