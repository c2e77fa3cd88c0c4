//! The nodes of a clip, in their order: the player, the parts of the body, the entities.

use super::figure::Part;
use crate::clip::NodeId;

/// The player.
pub(super) const PLAYER: NodeId = NodeId::new(0);

/// A part of the player's body.
pub(super) fn part(part: Part) -> NodeId {
    NodeId::new(1 + part as usize)
}

/// The entity at this position among those of the recording.
pub(super) fn entity(index: usize) -> NodeId {
    NodeId::new(1 + Part::ALL.len() + index)
}
