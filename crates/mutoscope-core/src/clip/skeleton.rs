//! Rest poses, and how they are known.

use std::sync::Arc;

use glam::DVec3;

use super::{Clip, Model, NodeId};

/// The origin of the rest pose of a clip's nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Skeleton {
    /// From the recording itself.
    #[default]
    Own,
    /// From the recording itself, which also has the meshes that its nodes carry: in the order of its
    /// own nodes.
    WithModel(Arc<Model>),
    /// The recording has no offsets for these nodes: it only rotates them.
    Unplaced(Box<[Offset]>),
    /// From another file.
    Attached(Box<Attached>),
}

impl Skeleton {
    /// The placeholder offsets; none if the skeleton is known.
    pub fn placeholders(&self) -> &[Offset] {
        match self {
            Self::Unplaced(offsets) => offsets,
            Self::Own | Self::WithModel(_) | Self::Attached(_) => &[],
        }
    }

    /// The skeleton from another file, if there is one.
    pub fn attached(&self) -> Option<&Attached> {
        match self {
            Self::Attached(attached) => Some(attached),
            Self::Own | Self::WithModel(_) | Self::Unplaced(_) => None,
        }
    }
}

impl Clip {
    /// The meshes that its nodes carry, if there are any: of the recording itself, or of the skeleton
    /// from another file. They count the clip's nodes from the first on.
    pub fn model(&self) -> Option<&Arc<Model>> {
        let model = match &self.skeleton {
            Skeleton::Own | Skeleton::Unplaced(_) => return None,
            Skeleton::WithModel(model) => model,
            Skeleton::Attached(attached) => &attached.model,
        };
        Some(model).filter(|model| !model.is_empty())
    }

    /// How many of its nodes, from the first on, are those of the [model](Self::model); 0 without one.
    pub fn model_node_count(&self) -> usize {
        match (&self.skeleton, self.model()) {
            (_, None) => 0,
            (Skeleton::Attached(attached), _) => attached.matched.len() + attached.resting.len(),
            _ => self.nodes.len(),
        }
    }

    /// The same with placeholder offsets applied, for drawing. Without any, it is unchanged.
    #[must_use]
    pub fn with_placeholder_offsets(mut self) -> Self {
        let Skeleton::Unplaced(offsets) = &self.skeleton else { return self };
        for &Offset { node, translation } in offsets {
            self.nodes.set_rest_translation(node, translation);
        }
        self
    }
}

/// A placeholder offset, so that something is visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset {
    /// The node.
    pub node: NodeId,
    /// From its parent, or from the origin, in source space.
    pub translation: DVec3,
}

/// How a skeleton from another file fits the recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attached {
    /// Its name for the user: that of its file.
    pub name: String,
    /// Its meshes. Its nodes are the first of the clip's, in the same order.
    pub model: Arc<Model>,
    /// The nodes that are in both.
    pub matched: Box<[Matched]>,
    /// The nodes of the recording that the skeleton does not have, in the order of the recording.
    pub missing: Box<[NodeId]>,
    /// The nodes of the skeleton that the recording does not have, in the order of the skeleton.
    pub resting: Box<[NodeId]>,
}

/// A node that is in the recording and in the skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The node, which has the recording's name for it.
    pub node: NodeId,
    /// The skeleton's name for it.
    pub name_in_skeleton: String,
}
