//! A walking gait: where feet, hips and shoulders are in each part of a stride.
//!
//! In the games' space: metres, X to the right, Y forward, Z up.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

/// How far a stride, a step of each foot, gets.
pub const STRIDE: f64 = 1.26;

/// How much of a stride a foot is on the ground.
pub const ON_GROUND: f64 = 0.62;

/// From the ankle to the heel's end and to the joint of the toes, on the sole.
const HEEL: DVec3 = DVec3::new(0.0, -0.06, -0.09);
const BALL: DVec3 = DVec3::new(0.0, 0.13, -0.09);

/// A foot at one moment, relative to where the actor is.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Where its ankle is, ahead of the actor and above the ground; nothing of it to the side.
    pub ankle: DVec3,
    /// How far its toes point up, in radians.
    pub pitch: f64,
    /// How far its toes are bent up against it, in radians.
    pub toes: f64,
}

/// The hips at one moment, relative to where the actor is.
#[derive(Clone, Copy, Debug)]
pub struct Hips {
    pub place: DVec3,
    pub rotation: DQuat,
}

/// The foot that touches the ground at phase 0, when `phase` of a stride has gone by.
pub fn foot(phase: f64) -> Foot {
    let phase = phase.rem_euclid(1.0);
    if phase < ON_GROUND { standing(phase) } else { swinging(phase) }
}

/// Rolls over the heel, then over the joint of the toes, which stay where they are on the ground.
fn standing(phase: f64) -> Foot {
    let pitch = if phase < 0.1 {
        blend(20.0, 0.0, phase / 0.1)
    } else {
        blend(0.0, -46.0, (phase - 0.32) / 0.38)
    };
    let pitch = pitch.to_radians();
    let pivot = if pitch > 0.0 { HEEL } else { BALL };
    // The ground goes by underneath.
    let ahead = DVec3::Y * (0.5 * ON_GROUND - 0.062 - phase) * STRIDE;
    let sole = DVec3::Z * HEEL.z;
    let ankle = ahead + pivot - sole - DQuat::from_rotation_x(pitch) * pivot;
    Foot { ankle, pitch, toes: (-pitch).max(0.0) }
}

/// Goes on as it left the ground, and comes as it will touch it.
fn swinging(phase: f64) -> Foot {
    const MOMENT: f64 = 1e-4;
    let part = (phase - ON_GROUND) / (1.0 - ON_GROUND);
    let (left, before) = (standing(ON_GROUND - MOMENT), standing(ON_GROUND - 2.0 * MOMENT));
    let (touch, after) = (standing(0.0), standing(MOMENT));
    let per_swing = (1.0 - ON_GROUND) / MOMENT;
    let speeds = [(left.ankle - before.ankle) * per_swing, (after.ankle - touch.ankle) * per_swing];
    let mut ankle = hermite([left.ankle, touch.ankle], speeds, part);
    ankle.z += 0.05 * (PI * part).sin().powi(2);
    let pitch = blend(left.pitch, touch.pitch, part / 0.9);
    Foot { ankle, pitch, toes: blend(left.toes, 0.0, part / 0.5) }
}

/// The hips, when `phase` of the left foot's stride has gone by.
pub fn hips(phase: f64) -> Hips {
    let middle = 0.5 * ON_GROUND;
    // Over the foot that stands, and highest there.
    let aside = -0.022 * (TAU * (phase - middle)).cos();
    let up = 0.897 + 0.016 * (2.0 * TAU * (phase - middle)).cos();
    let ahead = 0.012 * (2.0 * TAU * (phase - 0.1)).sin();
    // Each hip goes ahead with its leg, and sinks when that has left the ground.
    let turn = DQuat::from_rotation_z(-6.0_f64.to_radians() * (TAU * phase).cos());
    let tilt = DQuat::from_rotation_y(3.0_f64.to_radians() * (TAU * (phase - 0.18)).cos());
    Hips { place: DVec3::new(aside, ahead, up), rotation: turn * tilt }
}

/// How far forward an arm swings, and how far its elbow is bent, in radians, when `phase` of the
/// stride of the foot on its side has gone by.
pub fn arm(phase: f64) -> [f64; 2] {
    let ahead = -(TAU * (phase - 0.04)).cos();
    let late = -(TAU * (phase - 0.1)).cos();
    [(1.0 + 21.0 * ahead).to_radians(), (19.0 + 10.0 * late).to_radians()]
}

/// From one value to the other, beginning and ending at rest.
fn blend(from: f64, to: f64, part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    from + (to - from) * part * part * (3.0 - 2.0 * part)
}

fn hermite([from, to]: [DVec3; 2], [leaving, coming]: [DVec3; 2], part: f64) -> DVec3 {
    let (square, cube) = (part.powi(2), part.powi(3));
    (2.0 * cube - 3.0 * square + 1.0) * from
        + (cube - 2.0 * square + part) * leaving
        + (3.0 * square - 2.0 * cube) * to
        + (cube - square) * coming
}
