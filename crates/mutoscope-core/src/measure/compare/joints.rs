//! Matches the joints of two recordings by name.

use crate::{
    clip::{Clip, NodeId},
    skeleton_file::names::{self, NamedNode},
};

/// A joint of one recording and its match in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPair {
    /// The joint of the first recording.
    pub first: NodeId,
    /// The joint of the second recording.
    pub second: NodeId,
}

/// Returns the joints that both recordings have, in the order of the first recording. Names match
/// exactly or else, by the rules that also attach skeletons: without case, without namespaces and
/// paths, by letters and digits only, and without the numbers that importers add.
pub fn pair_joints(first: &Clip, second: &Clip) -> Vec<JointPair> {
    let [first_names, second_names] = [first, second].map(|clip| {
        let named = clip
            .nodes
            .iter()
            .map(|node| NamedNode { name: &node.name, parent: node.parent.map(NodeId::index) });
        named.collect::<Vec<_>>()
    });
    let pairs = names::match_nodes(&first_names, &second_names).into_iter().enumerate();
    pairs
        .filter_map(|(first, second)| {
            Some(JointPair { first: NodeId::new(first), second: NodeId::new(second?) })
        })
        .collect()
}
