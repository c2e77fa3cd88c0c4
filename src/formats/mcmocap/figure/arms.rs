//! How arms hold and swing.

use std::f64::consts::{FRAC_PI_6, PI};

use super::{Limb, Manner, QUARTER, limbs::Limbs};

/// How an arm holds what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// A spyglass, at the eye.
    Spyglass,
}

impl Hold {
    /// How an item is held while it is used, or not.
    pub(super) fn of(item: Option<&str>, is_used: bool) -> Self {
        let Some(item) = item else { return Self::Empty };
        match item {
            "minecraft:shield" if is_used => Self::Block,
            "minecraft:trident" if is_used => Self::Spear,
            "minecraft:bow" if is_used => Self::Bow,
            "minecraft:spyglass" if is_used => Self::Spyglass,
            _ => Self::Item,
        }
    }
}

impl Limbs {
    /// Both arms as they hold what they hold. `head` is where the head looks in the game.
    pub(super) fn hold(&mut self, manner: &Manner, head: Limb) {
        for (is_right, hold) in [true, false].into_iter().zip(manner.holds) {
            // To its own side.
            let side = if is_right { -1.0 } else { 1.0 };
            let [arm, other] = self.arms(is_right);
            match hold {
                Hold::Empty => {}
                Hold::Item => arm.angles.x = arm.angles.x * 0.5 - PI / 10.0,
                Hold::Block => {
                    arm.angles.x = arm.angles.x * 0.5 - 0.942_477_9;
                    arm.angles.y = side * FRAC_PI_6;
                }
                Hold::Spear => arm.angles.x = arm.angles.x * 0.5 - PI,
                Hold::Bow => {
                    arm.angles.y = side * 0.1 + manner.head_turn;
                    other.angles.y = -side * 0.5 + manner.head_turn;
                    arm.angles.x = -QUARTER + head.angles.x;
                    other.angles.x = -QUARTER + head.angles.x;
                }
                Hold::Spyglass => {
                    let lower = if manner.is_crouching() { 0.261_799_4 } else { 0.0 };
                    arm.angles.x = (head.angles.x - 1.919_862_2 - lower).clamp(-2.4, 3.3);
                    arm.angles.y = manner.head_turn + side * 0.261_799_4;
                }
            }
        }
    }

    /// The arm that swings, and what goes with it.
    pub(super) fn swing(&mut self, manner: &Manner, head: Limb) {
        let swung = manner.client.attack;
        if swung <= 0.0 {
            return;
        }
        let is_right = manner.swings_right();
        let turn = (swung.sqrt() * 2.0 * PI).sin() * 0.2;
        let turn = if is_right { turn } else { -turn };
        self.body().angles.y = turn;
        let [right, left] = self.arms(true);
        right.pivot.z = turn.sin() * 5.0;
        right.pivot.x = -turn.cos() * 5.0;
        left.pivot.z = -turn.sin() * 5.0;
        left.pivot.x = turn.cos() * 5.0;
        right.angles.y += turn;
        left.angles.y += turn;
        left.angles.x += turn;
        let quick = 1.0 - (1.0 - swung).powi(4);
        let bent = (swung * PI).sin() * -(head.angles.x - 0.7) * 0.75;
        let [arm, _] = self.arms(is_right);
        arm.angles.x -= (quick * PI).sin() * 1.2 + bent;
        arm.angles.y += turn * 2.0;
        arm.angles.z += (swung * PI).sin() * -0.4;
    }
}
