//! Derives the state of blocks that the player clicked. A recording stores the click, but not the
//! change of the door or lever.

use std::borrow::Cow;

use glam::IVec3;

use super::{Recording, Use, shapes::block_after_clicks};

impl Recording {
    /// Returns the block at a position in a frame, as [`Blocks::block_at`](super::Blocks::block_at)
    /// does, but applies the player's clicks to doors and levers. The recording contains the
    /// clicks, but not the resulting states.
    pub fn block_at(&self, position: IVec3, frame: u32) -> Option<Cow<'_, str>> {
        let (block, since) = self.blocks.block_and_change(position, frame)?;
        // Include clicks on the other half of a door, because a click on one half moves both
        // halves.
        let other_half = match block {
            _ if !block.contains("_door[") => IVec3::ZERO,
            block if block.contains("half=upper") => IVec3::NEG_Y,
            _ => IVec3::Y,
        };
        let hits_block = |click: &Use| {
            [position, position.wrapping_add(other_half)].contains(&click.block_position)
        };
        let from = since.map_or(0, |since| self.uses.partition_point(|(used, _)| *used <= since));
        let to = self.uses.partition_point(|(used, _)| *used <= frame).max(from);
        let count_clicks =
            || self.uses[from..to].iter().filter(|(_, click)| hits_block(click)).count();
        Some(block_after_clicks(block, count_clicks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockChange;

    #[test]
    fn clicked_doors_open_with_both_halves() {
        let mut recording = Recording::standing_still();
        let lower = IVec3::new(1, 64, 1);
        for (half, position) in [("lower", lower), ("upper", lower + IVec3::Y)] {
            recording.blocks.add_change(BlockChange {
                frame: 5,
                position,
                previous: "minecraft:air".into(),
                block: format!("minecraft:oak_door[half={half},open=false]").into(),
            });
        }
        let click = |position: IVec3| Use {
            hit_position: position.as_dvec3(),
            block_position: position,
            side: 2,
            is_head_inside: false,
            off_hand: false,
        };
        // The click in frame 5 placed the door, so it must not toggle the door.
        recording.uses = vec![
            (5, click(lower)),
            (8, click(lower + IVec3::Y)),
            (9, click(IVec3::ZERO)),
            (12, click(lower)),
        ];
        let is_open = |position: IVec3, frame: u32| {
            recording.block_at(position, frame).unwrap().contains("open=true")
        };
        for position in [lower, lower + IVec3::Y] {
            assert_eq!(
                [4, 5, 7, 8, 11, 12, 20].map(|frame| is_open(position, frame)),
                [false, false, false, true, true, false, false]
            );
        }
        assert_eq!(recording.block_at(IVec3::ZERO, 9), None);
    }
}
