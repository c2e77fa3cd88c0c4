//! Angles between directions and between rotations, in degrees.

use glam::{DQuat, DVec3};

/// The angle between two directions, in degrees: exact for small ones.
pub(crate) fn between(one: DVec3, other: DVec3) -> f64 {
    one.cross(other).length().atan2(one.dot(other)).to_degrees()
}

/// The rotation from one orientation to another as a vector in the world: its length is the angle, in
/// degrees.
pub(crate) fn turn(from: DQuat, to: DQuat) -> DVec3 {
    let turn = to * from.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine == 0.0 {
        return DVec3::ZERO;
    }
    turn.xyz() * ((2.0 * sine.atan2(turn.w)).to_degrees() / sine)
}
