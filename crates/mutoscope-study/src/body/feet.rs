//! The joints that are feet.

use mutoscope_core::{
    clip::{Clip, NodeId, NodeKind, Side},
    rig::side_of_name,
};

/// The words in the names of joints that are feet, and of those that stand in for them.
const FEET: [&str; 2] = ["foot", "ankle"];
const TOES: [&str; 1] = ["toe"];

/// The left and the right foot among `joints`: those named so, or else the first of each side that is called a foot or
/// an ankle, or a toe.
pub(super) fn feet(clip: &Clip, joints: &[NodeId], named: &[String]) -> [Option<NodeId>; 2] {
    [Side::Left, Side::Right].map(|side| {
        let is_of_side = |id: &&NodeId| {
            let node = &clip.nodes[**id];
            node.kind != NodeKind::Tip
                && node.side.or_else(|| side_of_name(&node.name)) == Some(side)
        };
        let of_side = || joints.iter().filter(is_of_side);
        if !named.is_empty() {
            return of_side().find(|id| named.contains(&clip.nodes[**id].name)).copied();
        }
        let is_called = |id: &NodeId, words: &[&str]| {
            let name = clip.nodes[*id].name.to_lowercase();
            words.iter().any(|word| name.contains(word))
        };
        let first = |words: &[&str]| of_side().find(|id| is_called(id, words)).copied();
        first(&FEET).or_else(|| first(&TOES))
    })
}
