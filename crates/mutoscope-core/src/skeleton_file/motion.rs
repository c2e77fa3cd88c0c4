//! Motions on a skeleton: channels without a track keep the skeleton's rest pose.

use glam::{DQuat, DVec3};

use crate::clip::{
    Channel, Channels, Clip, EulerRotation, Hint, Motion, Rotation, RotationRule, Transform,
    Translation,
};

/// Adapts the motion of a node to a skeleton where the node rests at `rest`.
///
/// If `is_relative` is set, the angles rotate the node from its rest pose. Otherwise the angles
/// replace the rotation of the rest pose, and angles without a track keep it.
pub(super) fn adapt_motion(motion: &Motion, rest: &Transform, is_relative: bool) -> Motion {
    let mut motion = motion.clone();
    if let Translation::Channels(channels) = &mut motion.translation {
        set_rest(channels, rest.translation);
    }
    if let Some(channels) = &mut motion.scale {
        set_rest(channels, rest.scale);
    }
    match &mut motion.rotation {
        Rotation::Euler(rotation) if is_relative => rotation.orientation = rest.rotation,
        Rotation::Euler(rotation) => {
            let angles = rotation.order.angles_from_rotation(rest.rotation);
            set_rest(&mut rotation.angles, angles);
        }
        // All other kinds of rotation replace the whole rotation, so no part of the rest pose
        // remains.
        _ => {}
    }
    motion
}

fn set_rest(channels: &mut Channels, rest: DVec3) {
    for (channel, rest) in channels.0.iter_mut().zip(rest.to_array()) {
        if let Channel::Rest(value) = channel {
            *value = rest;
        }
    }
}

/// Returns `true` if the angles of a recording are relative to the rest pose, rather than absolute.
///
/// In Maya, joints have an orientation, which is not part of their angles. A recording does not
/// contain the orientation, but the rest pose of a skeleton does. If the animated rotations come
/// closer to the identity than to the rest pose, the angles are relative. `nodes` contains the
/// motion of each node, and the rotation of its rest pose.
pub(super) fn are_angles_relative<'a>(
    clip: &Clip,
    nodes: impl Iterator<Item = (&'a Motion, DQuat)>,
) -> bool {
    let (mut angle_to_rest, mut angle_to_identity) = (0.0, 0.0);
    for (motion, rest) in nodes {
        if let Rotation::Euler(rotation) = &motion.rotation {
            angle_to_rest += min_angle(clip, rotation, rest);
            angle_to_identity += min_angle(clip, rotation, DQuat::IDENTITY);
        }
    }
    angle_to_identity < angle_to_rest
}

fn min_angle(clip: &Clip, rotation: &EulerRotation, other: DQuat) -> f64 {
    const SAMPLE_COUNT: u32 = 16;
    let mut hint = Hint::default();
    let angles = (0..SAMPLE_COUNT).map(|index| {
        let time =
            clip.span.start + clip.span.duration * f64::from(index) / f64::from(SAMPLE_COUNT - 1);
        rotation
            .evaluate(&clip.tracks, RotationRule::AsAuthored, time, &mut hint)
            .angle_between(other)
    });
    // If a rotation is not finite, its angle is NaN, which `f64::min` ignores.
    angles.fold(std::f64::consts::PI, f64::min)
}
