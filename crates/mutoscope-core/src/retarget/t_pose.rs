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

/// The bones of the limbs, from the trunk outwards. The hand ends with the middle finger, which a
/// body may lack.
const ARMS: [[HumanBone; 4]; 2] = [
    [
        HumanBone::LeftUpperArm,
        HumanBone::LeftLowerArm,
        HumanBone::LeftHand,
        HumanBone::LeftMiddleProximal,
    ],
    [
        HumanBone::RightUpperArm,
        HumanBone::RightLowerArm,
        HumanBone::RightHand,
        HumanBone::RightMiddleProximal,
    ],
];
const LEGS: [[HumanBone; 3]; 2] = [
    [HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, HumanBone::LeftFoot],
    [HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, HumanBone::RightFoot],
];

/// Returns the T-pose of the body in `clip`: the transform of each node relative to its parent, in
/// the viewer's space.
///
/// The arms are horizontal, the legs vertical and straight. The trunk, the head and the feet are
/// rotated as in the rest pose, or as at the start if the rest pose is not upright.
///
/// # Errors
/// Fails if the clip has no body with arms and legs, or if its bones are not connected.
pub fn t_pose(clip: &Clip) -> Result<Vec<Transform>, RetargetError> {
    let overrides = Overrides { member: "recording", bones: &BTreeMap::new() };
    let mut body = Body::from_clip(clip, &overrides, &mut Diagnostics::new())?;
    let arms = ARMS.iter().flat_map(|arm| &arm[..3]);
    let missing: Vec<_> =
        REQUIRED_BONES.iter().chain(arms).filter(|bone| !body.bones.contains(**bone)).collect();
    if body.is_hands || body.is_box_figure() || !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|bone| bone.name()).collect();
        let reason = match names.is_empty() {
            true => "its body has no joints in the limbs".to_owned(),
            false => format!("it has no {}", names.join(", ")),
        };
        return Err(RetargetError::NoTPose(reason));
    }
    body.choose_reference(clip, &mut Diagnostics::new());
    let mut reference = Pose::default();
    match body.reference_time {
        None => clip.sample_rest_pose(&mut reference),
        Some(time) => clip.sample_motion(time, &mut reference),
    }
    let across = |body: &Body| {
        let left = body.joint_position(HumanBone::LeftUpperLeg)?;
        let across = left - body.joint_position(HumanBone::RightUpperLeg)?;
        DVec3::new(across.x, 0.0, across.z).try_normalize()
    };
    let Some(left) = across(&body) else {
        return Err(RetargetError::NoTPose("it does not stand upright".to_owned()));
    };
    let limbs: Vec<(&[HumanBone], DVec3)> = vec![
        (&ARMS[0], left),
        (&ARMS[1], -left),
        (&LEGS[0], DVec3::NEG_Y),
        (&LEGS[1], DVec3::NEG_Y),
    ];
    let mut target = body.clone();
    for (limb, direction) in &limbs {
        target.straighten_limb(limb, *direction);
    }
    let turns = fit::alignments(&target, &body);
    let mut bones = vec![None; clip.nodes.len()];
    for (bone, node) in
        HumanBone::ALL.iter().filter_map(|bone| Some((bone, body.bone_node(*bone)?)))
    {
        bones[node.index()] = Some(*bone);
    }
    let mut locals = vec![Transform::IDENTITY; clip.nodes.len()];
    for &id in clip.nodes.parents_first() {
        let index = id.index();
        let parent =
            clip.nodes[id].parent.map_or(Transform::IDENTITY, |id| target.worlds[id.index()]);
        let local = reference[id].local;
        let rotation = match bones[index] {
            Some(bone) => {
                let world: DQuat = turns[bone as usize] * reference[id].world.rotation;
                (parent.rotation.conjugate() * world).normalize()
            }
            None => local.rotation,
        };
        locals[index] = Transform { rotation, ..local };
        target.worlds[index] = parent.compose(&locals[index]);
    }
    let is_straight = |(limb, direction): &(&[HumanBone], DVec3)| {
        limb.windows(2).all(|pair| {
            let found = target.direction(pair[0], pair[1]);
            found.is_none_or(|found| found.dot(*direction) > MIN_STRAIGHT_COSINE)
        })
    };
    match limbs.iter().all(is_straight) || body.is_t_pose {
        true => Ok(locals),
        false => Err(RetargetError::NoTPose("its bones are not connected".to_owned())),
    }
}

/// The cosine of 1°, the largest angle from a limb to its direction in the T-pose.
const MIN_STRAIGHT_COSINE: f64 = 0.999_85;
