//! Blocks that the player clicked: recordings have the click, and the game does the rest.

use std::borrow::Cow;

use glam::IVec3;

use super::{Recording, Use, shapes::toggled};

impl Recording {
    /// The block at a place in a frame, as [`Blocks::at`](super::Blocks::at), with doors and levers as the
    /// player's clicks left them: their state is not recorded, and assumed.
    pub fn block_at(&self, place: IVec3, frame: u32) -> Option<Cow<'_, str>> {
        let (block, since) = self.blocks.since(place, frame)?;
        // Both halves of a door move.
        let half = match block {
            _ if !block.contains("_door[") => IVec3::ZERO,
            block if block.contains("half=upper") => IVec3::NEG_Y,
            _ => IVec3::Y,
        };
        let is_it = |click: &Use| [place, place.wrapping_add(half)].contains(&click.place);
        let from = since.map_or(0, |since| self.uses.partition_point(|(at, _)| *at <= since));
        let to = self.uses.partition_point(|(at, _)| *at <= frame).max(from);
        let clicks = || self.uses[from..to].iter().filter(|(_, click)| is_it(click)).count();
        Some(toggled(block, clicks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockChange;

    #[test]
    fn clicked_doors_open_with_both_halves() {
        let mut recording = Recording::at_rest();
        let lower = IVec3::new(1, 64, 1);
        for (half, place) in [("lower", lower), ("upper", lower + IVec3::Y)] {
            recording.blocks.change(BlockChange {
                frame: 5,
                place,
                previous: "minecraft:air".into(),
                block: format!("minecraft:oak_door[half={half},open=false]").into(),
            });
        }
        let click = |place: IVec3| Use {
            position: place.as_dvec3(),
            place,
            side: 2,
            inside: false,
            off_hand: false,
        };
        // The first click is what placed it.
        recording.uses = vec![
            (5, click(lower)),
            (8, click(lower + IVec3::Y)),
            (9, click(IVec3::ZERO)),
            (12, click(lower)),
        ];
        let is_open = |place: IVec3, frame: u32| {
            recording.block_at(place, frame).unwrap().contains("open=true")
        };
        for place in [lower, lower + IVec3::Y] {
            assert_eq!(
                [4, 5, 7, 8, 11, 12, 20].map(|frame| is_open(place, frame)),
                [false, false, false, true, true, false, false]
            );
        }
        assert_eq!(recording.block_at(IVec3::ZERO, 9), None);
    }
}
