//! Determines how each hand holds its item, from the item's kind and use.

use crate::{Actor, Item, LivingFlags, SampleTime, Slot, snbt};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// The hand is empty.
    Empty,
    /// An item that is not in use, or that has no pose of its own.
    Item,
    /// A raised shield.
    Block,
    /// A trident that is about to be thrown.
    Spear,
    /// A drawn bow.
    Bow,
    /// A crossbow while it is being drawn.
    ChargingCrossbow {
        /// The progress of drawing the crossbow, from 0 to 1.
        charged: f64,
    },
    /// A loaded crossbow that is aimed.
    LoadedCrossbow,
    /// A spyglass at the eye.
    Spyglass,
    /// A goat horn at the mouth.
    Horn,
    /// A brush in use.
    Brush,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Holding {
    pub(super) main: Hold,
    pub(super) off: Hold,
    /// Whether the item in use is in the off hand. `None` if no item is in use.
    pub(super) uses_off_hand: Option<bool>,
}

impl Holding {
    pub(super) fn new(player: &Actor, moment: SampleTime, is_swinging: bool) -> Self {
        let (flags, since) = player.living_flags.value_and_change(moment.frame);
        let uses_item = flags & LivingFlags::USES_ITEM != 0;
        let uses_off_hand = uses_item.then_some(flags & LivingFlags::IN_OFF_HAND != 0);
        let use_ticks =
            f64::from(moment.frame - use_start_frame(player, moment.frame, since)) + moment.t;
        let hold = |slot: Slot, is_in_use: bool| match player.item(slot, moment.frame) {
            None => Hold::Empty,
            Some(item) => Hold::for_item(item, is_in_use.then_some(use_ticks), is_swinging),
        };
        let main = hold(Slot::MainHand, uses_off_hand == Some(false));
        let off = hold(Slot::OffHand, uses_off_hand == Some(true));
        let off = match off {
            Hold::Empty => Hold::Empty,
            _ if main.is_two_handed() => Hold::Item,
            off => off,
        };
        Self { main, off, uses_off_hand }
    }

    /// Returns the arms to pose as pairs of `is_right` and hold, in the order in which the game
    /// poses them. If the first hold poses both arms, the other arm is omitted.
    pub(super) fn arms_to_pose(
        &self,
        is_right_handed: bool,
    ) -> impl Iterator<Item = (bool, Hold)> + use<> {
        let main = (is_right_handed, self.main);
        let off = (!is_right_handed, self.off);
        let with_other = |leading: (bool, Hold), other: (bool, Hold)| {
            [Some(leading), (!leading.1.poses_other_arm()).then_some(other)]
        };
        let arms = match self.uses_off_hand {
            Some(true) => [Some(off), None],
            Some(false) => [Some(main), None],
            None if self.off.is_two_handed() => with_other(off, main),
            None => with_other(main, off),
        };
        arms.into_iter().flatten()
    }

    /// Returns `true` if the arm holds a spyglass to the eye. The game does not sway such an arm.
    pub(super) fn holds_spyglass(&self, is_right: bool, is_right_handed: bool) -> bool {
        let hold = if is_right == is_right_handed { self.main } else { self.off };
        hold == Hold::Spyglass
    }
}

fn use_start_frame(player: &Actor, frame: u32, since: Option<u32>) -> u32 {
    const USE: u8 = LivingFlags::USES_ITEM | LivingFlags::IN_OFF_HAND;
    let flags = &player.living_flags;
    let changes = flags.frames().partition_point(|&change| change <= frame);
    let current = flags.at_frame(frame) & USE;
    let in_use = flags.values()[..changes].iter().rev().take_while(|flags| *flags & USE == current);
    let first = changes - in_use.count();
    flags.frames()[..changes].get(first).copied().or(since).unwrap_or(0)
}

impl Hold {
    fn for_item(item: &Item, use_ticks: Option<f64>, is_swinging: bool) -> Self {
        let data = item.data.as_deref().unwrap_or_default();
        let is_crossbow = &*item.id == "minecraft:crossbow";
        if is_crossbow && !is_swinging && is_crossbow_loaded(data) {
            return Self::LoadedCrossbow;
        }
        let Some(use_ticks) = use_ticks else { return Self::Item };
        match &*item.id {
            "minecraft:shield" => Self::Block,
            "minecraft:bow" => Self::Bow,
            "minecraft:trident" => Self::Spear,
            "minecraft:crossbow" => Self::ChargingCrossbow {
                charged: crossbow_charge(use_ticks, quick_charge_level(data)),
            },
            "minecraft:spyglass" => Self::Spyglass,
            "minecraft:goat_horn" => Self::Horn,
            "minecraft:brush" => Self::Brush,
            _ => Self::Item,
        }
    }

    fn is_two_handed(self) -> bool {
        matches!(self, Self::Bow | Self::ChargingCrossbow { .. } | Self::LoadedCrossbow)
    }

    fn poses_other_arm(self) -> bool {
        self.is_two_handed() || self == Self::Spear
    }
}

