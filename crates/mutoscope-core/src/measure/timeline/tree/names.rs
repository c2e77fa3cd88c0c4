//! Identities of rows, to find them again in a reloaded recording.

use std::collections::{HashMap, HashSet};

use super::{ItemId, Kind, Tree};
use crate::clip::Clip;

/// The identity of a row that others are below: its kind, its name, and its ordinal among those of
/// both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RowName {
    kind: RowKind,
    name: Box<str>,
    number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RowKind {
    Group,
    Node,
    Curves,
}

/// The name of every item of `tree`; nothing for single curves, which have nothing below them.
pub(super) fn names(tree: &Tree, clip: &Clip) -> Vec<Option<RowName>> {
    let mut numbers: HashMap<(RowKind, &str), u32> = HashMap::new();
    let mut name = |id: ItemId| {
        let (kind, name) = match tree.item(id).kind {
            Kind::Group(group) => (RowKind::Group, &*clip.groups[group.index()]),
            Kind::Node(node) => (RowKind::Node, &*clip.nodes[node].name),
            Kind::Curves(node) => (RowKind::Curves, &*clip.nodes[node].name),
            Kind::Track(_) => return None,
        };
        let number = numbers.entry((kind, name)).or_default();
        *number += 1;
        Some(RowName { kind, name: name.into(), number: *number })
    };
    tree.ids().map(&mut name).collect()
}

impl Tree {
    /// The items of this tree with the names of the items `open` of `before`, wherever they are
    /// now: of several with one name, the one in the same place.
    pub fn again(&self, before: &Self, open: &HashSet<ItemId>) -> HashSet<ItemId> {
        let name = |id: &ItemId| before.names.get(id.index()).and_then(Option::as_ref);
        let open: HashSet<&RowName> = open.iter().filter_map(name).collect();
        let is_open =
            |id: &ItemId| self.names[id.index()].as_ref().is_some_and(|name| open.contains(name));
        self.ids().filter(is_open).collect()
    }
}
