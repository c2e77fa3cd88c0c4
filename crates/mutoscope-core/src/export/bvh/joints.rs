//! The joints of a BVH file. At rest no joint is rotated, so that the offsets alone make the rest
//! pose.

use std::io;

use glam::{DQuat, DVec3};

use crate::{
    clip::{Clip, EulerOrder, NodeId, NodeKind, NodeVisibility, Pose, Transform},
    diagnostics::format_count,
    export::{
        Job, Report, decimal::write_plain_decimal, euler::nearest_angles,
        motions::relative_without_scale, origin::PositionPrecision,
    },
};

/// The order in which the rotations are applied: Y, X, Z. BVH lists the channels in the reverse
/// order: Z, X, Y.
pub(super) const ROTATION_ORDER: EulerOrder = EulerOrder::Yxz;

/// The number of the file's units in a metre. We write centimetres, because a file cannot state its
/// unit, and MotionBuilder, Maya and most collections use centimetres.
pub(super) const UNITS_PER_METRE: f64 = 100.0;

/// The tolerance of joint positions, in metres. A joint gets position channels if its distance from
/// its offset exceeds this tolerance.
const POSITION_EPSILON_M: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    /// A node of the recording.
    Node(NodeId),
    /// A root that is added above several nodes without a parent, because a BVH file has a single
    /// root.
    AddedRoot,
}

#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) kind: JointKind,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    rest: DQuat,
    /// The rest position relative to the parent, in metres.
    pub(super) offset: DVec3,
    pub(super) has_position_channels: bool,
}

impl Joint {
    pub(super) fn name<'a>(&self, clip: &'a Clip) -> &'a str {
        match self.kind {
            JointKind::Node(id) => &clip.nodes[id].name,
            JointKind::AddedRoot => "root",
        }
    }
}

/// The pose of a joint relative to its parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPose {
    position: DVec3,
    rotation: DQuat,
}

/// The joints, depth first, each parent before its children. The channels in a line have the same
/// order.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub(super) nodes: Vec<Joint>,
    is_scaled: bool,
    is_hidden: bool,
    uses_bones: bool,
    root_count: usize,
    skipped_count: usize,
}

