//! How each part of the body is turned: the game's own formulas, in its own model.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::{DQuat, DVec3};

use super::{Part, PoseInputs, PoseName, lerp_angle, parts::PIXEL};

/// How fast limbs swing, in radians for each step.
const SWING: f64 = 0.6662;

/// A part of the body in the game's model: y downwards, x to the left, −Z ahead.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limb {
    /// Where its joint is, in pixels.
    pub(super) pivot: DVec3,
    /// About x first, then y, then z, in radians.
    pub(super) angles: DVec3,
}

impl Limb {
    /// Where its joint is in a figure that stands, in metres, y upwards.
    pub(super) fn joint(&self) -> DVec3 {
        /// How high the model's origin, the neck, is, in pixels; feet are at 24 below.
        const NECK: f64 = 1.501 * 16.0;
        DVec3::new(-self.pivot.x, NECK - self.pivot.y, self.pivot.z) * PIXEL
    }

    /// How it is turned there.
    pub(super) fn rotation(&self) -> DQuat {
        let DVec3 { x, y, z } = self.angles;
        DQuat::from_rotation_z(z) * DQuat::from_rotation_y(-y) * DQuat::from_rotation_x(-x)
    }
}

/// All parts of the body.
#[derive(Clone, Debug)]
pub(super) struct Limbs(pub(super) [Limb; Part::ALL.len()]);

impl PoseInputs {
    pub(super) fn is_crouching(&self) -> bool {
        self.pose == PoseName::Crouching
    }
}

impl Limbs {
    /// The limbs of a standing, idle player.
    pub(super) fn at_rest() -> Self {
        let pivots = [
            [0.0; 3],
            [0.0; 3],
            [-5.0, 2.0, 0.0],
            [5.0, 2.0, 0.0],
            [-1.9, 12.0, 0.1],
            [1.9, 12.0, 0.1],
        ];
        let limb = |pivot: [f64; 3]| Limb { pivot: pivot.into(), ..Limb::default() };
        Self(pivots.map(limb))
    }

    /// In the order of the game: each rule builds on those before.
    pub(super) fn new(inputs: &PoseInputs) -> Self {
        let mut limbs = Self::at_rest();
        let head = limbs.head(inputs);
        limbs.walk(inputs);
        if inputs.is_riding {
            limbs.sit();
        }
        limbs.hold(inputs, head);
        limbs.swing(inputs, head);
        if inputs.is_crouching() {
            limbs.crouch();
        }
        limbs.breathe(inputs);
        if inputs.client.swim_amount > 0.0 {
            limbs.swim(inputs);
        }
        limbs
    }

    fn part(&mut self, part: Part) -> &mut Limb {
        &mut self.0[part as usize]
    }

    pub(super) fn body(&mut self) -> &mut Limb {
        self.part(Part::Body)
    }

    /// The right arm, or the left, and the other one.
    pub(super) fn arms(&mut self, is_right: bool) -> [&mut Limb; 2] {
        let [_, _, right, left, ..] = &mut self.0;
        if is_right { [right, left] } else { [left, right] }
    }

    /// The right and the left leg.
    fn legs(&mut self) -> [&mut Limb; 2] {
        let [.., right, left] = &mut self.0;
        [right, left]
    }

    fn head(&mut self, inputs: &PoseInputs) -> Limb {
        /// This many ticks of gliding bend the head.
        const GLIDES: u32 = 4;
        let swum = inputs.client.swim_amount;
        let head = self.part(Part::Head);
        head.angles.y = inputs.head_turn;
        head.angles.x = if inputs.client.glide_time > GLIDES {
            -FRAC_PI_4
        } else if swum > 0.0 {
            let to = if inputs.pose == PoseName::Swimming { -FRAC_PI_4 } else { inputs.pitch };
            lerp_angle(swum, inputs.pitch, to)
        } else {
            inputs.pitch
        };
        *head
    }

    fn walk(&mut self, inputs: &PoseInputs) {
        const GLIDES: u32 = 4;
        let is_still = inputs.is_riding || inputs.is_dead;
        let steps = if is_still { 0.0 } else { inputs.client.walk_position } * SWING;
        let width = if is_still { 0.0 } else { inputs.client.walk_speed };
        // A player who glides fast keeps the limbs still.
        let calm = if inputs.client.glide_time > GLIDES {
            (inputs.velocity.length_squared() / 0.2).powi(3).max(1.0)
        } else {
            1.0
        };
        let swing = |phase: f64| (steps + phase).cos() * width / calm;
        let [right, left] = self.arms(true);
        right.angles.x = swing(PI);
        left.angles.x = swing(0.0);
        let [right, left] = self.legs();
        right.angles = DVec3::new(swing(0.0) * 1.4, 0.005, 0.005);
        left.angles = DVec3::new(swing(PI) * 1.4, -0.005, -0.005);
    }

    fn sit(&mut self) {
        for arm in self.arms(true) {
            arm.angles.x -= PI / 5.0;
        }
        let [right, left] = self.legs();
        right.angles = DVec3::new(-1.413_716_7, PI / 10.0, 0.078_539_82);
        left.angles = DVec3::new(-1.413_716_7, -PI / 10.0, -0.078_539_82);
    }

