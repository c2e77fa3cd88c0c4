//! Skeletons: the origin of a clip's rest pose.

use std::sync::Arc;

use glam::DVec3;

use super::{Clip, Model, NodeId};

/// The origin of the rest pose of a clip's nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Skeleton {
    /// The rest pose comes from the recording.
    #[default]
    Own,
    /// The rest pose comes from the recording, which also contains meshes. The model refers to
    /// nodes by their index in the clip.
    WithModel(Arc<Model>),
    /// The rest pose consists of placeholder offsets, because the recording only rotates these
    /// nodes and does not store their positions.
    WithoutOffsets(Box<[PlaceholderOffset]>),
    /// The rest pose comes from another file.
    Attached(Box<AttachedSkeleton>),
}

impl Skeleton {
    /// Returns the placeholder offsets. Empty if the skeleton is known.
    pub fn placeholder_offsets(&self) -> &[PlaceholderOffset] {
        match self {
            Self::WithoutOffsets(offsets) => offsets,
            Self::Own | Self::WithModel(_) | Self::Attached(_) => &[],
        }
    }

    /// Returns the skeleton from another file, if any.
    pub fn attached(&self) -> Option<&AttachedSkeleton> {
        match self {
            Self::Attached(attached) => Some(attached),
            Self::Own | Self::WithModel(_) | Self::WithoutOffsets(_) => None,
        }
    }
}

impl Clip {
    /// Returns the meshes of the recording, or of the skeleton from another file. `None` if there
    /// are none.
    ///
    /// Their node indices are those of the clip's nodes.
    pub fn model(&self) -> Option<&Arc<Model>> {
        let model = match &self.skeleton {
            Skeleton::Own | Skeleton::WithoutOffsets(_) => return None,
            Skeleton::WithModel(model) => model,
            Skeleton::Attached(attached) => &attached.model,
        };
        Some(model).filter(|model| !model.is_empty())
    }

    /// Returns the number of nodes that belong to the [model](Self::model); 0 without a model. They
    /// are the first nodes of the clip.
    pub fn model_node_count(&self) -> usize {
        match (&self.skeleton, self.model()) {
            (_, None) => 0,
            (Skeleton::Attached(attached), _) => attached.matched.len() + attached.resting.len(),
            _ => self.nodes.len(),
        }
    }

    /// Applies the placeholder offsets to the rest pose, so that the nodes can be drawn.
    #[must_use]
    pub fn with_placeholder_offsets(mut self) -> Self {
        let Skeleton::WithoutOffsets(offsets) = &self.skeleton else { return self };
        for &PlaceholderOffset { node, translation } in offsets {
            self.nodes.set_rest_translation(node, translation);
        }
        self
    }
}

/// A placeholder for the unknown offset of a node. Without a placeholder, the node would be drawn
/// at the position of its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceholderOffset {
    /// The node.
    pub node: NodeId,
    /// The translation from the parent or, for a root, from the origin, in source space.
    pub translation: DVec3,
}

/// A skeleton from another file, and how it matches the recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachedSkeleton {
    /// The name for the user: the name of the skeleton's file.
    pub name: String,
    /// The meshes. Their node indices are valid for the clip too, because the nodes of the skeleton
    /// come first in the clip, in the same order.
    pub model: Arc<Model>,
    /// The nodes that both the recording and the skeleton have.
    pub matched: Box<[MatchedNode]>,
    /// The nodes of the recording that the skeleton lacks, in the order of the recording.
    pub missing: Box<[NodeId]>,
    /// The nodes of the skeleton that the recording lacks, in the order of the skeleton.
    pub resting: Box<[NodeId]>,
}

/// A node that both the recording and the skeleton have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchedNode {
    /// The node. It has the name from the recording.
    pub node: NodeId,
    /// The name in the skeleton.
    pub name_in_skeleton: String,
}
