//! Matching joints of two recordings.

use crate::{
    clip::{Clip, NodeId},
    rig::names::{self, Named},
};

/// A joint of one recording and its match in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPair {
    /// The joint of the first recording.
    pub first: NodeId,
    /// The joint of the second.
    pub second: NodeId,
}

/// The joints that both recordings have, in the order of the first: by names as they stand, in any
/// case, without namespaces and paths, by letters and digits only, and without importers' numbers,
/// as skeletons are attached.
pub fn pair_joints(first: &Clip, second: &Clip) -> Vec<JointPair> {
    let [one, other] = [first, second].map(|clip| {
        let named = clip
            .nodes
            .iter()
            .map(|node| Named { name: &node.name, parent: node.parent.map(NodeId::index) });
        named.collect::<Vec<_>>()
    });
    let pairs = names::pair(&one, &other).into_iter().enumerate();
    pairs
        .filter_map(|(first, second)| {
            Some(JointPair { first: NodeId::new(first), second: NodeId::new(second?) })
        })
        .collect()
}
