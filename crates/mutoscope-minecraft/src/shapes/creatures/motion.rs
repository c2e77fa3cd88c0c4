//! How the parts of a figure are turned: the formulas that the game has for players, cows, zombies,
//! spiders and fish; figures that the game moves in other ways are moved by the nearest of them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use glam::{DQuat, DVec3};

use super::figure::{Carriage, Creature, CreaturePart, Joint};
use mutoscope_core::clip::Transform;

/// The state that the parts of a figure depend on, at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CreatureState {
    /// How far its steps have come.
    pub walk_position: f64,
    /// How wide they are, from 0 to 1.
    pub walk_speed: f64,
    /// How far the head is turned from the body to the right, in radians.
    pub head_turn: f64,
    /// How far it looks down, in radians.
    pub pitch: f64,
    /// How far it has swung its right arm, from 0 to 1.
    pub attack: f64,
    /// For how many ticks it has been dead; 0 if it lives.
    pub death_time: f64,
    /// For how many ticks it has been there.
    pub age: f64,
    /// Whether it holds something in its right hand, and in its left.
    pub holds: [bool; 2],
}

/// How fast limbs swing, in radians for each step.
const SWING: f64 = 0.6662;

impl CreatureState {
    fn step(&self, phase: f64) -> f64 {
        (self.walk_position * SWING + phase).cos() * self.walk_speed
    }

    /// How the figure as a whole is turned: over to the side, or onto the back, when it dies.
    pub fn fall(&self, falls_over: bool) -> DQuat {
        if self.death_time <= 0.0 {
            return DQuat::IDENTITY;
        }
        let fallen = ((self.death_time - 1.0).max(0.0) / 20.0 * 1.6).sqrt().min(1.0);
        DQuat::from_rotation_z(fallen * if falls_over { PI } else { FRAC_PI_2 })
    }

    /// Where a part of a figure is at this state, in metres, relative to the entity.
    pub fn place(&self, creature: &Creature, part: &CreaturePart) -> Transform {
        let scale = f64::from(creature.scale);
        let pivot = part.pivot.as_dvec3() * scale;
        let fall = self.fall(creature.falls_over);
        let (rotation, lift) = self.turn(part.joint);
        Transform {
            translation: fall * (pivot + DVec3::Y * lift),
            rotation: fall * rotation,
            scale: DVec3::ONE,
        }
    }

