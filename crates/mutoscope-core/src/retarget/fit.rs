//! Fits one body to another: the facing, the scale of the hips, and the alignment of the limbs.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::{DQuat, DVec3};

use super::body::Body;
use crate::clip::HumanBone;

/// Returns the angle by which the character must rotate about Y to face in the same direction as
/// the motion, in radians. The range is −π < angle ≤ π.
pub(super) fn facing_rotation(motion: &Body, character: &Body) -> f64 {
    character.facing_angle().map_or(0.0, |from| rotation_to_face(motion, from))
}

/// Returns the angle by which a body that faces in the direction `from` must rotate about Y to face
/// in the same direction as the motion, in radians. The range is −π < angle ≤ π.
pub(super) fn rotation_to_face(motion: &Body, from: f64) -> f64 {
    // The reference pose of hands is a T-pose that faces +Z.
    let to = if motion.is_hands { Some(0.0) } else { motion.facing_angle() };
    let Some(to) = to else { return 0.0 };
    let exact = to - from;
    let turn = match motion.reference_time {
        None => (exact / FRAC_PI_2).round() * FRAC_PI_2,
        Some(_) => exact,
    };
    // Reduce the angle to less than one turn. Otherwise a rotation by quarter turns would have
    // rounding errors.
    let turn = turn.rem_euclid(TAU);
    if turn > PI { turn - TAU } else { turn }
}

/// Returns the ratio of the heights of the hips. `None` if the hips of a body are not above its
/// feet.
pub(super) fn hip_scale(motion: &Body, character: &Body) -> Option<f64> {
    let heights = [motion, character].map(Heights::from_body);
    let [Some(motion_heights), Some(character_heights)] = heights else { return None };
    let are_t_poses = motion.is_t_pose && character.is_t_pose;
    let is_from_ground =
        are_t_poses || motion_heights.are_on_ground() && character_heights.are_on_ground();
    let ratio = |of: fn(&Heights) -> f64| {
        let (of_motion, of_character) = (of(&motion_heights), of(&character_heights));
        (of_motion > MIN_HEIGHT_M && of_character > MIN_HEIGHT_M)
            .then_some(of_character / of_motion)
    };
    let from_ground = is_from_ground.then(|| ratio(|heights| heights.hips)).flatten();
    from_ground.or_else(|| ratio(|heights| heights.hips - heights.feet))
}

/// Returns the ratio of the lengths of the legs, to replace the ratio of the heights.
/// `None` if a body has no legs, or legs without a length.
pub(super) fn leg_scale(motion: &Body, character: &Body) -> Option<f64> {
    let [motion, character] = [motion.leg_length()?, character.leg_length()?];
    (motion > MIN_HEIGHT_M && character > MIN_HEIGHT_M).then_some(character / motion)
}

/// Returns `true` if the hips of the body are above its feet.
pub(super) fn has_raised_hips(body: &Body) -> bool {
    Heights::from_body(body).is_some_and(|heights| heights.hips - heights.feet > MIN_HEIGHT_M)
}

/// Returns `true` if the body stands on the ground.
pub(super) fn is_on_ground(body: &Body) -> bool {
    Heights::from_body(body).is_some_and(|heights| heights.are_on_ground())
}

pub(super) const MIN_HEIGHT_M: f64 = 1e-6;

struct Heights {
    hips: f64,
    feet: f64,
}

impl Heights {
    fn from_body(body: &Body) -> Option<Self> {
        Some(Self { hips: body.joint_position(HumanBone::Hips)?.y, feet: body.feet_centre()?.y })
    }

    /// Returns `true` if the body stands on the ground. The feet must not be below the ground, nor
    /// higher than a quarter of the distance from the feet to the hips.
    fn are_on_ground(&self) -> bool {
        0.0 <= self.feet && self.feet <= (self.hips - self.feet) / 4.0
    }
}

pub(super) fn alignments(motion: &Body, character: &Body) -> [DQuat; HumanBone::COUNT] {
    if motion.is_t_pose && character.is_t_pose {
        return [DQuat::IDENTITY; HumanBone::COUNT];
    }
    let is_mapped = |bone: HumanBone| motion.bones.contains(bone) && character.bones.contains(bone);
    // A box has a direction even if the body lacks the next bone.
    let has_boxes = motion.is_box_figure() || character.is_box_figure();
    align_limbs(is_mapped, |bone, next| {
        let is_known = is_mapped(next) || has_boxes;
        let directions = (motion.direction(bone, next), character.direction(bone, next));
        let (Some(to), Some(from)) = directions else { return None };
        is_known.then_some((from, to))
    })
}

/// Returns the rotations of the bones that turn the limbs from one direction to another.
/// `directions` returns both directions of a bone, given its next bone.
pub(super) fn align_limbs(
    is_mapped: impl Fn(HumanBone) -> bool,
    directions: impl Fn(HumanBone, HumanBone) -> Option<(DVec3, DVec3)>,
) -> [DQuat; HumanBone::COUNT] {
    let mut turns = [DQuat::IDENTITY; HumanBone::COUNT];
    // `HumanBone::ALL` lists parents before children, so the rotation of the parent is already
    // known.
    for &bone in HumanBone::ALL {
        let above =
            bone.ancestors().find(|&above| is_mapped(above)).filter(|_| inherits_alignment(bone));
        let above = above.map_or(DQuat::IDENTITY, |above| turns[above as usize]);
        let next = limb_end_bone(bone).filter(|_| is_mapped(bone));
        turns[bone as usize] = match next.and_then(|next| directions(bone, next)) {
            Some((from, to)) => DQuat::from_rotation_arc(above * from, to) * above,
            None => above,
        };
    }
    turns
}

pub(super) fn limb_end_bone(bone: HumanBone) -> Option<HumanBone> {
    use HumanBone as B;
    Some(match bone {
        B::LeftUpperArm => B::LeftLowerArm,
        B::LeftLowerArm => B::LeftHand,
        B::LeftHand => B::LeftMiddleProximal,
        B::LeftUpperLeg => B::LeftLowerLeg,
        B::LeftLowerLeg => B::LeftFoot,
        B::RightUpperArm => B::RightLowerArm,
        B::RightLowerArm => B::RightHand,
        B::RightHand => B::RightMiddleProximal,
        B::RightUpperLeg => B::RightLowerLeg,
        B::RightLowerLeg => B::RightFoot,
        _ => return None,
    })
}

fn inherits_alignment(bone: HumanBone) -> bool {
    use HumanBone as B;
    let is_of_limb = matches!(
        bone,
        B::LeftLowerArm
            | B::LeftHand
            | B::LeftLowerLeg
            | B::RightLowerArm
            | B::RightHand
            | B::RightLowerLeg
    );
    is_of_limb || bone.is_finger()
}
