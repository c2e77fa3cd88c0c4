//! Reconstructs the nodes and their parents.
//!
//! A file has a line for each animated attribute and for each node without any, in depth-first
//! order, with the depth of the node. Nothing marks the boundary between two consecutive nodes of
//! the same name.

use std::collections::HashSet;

use super::{Item, Target};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hierarchy {
    pub(super) nodes: Vec<FileNode>,
    pub(super) node_of_item: Vec<usize>,
    pub(super) method: Method,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileNode {
    pub(super) first_item: usize,
    pub(super) parent: Option<usize>,
    pub(super) is_animated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Use `row`, which is the depth of the node.
    Rows,
    /// Use `child`, the number of children, because every row is 0.
    ChildCounts,
    /// Make every node a root, because neither `row` nor `child` is usable.
    Flat,
}

impl Hierarchy {
    pub(super) fn new(items: &[Item]) -> Self {
        let (mut nodes, node_of_item) = group_items(items);
        let method = if nodes.iter().any(|node| items[node.first_item].row > 0) {
            Method::Rows
        } else if child_counts_add_up(&nodes, items) {
            Method::ChildCounts
        } else {
            Method::Flat
        };
        match method {
            Method::Rows => set_parents_by_rows(&mut nodes, items),
            Method::ChildCounts => set_parents_by_child_counts(&mut nodes, items),
            Method::Flat => {}
        }
        Self { nodes, node_of_item, method }
    }
}

/// Groups consecutive items that belong to the same node. Such items have the same node name, row
/// and child count, and their `attr` index increases. Unconnected curves have no node name.
///
/// Some writers leave `attr` at 0. In their files, a repeated attribute begins another node with
/// the same name.
fn group_items(items: &[Item]) -> (Vec<FileNode>, Vec<usize>) {
    let counts_attrs = items.iter().any(|item| item.attr > 0);
    let mut leaves_of_node = HashSet::new();
    let mut nodes: Vec<FileNode> = Vec::new();
    let mut node_of_item = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let is_new_leaf = || !leaves_of_node.contains(item.target.leaf());
        let continues = index.checked_sub(1).is_some_and(|last| {
            let last = &items[last];
            let attribute_follows =
                if counts_attrs { item.attr > last.attr } else { is_new_leaf() };
            is_same_node(last, item) && attribute_follows
        });
        if !continues {
            leaves_of_node.clear();
            let is_animated = has_curves(item);
            nodes.push(FileNode { first_item: index, parent: None, is_animated });
        }
        leaves_of_node.insert(item.target.leaf());
        node_of_item.push(nodes.len() - 1);
    }
    (nodes, node_of_item)
}

fn has_curves(item: &Item) -> bool {
    matches!(item.target, Target::Attribute { .. } | Target::Unconnected)
}

fn is_same_node(last: &Item, item: &Item) -> bool {
    let row_and_children = |item: &Item| (item.row, item.child);
    has_curves(last)
        && has_curves(item)
        && last.target.node() == item.target.node()
        && row_and_children(last) == row_and_children(item)
}

/// Sets the parent of each node to the closest earlier node with a smaller depth. The depths differ
/// by 1, unless the file skips levels.
fn set_parents_by_rows(nodes: &mut [FileNode], items: &[Item]) {
    // The path from a root to the previous node.
    let mut open: Vec<usize> = Vec::new();
    for index in 0..nodes.len() {
        let row = |node: usize| items[nodes[node].first_item].row;
        let depth = row(index);
        while open.last().is_some_and(|&node| row(node) >= depth) {
            open.pop();
        }
        nodes[index].parent = open.last().copied();
        open.push(index);
    }
}

