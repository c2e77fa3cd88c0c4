//! Transfers a motion to a body with its own proportions that rests in VRM's T-pose.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3};

use super::{BoneMap, RetargetError, attach::join_clips, body::Body, fit, map::Overrides};
use crate::{
    clip::{Clip, HumanBone, HumanBones, Humanoid, NodeId, NodeKind, Pose, Transform},
    diagnostics::Diagnostics,
    skeleton_file::{LoadedSkeleton, SkeletonKind, SkeletonNode, SkeletonSpace},
};

/// The name of the node above the hips, which rests at the origin.
const ROOT_NAME: &str = "root";

/// The height of the hips if it cannot be derived from the legs, in metres.
const DEFAULT_HIPS_HEIGHT_M: f64 = 1.0;

/// The motion of a body whose rest pose is VRM's T-pose: it faces +Z, no bone is rotated, and the
/// feet are on the ground.
pub(crate) struct TPoseMotion {
    /// The motion. The first node is the root at the origin. Each other node is a bone with the name
    /// of the bone, below its nearest ancestor. The eyes are not among them.
    pub(crate) clip: Clip,
    /// The diagnostics of retargeting.
    pub(crate) diagnostics: Diagnostics,
    /// The bones of the source that VRM does not allow without their parents.
    pub(crate) skipped: Vec<HumanBone>,
    body: Body,
    /// The rotation from the space of the source to a body that faces +Z.
    front_from_source: DQuat,
}

/// The reason why a motion cannot be transferred.
#[derive(Debug)]
pub(crate) enum TPoseError {
    /// The motion lacks bones that VRM requires.
    MissingBones(Vec<HumanBone>),
    Retarget(RetargetError),
}

impl From<RetargetError> for TPoseError {
    fn from(error: RetargetError) -> Self {
        Self::Retarget(error)
    }
}

/// Transfers `motion` to a body of the same size in VRM's T-pose.
///
/// # Errors
/// Fails if the motion lacks bones that VRM requires, if there are several bodies, or if scales
/// mirror or flatten bones.
pub(crate) fn to_t_pose(motion: &Clip) -> Result<TPoseMotion, TPoseError> {
    let overrides = Overrides { member: "motion", bones: &BTreeMap::new() };
    let mut diagnostics = Diagnostics::new();
    let mut body = Body::from_clip(motion, &overrides, &mut diagnostics)?;
    let missing = body.bones.missing_required();
    if !missing.is_empty() {
        return Err(TPoseError::MissingBones(missing));
    }
    body.choose_reference(motion, &mut diagnostics);
    let turn = fit::rotation_to_face(&body, 0.0);
    body.rotate_about_y(-turn);
    let (bones, skipped) = keep_valid_bones(&body.bones);
    let skeleton = build_skeleton(&body, &bones);
    let map = BoneMap { hip_scale: Some(1.0), ..BoneMap::default() };
    // Joining the clips reports the problems of the body again.
    let mut diagnostics = Diagnostics::new();
    let clip = join_clips(motion.clone(), &skeleton, Some(&map), &mut diagnostics)?;
    let front_from_source = DQuat::from_rotation_y(-turn);
    Ok(TPoseMotion { clip, diagnostics, skipped, body, front_from_source })
}

impl TPoseMotion {
    /// Returns the bones with their nodes in [`Self::clip`].
    pub(crate) fn bones(&self) -> &HumanBones {
        &self.clip.humanoid.as_ref().expect("the skeleton declares a humanoid").bones
    }

    /// Returns the node of `bone` in the source.
    pub(crate) fn source_node(&self, bone: HumanBone) -> Option<NodeId> {
        self.body.bones.get(bone)
    }

    /// Returns the rotation of `bone` since the reference pose, for a body that faces +Z. `pose` is a
    /// pose of the source. `None` if the source lacks the bone.
    pub(crate) fn rotation_since_reference(&self, bone: HumanBone, pose: &Pose) -> Option<DQuat> {
        let node = self.source_node(bone)?;
        // The transforms of the body already face +Z.
        let reference = self.body.worlds[node.index()].rotation;
        Some(
            (self.front_from_source * pose[node].world.rotation * reference.conjugate())
                .normalize(),
        )
    }

    /// Rotates a direction in the space of the source, so that the body faces +Z.
    pub(crate) fn to_front(&self, direction: DVec3) -> DVec3 {
        self.front_from_source * direction
    }

