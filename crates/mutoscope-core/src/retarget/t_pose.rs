//! The T-pose of a body.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::{
    RetargetError,
    body::{Body, REQUIRED_BONES},
    fit,
    map::Overrides,
};
use crate::{
    clip::{Clip, HumanBone, Pose, Transform},
    diagnostics::Diagnostics,
};

const ARM_BONES: [HumanBone; 6] = [
    HumanBone::LeftUpperArm,
    HumanBone::LeftLowerArm,
    HumanBone::LeftHand,
    HumanBone::RightUpperArm,
    HumanBone::RightLowerArm,
    HumanBone::RightHand,
];

/// The cosine of 1°, the largest angle between a limb and its direction in the T-pose.
const MIN_STRAIGHT_COSINE: f64 = 0.999_85;

/// Returns the T-pose of the body in `clip`: the transform of each node relative to its parent, in
/// the viewer's space.
///
/// The arms are horizontal, the legs vertical and straight. The trunk, the head and the feet are
/// rotated as in the rest pose, or as at the start if the rest pose is not upright.
///
/// # Errors
/// Fails if the clip has no body with arms and legs, or if its bones are not connected.
pub fn t_pose(clip: &Clip) -> Result<Vec<Transform>, RetargetError> {
    let refuse = |reason: &str| Err(RetargetError::NoTPose(reason.to_owned()));
    let overrides = Overrides { member: "recording", bones: &BTreeMap::new() };
    let mut body = Body::from_clip(clip, &overrides, &mut Diagnostics::new())?;
    let required = || REQUIRED_BONES.iter().chain(&ARM_BONES);
    let missing = required().filter(|bone| !body.bones.contains(**bone));
    let missing: Vec<_> = missing.map(|bone| bone.name()).collect();
    if !missing.is_empty() {
        return refuse(&format!("it has no {}", missing.join(", ")));
    }
    if body.is_box_figure() {
        return refuse("it is a figure of boxes");
    }
    body.choose_reference(clip, &mut Diagnostics::new());
    let mut reference = Pose::default();
    match body.reference_time {
        None => clip.sample_rest_pose(&mut reference),
        Some(time) => clip.sample_motion(time, &mut reference),
    }
    let Some(facing) = body.facing_angle() else { return refuse("it does not stand upright") };
    let front = DQuat::from_rotation_y(facing);
    let turns = match body.is_t_pose {
        true => [DQuat::IDENTITY; HumanBone::COUNT],
        false => fit::align_limbs(
            |bone| body.bones.contains(bone),
            |bone, next| Some((body.direction(bone, next)?, front * limb_direction(bone))),
        ),
    };
    let mut bones = vec![None; clip.nodes.len()];
    body.bones.iter().for_each(|(bone, node)| bones[node.index()] = Some(bone));
    let mut locals = vec![Transform::IDENTITY; clip.nodes.len()];
    for &id in clip.nodes.parents_first() {
        let parent = clip.nodes[id].parent;
        let parent = parent.map_or(Transform::IDENTITY, |parent| body.worlds[parent.index()]);
        let local = reference[id].local;
        let rotation = match bones[id.index()] {
            Some(bone) => {
                let world = turns[bone as usize] * reference[id].world.rotation;
                (parent.rotation.conjugate() * world).normalize()
            }
            None => local.rotation,
        };
        let local = Transform { rotation, ..local };
        (locals[id.index()], body.worlds[id.index()]) = (local, parent.compose(&local));
    }
    let is_straight = |bone: HumanBone| {
        let next = fit::limb_end_bone(bone).filter(|next| body.bones.contains(*next));
        let direction = next.and_then(|next| body.direction(bone, next));
        direction.is_none_or(|found| found.dot(front * limb_direction(bone)) > MIN_STRAIGHT_COSINE)
    };
    match body.is_t_pose || required().all(|bone| is_straight(*bone)) {
        true => Ok(locals),
        false => refuse("its bones are not connected"),
    }
}

/// Returns the direction of a bone of the limbs in the T-pose of a body that faces +Z.
pub(super) fn limb_direction(bone: HumanBone) -> DVec3 {
    use HumanBone as B;
    match bone {
        B::LeftUpperArm | B::LeftLowerArm | B::LeftHand => DVec3::X,
        B::RightUpperArm | B::RightLowerArm | B::RightHand => DVec3::NEG_X,
        _ => DVec3::NEG_Y,
    }
}
