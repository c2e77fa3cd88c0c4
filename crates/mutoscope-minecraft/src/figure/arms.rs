//! Poses the arms while they hold and swing items.

use std::f64::consts::{FRAC_PI_6, PI};

use super::{Limb, PoseInputs, QUARTER_TURN, hold::Hold, limbs::Limbs};

impl Limbs {
    /// Poses the arms. `head` is the head in the game's model.
    pub(super) fn pose_arms(&mut self, inputs: &PoseInputs, head: Limb) {
        for (is_right, hold) in inputs.holding.arms_to_pose(inputs.is_right_handed) {
            self.pose_arm(is_right, hold, inputs, head);
        }
    }

    fn pose_arm(&mut self, is_right: bool, hold: Hold, inputs: &PoseInputs, head: Limb) {
        // The yaw offsets below are for the left arm. Negate them for the right arm.
        let sign = if is_right { -1.0 } else { 1.0 };
        let (head_pitch, head_yaw) = (head.angles.x, head.angles.y);
        let [arm, other] = self.arms(is_right);
        match hold {
            Hold::Empty => arm.angles.y = 0.0,
            Hold::Item => arm.set_xy(arm.angles.x * 0.5 - PI / 10.0, 0.0),
            Hold::Block => {
                let follow_pitch = head_pitch.clamp(-4.0 * PI / 9.0, 0.436_332_3);
                let x = arm.angles.x * 0.5 - 0.942_477_9 + follow_pitch;
                arm.set_xy(x, sign * FRAC_PI_6 + head_yaw.clamp(-FRAC_PI_6, FRAC_PI_6));
            }
            Hold::Spear => arm.set_xy(arm.angles.x * 0.5 - PI, 0.0),
            Hold::Bow => {
                arm.set_xy(-QUARTER_TURN + head_pitch, sign * 0.1 + head_yaw);
                other.set_xy(-QUARTER_TURN + head_pitch, -sign * 0.5 + head_yaw);
            }
            Hold::ChargingCrossbow { charged } => {
                const PULL: f64 = -0.970_796_35;
                let lerp = |from: f64, to: f64| from + (to - from) * charged;
                arm.set_xy(PULL, sign * 0.8);
                other.set_xy(lerp(PULL, -QUARTER_TURN), -sign * lerp(0.4, 0.85));
            }
            Hold::LoadedCrossbow => {
                arm.set_xy(-QUARTER_TURN + head_pitch + 0.1, sign * 0.3 + head_yaw);
                other.set_xy(-1.5 + head_pitch, -sign * 0.6 + head_yaw);
            }
            Hold::Spyglass => {
                let crouch_pitch = if inputs.is_crouching() { PI / 12.0 } else { 0.0 };
                let x = (head_pitch - 1.919_862_2 - crouch_pitch).clamp(-2.4, 3.3);
                arm.set_xy(x, head_yaw + sign * PI / 12.0);
            }
            Hold::Horn => {
                arm.set_xy(head_pitch.clamp(-1.2, 1.2) - 1.483_529_8, head_yaw + sign * FRAC_PI_6);
            }
            Hold::Brush => arm.set_xy(arm.angles.x * 0.5 - PI / 5.0, 0.0),
        }
    }

    pub(super) fn swing_arm(&mut self, inputs: &PoseInputs, head: Limb) {
        let attack = inputs.client.attack;
        if attack <= 0.0 {
            return;
        }
        let is_right = inputs.swings_right();
        let turn = (attack.sqrt() * 2.0 * PI).sin() * 0.2;
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
        let eased = 1.0 - (1.0 - attack).powi(4);
        let lift = (attack * PI).sin() * -(head.angles.x - 0.7) * 0.75;
        let [arm, _] = self.arms(is_right);
        arm.angles.x -= (eased * PI).sin() * 1.2 + lift;
        arm.angles.y += turn * 2.0;
        arm.angles.z += (attack * PI).sin() * -0.4;
    }
}

