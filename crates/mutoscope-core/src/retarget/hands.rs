//! Hands without a body, as headsets record them.

use std::f64::consts::FRAC_PI_2;

use glam::{DMat3, DQuat, DVec3};

use crate::clip::{HumanBone, HumanBones, Nodes, Transform};

/// The names of the joints that are bones, without the side. Palms, metacarpals of fingers and tips are none.
const JOINTS: [(&str, HumanBone, HumanBone); 16] = [
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

/// The bones of recorded hands; nothing if there are none.
pub(super) fn find(nodes: &Nodes) -> Option<HumanBones> {
    let mut bones = HumanBones::default();
    for (id, node) in nodes.with_ids() {
        let Some((side, joint)) = node.name.split_once('/') else { continue };
        let Some((_, left, right)) = JOINTS.iter().find(|known| known.0 == joint) else { continue };
        let bone = match side {
            "left" => *left,
            "right" => *right,
            _ => continue,
        };
        if !bones.has(bone) {
            bones.set(bone, Some(id));
        }
    }
    let has_hand = [HumanBone::LeftHand, HumanBone::RightHand].map(|hand| bones.has(hand));
    has_hand.contains(&true).then_some(bones)
}

/// Where the nodes of recorded hands are in VRM's T-pose: recordings have no rest pose, but their axes are anatomical.
/// −Z runs along the bone, +Y comes out of the back of the hand.
pub(super) fn t_pose(bones: &HumanBones, count: usize) -> Vec<Transform> {
    let mut worlds = vec![Transform::IDENTITY; count];
    for (bone, node) in bones.iter() {
        let is_left = bone.name().starts_with("left");
        let side = if is_left { 1.0 } else { -1.0 };
        let is_hand = matches!(bone, HumanBone::LeftHand | HumanBone::RightHand);
        worlds[node.index()] = Transform {
            rotation: match bone.name().contains("Thumb") {
                true => of_thumb(side),
                false => DQuat::from_rotation_y(-side * FRAC_PI_2),
            },
            // Only directions from the hand count.
            translation: if is_hand { DVec3::ZERO } else { DVec3::X * side },
            ..Transform::IDENTITY
        };
    }
    worlds
}

/// Thumbs point forward and outwards, with their nails outwards.
fn of_thumb(side: f64) -> DQuat {
    let along = DVec3::new(side, 0.0, 1.0).normalize();
    let back = DVec3::new(-side, 0.0, 1.0).normalize();
    DQuat::from_mat3(&DMat3::from_cols(back.cross(-along), back, -along))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_of_hands_point_along_the_bones_of_the_t_pose() {
        for (side, hand) in [(1.0, DVec3::X), (-1.0, DVec3::NEG_X)] {
            let turned = DQuat::from_rotation_y(-side * FRAC_PI_2);
            assert!((turned * DVec3::NEG_Z).abs_diff_eq(hand, 1e-12));
            assert!((turned * DVec3::Y).abs_diff_eq(DVec3::Y, 1e-12));
            let thumb = of_thumb(side);
            let root = 0.5f64.sqrt();
            assert!((thumb * DVec3::NEG_Z).abs_diff_eq(DVec3::new(side * root, 0.0, root), 1e-12));
            assert!((thumb * DVec3::Y).abs_diff_eq(DVec3::new(-side * root, 0.0, root), 1e-12));
            assert!((thumb.length() - 1.0).abs() < 1e-12);
        }
    }
}
