//! How the body as a whole is turned.

use glam::{DQuat, DVec3};

use super::{Manner, PoseName, QUARTER};
use crate::formats::mcmocap::recording::DYING;

/// How the body as a whole is turned and moved, relative to a player who stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stance {
    pub(super) rotation: DQuat,
    pub(super) translation: DVec3,
}

impl Stance {
    pub(super) fn new(manner: &Manner) -> Self {
        let lying = -QUARTER - manner.pitch;
        let mut stance = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };
        if manner.pose == PoseName::Crouching {
            stance.translation.y = -0.125;
        }
        if manner.is_dead {
            stance.rotation = falling(f64::from(manner.client.death_time) + manner.age.fract());
        } else if manner.spins {
            let spin = DQuat::from_rotation_y((manner.age * -75.0).to_radians());
            stance.rotation = DQuat::from_rotation_x(lying) * spin;
        } else if manner.pose == PoseName::Sleeping {
            stance.rotation = sleeping(manner.client.body_yaw);
        } else if manner.client.glide_time > 0 {
            stance.rotation = gliding(manner, lying);
        } else if manner.client.swim_amount > 0.0 {
            let lying = if manner.is_in_water { lying } else { -QUARTER };
            stance.rotation = DQuat::from_rotation_x(lying * manner.client.swim_amount);
            if manner.pose == PoseName::Swimming {
                stance.translation += stance.rotation * DVec3::new(0.0, -1.0, 0.3);
            }
        }
        stance
    }
}

/// Over to the side, within so many ticks of death.
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
fn gliding(manner: &Manner, lying: f64) -> DQuat {
    let ticks = f64::from(manner.client.glide_time) + manner.age.fract();
    let lain = DQuat::from_rotation_x(lying * (ticks * ticks / 100.0).clamp(0.0, 1.0));
    let along = DVec3::new(manner.velocity.x, 0.0, manner.velocity.z);
    let Some(along) = along.try_normalize() else { return lain };
    let view = manner.view;
    let side = along.x * view.z - along.z * view.x;
    let turn = side.signum() * along.dot(view).clamp(-1.0, 1.0).acos();
    lain * DQuat::from_rotation_y(turn)
}
