//! Plays the motion of one body on another.

use std::cell::RefCell;

use glam::{DQuat, DVec3};

use super::BoneMap;
use crate::clip::{
    Clip, HumanBone, HumanBones, NodeId, Nodes, Pose, ProceduralAnimation, Transform,
};

/// A retargeted motion: how it was mapped to a character, and the animation that plays it.
///
/// [`Clip::procedural_as`] returns the retargeting of a clip.
#[derive(Debug)]
pub struct Retargeting {
    /// The motion, as it was recorded.
    pub motion: Clip,
    /// The bones that both bodies have, in the order of [`HumanBone::ALL`].
    pub mapped: Vec<MappedBone>,
    /// The bones that only the motion has.
    pub only_in_motion: Vec<HumanBone>,
    /// The bones that only the character has.
    pub only_in_character: Vec<HumanBone>,
    /// The factor for the positions of the hips.
    pub hip_scale: f64,
    /// The rotation of the character about Y, in degrees.
    pub turn: f64,
    /// The time of the motion's reference pose, in seconds. `None` if its rest pose is the
    /// reference.
    pub reference: Option<f64>,
    /// The bones of the motion, mapped or not.
    pub motion_bones: HumanBones,
    /// The bones of the character, mapped or not.
    pub character_bones: HumanBones,
    /// The bone map that the user gave.
    pub map: Option<BoneMap>,
    pub(super) driver: Driver,
}

/// A bone that a motion and a character have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedBone {
    /// The bone.
    pub bone: HumanBone,
    /// The node in the motion.
    pub motion: NodeId,
    /// The node in the character.
    pub character: NodeId,
}

#[derive(Debug)]
pub(super) struct Driver {
    /// All nodes, parents before children.
    pub(super) nodes: Vec<DrivenNode>,
    pub(super) hip_scale: f64,
    /// The hips of the motion, if the motion is a figure of boxes. The character is hidden while
    /// these hips are hidden.
    pub(super) figure: Option<NodeId>,
}

#[derive(Debug)]
pub(super) struct DrivenNode {
    pub(super) id: NodeId,
    pub(super) parent: Option<NodeId>,
    /// The rest transform relative to the parent. For a root, it includes the rotation of the whole
    /// character.
    pub(super) rest: Transform,
    pub(super) driven: Option<DrivenBone>,
}

#[derive(Debug)]
pub(super) struct DrivenBone {
    pub(super) source: NodeId,
    /// The rotation that is applied before the world rotation of the source node, to give the world
    /// rotation of the character's node.
    pub(super) offset: DQuat,
    pub(super) joint: DVec3,
    /// The joint about which the character's node rotates, in the space of that node.
    pub(super) pivot: DVec3,
    pub(super) is_moved: bool,
    /// If set, the node is at its rest pose while the source node is hidden, for example while a
    /// hand is not tracked.
    pub(super) rests_while_hidden: bool,
}

#[derive(Default)]
struct Scratch {
    pose: Pose,
    worlds: Vec<Transform>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl ProceduralAnimation for Retargeting {
    fn animate(&self, time: f64, set_node: &mut dyn FnMut(NodeId, Transform, bool)) {
        // Take the buffers out of the cell, because sampling the motion may call this function
        // again: the motion may itself be retargeted.
        let mut scratch = SCRATCH.take();
        let Scratch { pose, worlds } = &mut scratch;
        self.motion.sample_motion(time, pose);
        let is_shown =
            self.driver.figure.is_none_or(|hips| self.place_box_figure(hips, time, pose));
        worlds.resize(self.driver.nodes.len(), Transform::IDENTITY);
        for node in &self.driver.nodes {
            let parent = node.parent.map_or(Transform::IDENTITY, |parent| worlds[parent.index()]);
            let local = self.driver.local_transform(node, &parent, pose);
            worlds[node.id.index()] = parent.compose(&local);
            set_node(node.id, local, is_shown);
        }
        SCRATCH.replace(scratch);
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        let hips = self.mapped.iter().find(|mapped| mapped.bone == HumanBone::Hips)?;
        Some(hips.character)
    }
}

impl Retargeting {
    fn place_box_figure(&self, hips: NodeId, time: f64, pose: &mut Pose) -> bool {
        let hips_pose = &mut pose[hips];
        let whole =
            self.motion.procedural.as_ref().and_then(|mapped| mapped.body_transform(hips, time));
        if let Some(whole) = whole {
            hips_pose.world = self.motion.convention.viewer_from_source().convert_transform(&whole);
        }
        hips_pose.is_visible
    }
}

impl Driver {
    fn local_transform(&self, node: &DrivenNode, parent: &Transform, pose: &Pose) -> Transform {
        let Some(driven) = &node.driven else { return node.rest };
        let source = &pose[driven.source];
        if driven.rests_while_hidden && !source.is_visible {
            return node.rest;
        }
        let source = &source.world;
        let back = parent.rotation.conjugate();
        let joint = match driven.is_moved {
            true => {
                let joint = source.transform_point(driven.joint);
                back * (joint * self.hip_scale - parent.translation) / parent.scale
            }
            false => node.rest.transform_point(driven.pivot),
        };
        let rotation = (back * source.rotation * driven.offset).normalize();
        let scale = node.rest.scale;
        Transform { translation: joint - rotation * (scale * driven.pivot), rotation, scale }
    }
}

pub(super) fn bones_with_odd_scales(
    nodes: &Nodes,
    bones: impl Iterator<Item = NodeId>,
) -> [Vec<NodeId>; 2] {
    let mut scales = vec![DVec3::ONE; nodes.len()];
    for &id in nodes.parents_first() {
        let inherited = nodes[id].parent.map_or(DVec3::ONE, |parent| scales[parent.index()]);
        scales[id.index()] = inherited * nodes[id].rest.scale;
    }
    let (mut broken, mut uneven) = (Vec::new(), Vec::new());
    for id in bones {
        let scale = scales[id.index()];
        let is_even = scale.max_element() - scale.min_element() <= 1e-3 * scale.max_element();
        if !(scale.min_element() > 0.0 && scale.is_finite()) {
            broken.push(id);
        } else if !is_even {
            uneven.push(id);
        }
    }
    [broken, uneven]
}
