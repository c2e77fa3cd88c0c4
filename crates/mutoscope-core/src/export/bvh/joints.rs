//! Joints, as BVH has them: at rest none is turned, so that offsets make the rest pose.

use std::io::{self, Write};

use glam::{DQuat, DVec3};

use crate::{
    clip::{Clip, EulerOrder, NodeId, NodeKind, Pose, Shown, Transform},
    export::{Job, Report, motions::unscaled, origin::Precision, report::counted, turns::nearest},
};

/// Rotations about Z, X and Y as they are written are about Y first.
pub(super) const ORDER: EulerOrder = EulerOrder::Yxz;

/// How far a joint may leave its offset, in metres, and still have no position channels.
const STILL: f64 = 1e-6;

/// The origin of a joint of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A node of the recording.
    Node(NodeId),
    /// A common root where several nodes have no parent: BVH files have one root.
    Holder,
}

/// A joint.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) kind: Kind,
    /// The index of its parent.
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// Its world rotation at rest.
    rest: DQuat,
    /// Where it rests, from its parent.
    pub(super) offset: DVec3,
    /// Whether it leaves its offset.
    pub(super) moves: bool,
}

impl Joint {
    /// Its name in the recording.
    pub(super) fn name<'a>(&self, clip: &'a Clip) -> &'a str {
        match self.kind {
            Kind::Node(id) => &clip.nodes[id].name,
            Kind::Holder => "root",
        }
    }
}

/// The joints, parents first and depth first: the order of their channels in a line.
#[derive(Debug)]
pub(super) struct Joints {
    pub(super) nodes: Vec<Joint>,
    is_scaled: bool,
    is_hidden: bool,
    uses_bones: bool,
    roots: usize,
    /// How many shapes and effectors are skipped.
    left_out: usize,
}

impl Joints {
    /// The joints of a clip: they have the hierarchy of its nodes or, where nodes have no parents,
    /// that of their bones. They rest as the clip does or, if it has no rest pose, as it is at the
    /// time `from`.
    pub(super) fn of(clip: &Clip, from: f64) -> Self {
        let mut rest = Pose::default();
        clip.sample_motion(from, &mut rest);
        let has_rest_pose = clip.has_rest_pose();
        if has_rest_pose {
            clip.rest_pose(&mut rest);
        }
        let parents = parents(clip);
        let uses_bones = clip.nodes.with_ids().any(|(id, node)| parents[id.index()] != node.parent);
        let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); clip.nodes.len()];
        let mut roots = Vec::new();
        let holds_others = holders(&parents);
        let mut left_out = 0;
        for (id, node) in clip.nodes.with_ids() {
            if matches!(node.kind, NodeKind::Shape | NodeKind::Effector)
                && !holds_others[id.index()]
            {
                left_out += 1;
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
            roots: roots.len(),
            left_out,
        };
        let holder =
            (roots.len() != 1).then(|| joints.add(Kind::Holder, None, &Pose::default(), false));
        let mut next: Vec<_> = roots.iter().rev().map(|&root| (root, holder)).collect();
        while let Some((id, parent)) = next.pop() {
            let index = joints.add(Kind::Node(id), parent, &rest, has_rest_pose);
            next.extend(children[id.index()].iter().rev().map(|&child| (child, Some(index))));
        }
        joints
    }

    fn add(
        &mut self,
        kind: Kind,
        parent: Option<usize>,
        pose: &Pose,
        has_rest_pose: bool,
    ) -> usize {
        let index = self.nodes.len();
        let stands = world(kind, pose);
        let rest = if has_rest_pose { stands.rotation } else { DQuat::IDENTITY };
        let offset = match parent {
            None => DVec3::ZERO,
            Some(parent) => {
                let joint = &self.nodes[parent];
                let apart = unscaled(&world(joint.kind, pose), &stands).translation;
                joint.rest * apart
            }
        };
        let offset = if offset.is_finite() { offset } else { DVec3::ZERO };
        if let Some(parent) = parent {
            self.nodes[parent].children.push(index);
        }
        self.nodes.push(Joint { kind, parent, children: Vec::new(), rest, offset, moves: false });
        index
    }

    /// Notes which joints move, pose by pose.
    pub(super) fn look(&mut self, pose: &Pose) {
        for index in 0..self.nodes.len() {
            let joint = &self.nodes[index];
            if let Kind::Node(id) = joint.kind {
                let stands = &pose.nodes[id.index()];
                self.is_scaled |= stands.local.scale.distance(DVec3::ONE) > 1e-6;
                self.is_hidden |= !stands.shown;
            }
            if joint.moves || joint.kind == Kind::Holder {
                continue;
            }
            let place = self.place(index, pose);
            self.nodes[index].moves = place.distance(self.nodes[index].offset) > STILL;
        }
        // A root always has position channels: readers expect them.
        if let Some(root) = self.nodes.first_mut() {
            root.moves = true;
        }
    }

    /// Where a joint is, from its parent.
    fn place(&self, index: usize, pose: &Pose) -> DVec3 {
        let joint = &self.nodes[index];
        let stands = world(joint.kind, pose);
        match joint.parent {
            None => stands.translation,
            Some(parent) => {
                let parent = &self.nodes[parent];
                parent.rest * unscaled(&world(parent.kind, pose), &stands).translation
            }
        }
    }

    /// How a joint is turned, from its parent.
    fn turn(&self, index: usize, pose: &Pose) -> DQuat {
        let turned = |joint: &Joint| world(joint.kind, pose).rotation * joint.rest.conjugate();
        let joint = &self.nodes[index];
        let parent = joint.parent.map_or(DQuat::IDENTITY, |parent| turned(&self.nodes[parent]));
        (parent.conjugate() * turned(joint)).normalize()
    }

    /// Writes channels frame by frame.
    pub(super) fn channels(&self) -> Channels<'_> {
        Channels {
            joints: self,
            angles: vec![DVec3::ZERO; self.nodes.len()],
            places: vec![DVec3::ZERO; self.nodes.len()],
            not_finite: 0,
            precision: Precision::default(),
        }
    }

    /// Reports what BVH cannot hold.
    pub(super) fn report(&self, job: &Job<'_>, report: &mut Report) {
        if self.roots != 1 {
            let roots = counted(self.roots, "node");
            report.info(format!("{roots} have no parent: a root was added above them"));
        }
        if self.left_out > 0 {
            report.info(format!(
                "shapes and effectors, which never move, skipped: {}",
                self.left_out
            ));
        }
        if self.uses_bones {
            report.info("nodes without parents are connected by their bones");
        }
        if self.is_scaled {
            report.warning("scales skipped: positions include them");
        }
        let is_ever_hidden =
            self.is_hidden && job.clip.nodes.iter().any(|node| node.motion.shown != Shown::Never);
        if is_ever_hidden {
            report.warning("hidden nodes (untracked, absent) are written as if they were visible");
        }
    }
}

