//! Matched joints of two recordings: by name, and as the user chose.

use std::sync::Arc;

use super::{JointPair, pair_joints};
use crate::clip::{Clip, NodeId};

/// The matched joints of two recordings.
#[derive(Clone, Debug, Default)]
pub struct JointMatching {
    pairs: Arc<[JointPair]>,
    chosen: Vec<Chosen>,
}

/// A pair that the user chose, and the names its joints had then: in a clip that was reloaded, they
/// may have other indices.
#[derive(Clone, Debug, PartialEq)]
struct Chosen {
    pair: JointPair,
    names: [String; 2],
}

impl Chosen {
    fn is_of(&self, first: &Clip, second: &Clip) -> bool {
        let is_called = |clip: &Clip, id: NodeId, name: &str| {
            clip.nodes.get(id.index()).is_some_and(|node| node.name == name)
        };
        let [one, other] = &self.names;
        is_called(first, self.pair.first, one) && is_called(second, self.pair.second, other)
    }
}

impl JointMatching {
    /// Matches joints by name.
    pub fn by_name(first: &Clip, second: &Clip) -> Self {
        Self { pairs: pair_joints(first, second).into(), chosen: Vec::new() }
    }

    /// The matched joints, in the order of the first recording; each joint is in one pair.
    pub fn pairs(&self) -> &Arc<[JointPair]> {
        &self.pairs
    }

    /// The joint of the second recording that `first` is matched with.
    pub fn matched(&self, first: NodeId) -> Option<NodeId> {
        self.pairs.iter().find(|pair| pair.first == first).map(|pair| pair.second)
    }

    /// Whether the user chose the match of `first`.
    pub fn is_chosen(&self, first: NodeId) -> bool {
        self.chosen.iter().any(|chosen| chosen.pair.first == first)
    }

    /// Matches `first` with `second`, or by its name again. Nothing changes for joints that the clips
    /// do not have.
    pub fn choose(&mut self, clips: [&Clip; 2], first: NodeId, second: Option<NodeId>) {
        let name = |clip: &Clip, id: NodeId| Some(clip.nodes.get(id.index())?.name.clone());
        let Some(one) = name(clips[0], first) else { return };
        self.chosen.retain(|chosen| chosen.pair.first != first);
        if let Some(second) = second
            && let Some(other) = name(clips[1], second)
        {
            self.chosen.push(Chosen { pair: JointPair { first, second }, names: [one, other] });
        }
        self.rematch(clips);
    }

    /// Matches the joints of other clips: by name, and those that were chosen where both have them
    /// still. Returns whether the pairs changed.
    pub fn rematch(&mut self, [first, second]: [&Clip; 2]) -> bool {
        let chosen = self.chosen.iter().filter(|chosen| chosen.is_of(first, second));
        let chosen: Vec<JointPair> = chosen.map(|chosen| chosen.pair).collect();
        let is_free = |pair: &JointPair| {
            chosen.iter().all(|one| one.first != pair.first && one.second != pair.second)
        };
        let mut pairs = pair_joints(first, second);
        pairs.retain(is_free);
        pairs.extend(chosen);
        pairs.sort_by_key(|pair| pair.first.index());
        let differ = *self.pairs != *pairs;
        if differ {
            self.pairs = pairs.into();
        }
        differ
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    fn take() -> Clip {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        formats::decode(bytes, &formats::DecodeRequest::default()).unwrap()
    }

    #[test]
    fn joints_match_by_name_unless_chosen() {
        let clip = take();
        let node = |name: &str| {
            let found = clip.nodes.with_ids().find(|(_, node)| node.name == name);
            found.unwrap().0
        };
        let [left, right] = ["left/Wrist", "right/Wrist"].map(node);
        let mut matching = JointMatching::by_name(&clip, &clip);
        let count = matching.pairs().len();
        assert_eq!(matching.matched(left), Some(left));
        matching.choose([&clip, &clip], left, Some(right));
        assert_eq!(matching.matched(left), Some(right));
        assert_eq!(matching.matched(right), None, "its match belongs to another pair");
        assert_eq!(matching.pairs().len(), count - 1);
        assert!(matching.is_chosen(left));
        assert!(!matching.rematch([&clip, &take()]), "the choice survives a reload");
        matching.choose([&clip, &clip], left, None);
        assert_eq!(matching.pairs().len(), count);
    }
}
