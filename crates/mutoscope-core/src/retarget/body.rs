//! A body in its reference pose, from which all rotations are measured.

use glam::{DQuat, DVec3};

use super::{
    RetargetError, codes,
    find::{FoundBones, find_all_bones, find_bones},
    hands,
    map::Overrides,
};
use crate::{
    clip::{BoneBox, Clip, HumanBone, HumanBones, Humanoid, NodeId, Pose, Transform},
    diagnostics::{Diagnostic, Diagnostics, SourceLocation},
};

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) bones: HumanBones,
    /// If set, the motion consists of recorded hands without a body. Such a motion has no rest
    /// pose.
    pub(super) is_hands: bool,
    pub(super) is_t_pose: bool,
    boxes: Box<[BoneBox]>,
    pub(super) worlds: Vec<Transform>,
    /// The time of the reference pose, in seconds. `None` if the rest pose is the reference.
    pub(super) reference_time: Option<f64>,
}

pub(super) const REQUIRED_BONES: [HumanBone; 7] = [
    HumanBone::Hips,
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
];

const REQUIRED_BONES_OF_BOXES: [HumanBone; 3] =
    [HumanBone::Hips, HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg];

impl Body {
    pub(super) fn from_clip(
        clip: &Clip,
        overrides: &Overrides<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, RetargetError> {
        let hips = overrides.hips_node(&clip.nodes)?;
        let Humanoid { mut bones, is_t_pose, boxes } = match declared_body(clip, hips, diagnostics)
        {
            Some(declared) => declared,
            None => {
                let FoundBones { bones, diagnostics: found } = find_bones(&clip.nodes, hips)?;
                diagnostics.extend(found.into_iter().map(|one| Diagnostic {
                    message: format!("{}: {}", overrides.member, one.message),
                    ..one
                }));
                Humanoid { bones, ..Humanoid::default() }
            }
        };
        let hands = hands::find_hands(&clip.nodes).filter(|_| !bones.contains(HumanBone::Hips));
        if let Some(mut bones) = hands {
            overrides.apply(&clip.nodes, &mut bones)?;
            let worlds = hands::t_pose_transforms(&bones, clip.nodes.len());
            let is_hands = true;
            return Ok(Self {
                bones,
                is_hands,
                is_t_pose: true,
                boxes,
                worlds,
                reference_time: None,
            });
        }
        overrides.apply(&clip.nodes, &mut bones)?;
        let mut pose = Pose::default();
        clip.sample_rest_pose(&mut pose);
        let mut worlds = world_transforms(&pose);
        for bone_box in &boxes {
            worlds[bone_box.node.index()] = bone_box.reference;
        }
        Ok(Self { bones, is_hands: false, is_t_pose, boxes, worlds, reference_time: None })
    }

    pub(super) fn missing_bones(&self) -> Vec<HumanBone> {
        let needed: &[HumanBone] =
            if self.is_box_figure() { &REQUIRED_BONES_OF_BOXES } else { &REQUIRED_BONES };
        needed.iter().copied().filter(|&bone| !self.bones.contains(bone)).collect()
    }

    /// Returns `true` for a figure of boxes, which has no elbows and knees.
    pub(super) fn is_box_figure(&self) -> bool {
        !self.boxes.is_empty()
    }

    /// Uses the box of the trunk as the spine instead of the chest, if `other` has a spine but no
    /// chest.
    pub(super) fn match_trunk(&mut self, other: &Self) {
        let is_chest_alone = self.is_box_figure()
            && self.bones.contains(HumanBone::Chest)
            && !self.bones.contains(HumanBone::Spine);
        if is_chest_alone
            && !other.bones.contains(HumanBone::Chest)
            && other.bones.contains(HumanBone::Spine)
        {
            self.bones.set(HumanBone::Spine, self.bone_node(HumanBone::Chest));
            self.bones.set(HumanBone::Chest, None);
        }
    }

    fn box_of(&self, bone: HumanBone) -> Option<&BoneBox> {
        let node = self.bone_node(bone)?;
        self.boxes.iter().find(|bone_box| bone_box.node == node)
    }

    pub(super) fn joint_in_node(&self, bone: HumanBone) -> DVec3 {
        self.box_of(bone).map_or(DVec3::ZERO, |bone_box| bone_box.joint)
    }

    fn limb_end(&self, bone: HumanBone) -> Option<DVec3> {
        let end = self.box_of(bone)?.end?;
        Some(self.bone_transform(bone)?.transform_point(end))
    }

    pub(super) fn bone_node(&self, bone: HumanBone) -> Option<NodeId> {
        self.bones.get(bone)
    }

    fn bone_transform(&self, bone: HumanBone) -> Option<&Transform> {
        Some(&self.worlds[self.bone_node(bone)?.index()])
    }

    pub(super) fn joint_position(&self, bone: HumanBone) -> Option<DVec3> {
        Some(self.bone_transform(bone)?.transform_point(self.joint_in_node(bone)))
    }

    pub(super) fn direction(&self, from: HumanBone, to: HumanBone) -> Option<DVec3> {
        let to = self.limb_end(from).or_else(|| self.joint_position(to))?;
        (to - self.joint_position(from)?).try_normalize()
    }

    /// Returns `true` if the body stands upright: seen from the hips, the head is above and the
    /// middle of the feet below.
    pub(super) fn is_upright(&self) -> bool {
        /// The cosine of 60°, the largest angle to the vertical.
        const MIN_UPRIGHT_COSINE: f64 = 0.5;
        let Some(hips) = self.joint_position(HumanBone::Hips) else { return false };
        let is_towards = |position: DVec3, axis: DVec3| {
            (position - hips)
                .try_normalize()
                .is_some_and(|direction| direction.dot(axis) >= MIN_UPRIGHT_COSINE)
        };
        let head =
            self.joint_position(HumanBone::Head).is_none_or(|head| is_towards(head, DVec3::Y));
        head && self.feet_centre().is_some_and(|feet| is_towards(feet, DVec3::NEG_Y))
    }

    /// Uses the pose at the start as the reference if the rest pose is not upright.
    pub(super) fn choose_reference(&mut self, clip: &Clip, diagnostics: &mut Diagnostics) {
        if self.is_hands || self.is_upright() {
            return;
        }
        let mut pose = Pose::default();
        clip.sample(clip.span.start, &mut pose);
        self.worlds = world_transforms(&pose);
        self.reference_time = Some(clip.span.start);
        let message = match self.is_upright() {
            true => {
                "the rest pose of the motion is not upright; using the pose at the start as the reference"
            }
            false => {
                "neither the rest pose of the motion nor the pose at the start is upright; using \
                 the pose at the start as the reference"
            }
        };
        diagnostics.warning(codes::REFERENCE_AT_START, SourceLocation::File, message);
    }

    /// Returns the mean length of both legs, from the upper legs to the feet.
    pub(super) fn leg_length(&self) -> Option<f64> {
        let length = |upper, lower, foot| {
            let start = self.joint_position(upper)?;
            let end = self.joint_position(foot).or_else(|| self.limb_end(upper))?;
            let knee = self.joint_position(lower).unwrap_or(start);
            Some(start.distance(knee) + knee.distance(end))
        };
        use HumanBone as B;
        let left = length(B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot)?;
        let right = length(B::RightUpperLeg, B::RightLowerLeg, B::RightFoot)?;
        Some((left + right) / 2.0)
    }

    pub(super) fn feet_centre(&self) -> Option<DVec3> {
        let foot = |foot, leg| self.joint_position(foot).or_else(|| self.limb_end(leg));
        let left = foot(HumanBone::LeftFoot, HumanBone::LeftUpperLeg)?;
        let right = foot(HumanBone::RightFoot, HumanBone::RightUpperLeg)?;
        Some((left + right) / 2.0)
    }

    /// Returns the angle about Y from +Z to the direction that the body faces, in radians. `None`
    /// if an upper leg is missing, or if one upper leg is directly above the other.
    pub(super) fn facing_angle(&self) -> Option<f64> {
        let across = self.joint_position(HumanBone::LeftUpperLeg)?
            - self.joint_position(HumanBone::RightUpperLeg)?;
        let across = DVec3::new(across.x, 0.0, across.z).try_normalize()?;
        let forward = across.cross(DVec3::Y);
        Some(forward.x.atan2(forward.z))
    }

    pub(super) fn rotate_about_y(&mut self, angle: f64) {
        let turn = Transform { rotation: DQuat::from_rotation_y(angle), ..Transform::IDENTITY };
        self.worlds.iter_mut().for_each(|world| *world = turn.compose(world));
    }
}

/// Finds the bones of all bodies in `clip`: the bones that the file declares, or else the bones that
/// the names of the nodes mean. A body may lack bones.
pub fn find_bodies(clip: &Clip) -> Vec<HumanBones> {
    match &clip.humanoid {
        Some(declared) => vec![declared.bones.clone()],
        None => find_all_bones(&clip.nodes),
    }
}

fn declared_body(
    clip: &Clip,
    hips: Option<NodeId>,
    diagnostics: &mut Diagnostics,
) -> Option<Humanoid> {
    if let Some(declared) = &clip.humanoid {
        return Some((**declared).clone());
    }
    let mut bodies = clip.procedural.as_ref()?.bodies();
    if bodies.is_empty() {
        return None;
    }
    let hips_of = |body: &Humanoid| body.bones.get(HumanBone::Hips);
    let chosen = hips.and_then(|hips| bodies.iter().position(|body| hips_of(body) == Some(hips)));
    if chosen.is_none() && bodies.len() > 1 {
        let name = |body| hips_of(body).map(|hips| format!("{:?}", clip.nodes[hips].name));
        let names: Vec<_> = bodies.iter().filter_map(name).collect();
        let message = format!(
            "{} bodies; using {}. To use another, name its hips in a bone map: {}",
            bodies.len(),
            names[0],
            names[1..].join(", ")
        );
        diagnostics
            .warning(codes::SEVERAL_BODIES, SourceLocation::File, message)
            .with("count", bodies.len());
    }
    Some(bodies.swap_remove(chosen.unwrap_or(0)))
}

fn world_transforms(pose: &Pose) -> Vec<Transform> {
    pose.nodes.iter().map(|node| node.world).collect()
}
