//! Maps the joint names and joint numbers of all sources to one hand skeleton.

use mutoscope_core::formats::mrtk::JOINTS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HandJoint(pub(crate) usize);

pub(super) const WRIST: HandJoint = HandJoint(0);
pub(super) const PALM: HandJoint = HandJoint(1);

impl HandJoint {
    pub(crate) fn name(self) -> &'static str {
        JOINTS[self.0].name
    }

    pub(super) fn from_words(finger: &str, part: &str) -> Option<Self> {
        let finger = match finger {
            "thumb" => return Self::thumb_joint(part),
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
        Some(Self(finger + part))
    }

    /// Returns the joint of a thumb. A thumb has no intermediate bone, but some sources call the
    /// joint between the proximal and the distal bone intermediate.
    fn thumb_joint(part: &str) -> Option<Self> {
        Some(Self(match part {
            "metacarpal" | "cmc" | "1" => 2,
            "proximal" | "knuckle" | "mcp" | "intermediate" | "medial" | "2" => 3,
            "distal" | "ip" | "3" => 4,
            "tip" => 5,
            _ => return None,
        }))
    }
}

pub(crate) fn joint_index(name: &str) -> Option<usize> {
    JOINTS.iter().position(|joint| joint.name == name)
}

/// Returns the joint at which the bone to `joint` begins. This is the nearest joint towards the
/// wrist for which `has` returns `true`.
pub(crate) fn bone_from(joint: usize, has: impl Fn(usize) -> bool) -> Option<usize> {
    let mut next = JOINTS[joint].bone_from;
    while let Some(from) = next.filter(|from| !has(*from)) {
        next = JOINTS[from].bone_from;
    }
    next
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    OpenXr,
    WebXr,
    Unity,
    MediaPipe,
    Aria,
}

impl Numbering {
    pub(crate) const ALL: [Self; 5] =
        [Self::OpenXr, Self::WebXr, Self::Unity, Self::MediaPipe, Self::Aria];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::OpenXr => "openxr",
            Self::WebXr => "webxr",
            Self::Unity => "unity",
            Self::MediaPipe => "mediapipe",
            Self::Aria => "aria",
        }
    }

    pub(crate) fn joint(self, number: usize) -> Option<HandJoint> {
        const ARIA: [usize; 21] =
            [5, 10, 15, 20, 25, 0, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19, 22, 23, 24, 1];
        let index = match (self, number) {
            (Self::OpenXr, 0) | (Self::Unity, 2) => 1,
            (Self::OpenXr, 1) | (Self::WebXr | Self::MediaPipe, 0) | (Self::Unity, 1) => 0,
            (Self::OpenXr, 2..=25) => number,
            (Self::WebXr, 1..=24) => number + 1,
            (Self::Unity, 3..=26) => number - 1,
            (Self::MediaPipe, 1..=4) => number + 1,
            // MediaPipe has four points for each finger, and none for the metacarpals.
            (Self::MediaPipe, 5..=20) => 7 + (number - 5) / 4 * 5 + (number - 5) % 4,
            (Self::Aria, 0..=20) => ARIA[number],
            _ => return None,
        };
        Some(HandJoint(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_joint_numbers_of_each_source() {
        let cases = [
            (Numbering::OpenXr, 0, "Palm"),
            (Numbering::OpenXr, 10, "IndexTip"),
            (Numbering::WebXr, 0, "Wrist"),
            (Numbering::WebXr, 24, "PinkyTip"),
            (Numbering::Unity, 2, "Palm"),
            (Numbering::Unity, 3, "ThumbMetacarpalJoint"),
            (Numbering::Unity, 26, "PinkyTip"),
            (Numbering::MediaPipe, 1, "ThumbMetacarpalJoint"),
            (Numbering::MediaPipe, 5, "IndexKnuckle"),
            (Numbering::MediaPipe, 20, "PinkyTip"),
            (Numbering::Aria, 8, "IndexKnuckle"),
            (Numbering::Aria, 20, "Palm"),
        ];
        for (numbering, number, name) in cases {
            let joint = numbering.joint(number).map(HandJoint::name);
            assert_eq!(joint, Some(name), "{numbering:?} {number}");
        }
        assert_eq!(Numbering::MediaPipe.joint(21), None);
        assert_eq!(Numbering::Unity.joint(0), None);
    }

    #[test]
    fn bones_skip_joints_that_a_recording_lacks() {
        let without_metacarpals = |joint: usize| !matches!(joint, 6 | 11 | 16 | 21);
        assert_eq!(bone_from(7, without_metacarpals), Some(0));
        assert_eq!(bone_from(7, |_| true), Some(6));
        assert_eq!(bone_from(7, |_| false), None);
    }
}
