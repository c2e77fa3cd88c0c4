//! How arms hold and swing.

use std::f64::consts::{FRAC_PI_6, PI};

use super::{Limb, PoseInputs, QUARTER, hold::Hold, limbs::Limbs};

impl Limbs {
    /// Both arms as they hold what they hold. `head` is where the head looks in the game.
    pub(super) fn hold(&mut self, inputs: &PoseInputs, head: Limb) {
        for (is_right, hold) in inputs.holding.order(inputs.is_right_handed) {
            self.pose_arm(is_right, hold, inputs, head);
        }
    }

    fn pose_arm(&mut self, is_right: bool, hold: Hold, inputs: &PoseInputs, head: Limb) {
        // To its own side.
        let side = if is_right { -1.0 } else { 1.0 };
        let (look, turn) = (head.angles.x, head.angles.y);
        let [arm, other] = self.arms(is_right);
        match hold {
            Hold::Empty => arm.angles.y = 0.0,
            Hold::Item => arm.set(arm.angles.x * 0.5 - PI / 10.0, 0.0),
            Hold::Block => {
                let follows = look.clamp(-4.0 * PI / 9.0, 0.436_332_3);
                let x = arm.angles.x * 0.5 - 0.942_477_9 + follows;
                arm.set(x, side * FRAC_PI_6 + turn.clamp(-FRAC_PI_6, FRAC_PI_6));
            }
            Hold::Spear => arm.set(arm.angles.x * 0.5 - PI, 0.0),
            Hold::Bow => {
                arm.set(-QUARTER + look, side * 0.1 + turn);
                other.set(-QUARTER + look, -side * 0.5 + turn);
            }
            Hold::ChargingCrossbow { charged } => {
                const PULL: f64 = -0.970_796_35;
                let lerp = |from: f64, to: f64| from + (to - from) * charged;
                arm.set(PULL, side * 0.8);
                other.set(lerp(PULL, -QUARTER), -side * lerp(0.4, 0.85));
            }
            Hold::LoadedCrossbow => {
                arm.set(-QUARTER + look + 0.1, side * 0.3 + turn);
                other.set(-1.5 + look, -side * 0.6 + turn);
            }
            Hold::Spyglass => {
                let lower = if inputs.is_crouching() { PI / 12.0 } else { 0.0 };
                let x = (look - 1.919_862_2 - lower).clamp(-2.4, 3.3);
                arm.set(x, turn + side * PI / 12.0);
            }
            Hold::Horn => {
                arm.set(look.clamp(-1.2, 1.2) - 1.483_529_8, turn + side * FRAC_PI_6);
            }
            Hold::Brush => arm.set(arm.angles.x * 0.5 - PI / 5.0, 0.0),
        }
    }

    /// The arm that swings, and what goes with it.
    pub(super) fn swing(&mut self, inputs: &PoseInputs, head: Limb) {
        let swung = inputs.client.attack;
        if swung <= 0.0 {
            return;
        }
        let is_right = inputs.swings_right();
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

impl Limb {
    fn set(&mut self, x: f64, y: f64) {
        self.angles.x = x;
        self.angles.y = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::hold::Holding;

    /// Both arms' x and y, right first, that walked to 0.4 and −0.4, with a head that looks so.
    fn posed(holding: Holding, look: f64, turn: f64) -> [f64; 4] {
        let inputs = PoseInputs { holding, ..PoseInputs::at_rest() };
        let mut limbs = Limbs::at_rest();
        let [right, left] = limbs.arms(true);
        right.set(0.4, 0.0);
        left.set(-0.4, 0.0);
        limbs.hold(&inputs, Limb { angles: [look, turn, 0.0].into(), ..Limb::default() });
        let [right, left] = limbs.arms(true);
        [right.angles.x, right.angles.y, left.angles.x, left.angles.y]
    }

    fn both(main: Hold, off: Hold, used: Option<bool>) -> Holding {
        Holding { main, off, uses_off_hand: used }
    }

    #[track_caller]
    fn assert_close(found: [f64; 4], expected: [f64; 4]) {
        let is_close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    /// By the game's formulas, worked out by hand.
    #[test]
    fn arm_angles_match_each_hold() {
        let (look, turn) = (0.2, 0.3);
        let main = |hold| posed(both(hold, Hold::Empty, Some(false)), look, turn);
        assert_close(main(Hold::Empty), [0.4, 0.0, -0.4, 0.0]);
        // Only the arm in use is posed: the other walks.
        assert_close(main(Hold::Block), [-0.5424779, -0.2235988, -0.4, 0.0]);
        assert_close(main(Hold::Spear), [-2.9415927, 0.0, -0.4, 0.0]);
        assert_close(main(Hold::Bow), [-1.3707963, 0.2, -1.3707963, 0.8]);
        let charging = Hold::ChargingCrossbow { charged: 0.5 };
        assert_close(main(charging), [-0.9707964, -0.8, -1.2707963, 0.625]);
        assert_close(main(Hold::LoadedCrossbow), [-1.2707963, 0.0, -1.3, 0.9]);
        assert_close(main(Hold::Spyglass), [-1.7198622, 0.0382006, -0.4, 0.0]);
        assert_close(main(Hold::Horn), [-1.2835298, -0.2235988, -0.4, 0.0]);
        assert_close(main(Hold::Brush), [-0.4283185, 0.0, -0.4, 0.0]);
        let off = |hold| posed(both(Hold::Empty, hold, Some(true)), look, turn);
        assert_close(off(Hold::Block), [0.4, 0.0, -0.9424779, 0.8235988]);
        assert_close(off(Hold::Bow), [-1.3707963, -0.2, -1.3707963, 0.4]);
        assert_close(off(charging), [-1.2707963, -0.625, -0.9707964, 0.8]);
        assert_close(off(Hold::Spyglass), [0.4, 0.0, -1.7198622, 0.5617994]);
    }

    #[test]
    fn both_arms_are_posed_without_item_use() {
        let held = both(Hold::Item, Hold::Item, None);
        assert_close(posed(held, 0.2, 0.3), [-0.1141593, 0.0, -0.5141593, 0.0]);
        // One that is aimed takes both arms, in whichever hand.
        let aims = [-1.2707963, 0.0, -1.3, 0.9];
        assert_close(posed(both(Hold::LoadedCrossbow, Hold::Item, None), 0.2, 0.3), aims);
        let aims = [-1.3, -0.3, -1.2707963, 0.6];
        assert_close(posed(both(Hold::Item, Hold::LoadedCrossbow, None), 0.2, 0.3), aims);
    }
}
