//! Hands without a body, as headsets record them.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec3};

use crate::clip::{HumanBone, HumanBones, Nodes, Transform};

/// The joint names that correspond to bones of VRM, without the side. The palm, the metacarpals of
/// the fingers except the thumb, and the tips of fingers are not bones in VRM.
const JOINT_BONES: [(&str, HumanBone, HumanBone); 16] = [
    ("Wrist", HumanBone::LeftHand, HumanBone::RightHand),
    ("ThumbMetacarpalJoint", HumanBone::LeftThumbMetacarpal, HumanBone::RightThumbMetacarpal),
    ("ThumbProximalJoint", HumanBone::LeftThumbProximal, HumanBone::RightThumbProximal),
    ("ThumbDistalJoint", HumanBone::LeftThumbDistal, HumanBone::RightThumbDistal),
    ("IndexKnuckle", HumanBone::LeftIndexProximal, HumanBone::RightIndexProximal),
    ("IndexMiddleJoint", HumanBone::LeftIndexIntermediate, HumanBone::RightIndexIntermediate),
    ("IndexDistalJoint", HumanBone::LeftIndexDistal, HumanBone::RightIndexDistal),
    ("MiddleKnuckle", HumanBone::LeftMiddleProximal, HumanBone::RightMiddleProximal),
    ("MiddleMiddleJoint", HumanBone::LeftMiddleIntermediate, HumanBone::RightMiddleIntermediate),
    ("MiddleDistalJoint", HumanBone::LeftMiddleDistal, HumanBone::RightMiddleDistal),
    ("RingKnuckle", HumanBone::LeftRingProximal, HumanBone::RightRingProximal),
    ("RingMiddleJoint", HumanBone::LeftRingIntermediate, HumanBone::RightRingIntermediate),
    ("RingDistalJoint", HumanBone::LeftRingDistal, HumanBone::RightRingDistal),
    ("PinkyKnuckle", HumanBone::LeftLittleProximal, HumanBone::RightLittleProximal),
    ("PinkyMiddleJoint", HumanBone::LeftLittleIntermediate, HumanBone::RightLittleIntermediate),
    ("PinkyDistalJoint", HumanBone::LeftLittleDistal, HumanBone::RightLittleDistal),
];

pub(super) fn find_hands(nodes: &Nodes) -> Option<HumanBones> {
    let mut bones = HumanBones::default();
    for (id, node) in nodes.with_ids() {
        let Some((side, joint)) = node.name.split_once('/') else { continue };
        let Some((_, left, right)) = JOINT_BONES.iter().find(|known| known.0 == joint) else {
            continue;
        };
        let bone = match side {
            "left" => *left,
            "right" => *right,
            _ => continue,
        };
        if !bones.contains(bone) {
            bones.set(bone, Some(id));
        }
    }
    let has_hand = [HumanBone::LeftHand, HumanBone::RightHand].map(|hand| bones.contains(hand));
    has_hand.contains(&true).then_some(bones)
}

/// Returns the world transforms of recorded hands in VRM's T-pose. Recordings of hands have no rest
/// pose, but the axes of their joints are anatomical: −Z runs along the bone, and +Y points out of
/// the back of the hand.
pub(super) fn t_pose_transforms(bones: &HumanBones, count: usize) -> Vec<Transform> {
    let mut worlds = vec![Transform::IDENTITY; count];
    for (bone, node) in bones.iter() {
        let is_left = bone.name().starts_with("left");
        let side = if is_left { 1.0 } else { -1.0 };
        let is_hand = matches!(bone, HumanBone::LeftHand | HumanBone::RightHand);
        worlds[node.index()] = Transform {
            rotation: match bone.name().contains("Thumb") {
                true => thumb_rotation(side),
                false => DQuat::from_rotation_y(-side * FRAC_PI_2),
            },
            // Only the directions of the joints from the hand are used, so the distance may have
            // any value.
            translation: if is_hand { DVec3::ZERO } else { DVec3::X * side },
            ..Transform::IDENTITY
        };
    }
    worlds
}

/// Returns the rotation of a thumb bone: the thumb points forwards and outwards, and its nail
/// points away from the other fingers.
fn thumb_rotation(side: f64) -> DQuat {
    let along = DVec3::new(side, 0.0, 1.0).normalize();
    let back = DVec3::new(-side, 0.0, 1.0).normalize();
    DQuat::from_mat3(&DMat3::from_cols(back.cross(-along), back, -along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_axes_point_along_the_bones_of_the_t_pose() {
        for (side, hand) in [(1.0, DVec3::X), (-1.0, DVec3::NEG_X)] {
            let turned = DQuat::from_rotation_y(-side * FRAC_PI_2);
            assert!((turned * DVec3::NEG_Z).abs_diff_eq(hand, 1e-12));
            assert!((turned * DVec3::Y).abs_diff_eq(DVec3::Y, 1e-12));
            let thumb = thumb_rotation(side);
            let root = 0.5f64.sqrt();
            assert!((thumb * DVec3::NEG_Z).abs_diff_eq(DVec3::new(side * root, 0.0, root), 1e-12));
            assert!((thumb * DVec3::Y).abs_diff_eq(DVec3::new(-side * root, 0.0, root), 1e-12));
            assert!((thumb.length() - 1.0).abs() < 1e-12);
        }
    }
}
