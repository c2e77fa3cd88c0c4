//! The order of a recording's nodes: the player, the parts of the body, then the entities. In a
//! scene, the nodes of one recording follow those of the previous one.

use super::figure::Part;
use mutoscope_core::clip::NodeId;

pub(super) const PLAYER: NodeId = NodeId::new(0);

pub(super) fn part_node(part: Part) -> NodeId {
    NodeId::new(1 + part as usize)
}

pub(super) fn entity_node(index: usize) -> NodeId {
    NodeId::new(1 + Part::ALL.len() + index)
}

pub(super) fn node_count(entities: usize) -> usize {
    1 + Part::ALL.len() + entities
}