impl Limb {
    fn set_xy(&mut self, x: f64, y: f64) {
        self.angles.x = x;
        self.angles.y = y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::hold::Holding;

    /// Poses arms that walking has rotated to x = 0.4 (right) and −0.4 (left). Returns x and y of
    /// the right arm, then of the left.
    fn pose_walking_arms(holding: Holding, head_pitch: f64, head_yaw: f64) -> [f64; 4] {
        let inputs = PoseInputs { holding, ..PoseInputs::at_rest() };
        let mut limbs = Limbs::at_rest();
        let [right, left] = limbs.arms(true);
        right.set_xy(0.4, 0.0);
        left.set_xy(-0.4, 0.0);
        limbs.pose_arms(
            &inputs,
            Limb { angles: [head_pitch, head_yaw, 0.0].into(), ..Limb::default() },
        );
        let [right, left] = limbs.arms(true);
        [right.angles.x, right.angles.y, left.angles.x, left.angles.y]
    }

    fn holding(main: Hold, off: Hold, used: Option<bool>) -> Holding {
        Holding { main, off, uses_off_hand: used }
    }

    #[track_caller]
    fn assert_close(found: [f64; 4], expected: [f64; 4]) {
        let is_close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(is_close, "{found:?}, not {expected:?}");
    }

    #[test]
    fn arm_angles_match_each_hold() {
        let (head_pitch, head_yaw) = (0.2, 0.3);
        let main =
            |hold| pose_walking_arms(holding(hold, Hold::Empty, Some(false)), head_pitch, head_yaw);
        assert_close(main(Hold::Empty), [0.4, 0.0, -0.4, 0.0]);
        // The game poses only the arm that uses an item, so the other one keeps its walking angle.
        assert_close(main(Hold::Block), [-0.5424779, -0.2235988, -0.4, 0.0]);
        assert_close(main(Hold::Spear), [-2.9415927, 0.0, -0.4, 0.0]);
        assert_close(main(Hold::Bow), [-1.3707963, 0.2, -1.3707963, 0.8]);
        let charging = Hold::ChargingCrossbow { charged: 0.5 };
        assert_close(main(charging), [-0.9707964, -0.8, -1.2707963, 0.625]);
        assert_close(main(Hold::LoadedCrossbow), [-1.2707963, 0.0, -1.3, 0.9]);
        assert_close(main(Hold::Spyglass), [-1.7198622, 0.0382006, -0.4, 0.0]);
        assert_close(main(Hold::Horn), [-1.2835298, -0.2235988, -0.4, 0.0]);
        assert_close(main(Hold::Brush), [-0.4283185, 0.0, -0.4, 0.0]);
        let off =
            |hold| pose_walking_arms(holding(Hold::Empty, hold, Some(true)), head_pitch, head_yaw);
        assert_close(off(Hold::Block), [0.4, 0.0, -0.9424779, 0.8235988]);
        assert_close(off(Hold::Bow), [-1.3707963, -0.2, -1.3707963, 0.4]);
        assert_close(off(charging), [-1.2707963, -0.625, -0.9707964, 0.8]);
        assert_close(off(Hold::Spyglass), [0.4, 0.0, -1.7198622, 0.5617994]);
    }

    #[test]
    fn both_arms_are_posed_without_item_use() {
        let held = holding(Hold::Item, Hold::Item, None);
        assert_close(pose_walking_arms(held, 0.2, 0.3), [-0.1141593, 0.0, -0.5141593, 0.0]);
        // A loaded crossbow poses both arms, whichever hand holds it.
        let aims = [-1.2707963, 0.0, -1.3, 0.9];
        assert_close(
            pose_walking_arms(holding(Hold::LoadedCrossbow, Hold::Item, None), 0.2, 0.3),
            aims,
        );
        let aims = [-1.3, -0.3, -1.2707963, 0.6];
        assert_close(
            pose_walking_arms(holding(Hold::Item, Hold::LoadedCrossbow, None), 0.2, 0.3),
            aims,
        );
    }
}
