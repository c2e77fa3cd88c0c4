//! Builds the tree of a clip.

use super::{Item, ItemId, ItemKind, Tree};
use mutoscope_core::clip::{Clip, GroupId, NodeId, Owner, Track, TrackId};

pub(super) struct Builder {
    pub(super) tree: Tree,
    node_tracks: Vec<Vec<TrackId>>,
    group_tracks: Vec<Vec<TrackId>>,
    members: Vec<Vec<NodeId>>,
    children: Vec<Vec<NodeId>>,
    pub(super) roots: Vec<NodeId>,
}

impl Builder {
    pub(super) fn new(clip: &Clip) -> Self {
        let mut node_tracks = vec![Vec::new(); clip.nodes.len()];
        let mut group_tracks = vec![Vec::new(); clip.groups.len()];
        let has_keys = |track: &Track| !track.curve.key_times().is_empty();
        for (index, track) in clip.tracks.iter().enumerate().filter(|(_, track)| has_keys(track)) {
            match track.owner {
                Owner::Node(node) => node_tracks[node.index()].push(TrackId::new(index)),
                Owner::Group(group) => group_tracks[group.index()].push(TrackId::new(index)),
            }
        }
        // The timeline shows the signals of a group as lanes, so they get no rows.
        for signal in &clip.signals {
            if let Owner::Group(group) = clip.track(signal.track).owner {
                group_tracks[group.index()].retain(|track| *track != signal.track);
            }
        }
        let has_rows = include_ancestors(clip, |id| !node_tracks[id.index()].is_empty());
        let moves = include_ancestors(clip, |id| {
            node_tracks[id.index()].iter().any(|track| has_motion(clip.track(*track)))
        });
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
        for siblings in members.iter_mut().chain(&mut children).chain([&mut roots]) {
            siblings.sort_by_key(|id| !moves[id.index()]);
        }
        let tree = Tree { nodes: vec![None; clip.nodes.len()], ..Tree::default() };
        Self { tree, node_tracks, group_tracks, members, children, roots }
    }

    fn open_item(&mut self, kind: ItemKind, depth: usize, parent: Option<ItemId>) -> ItemId {
        let start = self.tree.tracks.len();
        let id = ItemId(self.tree.items.len());
        self.tree.items.push(Item { kind, depth, parent, end: id.0 + 1, tracks: start..start });
        id
    }

    fn close_item(&mut self, id: ItemId) {
        let (end, tracks) = (self.tree.items.len(), self.tree.tracks.len());
        let item = &mut self.tree.items[id.0];
        item.end = end;
        item.tracks.end = tracks;
    }

    pub(super) fn add_group(&mut self, group: GroupId) {
        let members = std::mem::take(&mut self.members[group.index()]);
        let tracks = std::mem::take(&mut self.group_tracks[group.index()]);
        if members.is_empty() && tracks.is_empty() {
            return;
        }
        let item = self.open_item(ItemKind::Group(group), 0, None);
        self.add_tracks(&tracks, 1, item);
        for node in members {
            self.add_node_tree(node, 1, Some(item));
        }
        self.close_item(item);
    }

    fn add_tracks(&mut self, tracks: &[TrackId], depth: usize, parent: ItemId) {
        for &track in tracks {
            let item = self.open_item(ItemKind::Track(track), depth, Some(parent));
            self.tree.tracks.push(track);
            self.close_item(item);
        }
    }

    /// Adds a node and its descendants without recursion, because files may nest nodes deeper than
    /// the call stack allows.
    pub(super) fn add_node_tree(&mut self, root: NodeId, depth: usize, parent: Option<ItemId>) {
        enum Step {
            Open(NodeId, usize, Option<ItemId>),
            Close(ItemId),
        }
        let mut stack = vec![Step::Open(root, depth, parent)];
        while let Some(step) = stack.pop() {
            let (node, depth, parent) = match step {
                Step::Open(node, depth, parent) => (node, depth, parent),
                Step::Close(item) => {
                    self.close_item(item);
                    continue;
                }
            };
            let item = self.open_item(ItemKind::Node(node), depth, parent);
            self.tree.nodes[node.index()] = Some(item);
            let tracks = std::mem::take(&mut self.node_tracks[node.index()]);
            let children = std::mem::take(&mut self.children[node.index()]);
            if children.is_empty() || tracks.is_empty() {
                self.add_tracks(&tracks, depth + 1, item);
            } else {
                let curves = self.open_item(ItemKind::Curves(node), depth + 1, Some(item));
                self.add_tracks(&tracks, depth + 2, curves);
                self.close_item(curves);
            }
            stack.push(Step::Close(item));
            let below = children.into_iter().rev();
            stack.extend(below.map(|child| Step::Open(child, depth + 1, Some(item))));
        }
    }
}

/// Returns for each node whether `accepts` accepts the node or a node below it.
fn include_ancestors(clip: &Clip, accepts: impl Fn(NodeId) -> bool) -> Vec<bool> {
    let mut accepted: Vec<bool> = clip.nodes.with_ids().map(|(id, _)| accepts(id)).collect();
    for &id in clip.nodes.parents_first().iter().rev() {
        if let Some(parent) = tree_parent(clip, id).filter(|_| accepted[id.index()]) {
            accepted[parent.index()] = true;
        }
    }
    accepted
}

/// Returns `true` if the keys of the track have different values.
fn has_motion(track: &Track) -> bool {
    let mut values = track.curve.key_times().iter().map(|time| track.curve.value(*time));
    let first = values.next();
    values.any(|value| Some(value) != first)
}

fn tree_parent(clip: &Clip, id: NodeId) -> Option<NodeId> {
    let node = &clip.nodes[id];
    let parent = node.parent.filter(|_| node.group.is_none())?;
    clip.nodes[parent].group.is_none().then_some(parent)
}
