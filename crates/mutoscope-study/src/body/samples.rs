//! Samples the joints of a body, frame by frame.

use glam::{DQuat, DVec3};
use mutoscope_core::clip::{Clip, NodeId, NodeKind, Pose};

use super::feet::{describe_unused_names, find_feet};
use crate::{StudyOptions, signal::Grid};

/// A body at the frames of a grid, in metres. Values of hidden joints are NaN.
#[derive(Clone, Debug)]
pub(crate) struct BodySamples<'a> {
    pub(super) clip: &'a Clip,
    pub(super) grid: Grid,
    pub(super) root: NodeId,
    pub(super) joints: Vec<NodeId>,
    pub(super) root_positions: Vec<DVec3>,
    pub(super) lowest: Vec<f64>,
    pub(crate) feet: [Option<Vec<DVec3>>; 2],
    /// The distance that each joint moves from one frame to the next. Positions are relative to the
    /// horizontal position of the root. There is a row of `joints.len()` values for each frame
    /// except the last.
    pub(super) steps: Vec<f64>,
}

/// A body at one frame. Positions are relative to the horizontal position of the root; rotations
/// are in world space.
pub(super) struct BodyPose {
    pub(super) positions: Vec<DVec3>,
    pub(super) rotations: Vec<DQuat>,
}

impl<'a> BodySamples<'a> {
    pub(crate) fn values_per_frame(clip: &Clip) -> usize {
        clip.nodes.len().max(1)
    }

    pub(crate) fn from_clip(
        clip: &'a Clip,
        root: NodeId,
        grid: Grid,
        options: &StudyOptions,
    ) -> Self {
        let joints = find_joints(clip, root);
        let feet_nodes = find_feet(clip, &joints, &options.feet);
        let mut body = Self {
            clip,
            grid,
            root,
            root_positions: Vec::with_capacity(grid.count),
            lowest: Vec::with_capacity(grid.count),
            feet: feet_nodes.map(|foot| foot.map(|_| Vec::with_capacity(grid.count))),
            steps: Vec::with_capacity(joints.len() * grid.count.saturating_sub(1)),
            joints,
        };
        let mut pose = Pose::default();
        let mut previous: Option<Vec<DVec3>> = None;
        for index in 0..grid.count {
            clip.sample_motion(grid.time(index), &mut pose);
            let root = position_or_nan(&pose, root);
            let world: Vec<DVec3> =
                body.joints.iter().map(|id| position_or_nan(&pose, *id)).collect();
            body.root_positions.push(root);
            body.lowest.push(world.iter().map(|position| position.y).fold(f64::NAN, f64::min));
            for (foot, node) in body.feet.iter_mut().zip(feet_nodes) {
                if let Some((positions, node)) = foot.as_mut().zip(node) {
                    positions.push(position_or_nan(&pose, node));
                }
            }
            let relative: Vec<DVec3> =
                world.iter().map(|position| *position - to_ground_plane(root)).collect();
            if let Some(previous) = &previous {
                body.steps
                    .extend(previous.iter().zip(&relative).map(|(from, to)| from.distance(*to)));
            }
            previous = Some(relative);
        }
        body
    }

    /// Returns a message for each of `named`, the names of feet, that leads to no foot.
    pub(crate) fn describe_unused_feet(&self, named: &[String]) -> Vec<String> {
        describe_unused_names(self.clip, &self.joints, named)
    }

    pub(super) fn sample_pose(&self, index: usize) -> BodyPose {
        let mut pose = Pose::default();
        self.clip.sample_motion(self.grid.time(index), &mut pose);
        let root = to_ground_plane(position_or_nan(&pose, self.root));
        let rotation = |id: &NodeId| match pose.nodes.get(id.index()) {
            Some(transform) if transform.is_visible => transform.world.rotation,
            _ => DQuat::NAN,
        };
        BodyPose {
            positions: self.joints.iter().map(|id| position_or_nan(&pose, *id) - root).collect(),
            rotations: self.joints.iter().map(rotation).collect(),
        }
    }
}

pub(crate) fn find_joints(clip: &Clip, root: NodeId) -> Vec<NodeId> {
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

fn position_or_nan(pose: &Pose, id: NodeId) -> DVec3 {
    match pose.nodes.get(id.index()) {
        Some(transform) if transform.is_visible => transform.world.translation,
        _ => DVec3::NAN,
    }
}

pub(crate) fn to_ground_plane(position: DVec3) -> DVec3 {
    DVec3::new(position.x, 0.0, position.z)
}
