//! The rows of the outline: groups with their nodes, then trees of nodes, then shapes and
//! effectors.

use crate::ui::{search::Search, timeline::rows::nodes_of};
use mutoscope_core::clip::{Clip, GroupId, Node, NodeId, NodeKind};

use super::Collapsed;

/// A row of the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The letter and name of a recording, above its nodes.
    Recording,
    /// The name of a group, above its nodes.
    Group(GroupId),
    /// A node.
    Node {
        id: NodeId,
        /// Its depth.
        depth: usize,
        /// Whether it has children.
        has_children: bool,
    },
    /// The shapes and effectors, which are listed below it.
    Aside(usize),
}

impl Row {
    fn single(id: NodeId) -> Self {
        Self::Node { id, depth: 0, has_children: false }
    }

    /// The node, if it is one.
    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Self::Node { id, .. } => Some(id),
            Self::Recording | Self::Group(_) | Self::Aside(_) => None,
        }
    }
}

/// The rows from top to bottom. A search unfolds everything it finds something in.
pub(super) fn rows(clip: &Clip, search: &str, state: &Collapsed) -> Vec<Row> {
    let searching = !search.trim().is_empty();
    let search = Search::new(search);
    let is_found = |id: &NodeId| search.finds(&clip.nodes[*id].name);
    let mut rows = Vec::with_capacity(clip.nodes.len() + clip.groups.len());
    for group in (0..clip.groups.len()).map(GroupId::new) {
        let members: Vec<_> = nodes_of(clip, group).filter(is_found).collect();
        if members.is_empty() {
            continue;
        }
        rows.push(Row::Group(group));
        if searching || !state.groups.contains(&group) {
            rows.extend(members.into_iter().map(Row::single));
        }
    }
    let chosen = |wanted: fn(&Node) -> bool| {
        clip.nodes.with_ids().filter(move |(_, node)| wanted(node)).map(|(id, _)| id)
    };
    if searching {
        rows.extend(chosen(stands_in_tree).filter(is_found).map(Row::single));
    } else {
        trees(clip, state, &mut rows);
    }
    let aside: Vec<_> = chosen(stands_aside).filter(is_found).collect();
    if !aside.is_empty() {
        rows.push(Row::Aside(aside.len()));
        if searching || state.shows_aside {
            rows.extend(aside.into_iter().map(Row::single));
        }
    }
    rows
}

/// Whether a node only clutters the tree: it is not animated and has no children.
fn stands_aside(node: &Node) -> bool {
    node.group.is_none() && matches!(node.kind, NodeKind::Shape | NodeKind::Effector)
}

fn stands_in_tree(node: &Node) -> bool {
    node.group.is_none() && !stands_aside(node)
}

/// The nodes of no group, each below its parent; without collapsed ones.
fn trees(clip: &Clip, state: &Collapsed, rows: &mut Vec<Row>) {
    let mut roots = Vec::new();
    let mut children = vec![Vec::new(); clip.nodes.len()];
    // Backwards, because the last of a pile comes off it first.
    for (id, node) in clip.nodes.with_ids().rev().filter(|(_, node)| stands_in_tree(node)) {
        match node.parent.filter(|&parent| stands_in_tree(&clip.nodes[parent])) {
            Some(parent) => children[parent.index()].push(id),
            None => roots.push(id),
        }
    }
    let mut pile: Vec<_> = roots.into_iter().map(|id| (id, 0)).collect();
    while let Some((id, depth)) = pile.pop() {
        let below = &children[id.index()];
        rows.push(Row::Node { id, depth, has_children: !below.is_empty() });
        if !state.nodes.contains(&id) {
            pile.extend(below.iter().map(|&child| (child, depth + 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ui::testing;

    /// The rows as text: a name, indented by two blanks for each level.
    fn lines(clip: &Clip, search: &str, state: &Collapsed) -> Vec<String> {
        let line = |row: Row| match row {
            Row::Group(group) => clip.groups[group.index()].clone(),
            Row::Node { id, depth, .. } => {
                format!("{}{}", "  ".repeat(depth), clip.nodes[id].name)
            }
            Row::Aside(count) => format!("{count} aside"),
            Row::Recording => unreachable!("a recording is the row above these"),
        };
        rows(clip, search, state).into_iter().map(line).collect()
    }

    #[test]
    fn search_filters_and_expands_rows() {
        let clip = testing::two_hands();
        let groups = HashSet::from([GroupId::new(0)]);
        let state = Collapsed { groups, ..Collapsed::default() };
        assert!(!lines(&clip, "", &state).contains(&"left/IndexTip".to_owned()));
        assert_eq!(lines(&clip, "le ind tip", &state), ["left", "left/IndexTip"]);
        assert_eq!(lines(&clip, "cam", &state), ["camera"]);
        assert!(lines(&clip, "no such thing", &state).is_empty());
    }

    #[test]
    fn nodes_are_below_their_parents_and_shapes_collapsed() {
        let text = b"animVersion 1.1;\nanim root 0 2 0;\nanim rootShape 1 0 0;\nanim arm 1 1 0;\n\
            anim hand 2 0 0;\nanim leg 1 0 0;\nanim other 0 0 0;\n";
        let clip = mutoscope_core::formats::decode(
            text,
            &mutoscope_core::formats::DecodeRequest::default(),
        )
        .unwrap();
        let mut state = Collapsed::default();
        let tree = ["root", "  arm", "    hand", "  leg", "other", "1 aside"];
        assert_eq!(lines(&clip, "", &state), tree);
        let arm = rows(&clip, "", &state)[1];
        assert!(matches!(arm, Row::Node { has_children: true, .. }));
        state.nodes = arm.node().into_iter().collect();
        state.shows_aside = true;
        let folded = ["root", "  arm", "  leg", "other", "1 aside", "rootShape"];
        assert_eq!(lines(&clip, "", &state), folded);
        assert_eq!(lines(&clip, "shape", &state), ["1 aside", "rootShape"]);
        assert_eq!(lines(&clip, "hand", &state), ["hand"], "a search looks into what is folded");
    }
}
