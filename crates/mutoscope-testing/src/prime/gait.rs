//! A walking gait: the positions of feet, hips and arms at each phase of a stride.
//!
//! The space is that of the games: metres, X to the right, Y forward, Z up.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

/// The length of a stride, which is one step of each foot, in metres.
pub const STRIDE_LENGTH: f64 = 1.26;

/// The fraction of a stride in which a foot is on the ground.
pub const STANCE_FRACTION: f64 = 0.62;

/// Vectors from the ankle to the end of the heel and to the ball of the foot, on the sole.
const HEEL: DVec3 = DVec3::new(0.0, -0.06, -0.09);
const BALL: DVec3 = DVec3::new(0.0, 0.13, -0.09);

/// The pose of a foot, relative to the actor.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// The position of the ankle. Its x is 0.
    pub ankle: DVec3,
    /// The angle by which the toes point up, in radians.
    pub pitch: f64,
    /// The angle by which the toes bend up against the foot, in radians.
    pub toes: f64,
}

/// The pose of the hips, relative to the actor.
#[derive(Clone, Copy, Debug)]
pub struct Hips {
    pub position: DVec3,
    pub rotation: DQuat,
}

/// Returns the pose of a foot at `phase`. The foot touches the ground at phase 0.
pub fn foot(phase: f64) -> Foot {
    let phase = phase.rem_euclid(1.0);
    if phase < STANCE_FRACTION { standing(phase) } else { swinging(phase) }
}

/// Rolls over the heel, and then over the ball of the foot. The point of contact stays fixed on the
/// ground.
fn standing(phase: f64) -> Foot {
    let pitch = if phase < 0.1 {
        smoothstep(20.0, 0.0, phase / 0.1)
    } else {
        smoothstep(0.0, -46.0, (phase - 0.32) / 0.38)
    };
    let pitch = pitch.to_radians();
    let pivot = if pitch > 0.0 { HEEL } else { BALL };
    // The actor moves forward, so the ground moves backward relative to it.
    let ahead = DVec3::Y * (0.5 * STANCE_FRACTION - 0.062 - phase) * STRIDE_LENGTH;
    let sole = DVec3::Z * HEEL.z;
    let ankle = ahead + pivot - sole - DQuat::from_rotation_x(pitch) * pivot;
    Foot { ankle, pitch, toes: (-pitch).max(0.0) }
}

/// Interpolates from the pose and speed at lift-off to those at touch-down.
fn swinging(phase: f64) -> Foot {
    const MOMENT: f64 = 1e-4;
    let part = (phase - STANCE_FRACTION) / (1.0 - STANCE_FRACTION);
    let (left, before) =
        (standing(STANCE_FRACTION - MOMENT), standing(STANCE_FRACTION - 2.0 * MOMENT));
    let (touch, after) = (standing(0.0), standing(MOMENT));
    let per_swing = (1.0 - STANCE_FRACTION) / MOMENT;
    let speeds = [(left.ankle - before.ankle) * per_swing, (after.ankle - touch.ankle) * per_swing];
    let mut ankle = hermite([left.ankle, touch.ankle], speeds, part);
    ankle.z += 0.05 * (PI * part).sin().powi(2);
    let pitch = smoothstep(left.pitch, touch.pitch, part / 0.9);
    Foot { ankle, pitch, toes: smoothstep(left.toes, 0.0, part / 0.5) }
}

/// Returns the pose of the hips at `phase` of the left foot's stride.
pub fn hips(phase: f64) -> Hips {
    let middle = 0.5 * STANCE_FRACTION;
    // The hips are over the standing foot, and highest in the middle of its contact.
    let aside = -0.022 * (TAU * (phase - middle)).cos();
    let up = 0.897 + 0.016 * (2.0 * TAU * (phase - middle)).cos();
    let ahead = 0.012 * (2.0 * TAU * (phase - 0.1)).sin();
    // Each hip moves forward with its leg, and drops when that leg leaves the ground.
    let turn = DQuat::from_rotation_z(-6.0_f64.to_radians() * (TAU * phase).cos());
    let tilt = DQuat::from_rotation_y(3.0_f64.to_radians() * (TAU * (phase - 0.18)).cos());
    Hips { position: DVec3::new(aside, ahead, up), rotation: turn * tilt }
}

/// Returns the forward angle of an arm and the bend of its elbow, in radians, at `phase` of the
/// stride of the foot on the same side.
pub fn arm(phase: f64) -> [f64; 2] {
    let ahead = -(TAU * (phase - 0.04)).cos();
    let late = -(TAU * (phase - 0.1)).cos();
    [(1.0 + 21.0 * ahead).to_radians(), (19.0 + 10.0 * late).to_radians()]
}

/// Interpolates with zero speed at both ends (smoothstep).
fn smoothstep(from: f64, to: f64, part: f64) -> f64 {
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
