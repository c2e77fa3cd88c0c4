//! Poses the parts of figures with the game's formulas for players, cows, zombies, spiders and
//! fish. Figures that the game animates in another way use the closest of these formulas.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use glam::{DQuat, DVec3};

use super::figure::{ArmPose, Creature, CreaturePart, Joint};
use mutoscope_core::clip::Transform;

/// The state of an entity from which the pose of its figure is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CreatureState {
    /// The phase of the steps.
    pub walk_position: f64,
    /// The amplitude of the steps, from 0 to 1.
    pub walk_speed: f64,
    /// The angle of the head to the right of the body, in radians.
    pub head_turn: f64,
    /// The angle of the look direction below the horizon, in radians.
    pub pitch: f64,
    /// The progress of a swing of the right arm, from 0 to 1.
    pub attack: f64,
    /// The number of ticks since the death. 0 while the entity lives.
    pub death_time: f64,
    /// The number of ticks since the entity was added.
    pub age: f64,
    /// Whether the right hand and the left hand hold an item.
    pub holds: [bool; 2],
}

const SWING_RADIANS_PER_STEP: f64 = 0.6662;

impl CreatureState {
    fn step_swing(&self, phase: f64) -> f64 {
        (self.walk_position * SWING_RADIANS_PER_STEP + phase).cos() * self.walk_speed
    }

    /// Returns the rotation of the whole figure while the entity dies. If `falls_over` is `true`,
    /// the figure falls onto its back, otherwise onto its side.
    pub fn death_rotation(&self, falls_over: bool) -> DQuat {
        if self.death_time <= 0.0 {
            return DQuat::IDENTITY;
        }
        let fallen = ((self.death_time - 1.0).max(0.0) / 20.0 * 1.6).sqrt().min(1.0);
        DQuat::from_rotation_z(fallen * if falls_over { PI } else { FRAC_PI_2 })
    }

    /// Returns the transform of a part relative to the entity, in metres.
    pub fn part_transform(&self, creature: &Creature, part: &CreaturePart) -> Transform {
        let scale = f64::from(creature.scale);
        let pivot = part.pivot.as_dvec3() * scale;
        let fall = self.death_rotation(creature.falls_on_back);
        let (rotation, lift) = self.joint_motion(part.joint);
        Transform {
            translation: fall * (pivot + DVec3::Y * lift),
            rotation: fall * rotation,
            scale: DVec3::ONE,
        }
    }

    fn joint_motion(&self, joint: Joint) -> (DQuat, f64) {
        let turn = match joint {
            Joint::Body => DQuat::IDENTITY,
            Joint::Head => {
                DQuat::from_rotation_y(-self.head_turn) * DQuat::from_rotation_x(-self.pitch)
            }
            Joint::Leg { swing, phase, .. } => {
                rotation_about_x(self.step_swing(phase) * 1.4 * swing)
            }
            Joint::Arm { is_right, pose: carriage } => self.arm_rotation(is_right, carriage),
            Joint::SpiderLeg { pair, is_right } => self.spider_leg_rotation(pair, is_right),
            Joint::Wing { is_right, rate, width } => {
                let up = (self.age * rate).sin() * width;
                DQuat::from_rotation_z(if is_right { up } else { -up })
            }
            Joint::Fin { width } => DQuat::from_rotation_y((0.6 * self.age).sin() * width),
            Joint::Spinning { lift } => {
                let bob = (self.age / 10.0).sin() * 0.1 + 0.1;
                return (DQuat::from_rotation_y(self.age / 20.0), bob + lift);
            }
        };
        (turn, 0.0)
    }

    fn arm_rotation(&self, is_right: bool, carriage: ArmPose) -> DQuat {
        /// The angle by which a zombie raises its hanging arms forwards, in radians.
        const ZOMBIE_ARM_ANGLE: f64 = PI / 2.25;
        let holds = self.holds[usize::from(!is_right)];
        let mut x = match carriage {
            ArmPose::Still => return DQuat::IDENTITY,
            ArmPose::Ahead => -ZOMBIE_ARM_ANGLE,
            ArmPose::Swinging => {
                let walk = self.step_swing(if is_right { PI } else { 0.0 });
                if holds { walk / 2.0 - PI / 10.0 } else { walk }
            }
        };
        if is_right && self.attack > 0.0 {
            let quick = 1.0 - (1.0 - self.attack).powi(4);
            x -= (quick * PI).sin() * 1.2;
        }
        let side = if is_right { 1.0 } else { -1.0 };
        let sway = (self.age * 0.09).cos() * 0.05 + 0.05;
        DQuat::from_rotation_z(side * sway)
            * rotation_about_x(x + side * (self.age * 0.067).sin() * 0.05)
    }

