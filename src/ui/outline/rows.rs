//! Computes the rows of the outline: groups with their nodes, then trees of nodes, then shapes and
//! effectors.

use crate::ui::{display_text::with_kind, search::Search, timeline::rows::group_nodes};
use mutoscope_core::clip::{Clip, GroupId, Node, NodeId, NodeKind};

use super::Collapsed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The letter and name of a recording, above its nodes.
    Recording,
    /// The name of a group, above its nodes.
    Group(GroupId),
    /// A node.
    Node { id: NodeId, depth: usize, has_children: bool },
    /// The heading of the shapes and effectors, with their number. Their rows follow if the heading
    /// is expanded.
    ShapesAndEffectors(usize),
    /// The heading of the events, texts, labels and animations that the search finds.
    ResultHeading,
    /// The search result with this index.
    Result(usize),
}

impl Row {
    fn single(id: NodeId) -> Self {
        Self::Node { id, depth: 0, has_children: false }
    }

    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Self::Node { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Returns `true` if the arrow keys stop at the row.
    pub(super) fn can_be_chosen(self) -> bool {
        matches!(self, Self::Node { .. } | Self::Result(_))
    }
}

pub(super) fn build_rows(clip: &Clip, search: &str, state: &Collapsed) -> Vec<Row> {
    let searching = !search.trim().is_empty();
    let search = Search::new(search);
    let matches = |id: &NodeId| search.matches(&with_kind(clip, *id, &clip.nodes[*id].name));
    let mut rows = Vec::with_capacity(clip.nodes.len() + clip.groups.len());
    for group in (0..clip.groups.len()).map(GroupId::new) {
        let members: Vec<_> = group_nodes(clip, group).filter(matches).collect();
        if members.is_empty() {
            continue;
        }
        rows.push(Row::Group(group));
        if searching || !state.groups.contains(&group) {
            rows.extend(members.into_iter().map(Row::single));
        }
    }
    let nodes_where = |predicate: fn(&Node) -> bool| {
        clip.nodes.with_ids().filter(move |(_, node)| predicate(node)).map(|(id, _)| id)
    };
    if searching {
        rows.extend(nodes_where(is_in_tree).filter(matches).map(Row::single));
    } else {
        add_trees(clip, state, &mut rows);
    }
    let shapes: Vec<_> = nodes_where(is_shape_or_effector).filter(matches).collect();
    if !shapes.is_empty() {
        rows.push(Row::ShapesAndEffectors(shapes.len()));
        if searching || state.shows_shapes {
            rows.extend(shapes.into_iter().map(Row::single));
        }
    }
    rows
}

/// Returns `true` for a shape or an effector outside of groups. The tree leaves them out, because
/// they would clutter it.
fn is_shape_or_effector(node: &Node) -> bool {
    node.group.is_none() && matches!(node.kind, NodeKind::Shape | NodeKind::Effector)
}

fn is_in_tree(node: &Node) -> bool {
    node.group.is_none() && !is_shape_or_effector(node)
}

fn add_trees(clip: &Clip, state: &Collapsed, rows: &mut Vec<Row>) {
    let mut roots = Vec::new();
    let mut children = vec![Vec::new(); clip.nodes.len()];
    // Visit the nodes in reverse, because the stack below returns the last pushed node first.
    for (id, node) in clip.nodes.with_ids().rev().filter(|(_, node)| is_in_tree(node)) {
        match node.parent.filter(|&parent| is_in_tree(&clip.nodes[parent])) {
            Some(parent) => children[parent.index()].push(id),
            None => roots.push(id),
        }
    }
    let mut stack: Vec<_> = roots.into_iter().map(|id| (id, 0)).collect();
    while let Some((id, depth)) = stack.pop() {
        let below = &children[id.index()];
        rows.push(Row::Node { id, depth, has_children: !below.is_empty() });
        if !state.nodes.contains(&id) {
            stack.extend(below.iter().map(|&child| (child, depth + 1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::ui::testing;
    use mutoscope_core::{ReadOptions, decode};

    fn lines(clip: &Clip, search: &str, state: &Collapsed) -> Vec<String> {
        let line = |row: Row| match row {
            Row::Group(group) => clip.groups[group.index()].clone(),
            Row::Node { id, depth, .. } => {
                format!("{}{}", "  ".repeat(depth), clip.nodes[id].name)
            }
            Row::ShapesAndEffectors(count) => format!("{count} shape"),
            _ => unreachable!("`build_rows` adds no such row"),
        };
        build_rows(clip, search, state).into_iter().map(line).collect()
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
        let clip = decode(text, &ReadOptions::default()).unwrap();
        let mut state = Collapsed::default();
        let tree = ["root", "  arm", "    hand", "  leg", "other", "1 shape"];
        assert_eq!(lines(&clip, "", &state), tree);
        let arm = build_rows(&clip, "", &state)[1];
        assert!(matches!(arm, Row::Node { has_children: true, .. }));
        state.nodes = arm.node().into_iter().collect();
        state.shows_shapes = true;
        let collapsed = ["root", "  arm", "  leg", "other", "1 shape", "rootShape"];
        assert_eq!(lines(&clip, "", &state), collapsed);
        assert_eq!(lines(&clip, "shape", &state), ["1 shape", "rootShape"]);
        assert_eq!(lines(&clip, "hand", &state), ["hand"], "a search includes collapsed nodes");
    }
}
