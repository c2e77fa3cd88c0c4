//! The motion of one body on another.

use std::cell::RefCell;

use glam::{DQuat, DVec3};

use super::BoneMap;
use crate::clip::{
    Clip, HumanBone, HumanBones, NodeId, Nodes, Pose, ProceduralAnimation, Transform,
};

/// How a motion was put on a character, and what plays it.
///
/// [`Clip::procedural_as`] gives it back.
#[derive(Debug)]
pub struct Retargeting {
    /// The motion, as it was recorded.
    pub motion: Clip,
    /// The bones of both, in the order of [`HumanBone::ALL`].
    pub mapped: Vec<MappedBone>,
    /// The bones that only the motion has.
    pub only_in_motion: Vec<HumanBone>,
    /// The bones that only the character has.
    pub only_in_character: Vec<HumanBone>,
    /// By what the positions of the hips are multiplied.
    pub hip_scale: f64,
    /// By how many degrees the character is turned about Y.
    pub turn: f64,
    /// The time of the motion, in seconds, whose pose is its reference; nothing if that is its rest pose.
    pub reference: Option<f64>,
    /// The bones of the motion, mapped or not.
    pub motion_bones: HumanBones,
    /// The bones of the character, mapped or not.
    pub character_bones: HumanBones,
    /// The map of bones that was given.
    pub map: Option<BoneMap>,
    pub(super) driver: Driver,
}

/// A bone that a motion and a character have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedBone {
    /// The bone.
    pub bone: HumanBone,
    /// Its node in the motion.
    pub motion: NodeId,
    /// Its node in the character.
    pub character: NodeId,
}

/// The source of motion of each node of the character.
#[derive(Debug)]
pub(super) struct Driver {
    /// All nodes, parents before children.
    pub(super) nodes: Vec<DrivenNode>,
    /// Multiplies the positions of the hips.
    pub(super) hip_scale: f64,
    /// The hips of the motion, if it is a figure of boxes: the character is hidden while it is.
    pub(super) figure: Option<NodeId>,
}

/// A node of the character.
#[derive(Debug)]
pub(super) struct DrivenNode {
    pub(super) id: NodeId,
    pub(super) parent: Option<NodeId>,
    /// Relative to its parent; of a root, turned as the character is.
    pub(super) rest: Transform,
    pub(super) driven: Option<DrivenBone>,
}

/// The joint of the motion that a node follows.
#[derive(Debug)]
pub(super) struct DrivenBone {
    /// The node of the motion.
    pub(super) source: NodeId,
    /// From the rotation of that node in the world to that of the character's.
    pub(super) offset: DQuat,
    /// The joint, in the space of that node.
    pub(super) joint: DVec3,
    /// The joint, in the space of the character's node: it turns about that.
    pub(super) pivot: DVec3,
    /// Whether it also goes where that node goes.
    pub(super) is_moved: bool,
    /// Whether it rests while that node is hidden, as a hand that is not tracked.
    pub(super) rests_while_hidden: bool,
}

/// Scratch space for poses, kept so that nothing is allocated.
#[derive(Default)]
struct Scratch {
    pose: Pose,
    worlds: Vec<Transform>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl ProceduralAnimation for Retargeting {
    fn animate(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        // Taken out, as the motion may itself be retargeted.
        let mut scratch = SCRATCH.take();
        let Scratch { pose, worlds } = &mut scratch;
        self.motion.sample_motion(time, pose);
        let is_shown = self.driver.figure.is_none_or(|hips| self.place_figure(hips, time, pose));
        worlds.resize(self.driver.nodes.len(), Transform::IDENTITY);
        for node in &self.driver.nodes {
            let parent = node.parent.map_or(Transform::IDENTITY, |parent| worlds[parent.index()]);
            let local = self.driver.local(node, &parent, pose);
            worlds[node.id.index()] = parent.compose(&local);
            place(node.id, local, is_shown);
        }
        SCRATCH.replace(scratch);
    }

    fn root_motion_node(&self) -> Option<NodeId> {
        let hips = self.mapped.iter().find(|one| one.bone == HumanBone::Hips)?;
        Some(hips.character)
    }
}

impl Retargeting {
    /// Puts the hips of a figure of boxes where the figure as a whole is. Returns whether it is visible.
    fn place_figure(&self, hips: NodeId, time: f64, pose: &mut Pose) -> bool {
        let hips_pose = &mut pose.nodes[hips.index()];
        let whole = self.motion.procedural.as_ref().and_then(|one| one.body_at(hips, time));
        if let Some(whole) = whole {
            hips_pose.world = self.motion.convention.viewer_from_source().transform(&whole);
        }
        hips_pose.shown
    }
}

impl Driver {
    /// The transform of a node below `parent`, at this pose of the motion.
    fn local(&self, node: &DrivenNode, parent: &Transform, pose: &Pose) -> Transform {
        let Some(driven) = &node.driven else { return node.rest };
        let source = &pose.nodes[driven.source.index()];
        if driven.rests_while_hidden && !source.shown {
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

/// The nodes whose scale, or that of a node above, mirrors or flattens; and those whose scales differ by axis.
pub(super) fn odd_scales(nodes: &Nodes, bones: impl Iterator<Item = NodeId>) -> [Vec<NodeId>; 2] {
    let mut scales = vec![DVec3::ONE; nodes.len()];
    for &id in nodes.parents_first() {
        let above = nodes[id].parent.map_or(DVec3::ONE, |parent| scales[parent.index()]);
        scales[id.index()] = above * nodes[id].rest.scale;
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
