//! Identifies rows, to find them again in a reloaded recording.

use std::collections::{HashMap, HashSet};

use super::{ItemId, ItemKind, Tree};
use mutoscope_core::clip::Clip;

/// The identity of a row that has children. It consists of a kind, a name, and an ordinal among the
/// rows with the same kind and name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowName {
    kind: RowKind,
    name: Box<str>,
    ordinal: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RowKind {
    Group,
    Node,
    Curves,
}

pub(super) fn row_names(tree: &Tree, clip: &Clip) -> Vec<Option<RowName>> {
    let mut counts: HashMap<(RowKind, &str), u32> = HashMap::new();
    let mut name = |id: ItemId| {
        let (kind, name) = match tree.item(id).kind {
            ItemKind::Group(group) => (RowKind::Group, &*clip.groups[group.index()]),
            ItemKind::Node(node) => (RowKind::Node, &*clip.nodes[node].name),
            ItemKind::Curves(node) => (RowKind::Curves, &*clip.nodes[node].name),
            ItemKind::Track(_) => return None,
        };
        let ordinal = counts.entry((kind, name)).or_default();
        *ordinal += 1;
        Some(RowName { kind, name: name.into(), ordinal: *ordinal })
    };
    tree.ids().map(&mut name).collect()
}

impl Tree {
    /// Returns the items of this tree that match the items `open` of the tree `before`. Items match
    /// by name, even if they have moved in the tree. The ordinal distinguishes items with the same
    /// name.
    pub fn matching_items(&self, before: &Self, open: &HashSet<ItemId>) -> HashSet<ItemId> {
        let name = |id: &ItemId| before.names.get(id.index()).and_then(Option::as_ref);
        let open: HashSet<&RowName> = open.iter().filter_map(name).collect();
        let is_open =
            |id: &ItemId| self.names[id.index()].as_ref().is_some_and(|name| open.contains(name));
        self.ids().filter(is_open).collect()
    }
}
