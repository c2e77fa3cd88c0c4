//! The joints of a body, frame by frame.

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, NodeId, NodeKind, Pose};

use super::feet::feet;
use crate::{StudyOptions, signal::Grid};

/// A body at the frames of a grid, in metres. NaN where something is hidden.
#[derive(Clone, Debug)]
pub(crate) struct BodySamples<'a> {
    pub(super) clip: &'a Clip,
    pub(super) grid: Grid,
    pub(super) root: NodeId,
    pub(super) joints: Vec<NodeId>,
    /// The root.
    pub(super) root_places: Vec<DVec3>,
    /// The height of the lowest joint or end.
    pub(super) lowest: Vec<f64>,
    /// The left and the right foot.
    pub(crate) feet: [Option<Vec<DVec3>>; 2],
    /// For each frame but the last, how far each joint goes relative to the root's horizontal place.
    pub(super) steps: Vec<f64>,
}

/// A body at one frame: each joint without the root's horizontal place, and its rotation.
pub(super) struct BodyPose {
    pub(super) places: Vec<DVec3>,
    pub(super) rotations: Vec<DQuat>,
}

impl<'a> BodySamples<'a> {
    /// How many numbers each frame needs.
    pub(crate) fn cost(clip: &Clip) -> usize {
        clip.nodes.len().max(1)
    }

    pub(crate) fn of(clip: &'a Clip, root: NodeId, grid: Grid, options: &StudyOptions) -> Self {
        let joints = joints(clip, root);
        let feet_nodes = feet(clip, &joints, &options.feet);
        let mut body = Self {
            clip,
            grid,
            root,
            root_places: Vec::with_capacity(grid.count),
            lowest: Vec::with_capacity(grid.count),
            feet: feet_nodes.map(|foot| foot.map(|_| Vec::with_capacity(grid.count))),
            steps: Vec::with_capacity(joints.len() * grid.count.saturating_sub(1)),
            joints,
        };
        let mut pose = Pose::default();
        let mut before: Option<Vec<DVec3>> = None;
        for index in 0..grid.count {
            clip.sample_motion(grid.time(index), &mut pose);
            let root = place(&pose, root);
            let world: Vec<DVec3> = body.joints.iter().map(|id| place(&pose, *id)).collect();
            body.root_places.push(root);
            body.lowest.push(world.iter().map(|place| place.y).fold(f64::NAN, f64::min));
            for (foot, node) in body.feet.iter_mut().zip(feet_nodes) {
                if let Some((places, node)) = foot.as_mut().zip(node) {
                    places.push(place(&pose, node));
                }
            }
            let own: Vec<DVec3> = world.iter().map(|place| *place - horizontal(root)).collect();
            if let Some(before) = &before {
                body.steps.extend(before.iter().zip(&own).map(|(one, other)| one.distance(*other)));
            }
            before = Some(own);
        }
        body
    }

    /// The body at one frame.
    pub(super) fn pose(&self, index: usize) -> BodyPose {
        let mut pose = Pose::default();
        self.clip.sample_motion(self.grid.time(index), &mut pose);
        let root = horizontal(place(&pose, self.root));
        let rotation = |id: &NodeId| match pose.nodes.get(id.index()) {
            Some(stands) if stands.shown => stands.world.rotation,
            _ => DQuat::NAN,
        };
        BodyPose {
            places: self.joints.iter().map(|id| place(&pose, *id) - root).collect(),
            rotations: self.joints.iter().map(rotation).collect(),
        }
    }
}

/// The root and the joints and ends below it; all nodes below it where none is a joint.
fn joints(clip: &Clip, root: NodeId) -> Vec<NodeId> {
    let mut is_below = vec![false; clip.nodes.len()];
    for &id in clip.nodes.parents_first() {
        let parent = clip.nodes[id].parent;
        is_below[id.index()] = id == root || parent.is_some_and(|parent| is_below[parent.index()]);
    }
    let below = || clip.nodes.with_ids().filter(|(id, _)| is_below[id.index()]);
    let is_joint =
        |kind: NodeKind| matches!(kind, NodeKind::Joint | NodeKind::Tip | NodeKind::Head);
    let joints: Vec<NodeId> =
        below().filter(|(_, node)| is_joint(node.kind)).map(|(id, _)| id).collect();
    if joints.is_empty() { below().map(|(id, _)| id).collect() } else { joints }
}

fn place(pose: &Pose, id: NodeId) -> DVec3 {
    match pose.nodes.get(id.index()) {
        Some(stands) if stands.shown => stands.world.translation,
        _ => DVec3::NAN,
    }
}

pub(super) fn horizontal(place: DVec3) -> DVec3 {
    DVec3::new(place.x, 0.0, place.z)
}