    /// How a joint is turned, and how far it is lifted, in metres.
    fn turn(&self, joint: Joint) -> (DQuat, f64) {
        let turn = match joint {
            Joint::Body => DQuat::IDENTITY,
            Joint::Head => {
                DQuat::from_rotation_y(-self.head_turn) * DQuat::from_rotation_x(-self.pitch)
            }
            Joint::Leg { swing, phase, .. } => bent(self.step(phase) * 1.4 * swing),
            Joint::Arm { is_right, carriage } => self.arm(is_right, carriage),
            Joint::SpiderLeg { pair, is_right } => self.spider_leg(pair, is_right),
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

    fn arm(&self, is_right: bool, carriage: Carriage) -> DQuat {
        /// Arms of zombies point so far up from straight down.
        const AHEAD: f64 = PI / 2.25;
        let holds = self.holds[usize::from(!is_right)];
        let mut x = match carriage {
            Carriage::Still => return DQuat::IDENTITY,
            Carriage::Ahead => -AHEAD,
            Carriage::Swinging => {
                let walk = self.step(if is_right { PI } else { 0.0 });
                if holds { walk / 2.0 - PI / 10.0 } else { walk }
            }
        };
        if is_right && self.attack > 0.0 {
            let quick = 1.0 - (1.0 - self.attack).powi(4);
            x -= (quick * PI).sin() * 1.2;
        }
        let side = if is_right { 1.0 } else { -1.0 };
        let sway = (self.age * 0.09).cos() * 0.05 + 0.05;
        DQuat::from_rotation_z(side * sway) * bent(x + side * (self.age * 0.067).sin() * 0.05)
    }

    fn spider_leg(&self, pair: u8, is_right: bool) -> DQuat {
        const STEP: f64 = 0.4;
        let phase = [PI * 1.5, FRAC_PI_2, PI, 0.0][usize::from(pair.min(3))];
        let swing = -(self.walk_position * SWING * 2.0 + phase).cos() * STEP * self.walk_speed;
        let lift = ((self.walk_position * SWING + phase).sin() * STEP).abs() * self.walk_speed;
        let side = if is_right { 1.0 } else { -1.0 };
        let outer = matches!(pair, 0 | 3);
        let down = if outer { FRAC_PI_4 } else { FRAC_PI_4 * 0.74 } - lift;
        // Ahead for the first pairs, behind for the last.
        let ahead = [FRAC_PI_4, PI / 8.0, -PI / 8.0, -FRAC_PI_4][usize::from(pair.min(3))];
        DQuat::from_rotation_z(-side * down) * DQuat::from_rotation_y(side * (ahead + swing))
    }
}

/// Turned about x as the game's model has it, whose y is downwards: less than 0 is ahead.
fn bent(x: f64) -> DQuat {
    DQuat::from_rotation_x(-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(swing: f64, phase: f64) -> Joint {
        Joint::Leg { swing, phase, is_right: true }
    }

    /// By the formulas of the format's description: cos(0.6662 L + φ) · 1.4 A.
    #[test]
    fn legs_swing_with_the_steps() {
        let state = CreatureState { walk_position: 3.0, walk_speed: 0.5, ..Default::default() };
        // cos(1.9986) = −0.415 · 1.4 · 0.5.
        for (phase, expected) in [(0.0, -0.290_417), (PI, 0.290_417)] {
            let (turn, lift) = state.turn(leg(1.0, phase));
            // A hanging limb comes forward by a negative angle in the game's convention.
            let foot = turn * DVec3::NEG_Y;
            assert!((foot.z - f64::sin(expected)).abs() < 1e-4, "{foot}");
            assert_eq!(lift, 0.0);
        }
        let rest = CreatureState::default().turn(leg(1.0, 0.0)).0;
        assert!(rest.angle_between(DQuat::IDENTITY) < 1e-12);
    }

    #[test]
    fn heads_look_right_and_down() {
        let state = CreatureState { head_turn: 0.5, pitch: 0.3, ..Default::default() };
        let look = state.turn(Joint::Head).0 * DVec3::NEG_Z;
        let expected = DVec3::new(
            0.5_f64.sin() * 0.3_f64.cos(),
            -0.3_f64.sin(),
            -0.5_f64.cos() * 0.3_f64.cos(),
        );
        assert!(look.abs_diff_eq(expected, 1e-12), "{look}");
    }

    /// 90° · √((death time + p − 1) / 20 · 1.6), at most 90°; twice that for spiders.
    #[test]
    fn the_dead_fall_within_twelve_and_a_half_ticks() {
        let dead = |death_time: f64, over: bool| {
            let state = CreatureState { death_time, ..Default::default() };
            state.fall(over).to_axis_angle().1.to_degrees()
        };
        assert_eq!(dead(0.0, false), 0.0);
        assert!((dead(6.0, false) - 90.0 * 0.4_f64.sqrt()).abs() < 1e-6);
        assert!((dead(13.5, false) - 90.0).abs() < 1e-6);
        assert!((dead(20.0, true) - 180.0).abs() < 1e-5);
    }

    #[test]
    fn zombies_hold_their_arms_ahead_and_others_swing_theirs() {
        let state = CreatureState::default();
        let hand = |carriage| state.turn(Joint::Arm { is_right: true, carriage }).0 * DVec3::NEG_Y;
        let ahead = hand(Carriage::Ahead);
        assert!(ahead.z < -0.9 && ahead.y < 0.0, "{ahead}");
        assert!(hand(Carriage::Swinging).y < -0.98);
        assert_eq!(hand(Carriage::Still), DVec3::NEG_Y);
    }

    #[test]
    fn items_bob_and_turn() {
        let state = CreatureState { age: 5.0 * PI, ..Default::default() };
        let (turn, lift) = state.turn(Joint::Spinning { lift: 0.125 });
        assert!((lift - (0.2 + 0.125)).abs() < 1e-9);
        assert!(turn.abs_diff_eq(DQuat::from_rotation_y(PI / 4.0), 1e-12));
    }

    #[test]
    fn legs_of_spiders_point_outwards_and_down() {
        let state = CreatureState::default();
        for pair in 0..4 {
            for (is_right, side) in [(true, 1.0), (false, -1.0)] {
                let joint = Joint::SpiderLeg { pair, is_right };
                let foot = state.turn(joint).0 * DVec3::X * side;
                assert!(foot.x * side > 0.3 && foot.y < -0.3, "{pair} {is_right}: {foot}");
                assert_eq!(foot.z < 0.0, pair < 2, "{pair} {is_right}: {foot}");
            }
        }
    }
}
