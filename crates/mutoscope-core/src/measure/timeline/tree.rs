//! Groups, nodes and their curves as rows that fold.

mod builder;
mod names;

use std::{collections::HashSet, ops::Range};

use self::{builder::Builder, names::RowName};
use crate::clip::{Clip, GroupId, NodeId, TrackId};

/// The index of an item of a [`Tree`], in the order of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(usize);

impl ItemId {
    /// The index of the item.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// All nodes of a group.
    Group(GroupId),
    /// A node, with its descendants if it is in no group.
    Node(NodeId),
    /// The own curves of a node with children.
    Curves(NodeId),
    /// One curve.
    Track(TrackId),
}

/// One row of a tree, and what is below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The group, node or curve of the row.
    pub kind: Kind,
    /// How many others it is below.
    pub depth: usize,
    /// The one that it is right below.
    pub parent: Option<ItemId>,
    /// Where the items below it end.
    end: usize,
    /// Its tracks among those of the tree.
    pub(super) tracks: Range<usize>,
}

/// Everything of a clip that has keys as rows: trees of groups, nodes and curves.
///
/// Nodes of a group are below it, in file order; nodes of no group are below their parents. Items
/// without keys, and without children with keys, are omitted.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    items: Vec<Item>,
    /// Every track that is in it, in the order of rows.
    tracks: Vec<TrackId>,
    /// The item of each node of the clip.
    nodes: Vec<Option<ItemId>>,
    /// The name of each item that can have children.
    names: Vec<Option<RowName>>,
}

impl Tree {
    /// The rows of `clip`.
    pub fn new(clip: &Clip) -> Self {
        let mut builder = Builder::new(clip);
        for group in (0..clip.groups.len()).map(GroupId::new) {
            builder.group(group);
        }
        for root in std::mem::take(&mut builder.roots) {
            builder.node_with_children(root, 0, None);
        }
        let mut tree = builder.tree;
        tree.names = names::names(&tree, clip);
        tree
    }

    /// All items, in the order of rows.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The ids of all items, in the order of rows.
    pub fn ids(&self) -> impl Iterator<Item = ItemId> + use<> {
        (0..self.items.len()).map(ItemId)
    }

    /// The item with this id.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0]
    }

    /// The item of a node, if it has one.
    pub fn of_node(&self, node: NodeId) -> Option<ItemId> {
        self.nodes.get(node.index()).copied().flatten()
    }

    /// The tracks in the item and below it, in the order of rows.
    pub fn tracks(&self, id: ItemId) -> &[TrackId] {
        &self.tracks[self.items[id.0].tracks.clone()]
    }

    /// All tracks that are in the tree, in the order of rows.
    pub fn all_tracks(&self) -> &[TrackId] {
        &self.tracks
    }

    /// Whether there are rows below the item.
    pub fn folds(&self, id: ItemId) -> bool {
        self.items[id.0].end > id.0 + 1
    }

    /// The items below the item, however deep.
    pub fn below(&self, id: ItemId) -> impl Iterator<Item = ItemId> + use<> {
        (id.0 + 1..self.items[id.0].end).map(ItemId)
    }

    /// How many items are right below the item.
    pub fn child_count(&self, id: ItemId) -> usize {
        self.children(id).count()
    }

    /// The items that are expanded by default: a lone item at the top, and below it as long as
    /// nothing branches, so that there is more than one row.
    pub fn open_at_first(&self) -> HashSet<ItemId> {
        let mut open = HashSet::new();
        let mut level: Vec<_> = self.roots().collect();
        while let [only] = level[..] {
            if !self.folds(only) {
                break;
            }
            open.insert(only);
            let is_node = |id: &ItemId| matches!(self.item(*id).kind, Kind::Node(_));
            level = self.children(only).filter(is_node).collect();
        }
        open
    }

    /// The items that have rows if those in `open` are unfolded. Of what is folded, only the way to
    /// `revealed` has rows, each folded but for that way.
    pub fn rows(&self, open: &HashSet<ItemId>, revealed: Option<ItemId>) -> Vec<ItemId> {
        let mut rows = Vec::new();
        let mut next = 0;
        while next < self.items.len() {
            let id = ItemId(next);
            rows.push(id);
            let end = self.items[next].end;
            if open.contains(&id) {
                next += 1;
                continue;
            }
            let way = revealed.filter(|revealed| (next + 1..end).contains(&revealed.0));
            if let Some(revealed) = way {
                self.way_to(id, revealed, open, &mut rows);
            }
            next = end;
        }
        rows
    }

    /// The rows from below the folded `id` to `revealed`, which is somewhere below it, and on from
    /// there if that is open.
    fn way_to(&self, id: ItemId, revealed: ItemId, open: &HashSet<ItemId>, rows: &mut Vec<ItemId>) {
        let mut id = id;
        while id != revealed {
            let leads_there =
                |child: &ItemId| (child.0..self.items[child.0].end).contains(&revealed.0);
            let Some(child) = self.children(id).find(leads_there) else { return };
            rows.push(child);
            id = child;
        }
        if open.contains(&id) {
            for child in self.children(id) {
                self.open_rows(child, open, rows);
            }
        }
    }

    fn open_rows(&self, id: ItemId, open: &HashSet<ItemId>, rows: &mut Vec<ItemId>) {
        let mut next = id.0;
        while next < self.items[id.0].end {
            rows.push(ItemId(next));
            next = if open.contains(&ItemId(next)) { next + 1 } else { self.items[next].end };
        }
    }

    fn roots(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.siblings(0, self.items.len())
    }

    fn children(&self, id: ItemId) -> impl Iterator<Item = ItemId> + '_ {
        self.siblings(id.0 + 1, self.items[id.0].end)
    }

    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = ItemId> + '_ {
        let next = move |index: usize| (index < end).then_some(index);
        std::iter::successors(next(first), move |&index| next(self.items[index].end)).map(ItemId)
    }
}

#[cfg(test)]
mod tests;
