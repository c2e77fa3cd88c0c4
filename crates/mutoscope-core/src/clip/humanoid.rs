//! The bones of a humanoid body, and what files declare about them.

use std::{fmt, str::FromStr};

use glam::DVec3;

use super::{NodeId, Transform};

/// The bones by one line each: variant, name, the bone above it, whether every humanoid has it.
macro_rules! bones {
    ($($variant:ident $name:literal $($above:ident)?, $required:literal;)*) => {
        /// A bone of a humanoid body, as VRM 1.0 names and distinguishes them.
        ///
        /// They are ordered as listings have them: trunk, left side, right side.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names say what they are")]
        pub enum HumanBone { $($variant,)* }

        impl HumanBone {
            /// All of them, in their order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in VRM 1.0: `leftUpperArm`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The bone that it hangs from, where that is there.
            pub const fn above(self) -> Option<Self> {
                match self { $(Self::$variant => bones!(@above $($above)?),)* }
            }

            /// Whether every humanoid of VRM 1.0 has it.
            pub const fn is_required(self) -> bool {
                match self { $(Self::$variant => $required,)* }
            }
        }
    };
    (@above) => { None };
    (@above $above:ident) => { Some(Self::$above) };
}

bones! {
    Hips "hips", true;
    Spine "spine" Hips, true;
    Chest "chest" Spine, false;
    UpperChest "upperChest" Chest, false;
    Neck "neck" UpperChest, false;
    Head "head" Neck, true;
    Jaw "jaw" Head, false;
    LeftEye "leftEye" Head, false;
    LeftShoulder "leftShoulder" UpperChest, false;
    LeftUpperArm "leftUpperArm" LeftShoulder, true;
    LeftLowerArm "leftLowerArm" LeftUpperArm, true;
    LeftHand "leftHand" LeftLowerArm, true;
    LeftUpperLeg "leftUpperLeg" Hips, true;
    LeftLowerLeg "leftLowerLeg" LeftUpperLeg, true;
    LeftFoot "leftFoot" LeftLowerLeg, true;
    LeftToes "leftToes" LeftFoot, false;
    LeftThumbMetacarpal "leftThumbMetacarpal" LeftHand, false;
    LeftThumbProximal "leftThumbProximal" LeftThumbMetacarpal, false;
    LeftThumbDistal "leftThumbDistal" LeftThumbProximal, false;
    LeftIndexProximal "leftIndexProximal" LeftHand, false;
    LeftIndexIntermediate "leftIndexIntermediate" LeftIndexProximal, false;
    LeftIndexDistal "leftIndexDistal" LeftIndexIntermediate, false;
    LeftMiddleProximal "leftMiddleProximal" LeftHand, false;
    LeftMiddleIntermediate "leftMiddleIntermediate" LeftMiddleProximal, false;
    LeftMiddleDistal "leftMiddleDistal" LeftMiddleIntermediate, false;
    LeftRingProximal "leftRingProximal" LeftHand, false;
    LeftRingIntermediate "leftRingIntermediate" LeftRingProximal, false;
    LeftRingDistal "leftRingDistal" LeftRingIntermediate, false;
    LeftLittleProximal "leftLittleProximal" LeftHand, false;
    LeftLittleIntermediate "leftLittleIntermediate" LeftLittleProximal, false;
    LeftLittleDistal "leftLittleDistal" LeftLittleIntermediate, false;
    RightEye "rightEye" Head, false;
    RightShoulder "rightShoulder" UpperChest, false;
    RightUpperArm "rightUpperArm" RightShoulder, true;
    RightLowerArm "rightLowerArm" RightUpperArm, true;
    RightHand "rightHand" RightLowerArm, true;
    RightUpperLeg "rightUpperLeg" Hips, true;
    RightLowerLeg "rightLowerLeg" RightUpperLeg, true;
    RightFoot "rightFoot" RightLowerLeg, true;
    RightToes "rightToes" RightFoot, false;
    RightThumbMetacarpal "rightThumbMetacarpal" RightHand, false;
    RightThumbProximal "rightThumbProximal" RightThumbMetacarpal, false;
    RightThumbDistal "rightThumbDistal" RightThumbProximal, false;
    RightIndexProximal "rightIndexProximal" RightHand, false;
    RightIndexIntermediate "rightIndexIntermediate" RightIndexProximal, false;
    RightIndexDistal "rightIndexDistal" RightIndexIntermediate, false;
    RightMiddleProximal "rightMiddleProximal" RightHand, false;
    RightMiddleIntermediate "rightMiddleIntermediate" RightMiddleProximal, false;
    RightMiddleDistal "rightMiddleDistal" RightMiddleIntermediate, false;
    RightRingProximal "rightRingProximal" RightHand, false;
    RightRingIntermediate "rightRingIntermediate" RightRingProximal, false;
    RightRingDistal "rightRingDistal" RightRingIntermediate, false;
    RightLittleProximal "rightLittleProximal" RightHand, false;
    RightLittleIntermediate "rightLittleIntermediate" RightLittleProximal, false;
    RightLittleDistal "rightLittleDistal" RightLittleIntermediate, false;
}

