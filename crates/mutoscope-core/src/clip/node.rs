//! Nodes, and the tracks that animate them.

use std::ops::{Deref, Index};

use glam::DVec3;

use super::{Channels, Rotation, ScalarCurve, TrackId, Transform, Translation, codes};
use crate::diagnostics::{Diagnostics, SourceLocation};

/// The index of a node within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Creates the id of the node at `index`.
    pub const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns the index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a group within its clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(u32);

impl GroupId {
    /// Creates the id of the group at `index`.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Returns the index of the group.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An object with a transform: a joint, a head or a ray.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name. Names may repeat within a clip.
    pub name: String,
    /// The group that the node belongs to, if any.
    pub group: Option<GroupId>,
    /// The node that the motion is relative to. `None` if the motion is absolute.
    pub parent: Option<NodeId>,
    /// The node from which a bone is drawn to this node, if any.
    pub bone_from: Option<NodeId>,
    /// The kind of node.
    pub kind: NodeKind,
    /// The side of the body. `None` for nodes in the centre, and for nodes without a side.
    pub side: Option<Side>,
    /// The rest transform, relative to the parent, in source space.
    pub rest: Transform,
    /// The tracks that animate the node.
    pub motion: Motion,
}

/// The kind of a node, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum NodeKind {
    /// A head, or the camera on it. It looks along its −Z axis in the viewer's space.
    Head,
    /// A ray from its origin along its −Z axis in the viewer's space.
    Ray,
    /// A joint of a skeleton.
    Joint,
    /// The end of a chain of joints.
    Tip,
    /// A locator: a point on a skeleton to which something is attached.
    Locator,
    /// The geometry of the parent, if the file stores it as a separate node. Shapes are not
    /// animated.
    Shape,
    /// An effector, which marks the end of a chain for a solver. Effectors are not animated.
    Effector,
    /// A helper: a group or a control that does not belong to the skeleton.
    Helper,
}

impl NodeKind {
    /// Returns the English name in lower case: `joint`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns `true` if the node belongs to the skeleton. Trees of nodes show all other nodes
    /// collapsed.
    pub fn is_skeleton_part(self) -> bool {
        !matches!(self, Self::Shape | Self::Effector | Self::Helper)
    }
}

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The body's own left.
    Left,
    /// The body's own right.
    Right,
}

/// The motion of a node, relative to its parent, in source space.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// The translation.
    pub translation: Translation,
    /// The rotation.
    pub rotation: Rotation,
    /// The scale along the node's own axes. `None` keeps the scale of the rest pose.
    pub scale: Option<Box<Channels>>,
    /// The visibility over time.
    pub visibility: NodeVisibility,
}

impl Motion {
    /// Creates a motion from tracks of vectors and quaternions. A part of the transform without a
    /// track keeps its rest value.
    pub fn from_tracks(
        translation: Option<TrackId>,
        rotation: Option<TrackId>,
        scale: Option<TrackId>,
        visibility: NodeVisibility,
    ) -> Self {
        let vector = |track| Box::new(Channels::from_vector_track(track));
        Self {
            translation: translation
                .map_or(Translation::Rest, |track| Translation::Channels(vector(track))),
            rotation: rotation.map_or(Rotation::Rest, Rotation::Keyed),
            scale: scale.map(vector),
            visibility,
        }
    }

    /// Removes the copies of keys that make sampling fast, because the times or the shapes of the
    /// tracks have changed. `change` converts the curves that are not tracks.
    pub(super) fn unpack_keys(&mut self, change: impl Fn(&ScalarCurve) -> ScalarCurve) {
        if let Translation::Components(vector) = &mut self.translation {
            *vector = vector.without_packed_keys();
        }
        match &mut self.rotation {
            Rotation::Components(rotation) => *rotation = rotation.without_packed_keys(change),
            Rotation::Direction(vector) => *vector = vector.without_packed_keys(),
            Rotation::Rest | Rotation::Keyed(_) | Rotation::Euler(_) => {}
        }
    }

    /// Returns `true` if at least one track animates the translation, the rotation or the scale.
    pub fn is_animated(&self) -> bool {
        !matches!(self.translation, Translation::Rest)
            || !matches!(self.rotation, Rotation::Rest)
            || self.scale.is_some()
    }

    /// Returns the tracks that animate the translation, the rotation, the scale or the visibility.
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
                tracks.extend(rotation.order_track);
            }
            Rotation::Direction(vector) => tracks.extend(vector.tracks()),
        }
        tracks.extend(self.scale.iter().flat_map(|channels| channels.tracks()));
        if let NodeVisibility::While(track) = self.visibility {
            tracks.push(track);
        }
        tracks
    }
}