impl Joints {
    /// Creates the joints of a clip. A joint's parent is the parent of its node, or the start of
    /// its bone if the node has no parent. The rest pose is the clip's rest pose, or the pose at
    /// `from` if the clip has none.
    pub(super) fn from_clip(clip: &Clip, from: f64) -> Self {
        let mut rest = Pose::default();
        clip.sample_motion(from, &mut rest);
        let has_rest_pose = clip.has_rest_pose();
        if has_rest_pose {
            clip.sample_rest_pose(&mut rest);
        }
        let parents = parents(clip);
        let uses_bones = clip.nodes.with_ids().any(|(id, node)| parents[id.index()] != node.parent);
        let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); clip.nodes.len()];
        let mut roots = Vec::new();
        let has_children = nodes_with_children(&parents);
        let mut skipped_count = 0;
        for (id, node) in clip.nodes.with_ids() {
            if matches!(node.kind, NodeKind::Shape | NodeKind::Effector)
                && !has_children[id.index()]
            {
                skipped_count += 1;
                continue;
            }
            match parents[id.index()] {
                Some(parent) => children[parent.index()].push(id),
                None => roots.push(id),
            }
        }
        let mut joints = Self {
            nodes: Vec::with_capacity(clip.nodes.len() + 1),
            is_scaled: false,
            is_hidden: false,
            uses_bones,
            root_count: roots.len(),
            skipped_count,
        };
        let added_root = (roots.len() != 1)
            .then(|| joints.add(JointKind::AddedRoot, None, &Pose::default(), false));
        let mut next: Vec<_> = roots.iter().rev().map(|&root| (root, added_root)).collect();
        while let Some((id, parent)) = next.pop() {
            let index = joints.add(JointKind::Node(id), parent, &rest, has_rest_pose);
            next.extend(children[id.index()].iter().rev().map(|&child| (child, Some(index))));
        }
        joints
    }

    fn add(
        &mut self,
        kind: JointKind,
        parent: Option<usize>,
        pose: &Pose,
        has_rest_pose: bool,
    ) -> usize {
        let index = self.nodes.len();
        let node_pose = world(kind, pose);
        let rest = if has_rest_pose { node_pose.rotation } else { DQuat::IDENTITY };
        let offset = match parent {
            None => DVec3::ZERO,
            Some(parent) => {
                let joint = &self.nodes[parent];
                let difference =
                    relative_without_scale(&world(joint.kind, pose), &node_pose).translation;
                joint.rest * difference
            }
        };
        let offset = if offset.is_finite() { offset } else { DVec3::ZERO };
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Joint {
            kind,
            parent,
            children: Vec::new(),
            rest,
            offset,
            has_position_channels: false,
        });
        index
    }

    pub(super) fn record_motion(&mut self, pose: &Pose) {
        for index in 0..self.nodes.len() {
            let joint = &self.nodes[index];
            if let JointKind::Node(id) = joint.kind {
                let node_pose = &pose[id];
                self.is_scaled |= node_pose.local.scale.distance(DVec3::ONE) > 1e-6;
                self.is_hidden |= !node_pose.is_visible;
            }
            if joint.has_position_channels || joint.kind == JointKind::AddedRoot {
                continue;
            }
            let position = self.local_position(index, pose);
            self.nodes[index].has_position_channels =
                position.distance(self.nodes[index].offset) > POSITION_EPSILON_M;
        }
        // Always give the root position channels, because readers expect them.
        if let Some(root) = self.nodes.first_mut() {
            root.has_position_channels = true;
        }
    }

    /// Adds the motion that another copy of the joints has recorded.
    pub(super) fn merge_motion(&mut self, other: &Self) {
        self.is_scaled |= other.is_scaled;
        self.is_hidden |= other.is_hidden;
        for (joint, other) in self.nodes.iter_mut().zip(&other.nodes) {
            joint.has_position_channels |= other.has_position_channels;
        }
    }

    fn local_position(&self, index: usize, pose: &Pose) -> DVec3 {
        let joint = &self.nodes[index];
        let node_pose = world(joint.kind, pose);
        match joint.parent {
            None => node_pose.translation,
            Some(parent) => {
                let parent = &self.nodes[parent];
                parent.rest
                    * relative_without_scale(&world(parent.kind, pose), &node_pose).translation
            }
        }
    }

    fn local_rotation(&self, index: usize, pose: &Pose) -> DQuat {
        let rotation_from_rest =
            |joint: &Joint| world(joint.kind, pose).rotation * joint.rest.conjugate();
        let joint = &self.nodes[index];
        let parent =
            joint.parent.map_or(DQuat::IDENTITY, |parent| rotation_from_rest(&self.nodes[parent]));
        (parent.conjugate() * rotation_from_rest(joint)).normalize()
    }

    /// Returns the pose of each joint relative to its parent.
    pub(super) fn local_poses(&self, pose: &Pose) -> Vec<JointPose> {
        let joint = |(index, joint): (usize, &Joint)| JointPose {
            position: match joint.has_position_channels {
                true => self.local_position(index, pose),
                false => joint.offset,
            },
            rotation: self.local_rotation(index, pose),
        };
        self.nodes.iter().enumerate().map(joint).collect()
    }

    /// Returns the channels before the first frame.
    pub(super) fn channels(&self) -> Channels {
        let zeros = vec![DVec3::ZERO; self.nodes.len()];
        Channels { angles: zeros.clone(), positions: zeros }
    }

    /// Writes the lines of successive frames. `before` has the channels of the frame before them.
    pub(super) fn write_frames(
        &self,
        frames: Vec<Vec<JointPose>>,
        before: &Channels,
    ) -> io::Result<WrittenFrames> {
        let mut written = WrittenFrames {
            lines: Vec::new(),
            channels: before.clone(),
            non_finite_count: 0,
            precision: PositionPrecision::default(),
            frames: Vec::new(),
        };
        frames.iter().try_for_each(|frame| written.add_line(self, frame))?;
        Ok(WrittenFrames { frames, ..written })
    }

    pub(super) fn report(&self, job: &Job<'_>, report: &mut Report) {
        if self.root_count != 1 {
            let roots = format_count(self.root_count, "node");
            report.info(format!("{roots} have no parent: a root was added above them"));
        }
        if self.skipped_count > 0 {
            report.info(format!(
                "shapes and effectors, which never move, skipped: {}",
                self.skipped_count
            ));
        }
        if self.uses_bones {
            report.info("nodes without parents are connected by their bones");
        }
        if self.is_scaled {
            report.warning("scales skipped: positions include them");
        }
        let is_ever_hidden = self.is_hidden
            && job.clip.nodes.iter().any(|node| node.motion.visibility != NodeVisibility::Never);
        if is_ever_hidden {
            report.warning("hidden nodes (untracked, absent) are written as if they were visible");
        }
    }
}

