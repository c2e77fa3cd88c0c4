//! A body in its reference pose: that from which turns count.

use glam::{DQuat, DVec3};

use super::{
    find::{Found, find},
    hands,
    map::Overrides,
};
use crate::clip::{Clip, HumanBone, HumanBones, NodeId, Pose, Transform};

/// A body with where its bones are in its reference pose, in the viewer's space.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) bones: HumanBones,
    /// Whether it is no body but recorded hands, which have no rest pose.
    pub(super) is_hands: bool,
    /// Whether its file declares that it rests in VRM's T-pose.
    pub(super) is_t_pose: bool,
    /// The world transform of each node in the reference pose.
    pub(super) worlds: Vec<Transform>,
    /// The time whose pose is the reference, in seconds; nothing if it is the rest pose.
    pub(super) time: Option<f64>,
}

/// The bones that no body is without.
pub(super) const NEEDED: [HumanBone; 7] = [
    HumanBone::Hips,
    HumanBone::LeftUpperLeg,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightUpperLeg,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
];

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
        let (mut bones, is_t_pose) = match &clip.humanoid {
            Some(declared) => (declared.bones.clone(), declared.is_t_pose),
            None => {
                let hips = overrides.hips(&clip.nodes)?;
                let Found { bones, remarks: found } = find(&clip.nodes, hips)?;
                remarks.extend(found.into_iter().map(|one| format!("{}: {one}", overrides.member)));
                (bones, false)
            }
        };
        let hands = hands::find(&clip.nodes).filter(|_| !bones.has(HumanBone::Hips));
        if let Some(mut bones) = hands {
            overrides.apply(&clip.nodes, &mut bones)?;
            let worlds = hands::t_pose(&bones, clip.nodes.len());
            return Ok(Self { bones, is_hands: true, is_t_pose: true, worlds, time: None });
        }
        overrides.apply(&clip.nodes, &mut bones)?;
        let mut pose = Pose::default();
        clip.rest_pose(&mut pose);
        Ok(Self { bones, is_hands: false, is_t_pose, worlds: worlds(&pose), time: None })
    }

    /// The needed bones that are not there.
    pub(super) fn lacks(&self) -> Vec<HumanBone> {
        NEEDED.into_iter().filter(|&bone| !self.bones.has(bone)).collect()
    }

    pub(super) fn node(&self, bone: HumanBone) -> Option<NodeId> {
        self.bones.get(bone)
    }

    /// Where a bone is in the reference pose.
    pub(super) fn world(&self, bone: HumanBone) -> Option<&Transform> {
        Some(&self.worlds[self.node(bone)?.index()])
    }

    pub(super) fn place(&self, bone: HumanBone) -> Option<DVec3> {
        Some(self.world(bone)?.translation)
    }

    /// The direction from one bone to another; nothing if they are in one place.
    pub(super) fn direction(&self, from: HumanBone, to: HumanBone) -> Option<DVec3> {
        (self.place(to)? - self.place(from)?).try_normalize()
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
        Some((self.place(HumanBone::LeftFoot)? + self.place(HumanBone::RightFoot)?) / 2.0)
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

fn worlds(pose: &Pose) -> Vec<Transform> {
    pose.nodes.iter().map(|node| node.world).collect()
}
