//! Poses: a clip at one time.

use std::ops::{Index, IndexMut};

use glam::DMat3;

use super::{Hint, NodeId, Transform, Value};

/// A clip at one time, in the viewer's space: right-handed, Y up, −Z forward, metres.
///
/// `pose[id]` is the [`NodePose`] of a node. Indexing panics if the clip has no node with this id.
///
/// A pose is a buffer for [`Clip::sample`](super::Clip::sample). The same pose can sample any clip
/// at any time. It allocates memory only if the clip has more nodes or signals than the clips
/// before.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// The clip time of the sample, in seconds.
    pub time: f64,
    /// The transforms of the nodes, in the order of the clip's nodes.
    pub nodes: Vec<NodePose>,
    /// The values of the signals in the units of the file, in the order of the clip's signals.
    pub signals: Vec<Value>,
    /// The search hints of each node: the first for its translation, the second for its rotation.
    pub(super) hints: Vec<[Hint; 2]>,
    /// The world matrix of each node without its translation. Only used for clips with scales.
    pub(super) linear: Vec<DMat3>,
}

impl Index<NodeId> for Pose {
    type Output = NodePose;

    fn index(&self, id: NodeId) -> &NodePose {
        &self.nodes[id.index()]
    }
}

impl IndexMut<NodeId> for Pose {
    fn index_mut(&mut self, id: NodeId) -> &mut NodePose {
        &mut self.nodes[id.index()]
    }
}

/// The transforms of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodePose {
    /// `true` if the node and all its ancestors are visible. The transforms are valid even if this
    /// is `false`.
    pub is_visible: bool,
    /// The transform relative to the parent.
    pub local: Transform,
    /// The transform in world space. If a non-uniform scale meets a rotation, the translation is
    /// exact, but the shear of the node itself is not represented.
    pub world: Transform,
}
