//! Arranges groups, nodes and their curves in a tree of rows.

mod builder;
mod names;

use std::{collections::HashSet, ops::Range};

use self::{builder::Builder, names::RowName};
use mutoscope_core::clip::{Clip, GroupId, NodeId, TrackId};

/// The index of an item of a [`Tree`], in row order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(usize);

impl ItemId {
    /// Returns the index of the item.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// All nodes of a group.
    Group(GroupId),
    /// A node. If the node is not in a group, its descendants are below it.
    Node(NodeId),
    /// The curves of a node. This row exists only if the node also has children.
    Curves(NodeId),
    /// A single curve.
    Track(TrackId),
}

/// A row of a tree, and everything below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The group, node or curve of the row.
    pub kind: ItemKind,
    /// The number of ancestors of the item.
    pub depth: usize,
    /// The parent item, or `None` at the top.
    pub parent: Option<ItemId>,
    end: usize,
    pub(super) tracks: Range<usize>,
}

/// The tree of all groups, nodes and curves of a clip that have keys.
///
/// The nodes of a group are below the group, in file order. Other nodes are below their parents.
/// Nodes without motion, in themselves and below them, come after their siblings.
/// Items are omitted if neither they nor their descendants have keys.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    items: Vec<Item>,
    tracks: Vec<TrackId>,
    nodes: Vec<Option<ItemId>>,
    names: Vec<Option<RowName>>,
}

impl Tree {
    /// Builds the tree of `clip`.
    pub fn new(clip: &Clip) -> Self {
        let mut builder = Builder::new(clip);
        for group in (0..clip.groups.len()).map(GroupId::new) {
            builder.add_group(group);
        }
        for root in std::mem::take(&mut builder.roots) {
            builder.add_node_tree(root, 0, None);
        }
        let mut tree = builder.tree;
        tree.names = names::row_names(&tree, clip);
        tree
    }

    /// Returns all items, in row order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the ids of all items, in row order.
    pub fn ids(&self) -> impl Iterator<Item = ItemId> + use<> {
        (0..self.items.len()).map(ItemId)
    }

    /// Returns the item with this id.
    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0]
    }

    /// Returns the item of a node, or `None` if the node has no row.
    pub fn item_of_node(&self, node: NodeId) -> Option<ItemId> {
        self.nodes.get(node.index()).copied().flatten()
    }

    /// Returns the tracks of the item and its descendants, in row order.
    pub fn tracks(&self, id: ItemId) -> &[TrackId] {
        &self.tracks[self.items[id.0].tracks.clone()]
    }

    /// Returns all tracks of the tree, in row order.
    pub fn all_tracks(&self) -> &[TrackId] {
        &self.tracks
    }

    /// Returns `true` if there are rows below the item.
    pub fn has_children(&self, id: ItemId) -> bool {
        self.items[id.0].end > id.0 + 1
    }

    /// Returns all descendants of the item.
    pub fn descendants(&self, id: ItemId) -> impl Iterator<Item = ItemId> + use<> {
        (id.0 + 1..self.items[id.0].end).map(ItemId)
    }

    /// Returns the number of direct children of the item.
    pub fn child_count(&self, id: ItemId) -> usize {
        self.children(id).count()
    }

    /// Returns the items that are expanded by default. If there is a single item at the top, it is
    /// expanded, and the items below it as well until the tree branches. Otherwise there would be
    /// only one row.
    pub fn initially_open(&self) -> HashSet<ItemId> {
        let mut open = HashSet::new();
        let mut level: Vec<_> = self.roots().collect();
        while let [only] = level[..] {
            if !self.has_children(only) {
                break;
            }
            open.insert(only);
            let is_node = |id: &ItemId| matches!(self.item(*id).kind, ItemKind::Node(_));
            level = self.children(only).filter(is_node).collect();
        }
        open
    }

    /// Returns the items whose rows are visible when the items in `open` are expanded. The row of
    /// `revealed` and those of its ancestors are always visible, even below collapsed items.
    pub fn visible_rows(&self, open: &HashSet<ItemId>, revealed: Option<ItemId>) -> Vec<ItemId> {
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
            let target = revealed.filter(|revealed| (next + 1..end).contains(&revealed.0));
            if let Some(revealed) = target {
                self.push_path_to(id, revealed, open, &mut rows);
            }
            next = end;
        }
        rows
    }

    fn push_path_to(
        &self,
        id: ItemId,
        revealed: ItemId,
        open: &HashSet<ItemId>,
        rows: &mut Vec<ItemId>,
    ) {
        let mut id = id;
        while id != revealed {
            let contains_target =
                |child: &ItemId| (child.0..self.items[child.0].end).contains(&revealed.0);
            let Some(child) = self.children(id).find(contains_target) else { return };
            rows.push(child);
            id = child;
        }
        if open.contains(&id) {
            for child in self.children(id) {
                self.push_open_rows(child, open, rows);
            }
        }
    }

    fn push_open_rows(&self, id: ItemId, open: &HashSet<ItemId>, rows: &mut Vec<ItemId>) {
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
