//! Blocks that the player placed and broke, over time.

use std::{collections::BTreeMap, sync::Arc};

use glam::IVec3;

/// A block that was placed or broken.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockChange {
    /// The frame in which it happens.
    pub frame: u32,
    /// Where, in blocks: the corner with the least coordinates.
    pub place: IVec3,
    /// The block before: `minecraft:oak_log[axis=y]`, or `#836` where the file has only a number.
    pub previous: Arc<str>,
    /// The block from then on; `minecraft:air` if it was broken.
    pub block: Arc<str>,
}

/// The cracks in a block change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crack {
    /// The frame in which they do.
    pub frame: u32,
    /// Where.
    pub place: IVec3,
    /// From 0 to 9; nothing if they are gone.
    pub progress: Option<u8>,
}

/// The blocks that the player placed and broke, over time. What else changed in the world, by an
/// explosion for example, is not recorded.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    changes: Vec<BlockChange>,
    cracks: Vec<Crack>,
    /// For each place, the indices of its changes, ascending.
    by_place: BTreeMap<[i32; 3], Vec<u32>>,
}

/// The block of empty places.
pub(in super::super) const AIR: &str = "minecraft:air";

impl Blocks {
    /// Every change, in the order of time.
    pub fn changes(&self) -> &[BlockChange] {
        &self.changes
    }

    /// Every change of cracks, in the order of time.
    pub fn cracks(&self) -> &[Crack] {
        &self.cracks
    }

    /// Every place at which anything changes, each once.
    pub fn places(&self) -> impl ExactSizeIterator<Item = IVec3> + '_ {
        self.by_place.keys().map(|&place| IVec3::from_array(place))
    }

    /// The block at a place in a frame: before its first change, the one that this replaces. `None`
    /// for places at which nothing changes, whose blocks are unknown.
    pub fn at(&self, place: IVec3, frame: u32) -> Option<&str> {
        self.since(place, frame).map(|(block, _)| block)
    }

    /// The same, and the frame since which it is there; nothing if it was there before.
    pub(in super::super) fn since(&self, place: IVec3, frame: u32) -> Option<(&str, Option<u32>)> {
        let changes = self.by_place.get(&place.to_array())?;
        let change = |index: u32| &self.changes[index as usize];
        let passed = changes.partition_point(|&index| change(index).frame <= frame);
        Some(match passed.checked_sub(1).map(|last| change(changes[last])) {
            Some(last) => (&*last.block, Some(last.frame)),
            None => (&*change(changes[0]).previous, None),
        })
    }

    /// The cracks that are open in a frame. They end by an action, when their block changes, and
    /// after a while without an action.
    pub fn open_cracks(&self, frame: u32) -> Vec<Crack> {
        /// The game forgets cracks after this many ticks.
        const FORGOTTEN: u32 = 400;
        let mut open: BTreeMap<[i32; 3], Crack> = BTreeMap::new();
        let passed = self.cracks.partition_point(|crack| crack.frame <= frame);
        let fresh = self.cracks.partition_point(|crack| crack.frame + FORGOTTEN < frame);
        for crack in &self.cracks[fresh..passed] {
            open.insert(crack.place.to_array(), *crack);
        }
        let is_open = |crack: &Crack| {
            let changed = self.by_place.get(&crack.place.to_array()).is_some_and(|changes| {
                changes.iter().any(|&index| {
                    (crack.frame..=frame).contains(&self.changes[index as usize].frame)
                })
            });
            crack.progress.is_some() && !changed
        };
        open.into_values().filter(is_open).collect()
    }

    pub(in super::super) fn change(&mut self, change: BlockChange) {
        let indices = self.by_place.entry(change.place.to_array()).or_default();
        indices.push(self.changes.len() as u32);
        self.changes.push(change);
    }

    pub(in super::super) fn crack(&mut self, crack: Crack) {
        self.cracks.push(crack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_correct_forwards_and_backwards() {
        let mut blocks = Blocks::default();
        let place = IVec3::new(1, -2, 3);
        let change = |frame, previous: &str, block: &str| BlockChange {
            frame,
            place,
            previous: previous.into(),
            block: block.into(),
        };
        blocks.change(change(4, "stone", AIR));
        blocks.change(change(9, AIR, "oak"));
        let at = |frame| blocks.at(place, frame).unwrap();
        assert_eq!([9, 8, 4, 3, 0].map(at), ["oak", AIR, AIR, "stone", "stone"]);
        assert_eq!(blocks.at(IVec3::ZERO, 0), None);
        assert_eq!(blocks.places().len(), 1);
    }

    #[test]
    fn cracks_end_with_their_block() {
        let mut blocks = Blocks::default();
        let [a, b] = [IVec3::X, IVec3::Y];
        let crack = |frame, place, progress| Crack { frame, place, progress };
        blocks.crack(crack(1, a, Some(3)));
        blocks.crack(crack(2, b, Some(5)));
        blocks.crack(crack(3, b, None));
        let (previous, block) = ("stone".into(), AIR.into());
        blocks.change(BlockChange { frame: 4, place: a, previous, block });
        let open = |frame| blocks.open_cracks(frame).iter().map(|c| c.place).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3, 4].map(open), [vec![], vec![a], vec![b, a], vec![a], vec![]]);
    }
}