    fn spider_leg_rotation(&self, pair: u8, is_right: bool) -> DQuat {
        const STEP_AMPLITUDE: f64 = 0.4;
        let phase = [PI * 1.5, FRAC_PI_2, PI, 0.0][usize::from(pair.min(3))];
        let swing = -(self.walk_position * SWING_RADIANS_PER_STEP * 2.0 + phase).cos()
            * STEP_AMPLITUDE
            * self.walk_speed;
        let lift = ((self.walk_position * SWING_RADIANS_PER_STEP + phase).sin() * STEP_AMPLITUDE)
            .abs()
            * self.walk_speed;
        let side = if is_right { 1.0 } else { -1.0 };
        let outer = matches!(pair, 0 | 3);
        let down = if outer { FRAC_PI_4 } else { FRAC_PI_4 * 0.74 } - lift;
        // The forward angle of each pair of legs. The last two pairs point backwards.
        let ahead = [FRAC_PI_4, PI / 8.0, -PI / 8.0, -FRAC_PI_4][usize::from(pair.min(3))];
        DQuat::from_rotation_z(-side * down) * DQuat::from_rotation_y(side * (ahead + swing))
    }
}

/// Returns a rotation about x by an angle of the game's model. The y axis of that model points
/// down, so a negative angle swings a limb forwards.
fn rotation_about_x(x: f64) -> DQuat {
    DQuat::from_rotation_x(-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(swing: f64, phase: f64) -> Joint {
        Joint::Leg { swing, phase, is_right: true }
    }

    /// The formula is from the description of the format: cos(0.6662 L + φ) · 1.4 A.
    #[test]
    fn legs_swing_with_the_steps() {
        let state = CreatureState { walk_position: 3.0, walk_speed: 0.5, ..Default::default() };
        // cos(1.9986) = −0.415, and −0.415 · 1.4 · 0.5 = −0.290.
        for (phase, expected) in [(0.0, -0.290_417), (PI, 0.290_417)] {
            let (turn, lift) = state.joint_motion(leg(1.0, phase));
            // A hanging limb swings forwards by a negative angle in the game's convention.
            let foot = turn * DVec3::NEG_Y;
            assert!((foot.z - f64::sin(expected)).abs() < 1e-4, "{foot}");
            assert_eq!(lift, 0.0);
        }
        let rest = CreatureState::default().joint_motion(leg(1.0, 0.0)).0;
        assert!(rest.angle_between(DQuat::IDENTITY) < 1e-12);
    }

    #[test]
    fn heads_look_right_and_down() {
        let state = CreatureState { head_turn: 0.5, pitch: 0.3, ..Default::default() };
        let look = state.joint_motion(Joint::Head).0 * DVec3::NEG_Z;
        let expected = DVec3::new(
            0.5_f64.sin() * 0.3_f64.cos(),
            -0.3_f64.sin(),
            -0.5_f64.cos() * 0.3_f64.cos(),
        );
        assert!(look.abs_diff_eq(expected, 1e-12), "{look}");
    }

    /// The angle is 90° · √((death time + p − 1) / 20 · 1.6), at most 90°, and twice that for
    /// spiders.
    #[test]
    fn dead_figures_fall_within_12_5_ticks() {
        let dead = |death_time: f64, over: bool| {
            let state = CreatureState { death_time, ..Default::default() };
            state.death_rotation(over).to_axis_angle().1.to_degrees()
        };
        assert_eq!(dead(0.0, false), 0.0);
        assert!((dead(6.0, false) - 90.0 * 0.4_f64.sqrt()).abs() < 1e-6);
        assert!((dead(13.5, false) - 90.0).abs() < 1e-6);
        assert!((dead(20.0, true) - 180.0).abs() < 1e-5);
    }

    #[test]
    fn zombie_arms_point_forwards_and_other_arms_swing() {
        let state = CreatureState::default();
        let hand = |carriage| {
            state.joint_motion(Joint::Arm { is_right: true, pose: carriage }).0 * DVec3::NEG_Y
        };
        let ahead = hand(ArmPose::Ahead);
        assert!(ahead.z < -0.9 && ahead.y < 0.0, "{ahead}");
        assert!(hand(ArmPose::Swinging).y < -0.98);
        assert_eq!(hand(ArmPose::Still), DVec3::NEG_Y);
    }

    #[test]
    fn items_bob_and_turn() {
        let state = CreatureState { age: 5.0 * PI, ..Default::default() };
        let (turn, lift) = state.joint_motion(Joint::Spinning { lift: 0.125 });
        assert!((lift - (0.2 + 0.125)).abs() < 1e-9);
        assert!(turn.abs_diff_eq(DQuat::from_rotation_y(PI / 4.0), 1e-12));
    }

    #[test]
    fn spider_legs_point_outwards_and_down() {
        let state = CreatureState::default();
        for pair in 0..4 {
            for (is_right, side) in [(true, 1.0), (false, -1.0)] {
                let joint = Joint::SpiderLeg { pair, is_right };
                let foot = state.joint_motion(joint).0 * DVec3::X * side;
                assert!(foot.x * side > 0.3 && foot.y < -0.3, "{pair} {is_right}: {foot}");
                assert_eq!(foot.z < 0.0, pair < 2, "{pair} {is_right}: {foot}");
            }
        }
    }
}
