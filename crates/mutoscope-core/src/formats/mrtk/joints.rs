//! The joints of an MRTK hand.

/// A joint of a hand: a value of MRTK's `TrackedHandJoint`, except `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The name in MRTK.
    pub name: &'static str,
    /// The index in [`JOINTS`] of the joint at the other end of the bone; `None` for the wrist.
    pub bone_from: Option<usize>,
    /// The indices in [`JOINTS`] of two joints. The direction from the first to the second is the
    /// +Z axis of this joint's rotation.
    pub forward: (usize, usize),
}

/// The number of poses per hand in a file: the placeholder `None`, then 26 joints.
pub(super) const POSES_PER_HAND: usize = 27;

/// The 26 joints in file order, without `None`.
///
/// A file has no hierarchy, because every pose is absolute. The bones between the joints and the
/// directions of +Z were measured on real recordings; see `docs/formats/mrtk.md`.
pub const JOINTS: [Joint; POSES_PER_HAND - 1] = [
    joint("Wrist", None, (WRIST, MIDDLE_KNUCKLE)),
    joint("Palm", Some(WRIST), (PALM, MIDDLE_KNUCKLE)),
    joint("ThumbMetacarpalJoint", Some(WRIST), (2, 3)),
    joint("ThumbProximalJoint", Some(2), (3, 4)),
    joint("ThumbDistalJoint", Some(3), (4, 5)),
    joint("ThumbTip", Some(4), (4, 5)),
    joint("IndexMetacarpal", Some(WRIST), (6, 7)),
    joint("IndexKnuckle", Some(6), (7, 8)),
    joint("IndexMiddleJoint", Some(7), (8, 9)),
    joint("IndexDistalJoint", Some(8), (9, 10)),
    joint("IndexTip", Some(9), (9, 10)),
    joint("MiddleMetacarpal", Some(WRIST), (11, 12)),
    joint("MiddleKnuckle", Some(11), (12, 13)),
    joint("MiddleMiddleJoint", Some(12), (13, 14)),
    joint("MiddleDistalJoint", Some(13), (14, 15)),
    joint("MiddleTip", Some(14), (14, 15)),
    joint("RingMetacarpal", Some(WRIST), (16, 17)),
    joint("RingKnuckle", Some(16), (17, 18)),
    joint("RingMiddleJoint", Some(17), (18, 19)),
    joint("RingDistalJoint", Some(18), (19, 20)),
    joint("RingTip", Some(19), (19, 20)),
    joint("PinkyMetacarpal", Some(WRIST), (21, 22)),
    joint("PinkyKnuckle", Some(21), (22, 23)),
    joint("PinkyMiddleJoint", Some(22), (23, 24)),
    joint("PinkyDistalJoint", Some(23), (24, 25)),
    joint("PinkyTip", Some(24), (24, 25)),
];

const WRIST: usize = 0;
const PALM: usize = 1;
const MIDDLE_KNUCKLE: usize = 12;

const fn joint(name: &'static str, bone_from: Option<usize>, forward: (usize, usize)) -> Joint {
    Joint { name, bone_from, forward }
}

impl Joint {
    /// Returns `true` if the joint is a fingertip.
    pub fn is_tip(&self) -> bool {
        self.name.ends_with("Tip")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finger_bones_run_from_wrist_to_tip() {
        assert_eq!(JOINTS[MIDDLE_KNUCKLE].name, "MiddleKnuckle");
        for (index, joint) in JOINTS.iter().enumerate() {
            let finger = joint.name.trim_end_matches("Tip");
            if joint.is_tip() {
                let mut chain = vec![index];
                while let Some(next) = JOINTS[chain[chain.len() - 1]].bone_from {
                    chain.push(next);
                }
                let length = if finger == "Thumb" { 5 } else { 6 };
                assert_eq!(chain.len(), length, "{}", joint.name);
                let of_finger = |&index: &usize| JOINTS[index].name.starts_with(finger);
                assert!(chain[..length - 1].iter().all(of_finger), "{}", joint.name);
                assert_eq!(chain[length - 1], WRIST);
            }
        }
        assert_eq!(JOINTS.iter().filter(|joint| joint.is_tip()).count(), 5);
        assert_eq!(JOINTS.iter().filter(|joint| joint.bone_from.is_some()).count(), 25);
    }
}
