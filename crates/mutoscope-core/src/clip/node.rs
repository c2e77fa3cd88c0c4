//! Nodes, and how they move.

use std::ops::{Deref, Index};

use glam::DVec3;

use super::{Channels, Rotation, TrackId, Transform, Translation};
use crate::diagnostics::{Notices, SourceLocation};

/// The index of a node within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The id of the node at `index`.
    pub const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a group within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(u32);

impl GroupId {
    /// The id of the group at `index`.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The index of the group.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something with a transform: a joint, a head, a ray.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name; names may repeat within a clip.
    pub name: String,
    /// The group it belongs to, if any.
    pub group: Option<GroupId>,
    /// The node its motion is relative to; nothing if it is absolute.
    pub parent: Option<NodeId>,
    /// The node at the other end of the bone that is drawn to it, if one is.
    pub bone_from: Option<NodeId>,
    /// Its kind.
    pub kind: NodeKind,
    /// The side of the body that it is on; `None` for the centre and for what has no side.
    pub side: Option<Side>,
    /// Its rest transform, relative to its parent, in source space.
    pub rest: Transform,
    /// How it moves.
    pub motion: Motion,
}

/// The kind of a node, for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A head, or the camera on it: looks along its −Z in the viewer's space.
    Head,
    /// A ray from its origin along its −Z in the viewer's space.
    Ray,
    /// A joint of a skeleton.
    Joint,
    /// The end of a chain of joints.
    Tip,
    /// A locator: a place on a skeleton that something is attached to.
    Locator,
    /// The geometry of its parent, listed as a node of its own; not animated.
    Shape,
    /// An effector, which marks the end of a chain for a solver; not animated.
    Effector,
    /// A helper: a group or a control that is no part of the skeleton.
    Helper,
}

impl NodeKind {
    /// Its name in English, in lower case: `"joint"`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Ray => "ray",
            Self::Joint => "joint",
            Self::Tip => "tip",
            Self::Locator => "locator",
            Self::Shape => "shape",
            Self::Effector => "effector",
            Self::Helper => "helper",
        }
    }

    /// Whether it is a part of the skeleton, rather than a shape or an effector, which are
    /// collapsed at first.
    pub fn is_of_the_skeleton(self) -> bool {
        !matches!(self, Self::Shape | Self::Effector | Self::Helper)
    }
}

/// A side of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Its own left.
    Left,
    /// Its own right.
    Right,
}

/// How a node moves, relative to its parent, in source space.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Its translation.
    pub translation: Translation,
    /// Its rotation.
    pub rotation: Rotation,
    /// Its scale along its own axes; that of the rest pose if nothing animates it.
    pub scale: Option<Box<Channels>>,
    /// When it is visible.
    pub shown: Shown,
}

impl Motion {
    /// A motion by tracks of vectors and quaternions; where no track is given, it rests.
    pub fn of_tracks(
        translation: Option<TrackId>,
        rotation: Option<TrackId>,
        scale: Option<TrackId>,
        shown: Shown,
    ) -> Self {
        let vector = |track| Box::new(Channels::of_vector(track));
        Self {
            translation: translation
                .map_or(Translation::Rest, |track| Translation::Channels(vector(track))),
            rotation: rotation.map_or(Rotation::Rest, Rotation::Keyed),
            scale: scale.map(vector),
            shown,
        }
    }

    /// Whether any track animates its translation, rotation or scale.
    pub fn moves(&self) -> bool {
        !matches!(self.translation, Translation::Rest)
            || !matches!(self.rotation, Rotation::Rest)
            || self.scale.is_some()
    }

    /// The tracks that animate its translation, rotation, scale or visibility.
    pub fn tracks(&self) -> Vec<TrackId> {
        let mut tracks = Vec::new();
        match &self.translation {
            Translation::Rest => {}
            Translation::Components(vector) => tracks.extend(vector.tracks()),
            Translation::Channels(channels) => tracks.extend(channels.tracks()),
        }
        match &self.rotation {
            Rotation::Rest => {}
            Rotation::Components(rotation) => tracks.extend(rotation.tracks()),
            Rotation::Keyed(track) => tracks.push(*track),
            Rotation::Euler(rotation) => {
                tracks.extend(rotation.angles.tracks());
                tracks.extend(rotation.keyed_order);
            }
            Rotation::Direction(vector) => tracks.extend(vector.tracks()),
        }
        tracks.extend(self.scale.iter().flat_map(|channels| channels.tracks()));
        if let Shown::While(track) = self.shown {
            tracks.push(track);
        }
        tracks
    }
}

