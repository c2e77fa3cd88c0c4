//! Fitting one body to another: its stance, the scale of its hips, the alignment of its limbs.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DQuat;

use super::body::Body;
use crate::clip::HumanBone;

/// The angle about Y, in radians, above −π and up to π, by which the character is turned to face as the motion does.
pub(super) fn turn(motion: &Body, character: &Body) -> f64 {
    // Hands are counted from a T-pose, which faces +Z.
    let to = if motion.is_hands { Some(0.0) } else { motion.facing() };
    let (Some(to), Some(from)) = (to, character.facing()) else { return 0.0 };
    let exact = to - from;
    let turn = match motion.time {
        None => (exact / FRAC_PI_2).round() * FRAC_PI_2,
        Some(_) => exact,
    };
    // Quarter turns are exact only as long as no whole turns are added.
    let turn = turn.rem_euclid(TAU);
    if turn > PI { turn - TAU } else { turn }
}

/// By what the positions of the hips are multiplied. Nothing if a body has no height.
pub(super) fn hip_scale(motion: &Body, character: &Body) -> Option<f64> {
    let heights = [motion, character].map(Heights::of);
    let [Some(motion_heights), Some(character_heights)] = heights else { return None };
    let are_t_poses = motion.is_t_pose && character.is_t_pose;
    let is_from_ground =
        are_t_poses || motion_heights.are_on_ground() && character_heights.are_on_ground();
    let ratio = |of: fn(&Heights) -> f64| {
        let (of_motion, of_character) = (of(&motion_heights), of(&character_heights));
        (of_motion > LEAST && of_character > LEAST).then_some(of_character / of_motion)
    };
    let from_ground = is_from_ground.then(|| ratio(|heights| heights.hips)).flatten();
    from_ground.or_else(|| ratio(|heights| heights.hips - heights.feet))
}

/// Heights below this, in metres, are none.
const LEAST: f64 = 1e-6;

/// The heights of the hips and of the middle of the feet, in metres.
struct Heights {
    hips: f64,
    feet: f64,
}

impl Heights {
    fn of(body: &Body) -> Option<Self> {
        Some(Self { hips: body.place(HumanBone::Hips)?.y, feet: body.feet()?.y })
    }

    /// Whether the body stands on the ground.
    fn are_on_ground(&self) -> bool {
        0.0 <= self.feet && self.feet <= (self.hips - self.feet) / 4.0
    }
}

/// The turns that bring the limbs of the character in its reference pose to where those of the motion point in its
/// own, one for each bone.
pub(super) fn alignments(motion: &Body, character: &Body) -> [DQuat; HumanBone::COUNT] {
    let mut turns = [DQuat::IDENTITY; HumanBone::COUNT];
    if motion.is_t_pose && character.is_t_pose {
        return turns;
    }
    let is_mapped = |bone: HumanBone| motion.bones.has(bone) && character.bones.has(bone);
    // Boxes have directions without a bone that follows.
    let has_boxes = motion.is_of_boxes() || character.is_of_boxes();
    // Bones come after those that they hang from.
    for &bone in HumanBone::ALL {
        let above = bone.all_above().find(|&above| is_mapped(above)).filter(|_| takes_over(bone));
        let above = above.map_or(DQuat::IDENTITY, |above| turns[above as usize]);
        turns[bone as usize] = match next(bone) {
            Some(next) if is_mapped(bone) && (is_mapped(next) || has_boxes) => {
                match (motion.direction(bone, next), character.direction(bone, next)) {
                    (Some(to), Some(from)) => DQuat::from_rotation_arc(above * from, to) * above,
                    _ => above,
                }
            }
            _ => above,
        };
    }
    turns
}

/// The bone that this one is to point to as in the motion.
fn next(bone: HumanBone) -> Option<HumanBone> {
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

/// Whether the alignment of the bone above is handed on to this one.
fn takes_over(bone: HumanBone) -> bool {
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
