//! Where nodes stand that no track moves.

use std::sync::Arc;

use glam::DVec3;

use super::{Clip, Model, NodeId};

/// Where a clip's nodes stand relative to their parents while no track moves them, and how that is
/// known.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Skeleton {
    /// From the recording itself.
    #[default]
    Own,
    /// The recording does not say it of these nodes: it turns them and no more.
    Unplaced(Box<[Offset]>),
    /// From another file.
    Attached(Box<Attached>),
}

impl Skeleton {
    /// The offsets that are made up; none if the skeleton is known.
    pub fn made_up(&self) -> &[Offset] {
        match self {
            Self::Unplaced(offsets) => offsets,
            Self::Own | Self::Attached(_) => &[],
        }
    }

    /// The skeleton from another file, if there is one.
    pub fn attached(&self) -> Option<&Attached> {
        match self {
            Self::Attached(attached) => Some(attached),
            Self::Own | Self::Unplaced(_) => None,
        }
    }
}

impl Clip {
    /// The same with the offsets that are made up put to use: for drawing. Without any, it is as it
    /// was.
    #[must_use]
    pub fn with_made_up_offsets(mut self) -> Self {
        let Skeleton::Unplaced(offsets) = &self.skeleton else { return self };
        for &Offset { node, translation } in offsets {
            self.nodes.set_rest_translation(node, translation);
        }
        self
    }
}

/// Where a node could stand, so that there is something to see.
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
    /// What its user calls it: the name of its file.
    pub name: String,
    /// What it wears. Its nodes are the first of the clip's, in the same order.
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