    fn crouch(&mut self) {
        self.body().angles.x = 0.5;
        self.body().pivot.y = 3.2;
        self.part(Part::Head).pivot.y = 4.2;
        for arm in self.arms(true) {
            arm.angles.x += 0.4;
            arm.pivot.y = 5.2;
        }
        for leg in self.legs() {
            leg.pivot.y = 12.2;
            leg.pivot.z = 4.0;
        }
    }

    fn breathe(&mut self, inputs: &PoseInputs) {
        let aside = (inputs.age * 0.09).cos() * 0.05 + 0.05;
        let ahead = (inputs.age * 0.067).sin() * 0.05;
        for (is_right, sign) in [(true, 1.0), (false, -1.0)] {
            if !inputs.holding.is_still(is_right, inputs.is_right_handed) {
                let [arm, _] = self.arms(is_right);
                arm.angles.z += sign * aside;
                arm.angles.x += sign * ahead;
            }
        }
    }

    fn swim(&mut self, inputs: &PoseInputs) {
        let swum = inputs.client.swim_amount;
        let steps = inputs.client.walk_position;
        if !inputs.uses_item {
            let is_swinging = inputs.client.attack > 0.0;
            let swings_right = inputs.swings_right();
            for (is_right, angles) in [true, false].into_iter().zip(stroke(steps.rem_euclid(26.0)))
            {
                // An arm that hits does not swim.
                let part = if is_swinging && is_right == swings_right { 0.0 } else { swum };
                let [arm, _] = self.arms(is_right);
                arm.angles = if is_right {
                    // As the game has it: the right arm never takes the short way.
                    arm.angles.lerp(angles, part)
                } else {
                    DVec3::new(
                        lerp_angle(part, arm.angles.x, angles.x),
                        lerp_angle(part, arm.angles.y, angles.y),
                        lerp_angle(part, arm.angles.z, angles.z),
                    )
                };
            }
        }
        let kick = |phase: f64| 0.3 * (steps / 3.0 + phase).cos();
        let lerp = |from: f64, to: f64| from + (to - from) * swum;
        let [right, left] = self.legs();
        right.angles.x = lerp(right.angles.x, kick(0.0));
        left.angles.x = lerp(left.angles.x, kick(PI));
    }
}

/// The right and the left arm in a stroke of 26 steps.
fn stroke(step: f64) -> [DVec3; 2] {
    const WIDE: f64 = 1.870_796_4;
    let (x, spread) = if step < 14.0 {
        let drawn = |step: f64| step * step - 65.0 * step;
        (0.0, WIDE * drawn(step) / drawn(14.0))
    } else if step < 22.0 {
        let part = (step - 14.0) / 8.0;
        (PI / 2.0 * part, WIDE * (1.0 - part))
    } else {
        (PI / 2.0 * (1.0 - (step - 22.0) / 4.0), 0.0)
    };
    [DVec3::new(x, PI, PI - spread), DVec3::new(x, PI, PI + spread)]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn swim_stroke_is_continuous() {
        for step in [14.0_f64, 22.0, 26.0] {
            let (before, after) = (stroke(step.next_down()), stroke(step.rem_euclid(26.0)));
            for (before, after) in before.into_iter().zip(after) {
                assert!(before.abs_diff_eq(after, 1e-6), "{step}: {before} {after}");
            }
        }
    }

    /// By the game's formulas, worked out by hand: half into swimming, in the middle of the first
    /// part of a stroke, the right arm is half way there and the left arm half the short way, which
    /// is the other way round.
    #[test]
    fn only_the_left_arm_takes_the_short_way_when_swimming() {
        let mut inputs = PoseInputs::at_rest();
        (inputs.client.swim_amount, inputs.client.walk_position) = (0.5, 7.0);
        let mut limbs = Limbs::at_rest();
        limbs.swim(&inputs);
        let [right, left] = limbs.arms(true);
        // 1.8707964 · (7² − 65 · 7) / (14² − 65 · 14) = 1.0637862 at the side of the body.
        let expected = [[0.0, FRAC_PI_2, 1.0389033], [0.0, -FRAC_PI_2, -1.0389033]];
        for (arm, expected) in [right, left].into_iter().zip(expected) {
            assert!(arm.angles.abs_diff_eq(expected.into(), 1e-6), "{} {expected:?}", arm.angles);
        }
    }

    #[test]
    fn standing_figure_has_player_height_and_grounded_feet() {
        let neck = Limb::default().joint().y;
        let head = Part::Head.cuboid(false);
        assert!((neck + head.max.y - 1.876).abs() < 1e-3);
        let hip = Limb { pivot: DVec3::new(1.9, 12.0, 0.0), ..Limb::default() }.joint().y;
        assert!((hip + Part::LeftLeg.cuboid(false).min.y).abs() < 1.1e-3);
    }

    #[test]
    fn the_right_arm_is_on_the_right() {
        let shoulder = Limb { pivot: DVec3::new(-5.0, 2.0, 0.0), ..Limb::default() }.joint();
        assert!(shoulder.x > 0.0, "who looks along −Z has +X on the right");
    }
}