/// The visibility of a node over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeVisibility {
    /// Always visible.
    #[default]
    Always,
    /// Never visible, because the file has no motion for the node.
    Never,
    /// Visible while this track is on: `true`, or a number above 0.5.
    While(TrackId),
}

/// The way in which nodes inherit the scale of their ancestors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleInheritance {
    /// In full: world transforms are products of the ancestors' matrices.
    #[default]
    Full,
    /// A scale only changes the node itself and the offsets of its children. The children keep
    /// their own size.
    ///
    /// Blender's bones without "inherit scale" and Maya's joints with segment scale compensation
    /// work like this.
    OffsetOnly,
}

/// The nodes of a clip, in file order, with an order in which parents come before children.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    nodes: Box<[Node]>,
    parents_first: Box<[NodeId]>,
    has_scales: bool,
    scale_inheritance: ScaleInheritance,
}

impl Nodes {
    /// Creates the list. A node becomes a root if following its parents leads back to the node
    /// itself, or to a node that is not in the list. Such nodes are reported to `diagnostics`.
    pub fn new(mut nodes: Vec<Node>, diagnostics: &mut Diagnostics) -> Self {
        let mut parents_first = Vec::with_capacity(nodes.len());
        let mut is_placed = vec![false; nodes.len()];
        let mut chain = Vec::new();
        for start in 0..nodes.len() {
            let mut next = Some(start);
            while let Some(index) = next.filter(|&index| !is_placed[index]) {
                chain.push(index);
                is_placed[index] = true;
                next = nodes[index].parent.map(NodeId::index);
                let is_invalid =
                    next.is_some_and(|parent| parent >= nodes.len() || chain.contains(&parent));
                if is_invalid {
                    let name = &nodes[index].name;
                    let message = match next {
                        Some(parent) if parent >= nodes.len() => {
                            format!("the parent of {name:?} does not exist; made a root")
                        }
                        _ => format!("the parents of {name:?} lead back to it; made a root"),
                    };
                    diagnostics
                        .error(codes::INVALID_PARENT, SourceLocation::File, message)
                        .with("node", name.as_str());
                    nodes[index].parent = None;
                    next = None;
                }
            }
            parents_first.extend(chain.drain(..).rev().map(NodeId::new));
        }
        let is_scaled = |node: &Node| node.motion.scale.is_some() || node.rest.scale != DVec3::ONE;
        let has_scales = nodes.iter().any(is_scaled);
        let (nodes, parents_first) = (nodes.into(), parents_first.into());
        Self { nodes, parents_first, has_scales, scale_inheritance: ScaleInheritance::Full }
    }

    /// Sets how nodes inherit scales.
    pub fn with_scale_inheritance(self, scale_inheritance: ScaleInheritance) -> Self {
        Self { scale_inheritance, ..self }
    }

    /// Returns how nodes inherit scales.
    pub fn scale_inheritance(&self) -> ScaleInheritance {
        self.scale_inheritance
    }

    /// Sets the rest translation of a node, relative to its parent and in source space.
    pub(super) fn set_rest_translation(&mut self, id: NodeId, translation: DVec3) {
        self.nodes[id.index()].rest.translation = translation;
    }

    /// Calls `edit` for the motion of each node. `edit` must neither add nor remove an animated
    /// scale, because `has_scales` is not updated.
    pub(super) fn edit_motions(&mut self, edit: impl FnMut(&mut Motion)) {
        self.nodes.iter_mut().map(|node| &mut node.motion).for_each(edit);
    }

    /// Returns `true` if at least one node has a scale or an animated scale.
    pub fn has_scales(&self) -> bool {
        self.has_scales
    }

    /// Returns the ids of all nodes, parents before their children.
    pub fn parents_first(&self) -> &[NodeId] {
        &self.parents_first
    }

    /// Returns the nodes with their ids, in file order.
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

    fn nodes(parents: &[Option<usize>]) -> (Nodes, Diagnostics) {
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
        let mut diagnostics = Diagnostics::new();
        let nodes = parents.iter().enumerate().map(node).collect();
        (Nodes::new(nodes, &mut diagnostics), diagnostics)
    }

    #[test]
    fn parents_precede_children_in_any_file_order() {
        let (nodes, diagnostics) = nodes(&[Some(2), Some(0), Some(3), None, Some(2)]);
        let order: Vec<_> = nodes.parents_first().iter().map(|id| id.index()).collect();
        assert_eq!(order, [3, 2, 0, 1, 4]);
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn parent_cycles_and_invalid_parents_are_cut_and_reported() {
        let (nodes, diagnostics) = nodes(&[Some(1), Some(0), Some(2), Some(9)]);
        assert_eq!(nodes.parents_first().len(), 4);
        let roots = nodes.iter().filter(|node| node.parent.is_none()).count();
        assert_eq!((roots, diagnostics.len()), (3, 3));
    }
}