    /// Returns the mean position of the eyes relative to the head in the reference pose, in metres.
    pub(crate) fn eyes_from_head(&self) -> Option<DVec3> {
        let position = |bone| self.body.joint_position(bone);
        let [left, right] = [position(HumanBone::LeftEye)?, position(HumanBone::RightEye)?];
        Some((left + right) / 2.0 - position(HumanBone::Head)?)
    }
}

/// Removes the eyes, and the bones that VRM allows only together with their parents. Returns the
/// latter as well.
fn keep_valid_bones(bones: &HumanBones) -> (HumanBones, Vec<HumanBone>) {
    let (mut kept, mut skipped) = (HumanBones::default(), Vec::new());
    for (bone, node) in bones.iter() {
        let is_eye = matches!(bone, HumanBone::LeftEye | HumanBone::RightEye);
        let parent = bone.parent().filter(|_| bone.needs_parent());
        if parent.is_some_and(|parent| !kept.contains(parent)) {
            skipped.push(bone);
        } else if !is_eye {
            kept.set(bone, Some(node));
        }
    }
    (kept, skipped)
}

fn build_skeleton(body: &Body, bones: &HumanBones) -> LoadedSkeleton {
    let positions = t_pose_positions(body, bones);
    let mut nodes = vec![joint(ROOT_NAME, None, DVec3::ZERO)];
    let mut ids = HumanBones::default();
    for (bone, _) in bones.iter() {
        let parent = bones.nearest_ancestor(bone);
        let start = parent.map_or(DVec3::ZERO, |parent| positions[parent as usize]);
        let parent = parent.and_then(|parent| ids.get(parent)).map_or(0, NodeId::index);
        ids.set(bone, Some(NodeId::new(nodes.len())));
        nodes.push(joint(bone.name(), Some(parent), positions[bone as usize] - start));
    }
    LoadedSkeleton {
        name: "T-pose".to_owned(),
        kind: SkeletonKind::GLTF,
        nodes,
        space: SkeletonSpace::default(),
        humanoid: Some(Box::new(Humanoid { bones: ids, is_t_pose: true, ..Humanoid::default() })),
        model: std::sync::Arc::default(),
        diagnostics: Diagnostics::new(),
        sidecars: Vec::new(),
    }
}

fn joint(name: &str, parent: Option<usize>, translation: DVec3) -> SkeletonNode {
    SkeletonNode {
        name: name.to_owned(),
        id: None,
        parent,
        rest: Transform { translation, ..Transform::IDENTITY },
        bone_from: parent,
        kind: NodeKind::Joint,
        side: None,
    }
}

/// Returns the positions of `bones` in the T-pose, by bone. `body` faces +Z.
fn t_pose_positions(body: &Body, bones: &HumanBones) -> [DVec3; HumanBone::COUNT] {
    let position = |bone| body.joint_position(bone).unwrap_or(DVec3::ZERO);
    let alignments = match body.is_t_pose {
        true => [DQuat::IDENTITY; HumanBone::COUNT],
        false => fit::align_limbs(
            |bone| bones.contains(bone),
            |bone, next| {
                let to = body.direction(bone, next).filter(|_| bones.contains(next))?;
                Some((t_pose_direction(bone), to))
            },
        ),
    };
    let mut positions = [DVec3::ZERO; HumanBone::COUNT];
    for (bone, _) in bones.iter() {
        if let Some(parent) = bones.nearest_ancestor(bone) {
            let offset = position(bone) - position(parent);
            let in_t_pose = alignments[parent as usize].conjugate() * offset;
            positions[bone as usize] = positions[parent as usize] + in_t_pose;
        }
    }
    let feet_below_hips =
        [HumanBone::LeftFoot, HumanBone::RightFoot].map(|foot| positions[foot as usize].y);
    let feet_height = match body.is_t_pose || fit::is_on_ground(body) {
        true => body.feet_centre().map_or(0.0, |feet| feet.y),
        false => 0.0,
    };
    let height = feet_height - (feet_below_hips[0] + feet_below_hips[1]) / 2.0;
    let height = if height > fit::MIN_HEIGHT_M { height } else { DEFAULT_HIPS_HEIGHT_M };
    let hips = match body.is_t_pose {
        true => position(HumanBone::Hips).with_y(height),
        false => DVec3::Y * height,
    };
    positions.map(|position| position + hips)
}

fn t_pose_direction(limb: HumanBone) -> DVec3 {
    use HumanBone as B;
    match limb {
        B::LeftUpperArm | B::LeftLowerArm | B::LeftHand => DVec3::X,
        B::RightUpperArm | B::RightLowerArm | B::RightHand => DVec3::NEG_X,
        _ => DVec3::NEG_Y,
    }
}
