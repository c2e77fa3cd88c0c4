//! The bones of a humanoid body, and the data that files declare about them.

use std::{fmt, str::FromStr};

use glam::DVec3;

use super::{NodeId, Transform};

/// Defines the bones, one per line: variant, name, parent, and `true` if VRM 1.0 requires it.
macro_rules! bones {
    ($($variant:ident $name:literal $($parent:ident)?, $required:literal;)*) => {
        /// A bone of a humanoid body, as defined by VRM 1.0.
        ///
        /// The bones are in the order of listings: trunk, left side, right side.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names say what they are")]
        pub enum HumanBone { $($variant,)* }

        impl HumanBone {
            /// All bones, in the order of listings.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name in VRM 1.0: `leftUpperArm`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the parent in VRM 1.0, or `None` for the hips. A body may have the bone but
            /// not its parent.
            pub const fn parent(self) -> Option<Self> {
                match self { $(Self::$variant => bones!(@parent $($parent)?),)* }
            }

            /// Returns `true` if VRM 1.0 requires the bone.
            pub const fn is_required(self) -> bool {
                match self { $(Self::$variant => $required,)* }
            }
        }
    };
    (@parent) => { None };
    (@parent $parent:ident) => { Some(Self::$parent) };
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
    /// The number of bones.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the bones that VRM 1.0 requires.
    pub fn required() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|bone| bone.is_required())
    }

    /// Returns the ancestors of the bone, the nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |bone| bone.parent())
    }

    /// Returns `true` if VRM 1.0 allows the bone only together with its parent.
    pub fn needs_parent(self) -> bool {
        let is_first = matches!(self.parent(), Some(Self::LeftHand | Self::RightHand));
        self == Self::UpperChest || self.is_finger() && !is_first
    }

    /// Returns `true` if the bone belongs to a finger or a thumb.
    pub fn is_finger(self) -> bool {
        let mut ancestors = self.ancestors();
        ancestors.any(|bone| matches!(bone, Self::LeftHand | Self::RightHand))
    }
}

impl fmt::Display for HumanBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HumanBone {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|bone| bone.name() == name).ok_or(())
    }
}

/// The node for each bone of a humanoid body. Bones may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanBones([Option<NodeId>; HumanBone::COUNT]);

impl Default for HumanBones {
    fn default() -> Self {
        Self([None; HumanBone::COUNT])
    }
}

impl HumanBones {
    /// Returns the node of `bone`, or `None` if the body lacks the bone.
    pub fn get(&self, bone: HumanBone) -> Option<NodeId> {
        self.0[bone as usize]
    }

    /// Returns `true` if the body has `bone`.
    pub fn contains(&self, bone: HumanBone) -> bool {
        self.get(bone).is_some()
    }

    /// Sets the node of `bone`. `None` removes the bone.
    pub fn set(&mut self, bone: HumanBone, node: Option<NodeId>) {
        self.0[bone as usize] = node;
    }

    /// Returns the bones of the body with their nodes, in the order of [`HumanBone::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (HumanBone, NodeId)> + '_ {
        HumanBone::ALL.iter().filter_map(|&bone| Some((bone, self.get(bone)?)))
    }

    /// Returns the nearest ancestor of `bone` that the body has.
    pub fn nearest_ancestor(&self, bone: HumanBone) -> Option<HumanBone> {
        bone.ancestors().find(|&ancestor| self.contains(ancestor))
    }

    /// Returns the required bones that the body lacks.
    pub fn missing_required(&self) -> Vec<HumanBone> {
        HumanBone::required().filter(|&bone| !self.contains(bone)).collect()
    }
}

/// A humanoid body that a file declares, such as a VRM avatar or an animation for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Humanoid {
    /// The node of each bone.
    pub bones: HumanBones,
    /// `true` if the rest pose is the T-pose of VRM.
    pub is_t_pose: bool,
    /// The boxes of a body that consists of boxes without elbows and knees. Empty for all other
    /// bodies.
    pub boxes: Box<[BoneBox]>,
}

/// A bone of a body that consists of boxes, such as Minecraft's player.
///
/// The joint, the end and the reference pose are stored here, because they cannot be derived from
/// the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneBox {
    /// The node that the bone moves with.
    pub node: NodeId,
    /// The world transform of the node in the reference pose, in the viewer's space.
    pub reference: Transform,
    /// The position of the joint, in the node's space.
    pub joint: DVec3,
    /// The position of the hand or foot at the end of a limb, in the node's space. `None` for other
    /// bones.
    pub end: Option<DVec3>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_have_names_and_ancestors() {
        assert_eq!(HumanBone::COUNT, 55);
        for &bone in HumanBone::ALL {
            assert_eq!(bone.name().parse(), Ok(bone));
            assert_eq!(bone.ancestors().last().unwrap_or(bone), HumanBone::Hips, "{bone}");
        }
        assert_eq!(HumanBone::required().count(), 15);
        assert_eq!(HumanBone::ALL.iter().filter(|bone| bone.is_finger()).count(), 30);
        assert_eq!(HumanBone::ALL.iter().filter(|bone| bone.needs_parent()).count(), 21);
        assert!("Hips".parse::<HumanBone>().is_err());
    }
}