/// For each node its parent in the file: its parent, or the other end of its bone.
fn parents(clip: &Clip) -> Vec<Option<NodeId>> {
    let mut parents: Vec<_> = clip.nodes.iter().map(|node| node.parent).collect();
    for (id, node) in clip.nodes.with_ids() {
        let Some(from) = node.bone_from.filter(|_| node.parent.is_none()) else { continue };
        // A cycle of bones is cut where it would close.
        let mut above = Some(from);
        while above.is_some_and(|above| above != id) {
            above = above.and_then(|above| parents[above.index()]);
        }
        if above.is_none() {
            parents[id.index()] = Some(from);
        }
    }
    parents
}

/// For each node whether it has children.
fn holders(parents: &[Option<NodeId>]) -> Vec<bool> {
    let mut holds = vec![false; parents.len()];
    parents.iter().flatten().for_each(|parent| holds[parent.index()] = true);
    holds
}

/// A joint's world transform.
fn world(kind: Kind, pose: &Pose) -> Transform {
    match kind {
        Kind::Holder => Transform::IDENTITY,
        Kind::Node(id) => pose.nodes[id.index()].world,
    }
}

/// Writes what the channels of all joints are, frame by frame.
pub(super) struct Channels<'a> {
    joints: &'a Joints,
    /// The last angles, from which the next go on.
    angles: Vec<DVec3>,
    /// The last places, for where the next are not finite.
    places: Vec<DVec3>,
    /// How many places or rotations were not finite.
    pub(super) not_finite: usize,
    /// How coarse positions are for readers in single precision.
    pub(super) precision: Precision,
}

impl Channels<'_> {
    pub(super) fn frame(&mut self, pose: &Pose, out: &mut dyn Write) -> io::Result<()> {
        let mut separator = "";
        for (index, joint) in self.joints.nodes.iter().enumerate() {
            if joint.moves {
                let place = self.joints.place(index, pose);
                if place.is_finite() {
                    self.places[index] = place;
                    self.precision.note(place);
                } else {
                    self.not_finite += 1;
                }
                let DVec3 { x, y, z } = rounded(self.places[index]);
                write!(out, "{separator}{x} {y} {z} ")?;
                separator = "";
            }
            let turn = self.joints.turn(index, pose);
            if turn.is_finite() {
                self.angles[index] = nearest(ORDER, turn, self.angles[index]);
            } else {
                self.not_finite += 1;
            }
            let DVec3 { x, y, z } = rounded(self.angles[index].map(f64::to_degrees));
            write!(out, "{separator}{z} {x} {y}")?;
            separator = " ";
        }
        out.write_all(b"\n")
    }
}

/// The same to nine decimals, a millionth of a millimetre, as readers of single precision need no
/// more; zero has no sign.
pub(super) fn rounded(numbers: DVec3) -> DVec3 {
    const DECIMALS: f64 = 1e9;
    let round = |number: f64| {
        let scaled = number * DECIMALS;
        // Whole numbers beyond that are as they are.
        if scaled.abs() < 1e15 { scaled.round() / DECIMALS + 0.0 } else { number }
    };
    numbers.map(round)
}
