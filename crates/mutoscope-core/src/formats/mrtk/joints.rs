//! The joints of an MRTK hand.

use crate::clip::Side;

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
    /// Returns the index in [`JOINTS`] of the joint of a finger, from the words that MRTK, OpenXR,
    /// WebXR and anatomy use for both. Returns `None` for other words.
    pub fn index_from_words(finger: &str, part: &str) -> Option<usize> {
        let metacarpal = match finger {
            "thumb" => return Self::thumb_index(part),
            "index" => 6,
            "middle" => 11,
            "ring" => 16,
            "pinky" | "little" | "small" => 21,
            _ => return None,
        };
        let part = match part {
            "metacarpal" | "cmc" | "0" => 0,
            "proximal" | "knuckle" | "mcp" | "1" => 1,
            "intermediate" | "middle" | "medial" | "pip" | "2" => 2,
            "distal" | "dip" | "3" => 3,
            "tip" => 4,
            _ => return None,
        };
        Some(metacarpal + part)
    }

    /// Returns the index of a joint of the thumb. A thumb has no intermediate bone, but some
    /// programs call the joint between the proximal and the distal bone intermediate.
    fn thumb_index(part: &str) -> Option<usize> {
        Some(match part {
            "metacarpal" | "cmc" | "1" => 2,
            "proximal" | "knuckle" | "mcp" | "intermediate" | "medial" | "2" => 3,
            "distal" | "ip" | "3" => 4,
            "tip" => 5,
            _ => return None,
        })
    }

    /// Returns `true` if the joint is a fingertip.
    pub fn is_tip(&self) -> bool {
        self.name.ends_with("Tip")
    }
}

/// Returns the side that a name contains as a word or a letter, such as `hand_l`.
pub(crate) fn find_side(name: &str) -> Option<Side> {
    split_words(name).iter().find_map(|word| match word.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    })
}

/// Returns the joint that a node name means, with its index in [`JOINTS`]. The words are those of
/// MRTK, OpenXR, WebXR and of bodies with fingers. `side` is the side if the name has none.
pub(crate) fn find_joint(name: &str, side: Option<Side>) -> Option<(Side, usize)> {
    const FILLERS: [&str; 9] =
        ["left", "right", "l", "r", "finger", "phalanx", "joint", "ext", "xr"];
    let side = find_side(name).or(side)?;
    let leaf = name.rsplit('/').next().unwrap_or(name);
    let words = split_words(leaf);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let core: Vec<&str> = words.into_iter().filter(|word| !FILLERS.contains(word)).collect();
    let joint = match core[..] {
        ["wrist" | "hand"] | ["hand", "wrist"] => Some(WRIST),
        ["palm"] | ["hand", "palm"] => Some(PALM),
        [finger, part] | ["hand", finger, part] => Joint::index_from_words(finger, part),
        _ => None,
    };
    joint.map(|joint| (side, joint))
}

/// Splits a name into words in lower case: at characters that are neither letters nor digits,
/// before capital letters, and between letters and digits.
fn split_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before: Option<char> = None;
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            let continues = before.is_some_and(|before| {
                before.is_alphanumeric()
                    && before.is_numeric() == letter.is_numeric()
                    && (before.is_uppercase() || !letter.is_uppercase())
            });
            if !continues {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        }
        before = Some(letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_found_by_the_names_of_other_programs() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        let cases = [
            ("left/IndexMiddleJoint", None, Some((Side::Left, 8))),
            ("XR_HAND_JOINT_LITTLE_TIP_EXT", right, Some((Side::Right, 25))),
            ("index-finger-phalanx-proximal", left, Some((Side::Left, 7))),
            ("thumb-phalanx-distal", right, Some((Side::Right, 4))),
            ("LeftHandIndex1", None, Some((Side::Left, 7))),
            ("mixamorig:RightHand", None, None),
            ("RightHand", None, Some((Side::Right, WRIST))),
            ("right/wrist", None, Some((Side::Right, WRIST))),
            ("palm", left, Some((Side::Left, PALM))),
            ("IndexTip", None, None),
            ("left/controller", None, None),
            ("LeftUpLeg", None, None),
        ];
        for (name, side, expected) in cases {
            assert_eq!(find_joint(name, side), expected, "{name}");
        }
        for (index, joint) in JOINTS.iter().enumerate() {
            assert_eq!(find_joint(joint.name, left), Some((Side::Left, index)), "{}", joint.name);
        }
    }

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
