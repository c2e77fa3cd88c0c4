//! Finds the joints that are feet.

use mutoscope_core::{
    clip::{Clip, Node, NodeId, NodeKind, Side},
    skeleton_file::side_from_name,
};

const FOOT_WORDS: [&str; 2] = ["foot", "ankle"];
const TOE_WORDS: [&str; 1] = ["toe"];

/// Finds the left and the right foot among `joints`.
///
/// If `named` is not empty, a foot is the first joint on its side whose name is in `named`.
/// Otherwise the foot is the first joint on its side whose name contains "foot" or "ankle". If
/// there is no such joint, a name with "toe" is accepted.
pub(crate) fn find_feet(clip: &Clip, joints: &[NodeId], named: &[String]) -> [Option<NodeId>; 2] {
    [Side::Left, Side::Right].map(|side| {
        let is_on_side = |id: &&NodeId| side_of_foot(&clip.nodes[**id]) == Some(side);
        let side_joints = || joints.iter().filter(is_on_side);
        if !named.is_empty() {
            return side_joints().find(|id| named.contains(&clip.nodes[**id].name)).copied();
        }
        let name_contains = |id: &NodeId, words: &[&str]| {
            let name = clip.nodes[*id].name.to_lowercase();
            words.iter().any(|word| name.contains(word))
        };
        let first = |words: &[&str]| side_joints().find(|id| name_contains(id, words)).copied();
        first(&FOOT_WORDS).or_else(|| first(&TOE_WORDS))
    })
}

/// Returns a message for each of the names in `named` that [`find_feet`] cannot use.
pub(super) fn describe_unused_names(
    clip: &Clip,
    joints: &[NodeId],
    named: &[String],
) -> Vec<String> {
    let describe = |name: &String| {
        let mut same_name =
            joints.iter().map(|id| &clip.nodes[*id]).filter(|node| node.name == *name).peekable();
        if same_name.peek().is_none() {
            return Some(format!("no joint of the body is called {name:?}, as --foot requires"));
        }
        let is_on_neither = same_name.all(|node| side_of_foot(node).is_none());
        is_on_neither.then(|| {
            format!("the joint {name:?} is no foot: it ends a chain, or its name says neither left nor right")
        })
    };
    named.iter().filter_map(describe).collect()
}

fn side_of_foot(node: &Node) -> Option<Side> {
    let side = node.side.or_else(|| side_from_name(&node.name));
    side.filter(|_| node.kind != NodeKind::Tip)
}
