//! How the body as a whole is turned.

use glam::{DQuat, DVec3};

use super::{PoseInputs, PoseName, QUARTER};
use crate::recording::DYING;

/// How the body as a whole is turned and moved, relative to a player who stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
    /// How much lower the figure is drawn as it crouches, in metres: its legs go into the ground.
    pub(super) lowered: f64,
}

impl Stance {
    pub(super) fn new(inputs: &PoseInputs) -> Self {
        let lying = -QUARTER - inputs.pitch;
        let mut stance = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO, lowered: 0.0 };
        if inputs.pose == PoseName::Crouching {
            stance.lowered = 0.125;
        }
        if inputs.is_dead {
            stance.rotation = falling(f64::from(inputs.client.death_time) + inputs.age.fract());
        } else if inputs.spins {
            let spin = DQuat::from_rotation_y((inputs.age * -75.0).to_radians());
            stance.rotation = DQuat::from_rotation_x(lying) * spin;
        } else if inputs.pose == PoseName::Sleeping {
            (stance.rotation, stance.translation) = sleeping(inputs);
        } else if inputs.client.glide_time > 0 {
            stance.rotation = gliding(inputs, lying);
        } else if inputs.client.swim_amount > 0.0 {
            let lying = if inputs.is_in_water { lying } else { -QUARTER };
            stance.rotation = DQuat::from_rotation_x(lying * inputs.client.swim_amount);
            if inputs.pose == PoseName::Swimming {
                stance.translation += stance.rotation * DVec3::new(0.0, -1.0, 0.3);
            }
        }
        stance
    }
}

/// Over to the side, within this many ticks of death.
fn falling(ticks: f64) -> DQuat {
    let fallen = (ticks / f64::from(DYING) * 1.6).sqrt().min(1.0);
    DQuat::from_rotation_z(QUARTER * fallen)
}

/// On the back. Which way a bed stands is mostly not recorded: the game then takes the body's yaw.
/// Where it is known, the body lies along it.
fn sleeping(inputs: &PoseInputs) -> (DQuat, DVec3) {
    /// How far towards the foot of the bed the body lies, in metres: a little less than its eyes are
    /// high.
    const SHIFT: f64 = 1.62 - 0.1;
    let body_yaw = inputs.client.body_yaw;
    let (angle, shift) = match inputs.bed.and_then(DVec3::try_normalize) {
        Some(head) => (head.z.atan2(-head.x), head * -SHIFT),
        None => (body_yaw.to_radians(), DVec3::ZERO),
    };
    let standing = super::facing(body_yaw);
    let lying = DQuat::from_rotation_y(angle)
        * DQuat::from_rotation_z(QUARTER)
        * DQuat::from_rotation_y(3.0 * QUARTER);
    (standing.inverse() * lying, standing.inverse() * shift)
}

/// With elytra: ahead, and into the turn.
fn gliding(inputs: &PoseInputs, lying: f64) -> DQuat {
    let ticks = f64::from(inputs.client.glide_time) + inputs.age.fract();
    let lain = DQuat::from_rotation_x(lying * (ticks * ticks / 100.0).clamp(0.0, 1.0));
    let along = DVec3::new(inputs.velocity.x, 0.0, inputs.velocity.z);
    let Some(along) = along.try_normalize() else { return lain };
    let view = inputs.view;
    let side = along.x * view.z - along.z * view.x;
    let turn = side.signum() * along.dot(view).clamp(-1.0, 1.0).acos();
    lain * DQuat::from_rotation_y(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a bed the head is on the pillow, 1.52 m from where the feet are, whatever the body's yaw
    /// was.
    #[test]
    fn sleepers_lie_along_their_bed() {
        for head in [DVec3::NEG_Z, DVec3::X, DVec3::Z, DVec3::NEG_X] {
            for body_yaw in [0.0, 70.0, 200.0] {
                let mut inputs = PoseInputs { pose: PoseName::Sleeping, ..PoseInputs::at_rest() };
                inputs.client.body_yaw = body_yaw;
                inputs.bed = Some(head);
                let stance = Stance::new(&inputs);
                let world = super::super::facing(body_yaw);
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