impl HumanBone {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The bones that every humanoid of VRM 1.0 has.
    pub fn required() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|bone| bone.is_required())
    }

    /// The bones above it, the nearest first.
    pub fn all_above(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.above(), |bone| bone.above())
    }

    /// Whether it is of a finger or a thumb.
    pub fn is_finger(self) -> bool {
        let mut above = self.all_above();
        above.any(|bone| matches!(bone, Self::LeftHand | Self::RightHand))
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HumanBone {
    type Err = ();

    /// The bone of this name in VRM 1.0.
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|bone| bone.name() == name).ok_or(())
    }
}

/// For each bone of a humanoid body the node that is it, if one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanBones([Option<NodeId>; HumanBone::COUNT]);

impl Default for HumanBones {
    fn default() -> Self {
        Self([None; HumanBone::COUNT])
    }
}

impl HumanBones {
    /// The node of a bone.
    pub fn get(&self, bone: HumanBone) -> Option<NodeId> {
        self.0[bone as usize]
    }

    /// Whether a node is this bone.
    pub fn has(&self, bone: HumanBone) -> bool {
        self.get(bone).is_some()
    }

    /// Makes a node a bone, or leaves the bone out.
    pub fn set(&mut self, bone: HumanBone, node: Option<NodeId>) {
        self.0[bone as usize] = node;
    }

    /// The bones that are there, with their nodes, in the order of [`HumanBone::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (HumanBone, NodeId)> + '_ {
        HumanBone::ALL.iter().filter_map(|&bone| Some((bone, self.get(bone)?)))
    }

    /// The first of those above a bone that is there.
    pub fn above(&self, bone: HumanBone) -> Option<HumanBone> {
        bone.all_above().find(|&above| self.has(above))
    }

    /// The required bones that are not there.
    pub fn missing(&self) -> Vec<HumanBone> {
        HumanBone::required().filter(|&bone| !self.has(bone)).collect()
    }
}

/// The humanoid body that a file declares its nodes to be: a VRM, or an animation for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Humanoid {
    /// Its bones, by their nodes.
    pub bones: HumanBones,
    /// Whether the rest pose is VRM's T-pose.
    pub is_t_pose: bool,
    /// Its boxes, if it is a figure of boxes without elbows and knees; empty if not.
    pub boxes: Box<[BoneBox]>,
}

/// A bone of a figure of boxes, such as Minecraft's player: its joint, its end and its reference pose do not follow
/// from the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneBox {
    /// The node that it moves with.
    pub node: NodeId,
    /// The world transform of the node in the reference pose, in the viewer's space.
    pub reference: Transform,
    /// The joint, in the node's own space.
    pub joint: DVec3,
    /// The end of a limb below its joint, in the node's own space: a hand or a foot.
    pub end: Option<DVec3>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_have_names_and_bones_above_them() {
        assert_eq!(HumanBone::COUNT, 55);
        for &bone in HumanBone::ALL {
            assert_eq!(bone.name().parse(), Ok(bone));
            assert_eq!(bone.all_above().last().unwrap_or(bone), HumanBone::Hips, "{bone}");
        }
        assert_eq!(HumanBone::required().count(), 15);
        assert_eq!(HumanBone::ALL.iter().filter(|bone| bone.is_finger()).count(), 30);
        assert!("Hips".parse::<HumanBone>().is_err());
    }
}
