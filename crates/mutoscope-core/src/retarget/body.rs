//! A body in its reference pose: that from which turns count.

use glam::{DQuat, DVec3};

use super::{
    find::{Found, find},
    hands,
    map::Overrides,
};
use crate::clip::{BoneBox, Clip, HumanBone, HumanBones, Humanoid, NodeId, Pose, Transform};

/// A body with where its bones are in its reference pose, in the viewer's space.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) bones: HumanBones,
    /// Whether it is no body but recorded hands, which have no rest pose.
    pub(super) is_hands: bool,
    /// Whether its file declares that it rests in VRM's T-pose.
    pub(super) is_t_pose: bool,
    /// Its boxes, if it is a figure of boxes.
    boxes: Box<[BoneBox]>,
    /// The world transform of each node in the reference pose.
    pub(super) worlds: Vec<Transform>,
    /// The time whose pose is the reference, in seconds; nothing if it is the rest pose.
    pub(super) time: Option<f64>,
}

/// The bones that no body is without, unless it is a figure of boxes.
pub(super) const NEEDED: [HumanBone; 7] = [
    HumanBone::Hips,
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
];

/// The bones that no figure of boxes is without.
const NEEDED_OF_BOXES: [HumanBone; 3] =
    [HumanBone::Hips, HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg];

impl Body {
    /// Finds the bones among the nodes of `clip`, which rests in the reference pose.
    ///
    /// # Errors
    /// If there are several bodies, or the map names what is not there.
    pub(super) fn of(
        clip: &Clip,
        overrides: &Overrides<'_>,
        remarks: &mut Vec<String>,
    ) -> Result<Self, String> {
        let hips = overrides.hips(&clip.nodes)?;
        let Humanoid { mut bones, is_t_pose, boxes } = match declared(clip, hips, remarks) {
            Some(declared) => declared,
            None => {
                let Found { bones, remarks: found } = find(&clip.nodes, hips)?;
                remarks.extend(found.into_iter().map(|one| format!("{}: {one}", overrides.member)));
                Humanoid { bones, ..Humanoid::default() }
            }
        };
        let hands = hands::find(&clip.nodes).filter(|_| !bones.has(HumanBone::Hips));
        if let Some(mut bones) = hands {
            overrides.apply(&clip.nodes, &mut bones)?;
            let worlds = hands::t_pose(&bones, clip.nodes.len());
            let is_hands = true;
            return Ok(Self { bones, is_hands, is_t_pose: true, boxes, worlds, time: None });
        }
        overrides.apply(&clip.nodes, &mut bones)?;
        let mut pose = Pose::default();
        clip.rest_pose(&mut pose);
        let mut worlds = worlds(&pose);
        for one in &boxes {
            worlds[one.node.index()] = one.reference;
        }
        Ok(Self { bones, is_hands: false, is_t_pose, boxes, worlds, time: None })
    }

    /// The needed bones that are not there.
    pub(super) fn lacks(&self) -> Vec<HumanBone> {
        let needed: &[HumanBone] = if self.is_of_boxes() { &NEEDED_OF_BOXES } else { &NEEDED };
        needed.iter().copied().filter(|&bone| !self.bones.has(bone)).collect()
    }

    /// Whether it is a figure of boxes, without elbows and knees.
    pub(super) fn is_of_boxes(&self) -> bool {
        !self.boxes.is_empty()
    }

    /// Makes the box of the trunk the spine, if `other` has no chest that it could be.
    pub(super) fn fit_trunk(&mut self, other: &Self) {
        let is_chest_alone = self.is_of_boxes()
            && self.bones.has(HumanBone::Chest)
            && !self.bones.has(HumanBone::Spine);
        if is_chest_alone && !other.bones.has(HumanBone::Chest) && other.bones.has(HumanBone::Spine)
        {
            self.bones.set(HumanBone::Spine, self.node(HumanBone::Chest));
            self.bones.set(HumanBone::Chest, None);
        }
    }

    fn box_of(&self, bone: HumanBone) -> Option<&BoneBox> {
        let node = self.node(bone)?;
        self.boxes.iter().find(|one| one.node == node)
    }

