//! From a clip to its tree.

use super::{Item, ItemId, Kind, Tree};
use crate::clip::{Clip, GroupId, NodeId, Owner, Track, TrackId};

/// Puts items one after the other.
pub(super) struct Builder {
    pub(super) tree: Tree,
    /// The tracks with keys of each node, and of each group.
    of_node: Vec<Vec<TrackId>>,
    of_group: Vec<Vec<TrackId>>,
    /// The nodes of each group that have keys.
    members: Vec<Vec<NodeId>>,
    /// The nodes of no group: children by parent, and roots.
    children: Vec<Vec<NodeId>>,
    pub(super) roots: Vec<NodeId>,
}

impl Builder {
    pub(super) fn new(clip: &Clip) -> Self {
        let mut of_node = vec![Vec::new(); clip.nodes.len()];
        let mut of_group = vec![Vec::new(); clip.groups.len()];
        let has_keys = |track: &Track| !track.curve.key_times().is_empty();
        for (index, track) in clip.tracks.iter().enumerate().filter(|(_, track)| has_keys(track)) {
            match track.owner {
                Owner::Node(node) => of_node[node.index()].push(TrackId::new(index)),
                Owner::Group(group) => of_group[group.index()].push(TrackId::new(index)),
            }
        }
        // Signals of a group are lanes, not rows.
        for signal in &clip.signals {
            if let Owner::Group(group) = clip.track(signal.track).owner {
                of_group[group.index()].retain(|track| *track != signal.track);
            }
        }
        let mut has_rows: Vec<bool> = of_node.iter().map(|tracks| !tracks.is_empty()).collect();
        for &id in clip.nodes.parents_first().iter().rev() {
            if let Some(parent) = tree_parent(clip, id).filter(|_| has_rows[id.index()]) {
                has_rows[parent.index()] = true;
            }
        }
        let mut members = vec![Vec::new(); clip.groups.len()];
        let mut children = vec![Vec::new(); clip.nodes.len()];
        let mut roots = Vec::new();
        for (id, node) in clip.nodes.with_ids().filter(|(id, _)| has_rows[id.index()]) {
            match (node.group, tree_parent(clip, id)) {
                (Some(group), _) => members[group.index()].push(id),
                (None, Some(parent)) => children[parent.index()].push(id),
                (None, None) => roots.push(id),
            }
        }
        let tree = Tree { nodes: vec![None; clip.nodes.len()], ..Tree::default() };
        Self { tree, of_node, of_group, members, children, roots }
    }

    fn open(&mut self, kind: Kind, depth: usize, parent: Option<ItemId>) -> ItemId {
        let start = self.tree.tracks.len();
        let id = ItemId(self.tree.items.len());
        self.tree.items.push(Item { kind, depth, parent, end: id.0 + 1, tracks: start..start });
        id
    }

    fn close(&mut self, id: ItemId) {
        let (end, tracks) = (self.tree.items.len(), self.tree.tracks.len());
        let item = &mut self.tree.items[id.0];
        item.end = end;
        item.tracks.end = tracks;
    }

    pub(super) fn group(&mut self, group: GroupId) {
        let members = std::mem::take(&mut self.members[group.index()]);
        let tracks = std::mem::take(&mut self.of_group[group.index()]);
        if members.is_empty() && tracks.is_empty() {
            return;
        }
        let item = self.open(Kind::Group(group), 0, None);
        self.tracks(&tracks, 1, item);
        for node in members {
            self.node_with_children(node, 1, Some(item));
        }
        self.close(item);
    }

    fn tracks(&mut self, tracks: &[TrackId], depth: usize, parent: ItemId) {
        for &track in tracks {
            let item = self.open(Kind::Track(track), depth, Some(parent));
            self.tree.tracks.push(track);
            self.close(item);
        }
    }

    /// A node and its descendants, without recursion: files may nest nodes deeper than the call
    /// stack.
    pub(super) fn node_with_children(
        &mut self,
        root: NodeId,
        depth: usize,
        parent: Option<ItemId>,
    ) {
        enum Step {
            Open(NodeId, usize, Option<ItemId>),
            Close(ItemId),
        }
        let mut pile = vec![Step::Open(root, depth, parent)];
        while let Some(step) = pile.pop() {
            let (node, depth, parent) = match step {
                Step::Open(node, depth, parent) => (node, depth, parent),
                Step::Close(item) => {
                    self.close(item);
                    continue;
                }
            };
            let item = self.open(Kind::Node(node), depth, parent);
            self.tree.nodes[node.index()] = Some(item);
            let tracks = std::mem::take(&mut self.of_node[node.index()]);
            let children = std::mem::take(&mut self.children[node.index()]);
            if children.is_empty() || tracks.is_empty() {
                self.tracks(&tracks, depth + 1, item);
            } else {
                let curves = self.open(Kind::Curves(node), depth + 1, Some(item));
                self.tracks(&tracks, depth + 2, curves);
                self.close(curves);
            }
            pile.push(Step::Close(item));
            let below = children.into_iter().rev();
            pile.extend(below.map(|child| Step::Open(child, depth + 1, Some(item))));
        }
    }
}

/// The node that `id` is below: its parent, if both are in no group.
fn tree_parent(clip: &Clip, id: NodeId) -> Option<NodeId> {
    let node = &clip.nodes[id];
    let parent = node.parent.filter(|_| node.group.is_none())?;
    clip.nodes[parent].group.is_none().then_some(parent)
}
