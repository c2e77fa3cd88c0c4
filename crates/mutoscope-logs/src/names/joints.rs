//! Maps the joint names of all sources to one hand skeleton.

use mutoscope_core::formats::mrtk::{JOINTS, Joint};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HandJoint(pub(crate) usize);

pub(super) const WRIST: HandJoint = HandJoint(0);
pub(super) const PALM: HandJoint = HandJoint(1);

impl HandJoint {
    pub(crate) fn name(self) -> &'static str {
        JOINTS[self.0].name
    }

    pub(super) fn from_words(finger: &str, part: &str) -> Option<Self> {
        Joint::index_from_words(finger, part).map(Self)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_skip_joints_that_a_recording_lacks() {
        let without_metacarpals = |joint: usize| !matches!(joint, 6 | 11 | 16 | 21);
        assert_eq!(bone_from(7, without_metacarpals), Some(0));
        assert_eq!(bone_from(7, |_| true), Some(6));
        assert_eq!(bone_from(7, |_| false), None);
    }
}