fn crossbow_charge(use_ticks: f64, quick_charge: f64) -> f64 {
    const BASE_DRAW_TICKS: f64 = 25.0;
    const TICKS_SAVED_PER_LEVEL: f64 = 5.0;
    let draw_ticks = (BASE_DRAW_TICKS - TICKS_SAVED_PER_LEVEL * quick_charge).max(0.0);
    if use_ticks >= draw_ticks { 1.0 } else { (use_ticks / draw_ticks).max(0.0) }
}

/// Returns `true` if the data of a crossbow mark it as loaded. Since Minecraft 1.20.5, a component
/// lists the loaded projectiles. In older versions, the tag has a flag.
fn is_crossbow_loaded(data: &str) -> bool {
    snbt::has_non_empty_value(data, "minecraft:charged_projectiles")
        || snbt::top_level_value(data, "Charged") == Some("1b")
}

fn quick_charge_level(data: &str) -> f64 {
    let level = snbt::number_after(data, "minecraft:quick_charge");
    level.and_then(|level| level.trim_end_matches('s').parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActorTransform;

    fn item(id: &str, data: &str) -> Option<Item> {
        let data = (!data.is_empty()).then(|| data.into());
        Some(Item { id: format!("minecraft:{id}").into(), data })
    }

    const LOADED: &str = r#"{"minecraft:charged_projectiles":[{id:"minecraft:arrow"}]}"#;

    fn holding(main: Option<Item>, off: Option<Item>, flags: u8, frame: u32) -> Holding {
        let mut player = Actor::new(ActorTransform::default());
        player.items[Slot::MainHand as usize].set(0, 0, main);
        player.items[Slot::OffHand as usize].set(0, 0, off);
        player.living_flags.set(4, 0, flags);
        player.living_flags.set(9, 0, flags | LivingFlags::SPINS);
        Holding::new(&player, SampleTime { frame, t: 0.5 }, false)
    }

    #[test]
    fn used_items_have_their_hold_and_others_the_default() {
        let both = |id: &str, flags: u8| {
            let Holding { main, off, .. } = holding(item(id, ""), item(id, ""), flags, 5);
            (main, off)
        };
        for (id, hold) in [
            ("shield", Hold::Block),
            ("trident", Hold::Spear),
            ("spyglass", Hold::Spyglass),
            ("goat_horn", Hold::Horn),
            ("brush", Hold::Brush),
            ("bow", Hold::Bow),
        ] {
            assert_eq!(both(id, 0), (Hold::Item, Hold::Item), "{id}");
            assert_eq!(both(id, 1), (hold, Hold::Item), "{id}");
            assert_eq!(both(id, 3), (Hold::Item, hold), "{id}");
        }
        assert_eq!(both("apple", 1), (Hold::Item, Hold::Item));
        assert_eq!(holding(None, None, 1, 5).main, Hold::Empty);
    }

    #[test]
    fn crossbow_draw_time_and_loaded_aim() {
        let hold = |data: &str, flags: u8, frame: u32| {
            holding(item("crossbow", data), item("shield", ""), flags, frame)
        };
        let charged = |data: &str, frame: u32| match hold(data, 1, frame).main {
            Hold::ChargingCrossbow { charged } => charged,
            other => panic!("{other:?}"),
        };
        // The player starts to spin in frame 9, which must not restart the draw.
        assert_eq!([charged("", 4), charged("", 14)], [0.5 / 25.0, 10.5 / 25.0]);
        assert_eq!(charged("", 40), 1.0);
        let quick = r#"{"minecraft:enchantments":{levels:{"minecraft:quick_charge":3}}}"#;
        assert_eq!(charged(quick, 8), 4.5 / 10.0);
        let tag = r#"{Enchantments:[{id:"minecraft:quick_charge",lvl:2s}]}"#;
        assert_eq!(charged(tag, 8), 4.5 / 15.0);
        assert_eq!(hold(LOADED, 0, 5).main, Hold::LoadedCrossbow);
        assert_eq!(hold("{Charged:1b}", 0, 5).main, Hold::LoadedCrossbow);
        assert_eq!(hold("{Charged:0b}", 0, 5).main, Hold::Item);
        assert_eq!(holding(item("crossbow", LOADED), None, 0, 5).off, Hold::Empty);
    }

    #[test]
    fn arms_are_posed_in_game_order() {
        let order = |main: Hold, off: Hold, uses_off_hand: Option<bool>| {
            Holding { main, off, uses_off_hand }.arms_to_pose(true).collect::<Vec<_>>()
        };
        let (item, aims) = (Hold::Item, Hold::LoadedCrossbow);
        assert_eq!(order(item, Hold::Block, Some(true)), [(false, Hold::Block)]);
        assert_eq!(order(Hold::Block, item, Some(false)), [(true, Hold::Block)]);
        assert_eq!(order(item, item, None), [(true, item), (false, item)]);
        assert_eq!(order(aims, item, None), [(true, aims)]);
        assert_eq!(order(item, aims, None), [(false, aims)]);
    }
}