fn parents(clip: &Clip) -> Vec<Option<NodeId>> {
    let mut parents: Vec<_> = clip.nodes.iter().map(|node| node.parent).collect();
    for (id, node) in clip.nodes.with_ids() {
        let Some(from) = node.bone_from.filter(|_| node.parent.is_none()) else { continue };
        // Bones may form a cycle. Skip the bone that would close it.
        let mut ancestor = Some(from);
        while ancestor.is_some_and(|ancestor| ancestor != id) {
            ancestor = ancestor.and_then(|ancestor| parents[ancestor.index()]);
        }
        if ancestor.is_none() {
            parents[id.index()] = Some(from);
        }
    }
    parents
}

fn nodes_with_children(parents: &[Option<NodeId>]) -> Vec<bool> {
    let mut has_children = vec![false; parents.len()];
    parents.iter().flatten().for_each(|parent| has_children[parent.index()] = true);
    has_children
}

fn world(kind: JointKind, pose: &Pose) -> Transform {
    match kind {
        JointKind::AddedRoot => Transform::IDENTITY,
        JointKind::Node(id) => pose[id].world,
    }
}

/// The values of the channels in one frame. The angles of the next frame are the nearest ones.
#[derive(Clone)]
pub(super) struct Channels {
    angles: Vec<DVec3>,
    positions: Vec<DVec3>,
}

/// The lines of successive frames.
pub(super) struct WrittenFrames {
    pub(super) lines: Vec<u8>,
    /// The channels of the last frame.
    pub(super) channels: Channels,
    pub(super) non_finite_count: usize,
    pub(super) precision: PositionPrecision,
    pub(super) frames: Vec<Vec<JointPose>>,
}

impl WrittenFrames {
    /// Returns `true` if the lines would be the same after a frame with the channels `before` as they
    /// are after `assumed`.
    pub(super) fn is_same_after(&self, before: &Channels, assumed: &Channels) -> bool {
        let Some(first) = self.frames.first() else { return true };
        let mut joints = first.iter().zip(before.angles.iter().zip(&assumed.angles));
        // A value that is not finite repeats that of the frame before.
        self.non_finite_count == 0
            && joints.all(|(joint, (before, assumed))| {
                let angles = |before| nearest_angles(ROTATION_ORDER, joint.rotation, before);
                angles(*before) == angles(*assumed)
            })
    }

    fn add_line(&mut self, joints: &Joints, frame: &[JointPose]) -> io::Result<()> {
        let out = &mut self.lines;
        let Channels { angles, positions } = &mut self.channels;
        let line_start = out.len();
        for (index, joint) in joints.nodes.iter().enumerate() {
            let JointPose { position, rotation } = frame[index];
            if joint.has_position_channels {
                if position.is_finite() {
                    positions[index] = position;
                    self.precision.record_position(position);
                } else {
                    self.non_finite_count += 1;
                }
                let DVec3 { x, y, z } = round_decimals(positions[index] * UNITS_PER_METRE);
                write_numbers([x, y, z], line_start, out)?;
            }
            if rotation.is_finite() {
                angles[index] = nearest_angles(ROTATION_ORDER, rotation, angles[index]);
            } else {
                self.non_finite_count += 1;
            }
            let DVec3 { x, y, z } = round_decimals(angles[index].map(f64::to_degrees));
            write_numbers([z, x, y], line_start, out)?;
        }
        out.push(b'\n');
        Ok(())
    }
}

/// Appends numbers to the line that begins at `line_start`, with spaces between them.
fn write_numbers(numbers: [f64; 3], line_start: usize, out: &mut Vec<u8>) -> io::Result<()> {
    numbers.into_iter().try_for_each(|number| {
        if out.len() > line_start {
            out.push(b' ');
        }
        write_plain_decimal(number, out)
    })
}

/// Rounds to nine decimals, which is a hundred-millionth of a millimetre. Readers that use f32 need
/// no more. −0 becomes 0.
pub(super) fn round_decimals(numbers: DVec3) -> DVec3 {
    const DECIMALS: f64 = 1e9;
    let round = |number: f64| {
        let scaled = number * DECIMALS;
        // Do not round large numbers, because at 10¹⁵ the scaled value approaches the limit of f64
        // precision.
        if scaled.abs() < 1e15 { scaled.round() / DECIMALS + 0.0 } else { number }
    };
    numbers.map(round)
}
