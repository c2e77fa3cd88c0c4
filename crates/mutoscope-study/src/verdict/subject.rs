//! The hands and the body of a recording, with what is usual for them.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::{
    clip::{Clip, HumanBone, HumanBones, NodeId, NodeVisibility, Pose, Rotation},
    measure::analysis::hand_joint,
    retarget::find_bodies,
};

use super::moment::visible_position;
use crate::{
    body::{find_feet, find_joints},
    subjects::{HANDS, HandNodes},
};

const FINGERS: [[&str; 4]; 4] = [
    ["IndexKnuckle", "IndexMiddleJoint", "IndexDistalJoint", "IndexTip"],
    ["MiddleKnuckle", "MiddleMiddleJoint", "MiddleDistalJoint", "MiddleTip"],
    ["RingKnuckle", "RingMiddleJoint", "RingDistalJoint", "RingTip"],
    ["PinkyKnuckle", "PinkyMiddleJoint", "PinkyDistalJoint", "PinkyTip"],
];

pub(super) struct Hand {
    pub(super) wrist: NodeId,
    pub(super) joints: Vec<NodeId>,
    pub(super) bones: Vec<Bone>,
    /// The joints of the fingers from the knuckle to the tip.
    pub(super) fingers: Vec<[NodeId; 4]>,
    /// The knuckles of the index finger and of the little finger.
    pub(super) knuckles: Option<[NodeId; 2]>,
    /// The wrist and the palm, if they have rotations and the hand has knuckles.
    pub(super) oriented: Vec<OrientedJoint>,
    pub(super) has_tracking: bool,
}

pub(super) struct OrientedJoint {
    pub(super) node: NodeId,
    /// The usual rotation from the axes of the joint to those of the hand's bones. `None` if the hand
    /// is never visible at the reference times.
    pub(super) usual_axes: Option<DQuat>,
}

#[derive(Clone, Copy)]
pub(super) struct Bone {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// The median length, in metres.
    pub(super) length: f64,
}

pub(super) struct Body {
    pub(super) root: NodeId,
    pub(super) joints: Vec<NodeId>,
    pub(super) bones: Vec<Bone>,
    /// The left and the right foot.
    pub(super) feet: [Option<Foot>; 2],
    /// The usual height of the lower foot, in metres. `None` if the floor is not even.
    pub(super) floor: Option<f64>,
    /// The median height of the root, in metres.
    pub(super) usual_height: Option<f64>,
    /// The left and the right arm.
    pub(super) arms: Option<[Arm; 2]>,
}

#[derive(Clone, Copy)]
pub(super) struct Arm {
    pub(super) upper_arm: NodeId,
    pub(super) lower_arm: NodeId,
    pub(super) hand: NodeId,
}

#[derive(Clone, Copy)]
pub(super) struct Foot {
    pub(super) foot: NodeId,
    pub(super) toe: Option<NodeId>,
    pub(super) upper_leg: Option<NodeId>,
}

impl Hand {
    pub(super) fn new(clip: &Clip, nodes: &HandNodes, index: usize) -> Self {
        let joints = nodes_connected_to(clip, nodes.wrist);
        let joint = |name| hand_joint(clip, HANDS[index].0, name);
        let finger = |names: [&'static str; 4]| {
            let [knuckle, middle, distal, tip] = names.map(joint);
            Some([knuckle?, middle?, distal?, tip?])
        };
        let knuckles = joint("IndexKnuckle").zip(joint("PinkyKnuckle")).map(<[NodeId; 2]>::from);
        let has_rotation = |id: &NodeId| !matches!(clip.nodes[*id].motion.rotation, Rotation::Rest);
        let oriented = [Some(nodes.wrist), joint("Palm")].into_iter().flatten();
        let oriented = oriented.filter(|id| has_rotation(id) && knuckles.is_some());
        let visibility = clip.nodes[nodes.wrist].motion.visibility;
        Self {
            wrist: nodes.wrist,
            bones: bones_of(clip, &joints),
            joints,
            fingers: FINGERS.into_iter().filter_map(finger).collect(),
            knuckles,
            oriented: oriented.map(|node| OrientedJoint { node, usual_axes: None }).collect(),
            has_tracking: matches!(visibility, NodeVisibility::While(_)),
        }
    }

    /// Returns the axes of the hand's bones, relative to a joint: the direction from the wrist to the
    /// knuckles, and the one from the little finger to the index finger.
    pub(super) fn axes_relative_to(&self, joint: NodeId, pose: &Pose) -> Option<DQuat> {
        let [index, little] = self.knuckles?;
        let [wrist, index, little] =
            [self.wrist, index, little].map(|node| visible_position(pose, node));
        let (wrist, index, little) = (wrist?, index?, little?);
        let along = (index.midpoint(little) - wrist).try_normalize()?;
        let across = (index - little).reject_from_normalized(along).try_normalize()?;
        let axes = DQuat::from_mat3(&DMat3::from_cols(across, along, across.cross(along)));
        let axes = pose[joint].world.rotation.inverse() * axes;
        (pose[joint].is_visible && axes.is_finite()).then_some(axes)
    }
}

