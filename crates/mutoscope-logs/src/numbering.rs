//! The joints that numbers mean in the output of hand and body trackers.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// A list of numbered joints, by its index in the file of all lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbering(usize);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NumberedJoints {
    /// The name of each joint. A number that means no joint has an empty name.
    names: Vec<String>,
    /// For each joint, the joint at which its bone begins.
    #[serde(default)]
    bones: BTreeMap<String, String>,
}

static ALL: LazyLock<Vec<(String, NumberedJoints)>> = LazyLock::new(|| {
    let lists: BTreeMap<String, NumberedJoints> =
        toml::from_str(include_str!("numbering.toml")).expect("the file is valid");
    lists.into_iter().collect()
});

impl Numbering {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..ALL.len()).map(Self)
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|numbering| numbering.as_str() == name)
    }

    pub(crate) fn as_str(self) -> &'static str {
        &ALL[self.0].0
    }

    pub(crate) fn joint(self, number: usize) -> Option<&'static str> {
        ALL[self.0].1.names.get(number).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Returns each joint that has a bone, with the joint at which the bone begins.
    pub(crate) fn bones(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        ALL[self.0].1.bones.iter().map(|(joint, from)| (joint.as_str(), from.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::joint_index;

    #[test]
    fn maps_joint_numbers_of_each_source() {
        let cases = [
            ("openxr", 0, Some("Palm")),
            ("openxr", 10, Some("IndexTip")),
            ("webxr", 0, Some("Wrist")),
            ("webxr", 24, Some("PinkyTip")),
            ("unity", 0, None),
            ("unity", 2, Some("Palm")),
            ("unity", 3, Some("ThumbMetacarpalJoint")),
            ("unity", 26, Some("PinkyTip")),
            ("mediapipe", 1, Some("ThumbMetacarpalJoint")),
            ("mediapipe", 5, Some("IndexKnuckle")),
            ("mediapipe", 20, Some("PinkyTip")),
            ("mediapipe", 21, None),
            ("aria", 8, Some("IndexKnuckle")),
            ("aria", 20, Some("Palm")),
            ("mediapipe-pose", 32, Some("RIGHT_FOOT_INDEX")),
            ("openpose-body25", 24, Some("RHeel")),
            ("openpose-coco", 17, Some("LEar")),
            ("coco", 16, Some("right_ankle")),
            ("kinect2", 20, Some("SpineShoulder")),
            ("azure-kinect", 31, Some("EAR_RIGHT")),
        ];
        for (name, number, joint) in cases {
            let numbering = Numbering::from_name(name).expect(name);
            assert_eq!(numbering.joint(number), joint, "{name} {number}");
        }
    }

    #[test]
    fn bones_are_between_listed_joints() {
        for (list, joints) in &*ALL {
            for (joint, from) in &joints.bones {
                assert!(joints.names.contains(joint), "{list}: {joint}");
                assert!(joints.names.contains(from), "{list}: {from}");
            }
            let is_hand = joints.names.iter().any(|name| name == "IndexTip");
            let is_known = |name: &String| name.is_empty() || joint_index(name).is_some();
            assert!(!is_hand || joints.names.iter().all(is_known), "{list}");
        }
    }
}
