//! How the body as a whole is turned.

use glam::{DQuat, DVec3};

use super::{PoseInputs, PoseName, QUARTER};
use crate::formats::mcmocap::recording::DYING;

/// How the body as a whole is turned and moved, relative to a player who stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
}

impl Stance {
    pub(super) fn new(inputs: &PoseInputs) -> Self {
        let lying = -QUARTER - inputs.pitch;
        let mut stance = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        if inputs.pose == PoseName::Crouching {
            stance.translation.y = -0.125;
        }
        if inputs.is_dead {
            stance.rotation = falling(f64::from(inputs.client.death_time) + inputs.age.fract());
        } else if inputs.spins {
            let spin = DQuat::from_rotation_y((inputs.age * -75.0).to_radians());
            stance.rotation = DQuat::from_rotation_x(lying) * spin;
        } else if inputs.pose == PoseName::Sleeping {
            stance.rotation = sleeping(inputs.client.body_yaw);
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

/// On the back. Which way a bed stands is not recorded: the game then takes the body's yaw.
fn sleeping(body_yaw: f64) -> DQuat {
    let standing = super::facing(body_yaw);
    let lying = DQuat::from_rotation_y(body_yaw.to_radians())
        * DQuat::from_rotation_z(QUARTER)
        * DQuat::from_rotation_y(3.0 * QUARTER);
    standing.inverse() * lying
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