impl OrientedJoint {
    /// Returns the angle between the axes of the hand's bones and where they usually are, relative to
    /// the joint, in radians.
    pub(super) fn deviation(&self, hand: &Hand, pose: &Pose) -> Option<f64> {
        Some(self.usual_axes?.angle_between(hand.axes_relative_to(self.node, pose)?))
    }
}

impl Bone {
    pub(super) fn measure(&self, pose: &Pose) -> Option<f64> {
        Some(visible_position(pose, self.from)?.distance(visible_position(pose, self.to)?))
    }

    /// Returns the difference between the length and its median, divided by the median.
    pub(super) fn deviation(&self, pose: &Pose) -> Option<f64> {
        Some((self.measure(pose)? / self.length - 1.0).abs())
    }
}

impl Body {
    pub(super) fn new(clip: &Clip, root: NodeId) -> Option<Self> {
        let joints = find_joints(clip, root);
        // Authors move hats and the joints of robots on purpose, so that only the bones of people and
        // measured points are rigid.
        let people = find_bodies(clip);
        let is_human =
            |id: NodeId| people.iter().flat_map(HumanBones::iter).any(|(_, node)| node == id);
        let is_rigid = |bone: &Bone| {
            clip.nodes[bone.to].parent.is_none() || is_human(bone.from) && is_human(bone.to)
        };
        let mut bones = bones_of(clip, &joints);
        if bones.is_empty() {
            return None;
        }
        bones.retain(is_rigid);
        let foot = |foot: NodeId| {
            let mut children = clip.nodes.with_ids().filter(|(_, node)| node.parent == Some(foot));
            Foot {
                foot,
                toe: children.next().map(|(toe, _)| toe),
                upper_leg: clip.nodes[foot].parent.and_then(|knee| clip.nodes[knee].parent),
            }
        };
        let feet = find_feet(clip, &joints, &[]).map(|found| found.map(foot));
        let arms = people.iter().find_map(|bones| Some([left_arm(bones)?, right_arm(bones)?]));
        let (floor, usual_height) = (None, None);
        Some(Self { root, joints, bones, feet, floor, usual_height, arms })
    }

    pub(super) fn lower_foot_height(&self, pose: &Pose) -> Option<f64> {
        let feet = self.feet.iter().flatten().filter_map(|foot| visible_position(pose, foot.foot));
        feet.map(|foot| foot.y).reduce(f64::min)
    }

    /// Returns the direction in which the body faces according to its sides, and the one in which
    /// its toes point, both on the ground. `None` unless the body stands.
    pub(super) fn facing(&self, pose: &Pose) -> Option<[DVec3; 2]> {
        let [left, right] = self.feet;
        let (left, right) = (left?, right?);
        let position = |node: Option<NodeId>| visible_position(pose, node?);
        let across = position(left.upper_leg)? - position(right.upper_leg)?;
        let toes = |foot: Foot| Some(position(foot.toe)? - position(Some(foot.foot))?);
        let toes = toes(left)?.normalize_or_zero() + toes(right)?.normalize_or_zero();
        let on_ground = |direction: DVec3| {
            let flat = DVec3::new(direction.x, 0.0, direction.z);
            flat.try_normalize().filter(|_| flat.length() > 0.5 * direction.length())
        };
        let hips = position(left.upper_leg)?;
        let is_upright =
            hips.y > position(Some(left.foot))?.y && hips.y > position(Some(right.foot))?.y;
        Some([on_ground(across)?.cross(DVec3::Y), on_ground(toes)?]).filter(|_| is_upright)
    }
}

fn left_arm(bones: &HumanBones) -> Option<Arm> {
    Some(Arm {
        upper_arm: bones.get(HumanBone::LeftUpperArm)?,
        lower_arm: bones.get(HumanBone::LeftLowerArm)?,
        hand: bones.get(HumanBone::LeftHand)?,
    })
}

fn right_arm(bones: &HumanBones) -> Option<Arm> {
    Some(Arm {
        upper_arm: bones.get(HumanBone::RightUpperArm)?,
        lower_arm: bones.get(HumanBone::RightLowerArm)?,
        hand: bones.get(HumanBone::RightHand)?,
    })
}

fn bones_of(clip: &Clip, joints: &[NodeId]) -> Vec<Bone> {
    let bone = |to: &NodeId| {
        let from = clip.nodes[*to].bone_from?;
        joints.contains(&from).then_some(Bone { from, to: *to, length: 0.0 })
    };
    joints.iter().filter_map(bone).collect()
}

/// Returns `top` and the nodes whose bones lead back to it.
fn nodes_connected_to(clip: &Clip, top: NodeId) -> Vec<NodeId> {
    let leads_to_top = |id: NodeId| {
        let mut chain = std::iter::successors(Some(id), |node| clip.nodes[*node].bone_from);
        // A damaged file may have a cycle, so follow the bones no farther than there are nodes.
        chain.by_ref().take(clip.nodes.len()).any(|node| node == top)
    };
    clip.nodes.with_ids().map(|(id, _)| id).filter(|id| leads_to_top(*id)).collect()
}
