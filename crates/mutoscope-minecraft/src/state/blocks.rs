//! The blocks that the player places and breaks, over time.

use std::{collections::BTreeMap, sync::Arc};

use glam::IVec3;

/// A change of a block that the player places or breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockChange {
    /// The frame of the change.
    pub frame: u32,
    /// The position in blocks, which is the corner with the lowest coordinates.
    pub position: IVec3,
    /// The block before the change: `minecraft:oak_log[axis=y]`, or `#836` if the file has only a
    /// numeric id.
    pub previous: Arc<str>,
    /// The block after the change. `minecraft:air` if the block was broken.
    pub block: Arc<str>,
}

/// A change of the cracks in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crack {
    /// The frame of the change.
    pub frame: u32,
    /// The position of the block.
    pub position: IVec3,
    /// The stage of the cracks, from 0 to 9. `None` removes them.
    pub progress: Option<u8>,
}

/// The blocks that the player places and breaks, over time. Other changes of the world, such as
/// explosions, are not recorded.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    changes: Vec<BlockChange>,
    cracks: Vec<Crack>,
    /// For each position, the ascending indices of its changes.
    by_position: BTreeMap<[i32; 3], Vec<u32>>,
}

pub(in super::super) const AIR: &str = "minecraft:air";

impl Blocks {
    /// Returns all block changes in the order of time.
    pub fn changes(&self) -> &[BlockChange] {
        &self.changes
    }

    /// Returns all changes of cracks in the order of time.
    pub fn cracks(&self) -> &[Crack] {
        &self.cracks
    }

    /// Returns the positions at which blocks change. Each position is returned once.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = IVec3> + '_ {
        self.by_position.keys().map(|&position| IVec3::from_array(position))
    }

    /// Returns the block at a position in a frame. In frames before the first change at the
    /// position, this is the block that the first change replaces. Returns `None` if the recording
    /// has no change at the position.
    pub fn block_at(&self, position: IVec3, frame: u32) -> Option<&str> {
        self.block_and_change(position, frame).map(|(block, _)| block)
    }

    /// Returns the block and the frame of the change that placed it. The frame is `None` if the
    /// block was there before the first change.
    pub(in super::super) fn block_and_change(
        &self,
        position: IVec3,
        frame: u32,
    ) -> Option<(&str, Option<u32>)> {
        let changes = self.by_position.get(&position.to_array())?;
        let change = |index: u32| &self.changes[index as usize];
        let passed = changes.partition_point(|&index| change(index).frame <= frame);
        Some(match passed.checked_sub(1).map(|last| change(changes[last])) {
            Some(last) => (&*last.block, Some(last.frame)),
            None => (&*change(changes[0]).previous, None),
        })
    }

    /// Returns the cracks that are visible in a frame. Cracks disappear when an action removes
    /// them, when their block changes, or after 400 ticks.
    pub fn open_cracks(&self, frame: u32) -> Vec<Crack> {
        /// The number of ticks after which the game removes cracks.
        const MAX_CRACK_TICKS: u32 = 400;
        let mut open: BTreeMap<[i32; 3], Crack> = BTreeMap::new();
        let passed = self.cracks.partition_point(|crack| crack.frame <= frame);
        let fresh = self.cracks.partition_point(|crack| crack.frame + MAX_CRACK_TICKS < frame);
        for crack in &self.cracks[fresh..passed] {
            open.insert(crack.position.to_array(), *crack);
        }
        let is_open = |crack: &Crack| {
            let changed = self.by_position.get(&crack.position.to_array()).is_some_and(|changes| {
                changes.iter().any(|&index| {
                    (crack.frame..=frame).contains(&self.changes[index as usize].frame)
                })
            });
            crack.progress.is_some() && !changed
        };
        open.into_values().filter(is_open).collect()
    }

    pub(in super::super) fn add_change(&mut self, change: BlockChange) {
        let indices = self.by_position.entry(change.position.to_array()).or_default();
        indices.push(self.changes.len() as u32);
        self.changes.push(change);
    }

    pub(in super::super) fn add_crack(&mut self, crack: Crack) {
        self.cracks.push(crack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_correct_forwards_and_backwards() {
        let mut blocks = Blocks::default();
        let position = IVec3::new(1, -2, 3);
        let change = |frame, previous: &str, block: &str| BlockChange {
            frame,
            position,
            previous: previous.into(),
            block: block.into(),
        };
        blocks.add_change(change(4, "stone", AIR));
        blocks.add_change(change(9, AIR, "oak"));
        let at = |frame| blocks.block_at(position, frame).unwrap();
        assert_eq!([9, 8, 4, 3, 0].map(at), ["oak", AIR, AIR, "stone", "stone"]);
        assert_eq!(blocks.block_at(IVec3::ZERO, 0), None);
        assert_eq!(blocks.positions().len(), 1);
    }

    #[test]
    fn cracks_end_with_their_block() {
        let mut blocks = Blocks::default();
        let [a, b] = [IVec3::X, IVec3::Y];
        let crack = |frame, position, progress| Crack { frame, position, progress };
        blocks.add_crack(crack(1, a, Some(3)));
        blocks.add_crack(crack(2, b, Some(5)));
        blocks.add_crack(crack(3, b, None));
        let (previous, block) = ("stone".into(), AIR.into());
        blocks.add_change(BlockChange { frame: 4, position: a, previous, block });
        let open = |frame| blocks.open_cracks(frame).iter().map(|c| c.position).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3, 4].map(open), [vec![], vec![a], vec![b, a], vec![a], vec![]]);
    }
}