/// Returns `true` if the child counts describe one or more complete trees in depth-first order, and
/// at least one node has a child. Otherwise the counts have some other meaning.
fn child_counts_add_up(nodes: &[FileNode], items: &[Item]) -> bool {
    let mut open: Vec<u32> = Vec::new();
    let mut any_child = false;
    for node in nodes {
        if let Some(missing) = open.last_mut() {
            *missing -= 1;
            any_child = true;
        }
        open.push(items[node.first_item].child);
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    open.is_empty() && any_child
}

fn set_parents_by_child_counts(nodes: &mut [FileNode], items: &[Item]) {
    // The ancestors of the next node, each with the number of its children that are still to come.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for index in 0..nodes.len() {
        if let Some((parent, missing)) = open.last_mut() {
            nodes[index].parent = Some(*parent);
            *missing -= 1;
        }
        open.push((index, items[nodes[index].first_item].child));
        while open.last().is_some_and(|&(_, missing)| missing == 0) {
            open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostics::Diagnostics, formats::maya::decode};

    type Expected = (&'static str, Option<usize>);

    fn nodes(lines: &str) -> Vec<(String, Option<usize>)> {
        let mut text = "animVersion 1.1;\n".to_owned();
        for line in lines.lines() {
            text += &format!("anim {line};\n");
            if line.split_whitespace().count() > 4 {
                text += "animData { keys { 1 0 auto auto 1 1 0; } }\n";
            }
        }
        let document = decode(text.as_bytes(), &mut Diagnostics::new()).unwrap();
        let hierarchy = Hierarchy::new(&document.items);
        let name = |node: &FileNode| {
            document.items[node.first_item].target.node().unwrap_or_default().to_owned()
        };
        hierarchy.nodes.iter().map(|node| (name(node), node.parent)).collect()
    }

    #[test]
    fn parents_follow_rows_or_child_counts() {
        let cases: [(&str, &str, &[Expected]); 9] = [
            (
                "Autodesk's own example",
                "A 0 3 0\nB 1 1 0\nt.x x C 2 1 0\nt.y y C 2 1 1\nt.z z C 2 1 2\nD 3 0 0\nE 1 0 0\nF 1 2 0\nG 2 0 0\nH 2 0 0",
                &[
                    ("A", None),
                    ("B", Some(0)),
                    ("C", Some(1)),
                    ("D", Some(2)),
                    ("E", Some(0)),
                    ("F", Some(0)),
                    ("G", Some(5)),
                    ("H", Some(5)),
                ],
            ),
            (
                "one name, two nodes",
                "root 0 2 0\nr.x x joint 1 0 0\nr.y y joint 1 0 1\nr.x x joint 1 0 0",
                &[("root", None), ("joint", Some(0)), ("joint", Some(0))],
            ),
            (
                "a name that comes again later",
                "root 0 3 0\nr.x x toe 1 0 0\nheel 1 0 0\nr.y y toe 1 0 1",
                &[("root", None), ("toe", Some(0)), ("heel", Some(0)), ("toe", Some(0))],
            ),
            (
                "a parent of the same name",
                "r.x x a 0 1 0\nr.y y a 1 0 1",
                &[("a", None), ("a", Some(0))],
            ),
            (
                "several roots",
                "a 0 1 0\nb 1 0 0\nc 0 1 0\nd 1 0 0",
                &[("a", None), ("b", Some(0)), ("c", None), ("d", Some(2))],
            ),
            (
                "a skipped depth",
                "a 0 1 0\nb 2 0 0\nc 1 0 0",
                &[("a", None), ("b", Some(0)), ("c", Some(0))],
            ),
            (
                "nothing above",
                "a 3 0 0\nb 1 1 0\nc 2 0 0",
                &[("a", None), ("b", None), ("c", Some(1))],
            ),
            (
                "child counts that close",
                "a 0 2 0\nb 0 1 0\nc 0 0 0\nd 0 0 0\ne 0 0 0",
                &[("a", None), ("b", Some(0)), ("c", Some(1)), ("d", Some(0)), ("e", None)],
            ),
            (
                "child counts that do not",
                "a 0 1 0\nb 0 1 0\nc 0 1 0",
                &[("a", None), ("b", None), ("c", None)],
            ),
        ];
        for (case, lines, expected) in cases {
            let expected: Vec<_> =
                expected.iter().map(|&(name, parent)| (name.to_owned(), parent)).collect();
            assert_eq!(nodes(lines), expected, "{case}");
        }
    }

    #[test]
    fn repeated_attribute_starts_another_node_where_attr_is_unused() {
        let nodes = nodes("t.x x a 0 0 0\nt.y y a 0 0 0\nt.x x a 0 0 0");
        assert_eq!(nodes, [("a".to_owned(), None), ("a".to_owned(), None)]);
    }
}
