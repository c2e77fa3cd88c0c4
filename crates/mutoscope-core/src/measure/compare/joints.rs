//! Matches the joints of two recordings by name, or as bones of a body.

use std::collections::HashSet;

use crate::{
    clip::{Clip, NodeId},
    retarget::find_bodies,
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
/// paths, by letters and digits only, and without the numbers that importers add. The other joints of
/// the first body in each recording match if they are the same bone, as in retargeting.
pub fn pair_joints(first: &Clip, second: &Clip) -> Vec<JointPair> {
    let [first_names, second_names] = [first, second].map(|clip| {
        let named = clip
            .nodes
            .iter()
            .map(|node| NamedNode { name: &node.name, parent: node.parent.map(NodeId::index) });
        named.collect::<Vec<_>>()
    });
    let by_name = names::match_nodes(&first_names, &second_names).into_iter().enumerate();
    let by_name = by_name.filter_map(|(first, second)| {
        Some(JointPair { first: NodeId::new(first), second: NodeId::new(second?) })
    });
    let mut pairs: Vec<JointPair> = by_name.collect();
    let used: [HashSet<NodeId>; 2] = [
        pairs.iter().map(|pair| pair.first).collect(),
        pairs.iter().map(|pair| pair.second).collect(),
    ];
    if let ([body, ..], [other, ..]) = (&find_bodies(first)[..], &find_bodies(second)[..]) {
        let by_bone = body
            .iter()
            .filter_map(|(bone, first)| Some(JointPair { first, second: other.get(bone)? }));
        let is_free =
            |pair: &JointPair| !used[0].contains(&pair.first) && !used[1].contains(&pair.second);
        pairs.extend(by_bone.filter(is_free));
        pairs.sort_by_key(|pair| pair.first.index());
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    #[test]
    fn bodies_with_other_names_match_by_their_bones() {
        let data =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/characters/cmu_names.bvh");
        let cmu = decode(&std::fs::read(data).unwrap()[..], &ReadOptions::default()).unwrap();
        let walk = include_bytes!("../../../../../assets/bvh/walk.bvh");
        let walk = decode(&walk[..], &ReadOptions::default()).unwrap();
        let names = |pair: &JointPair| {
            (cmu.nodes[pair.first].name.clone(), walk.nodes[pair.second].name.clone())
        };
        let pairs: Vec<_> = pair_joints(&cmu, &walk).iter().map(names).collect();
        let has =
            |first: &str, second: &str| pairs.contains(&(first.to_owned(), second.to_owned()));
        assert!(
            has("LeftUpLeg", "LeftUpperLeg") && has("RightForeArm", "RightLowerArm"),
            "{pairs:?}"
        );
        let seconds: HashSet<_> = pairs.iter().map(|(_, second)| second).collect();
        assert_eq!(seconds.len(), pairs.len(), "each joint is in at most one pair");
    }
}
