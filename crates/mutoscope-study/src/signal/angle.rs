//! Computes angles between directions and between rotations, in degrees.

use glam::{DQuat, DVec3};

/// Returns the angle between two directions, in degrees. Unlike acos of the dot product, atan2 is
/// accurate for small angles.
pub(crate) fn between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

/// Returns the rotation from one orientation to another as a rotation vector in world space, whose
/// length is the angle in degrees.
pub(crate) fn rotation_vector(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine == 0.0 {
        return DVec3::ZERO;
    }
    turn.xyz() * ((2.0 * sine.atan2(turn.w)).to_degrees() / sine)
}