    /// The joint of a bone, in the space of its node.
    pub(super) fn joint(&self, bone: HumanBone) -> DVec3 {
        self.box_of(bone).map_or(DVec3::ZERO, |one| one.joint)
    }

    /// Where the end of a limb is in the reference pose, if it is a box.
    fn end(&self, bone: HumanBone) -> Option<DVec3> {
        let end = self.box_of(bone)?.end?;
        Some(self.world(bone)?.transform_point(end))
    }

    pub(super) fn node(&self, bone: HumanBone) -> Option<NodeId> {
        self.bones.get(bone)
    }

    /// Where the node of a bone is in the reference pose.
    fn world(&self, bone: HumanBone) -> Option<&Transform> {
        Some(&self.worlds[self.node(bone)?.index()])
    }

    /// Where a bone is in the reference pose.
    pub(super) fn place(&self, bone: HumanBone) -> Option<DVec3> {
        Some(self.world(bone)?.transform_point(self.joint(bone)))
    }

    /// The direction from one bone to another, or to the end of its box; nothing if they are in one place.
    pub(super) fn direction(&self, from: HumanBone, to: HumanBone) -> Option<DVec3> {
        let to = self.end(from).or_else(|| self.place(to))?;
        (to - self.place(from)?).try_normalize()
    }

    /// Whether from the hips the head is up and the middle of both feet down.
    pub(super) fn stands(&self) -> bool {
        /// The cosine of 60°.
        const UPRIGHT: f64 = 0.5;
        let Some(hips) = self.place(HumanBone::Hips) else { return false };
        let points = |place: DVec3, way: DVec3| {
            (place - hips).try_normalize().is_some_and(|direction| direction.dot(way) >= UPRIGHT)
        };
        let head = self.place(HumanBone::Head).is_none_or(|head| points(head, DVec3::Y));
        head && self.feet().is_some_and(|feet| points(feet, DVec3::NEG_Y))
    }

    /// Takes the pose of `clip` at its start for the reference.
    pub(super) fn refer_to_start(&mut self, clip: &Clip) {
        let mut pose = Pose::default();
        clip.sample(clip.span.start, &mut pose);
        self.worlds = worlds(&pose);
        self.time = Some(clip.span.start);
    }

    /// The middle of both feet.
    pub(super) fn feet(&self) -> Option<DVec3> {
        let foot = |foot, leg| self.place(foot).or_else(|| self.end(leg));
        let left = foot(HumanBone::LeftFoot, HumanBone::LeftUpperLeg)?;
        let right = foot(HumanBone::RightFoot, HumanBone::RightUpperLeg)?;
        Some((left + right) / 2.0)
    }

    /// The angle about Y, in radians, by which the body is turned from one that faces +Z. Nothing if its legs are one
    /// above the other.
    pub(super) fn facing(&self) -> Option<f64> {
        let across = self.place(HumanBone::LeftUpperLeg)? - self.place(HumanBone::RightUpperLeg)?;
        let across = DVec3::new(across.x, 0.0, across.z).try_normalize()?;
        let forward = across.cross(DVec3::Y);
        Some(forward.x.atan2(forward.z))
    }

    /// Turns it about Y through the origin, by an angle in radians.
    pub(super) fn turn(&mut self, angle: f64) {
        let turn = Transform { rotation: DQuat::from_rotation_y(angle), ..Transform::IDENTITY };
        self.worlds.iter_mut().for_each(|world| *world = turn.compose(world));
    }
}

/// The body that a clip declares: of several, the one with these hips, or the first.
fn declared(clip: &Clip, hips: Option<NodeId>, remarks: &mut Vec<String>) -> Option<Humanoid> {
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
        remarks.push(format!(
            "{} bodies; using {}. A map of bones can name the hips of another: {}",
            bodies.len(),
            names[0],
            names[1..].join(", ")
        ));
    }
    Some(bodies.swap_remove(chosen.unwrap_or(0)))
}

fn worlds(pose: &Pose) -> Vec<Transform> {
    pose.nodes.iter().map(|node| node.world).collect()
}
