//! Motions on a skeleton: channels that no track animates keep the skeleton's rest pose.

use glam::{DQuat, DVec3};

use crate::clip::{
    Channel, Channels, Clip, EulerRotation, Hint, Motion, Rotation, RotationRule, Transform,
    Translation,
};

/// The motion of a node that rests at `rest`.
///
/// With `is_relative`, angles rotate the node from its rest pose; else they replace it.
pub(super) fn on_skeleton(motion: &Motion, rest: &Transform, is_relative: bool) -> Motion {
    let mut motion = motion.clone();
    if let Translation::Channels(channels) = &mut motion.translation {
        rest_at(channels, rest.translation);
    }
    if let Some(channels) = &mut motion.scale {
        rest_at(channels, rest.scale);
    }
    match &mut motion.rotation {
        Rotation::Euler(rotation) if is_relative => rotation.orientation = rest.rotation,
        Rotation::Euler(rotation) => {
            let angles = rotation.order.angles(rest.rotation);
            rest_at(&mut rotation.angles, angles);
        }
        // Other rotations are whole.
        _ => {}
    }
    motion
}

fn rest_at(channels: &mut Channels, rest: DVec3) {
    for (channel, rest) in channels.0.iter_mut().zip(rest.to_array()) {
        if let Channel::Rest(value) = channel {
            *value = rest;
        }
    }
}

/// Whether the angles of a recording are relative to the rest pose, rather than absolute.
///
/// Maya's joints have an orientation that is not among their angles and not in the file, but in a
/// skeleton's rest pose. Where the angles come nearer to zero than to the rest pose, they are meant
/// to be relative to it. `nodes` are motions with the rotations at rest.
pub(super) fn are_relative_to_rest<'a>(
    clip: &Clip,
    nodes: impl Iterator<Item = (&'a Motion, DQuat)>,
) -> bool {
    let (mut from_rest, mut from_none) = (0.0, 0.0);
    for (motion, rest) in nodes {
        if let Rotation::Euler(rotation) = &motion.rotation {
            from_rest += nearest(clip, rotation, rest);
            from_none += nearest(clip, rotation, DQuat::IDENTITY);
        }
    }
    from_none < from_rest
}

/// The least angle between `rotation` and `other` over the whole clip, in radians.
fn nearest(clip: &Clip, rotation: &EulerRotation, other: DQuat) -> f64 {
    /// How many times are looked at, spread evenly.
    const TIMES: u32 = 16;
    let mut hint = Hint::default();
    let angles = (0..TIMES).map(|index| {
        let time = clip.span.start + clip.span.duration * f64::from(index) / f64::from(TIMES - 1);
        rotation
            .evaluate(&clip.tracks, RotationRule::AsAuthored, time, &mut hint)
            .angle_between(other)
    });
    // NaN is never the nearest.
    angles.fold(std::f64::consts::PI, f64::min)
}
