//! How hands hold items, by kind and use.

use crate::{Actor, Item, LivingFlags, SampleTime, Slot, snbt};

/// How an arm holds its item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// Nothing.
    Empty,
    /// An item.
    Item,
    /// A shield, up.
    Block,
    /// A trident, to be thrown.
    Spear,
    /// A bow, drawn.
    Bow,
    /// A crossbow that is being drawn.
    ChargingCrossbow {
        /// How far, from 0 to 1.
        charged: f64,
    },
    /// A crossbow that is loaded, and aimed.
    LoadedCrossbow,
    /// A spyglass, at the eye.
    Spyglass,
    /// A goat horn, at the mouth.
    Horn,
    /// A brush.
    Brush,
}

/// How both hands hold their items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Holding {
    pub(super) main: Hold,
    pub(super) off: Hold,
    /// If an item is in use, whether it is that in the off hand.
    pub(super) uses_off_hand: Option<bool>,
}

impl Holding {
    /// How a player holds its items, swinging or not.
    pub(super) fn new(player: &Actor, moment: SampleTime, is_swinging: bool) -> Self {
        let (flags, since) = player.living_flags.since(moment.frame);
        let uses = flags & LivingFlags::USES_ITEM != 0;
        let uses_off_hand = uses.then_some(flags & LivingFlags::IN_OFF_HAND != 0);
        let used = f64::from(moment.frame - used_since(player, moment.frame, since)) + moment.t;
        let hold = |slot: Slot, is_used: bool| match player.item(slot, moment.frame) {
            None => Hold::Empty,
            Some(item) => Hold::of(item, is_used.then_some(used), is_swinging),
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

    /// The posed arms in order: whether it is the right one, and how it holds its item.
    pub(super) fn order(
        &self,
        is_right_handed: bool,
    ) -> impl Iterator<Item = (bool, Hold)> + use<> {
        let main = (is_right_handed, self.main);
        let off = (!is_right_handed, self.off);
        let first = |one: (bool, Hold), other: (bool, Hold)| {
            [Some(one), (!one.1.takes_other_arm()).then_some(other)]
        };
        let order = match self.uses_off_hand {
            Some(true) => [Some(off), None],
            Some(false) => [Some(main), None],
            None if self.off.is_two_handed() => first(off, main),
            None => first(main, off),
        };
        order.into_iter().flatten()
    }

    /// Whether the right arm, or the left, is held at the eye and does not sway.
    pub(super) fn is_still(&self, is_right: bool, is_right_handed: bool) -> bool {
        let hold = if is_right == is_right_handed { self.main } else { self.off };
        hold == Hold::Spyglass
    }
}

/// The frame since which the item is used that is used in `frame`, which other flags than those of
/// use do not interrupt.
fn used_since(player: &Actor, frame: u32, since: Option<u32>) -> u32 {
    const USE: u8 = LivingFlags::USES_ITEM | LivingFlags::IN_OFF_HAND;
    let flags = &player.living_flags;
    let changes = flags.frames().partition_point(|&change| change <= frame);
    let now = flags.at(frame) & USE;
    let same = flags.values()[..changes].iter().rev().take_while(|flags| *flags & USE == now);
    let first = changes - same.count();
    flags.frames()[..changes].get(first).copied().or(since).unwrap_or(0)
}

impl Hold {
    /// How an item is held that has been `used` for this many ticks, if it is in use.
    fn of(item: &Item, used: Option<f64>, is_swinging: bool) -> Self {
        let data = item.data.as_deref().unwrap_or_default();
        let is_crossbow = &*item.id == "minecraft:crossbow";
        if is_crossbow && !is_swinging && is_charged(data) {
            return Self::LoadedCrossbow;
        }
        let Some(used) = used else { return Self::Item };
        match &*item.id {
            "minecraft:shield" => Self::Block,
            "minecraft:bow" => Self::Bow,
            "minecraft:trident" => Self::Spear,
            "minecraft:crossbow" => {
                Self::ChargingCrossbow { charged: charged(used, quick_charge(data)) }
            }
            "minecraft:spyglass" => Self::Spyglass,
            "minecraft:goat_horn" => Self::Horn,
            "minecraft:brush" => Self::Brush,
            _ => Self::Item,
        }
    }

    fn is_two_handed(self) -> bool {
        matches!(self, Self::Bow | Self::ChargingCrossbow { .. } | Self::LoadedCrossbow)
    }

    fn takes_other_arm(self) -> bool {
        self.is_two_handed() || self == Self::Spear
    }
}

/// How far a crossbow is drawn after this many ticks, with this many levels of quick charge.
fn charged(used: f64, quick_charge: f64) -> f64 {
    const SLOWEST: f64 = 25.0;
    const BY_LEVEL: f64 = 5.0;
    let takes = (SLOWEST - BY_LEVEL * quick_charge).max(0.0);
    if used >= takes { 1.0 } else { (used / takes).max(0.0) }
}

/// Whether a crossbow is loaded, by its components or, up to Minecraft 1.20.4, its tag.
fn is_charged(data: &str) -> bool {
    snbt::has_any_within(data, "minecraft:charged_projectiles")
        || snbt::top_level(data, "Charged") == Some("1b")
}

/// The level of the enchantment that draws a crossbow faster.
fn quick_charge(data: &str) -> f64 {
    let level = snbt::after(data, "minecraft:quick_charge");
    level.and_then(|level| level.trim_end_matches('s').parse().ok()).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stand;

    fn item(id: &str, data: &str) -> Option<Item> {
        let data = (!data.is_empty()).then(|| data.into());
        Some(Item { id: format!("minecraft:{id}").into(), data })
    }

    const LOADED: &str = r#"{"minecraft:charged_projectiles":[{id:"minecraft:arrow"}]}"#;

    /// The hold after `frame` of a player with these items who uses one from frame 4 on.
    fn holding(main: Option<Item>, off: Option<Item>, flags: u8, frame: u32) -> Holding {
        let mut player = Actor::new(Stand::default());
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
        // Spinning meanwhile changes nothing.
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
            Holding { main, off, uses_off_hand }.order(true).collect::<Vec<_>>()
        };
        let (item, aims) = (Hold::Item, Hold::LoadedCrossbow);
        assert_eq!(order(item, Hold::Block, Some(true)), [(false, Hold::Block)]);
        assert_eq!(order(Hold::Block, item, Some(false)), [(true, Hold::Block)]);
        assert_eq!(order(item, item, None), [(true, item), (false, item)]);
        assert_eq!(order(aims, item, None), [(true, aims)]);
        assert_eq!(order(item, aims, None), [(false, aims)]);
    }
}
