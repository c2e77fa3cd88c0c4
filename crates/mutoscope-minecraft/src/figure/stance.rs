//! Computes the rotation and translation of the body as a whole.

use glam::{DQuat, DVec3};

use super::{PoseInputs, PoseName, QUARTER_TURN};
use crate::recording::DEATH_TICKS;

#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
    /// The distance by which the game lowers a crouching figure, in metres. The legs sink into the
    /// ground.
    pub(super) lowered: f64,
}

impl Stance {
    pub(super) fn new(inputs: &PoseInputs) -> Self {
        let lying = -QUARTER_TURN - inputs.pitch;
        let mut stance = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO, lowered: 0.0 };
        if inputs.pose == PoseName::Crouching {
            stance.lowered = 0.125;
        }
        if inputs.is_dead {
            stance.rotation =
                death_rotation(f64::from(inputs.client.death_time) + inputs.age.fract());
        } else if inputs.spins {
            let spin = DQuat::from_rotation_y((inputs.age * -75.0).to_radians());
            stance.rotation = DQuat::from_rotation_x(lying) * spin;
        } else if inputs.pose == PoseName::Sleeping {
            (stance.rotation, stance.translation) = sleeping_transform(inputs);
        } else if inputs.client.glide_time > 0 {
            stance.rotation = gliding_rotation(inputs, lying);
        } else if inputs.client.swim_amount > 0.0 {
            let lying = if inputs.is_in_water { lying } else { -QUARTER_TURN };
            stance.rotation = DQuat::from_rotation_x(lying * inputs.client.swim_amount);
            if inputs.pose == PoseName::Swimming {
                stance.translation += stance.rotation * DVec3::new(0.0, -1.0, 0.3);
            }
        }
        stance
    }
}

fn death_rotation(ticks: f64) -> DQuat {
    let fraction = (ticks / f64::from(DEATH_TICKS) * 1.6).sqrt().min(1.0);
    DQuat::from_rotation_z(QUARTER_TURN * fraction)
}

/// Returns the rotation and translation of a player who lies on the back. The player lies along the
/// bed if its direction is known. Most recordings do not contain the bed. The player then lies in
/// the direction of the body's yaw, as in the game.
fn sleeping_transform(inputs: &PoseInputs) -> (DQuat, DVec3) {
    /// The distance of the feet from the player's position, towards the foot of the bed, in metres:
    /// the eye height of 1.62 minus 0.1.
    const FEET_OFFSET: f64 = 1.62 - 0.1;
    let body_yaw = inputs.client.body_yaw;
    let (angle, shift) = match inputs.bed.and_then(DVec3::try_normalize) {
        Some(head) => (head.z.atan2(-head.x), head * -FEET_OFFSET),
        None => (body_yaw.to_radians(), DVec3::ZERO),
    };
    let standing = super::body_rotation(body_yaw);
    let lying = DQuat::from_rotation_y(angle)
        * DQuat::from_rotation_z(QUARTER_TURN)
        * DQuat::from_rotation_y(3.0 * QUARTER_TURN);
    (standing.inverse() * lying, standing.inverse() * shift)
}

fn gliding_rotation(inputs: &PoseInputs, lying: f64) -> DQuat {
    let ticks = f64::from(inputs.client.glide_time) + inputs.age.fract();
    let leaning = DQuat::from_rotation_x(lying * (ticks * ticks / 100.0).clamp(0.0, 1.0));
    let along = DVec3::new(inputs.velocity.x, 0.0, inputs.velocity.z);
    let Some(along) = along.try_normalize() else { return leaning };
    let view = inputs.view;
    let side = along.x * view.z - along.z * view.x;
    let turn = side.signum() * along.dot(view).clamp(-1.0, 1.0).acos();
    leaning * DQuat::from_rotation_y(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a bed the head is on the pillow, 1.52 m from the feet, for every yaw of the body.
    #[test]
    fn sleepers_lie_along_their_bed() {
        for head in [DVec3::NEG_Z, DVec3::X, DVec3::Z, DVec3::NEG_X] {
            for body_yaw in [0.0, 70.0, 200.0] {
                let mut inputs = PoseInputs { pose: PoseName::Sleeping, ..PoseInputs::at_rest() };
                inputs.client.body_yaw = body_yaw;
                inputs.bed = Some(head);
                let stance = Stance::new(&inputs);
                let world = super::super::body_rotation(body_yaw);
                let up = world * (stance.rotation * DVec3::Y);
                assert!(up.abs_diff_eq(head, 1e-9), "{head} {body_yaw}: {up}");
                let face = world * (stance.rotation * DVec3::NEG_Z);
                assert!(face.abs_diff_eq(DVec3::Y, 1e-9), "on the back: {face}");
                let feet = world * stance.translation;
                assert!(feet.abs_diff_eq(head * -1.52, 1e-9), "{feet}");
            }
        }
    }
}