/// When a node is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// At all times.
    #[default]
    Always,
    /// Never: the file has no motion for it.
    Never,
    /// While this track is on: `true`, or a number above one half.
    While(TrackId),
}

/// How the scale of a node is inherited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleInheritance {
    /// In full: the product of the ancestors' matrices.
    #[default]
    Full,
    /// It scales the offsets of its children only: their own scale and their descendants are
    /// unaffected. Blender's bones without "inherit scale", Maya's joints that compensate for the
    /// scale of the segment.
    OffsetOnly,
}

/// The nodes of a clip, in file order, and an order in which parents come before children.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    nodes: Box<[Node]>,
    parents_first: Box<[NodeId]>,
    any_scaled: bool,
    scales: ScaleInheritance,
}

impl Nodes {
    /// Takes `nodes`. One whose chain of parents leads back to itself, or out of the list, becomes
    /// a root, with a notice.
    pub fn new(mut nodes: Vec<Node>, notices: &mut Notices) -> Self {
        let mut parents_first = Vec::with_capacity(nodes.len());
        let mut placed = vec![false; nodes.len()];
        let mut chain = Vec::new();
        for start in 0..nodes.len() {
            let mut next = Some(start);
            while let Some(index) = next.filter(|&index| !placed[index]) {
                chain.push(index);
                placed[index] = true;
                next = nodes[index].parent.map(NodeId::index);
                let leads_nowhere =
                    next.is_some_and(|parent| parent >= nodes.len() || chain.contains(&parent));
                if leads_nowhere {
                    let name = &nodes[index].name;
                    let message = format!("the parents of {name:?} lead back to it; made a root");
                    notices.error(SourceLocation::File, message);
                    nodes[index].parent = None;
                    next = None;
                }
            }
            parents_first.extend(chain.drain(..).rev().map(NodeId::new));
        }
        let is_scaled = |node: &Node| node.motion.scale.is_some() || node.rest.scale != DVec3::ONE;
        let any_scaled = nodes.iter().any(is_scaled);
        let (nodes, parents_first) = (nodes.into(), parents_first.into());
        Self { nodes, parents_first, any_scaled, scales: ScaleInheritance::Full }
    }

    /// The same nodes with this scale inheritance.
    pub fn with_scales(self, scales: ScaleInheritance) -> Self {
        Self { scales, ..self }
    }

    /// How the scale of a node is inherited.
    pub fn scales(&self) -> ScaleInheritance {
        self.scales
    }

    /// Sets the rest translation of the node, relative to its parent and in source space.
    pub(super) fn set_rest_translation(&mut self, id: NodeId, translation: DVec3) {
        self.nodes[id.index()].rest.translation = translation;
    }

    /// Edits the motion of each, but not whether its scale is animated.
    pub(super) fn edit_motions(&mut self, edit: impl FnMut(&mut Motion)) {
        self.nodes.iter_mut().map(|node| &mut node.motion).for_each(edit);
    }

    /// Whether any of them may be scaled.
    pub fn any_scaled(&self) -> bool {
        self.any_scaled
    }

    /// The ids of all nodes, parents before their children.
    pub fn parents_first(&self) -> &[NodeId] {
        &self.parents_first
    }

    /// The nodes with their ids, in file order.
    pub fn with_ids(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), node))
    }
}

impl Deref for Nodes {
    type Target = [Node];

    fn deref(&self) -> &[Node] {
        &self.nodes
    }
}

impl Index<NodeId> for Nodes {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(parents: &[Option<usize>]) -> (Nodes, Notices) {
        let node = |(index, parent): (usize, &Option<usize>)| Node {
            name: format!("n{index}"),
            group: None,
            parent: parent.map(NodeId::new),
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform::IDENTITY,
            motion: Motion::default(),
        };
        let mut notices = Notices::new();
        let nodes = parents.iter().enumerate().map(node).collect();
        (Nodes::new(nodes, &mut notices), notices)
    }

    #[test]
    fn parents_precede_children_in_any_file_order() {
        let (nodes, notices) = nodes(&[Some(2), Some(0), Some(3), None, Some(2)]);
        let order: Vec<_> = nodes.parents_first().iter().map(|id| id.index()).collect();
        assert_eq!(order, [3, 2, 0, 1, 4]);
        assert!(notices.is_empty());
    }

    #[test]
    fn parent_cycles_and_invalid_parents_are_cut_and_reported() {
        let (nodes, notices) = nodes(&[Some(1), Some(0), Some(2), Some(9)]);
        assert_eq!(nodes.parents_first().len(), 4);
        let roots = nodes.iter().filter(|node| node.parent.is_none()).count();
        assert_eq!((roots, notices.len()), (3, 3));
    }
}
