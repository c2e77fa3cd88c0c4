//! Matches the joints of two recordings by name or bone, except where the user chose a match.

use std::sync::Arc;

use super::{JointPair, pair_joints};
use crate::clip::{Clip, NodeId};

/// The matched joints of two recordings.
#[derive(Clone, Debug, Default)]
pub struct JointMatching {
    pairs: Arc<[JointPair]>,
    chosen: Vec<Chosen>,
}

/// A pair of joints that the user chose, with the names of both joints. The names tell whether a
/// reloaded clip still has the joints at these indices.
#[derive(Clone, Debug, PartialEq)]
struct Chosen {
    pair: JointPair,
    names: [String; 2],
}

impl Chosen {
    fn exists_in(&self, first: &Clip, second: &Clip) -> bool {
        let has_name = |clip: &Clip, id: NodeId, name: &str| {
            clip.nodes.get(id.index()).is_some_and(|node| node.name == name)
        };
        let [first_name, second_name] = &self.names;
        has_name(first, self.pair.first, first_name)
            && has_name(second, self.pair.second, second_name)
    }
}

impl JointMatching {
    /// Matches all joints by name.
    pub fn by_name(first: &Clip, second: &Clip) -> Self {
        Self { pairs: pair_joints(first, second).into(), chosen: Vec::new() }
    }

    /// Returns the matched joints in the order of the first recording. Each joint is in at most one
    /// pair.
    pub fn pairs(&self) -> &Arc<[JointPair]> {
        &self.pairs
    }

    /// Returns the match of `first` in the second recording, or `None` if there is none.
    pub fn matched(&self, first: NodeId) -> Option<NodeId> {
        self.pairs.iter().find(|pair| pair.first == first).map(|pair| pair.second)
    }

    /// Returns `true` if the user chose the match of `first`.
    pub fn is_chosen(&self, first: NodeId) -> bool {
        self.chosen.iter().any(|chosen| chosen.pair.first == first)
    }

    /// Matches `first` with `second`, or by name again if `second` is `None` or not in the second
    /// clip. Does nothing if `first` is not in the first clip.
    pub fn choose(&mut self, clips: [&Clip; 2], first: NodeId, second: Option<NodeId>) {
        let name = |clip: &Clip, id: NodeId| Some(clip.nodes.get(id.index())?.name.clone());
        let Some(first_name) = name(clips[0], first) else { return };
        self.chosen.retain(|chosen| chosen.pair.first != first);
        if let Some(second) = second
            && let Some(second_name) = name(clips[1], second)
        {
            self.chosen.push(Chosen {
                pair: JointPair { first, second },
                names: [first_name, second_name],
            });
        }
        self.rematch(clips);
    }

    /// Matches the joints of reloaded clips by name, except for the chosen pairs that both clips
    /// still have. Returns `true` if the pairs changed.
    pub fn rematch(&mut self, [first, second]: [&Clip; 2]) -> bool {
        let chosen = self.chosen.iter().filter(|chosen| chosen.exists_in(first, second));
        let chosen: Vec<JointPair> = chosen.map(|chosen| chosen.pair).collect();
        let is_free = |pair: &JointPair| {
            chosen.iter().all(|chosen| chosen.first != pair.first && chosen.second != pair.second)
        };
        let mut pairs = pair_joints(first, second);
        pairs.retain(is_free);
        pairs.extend(chosen);
        pairs.sort_by_key(|pair| pair.first.index());
        let changed = *self.pairs != *pairs;
        if changed {
            self.pairs = pairs.into();
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    fn two_hands() -> Clip {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        decode(bytes, &ReadOptions::default()).unwrap()
    }

    #[test]
    fn joints_match_by_name_unless_chosen() {
        let clip = two_hands();
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
        assert!(!matching.rematch([&clip, &two_hands()]), "the choice survives a reload");
        matching.choose([&clip, &clip], left, None);
        assert_eq!(matching.pairs().len(), count);
    }
}
