//! The nodes of a recording on its own, in their order: the player, the parts of the body, the
//! entities. In a scene, those of one recording come after those of another.

use super::figure::Part;
use mutoscope_core::clip::NodeId;

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

/// How many there are with this many entities.
pub(super) fn count(entities: usize) -> usize {
    1 + Part::ALL.len() + entities
}
