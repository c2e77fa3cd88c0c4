//! Nodes and their parents.
//!
//! The file has a line for each animated attribute and for each node without any, in depth-first
//! order, each with the depth of its node. It never marks where one node ends and another of the
//! same name begins.

use std::collections::HashSet;

use super::{Item, Target};

/// The nodes of a file, in its order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hierarchy {
    pub(super) nodes: Vec<FileNode>,
    /// For each item its node.
    pub(super) node_of_item: Vec<usize>,
    /// How parents were found.
    pub(super) method: Method,
}

/// A node as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FileNode {
    /// The first item that is about it.
    pub(super) first_item: usize,
    pub(super) parent: Option<usize>,
    /// Whether any item of it is an attribute.
    pub(super) is_animated: bool,
}

/// How parents were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By `row`, the depth.
    Rows,
    /// By `child`, the number of children, where every row is 0.
    ChildCounts,
    /// There are none.
    Flat,
}

impl Hierarchy {
    pub(super) fn new(items: &[Item]) -> Self {
        let (mut nodes, node_of_item) = group(items);
        let method = if nodes.iter().any(|node| items[node.first_item].row > 0) {
            Method::Rows
        } else if closes_by_child_counts(&nodes, items) {
            Method::ChildCounts
        } else {
            Method::Flat
        };
        match method {
            Method::Rows => parents_by_rows(&mut nodes, items),
            Method::ChildCounts => parents_by_child_counts(&mut nodes, items),
            Method::Flat => {}
        }
        Self { nodes, node_of_item, method }
    }
}

/// Groups consecutive items that are about one node: attributes of one name and place, while they
/// go on being counted.
///
/// Writers that count no attributes tell nodes of one name apart by the attribute only: one that
/// comes again is another node's.
fn group(items: &[Item]) -> (Vec<FileNode>, Vec<usize>) {
    let counts_attrs = items.iter().any(|item| item.attr > 0);
    let mut leaves_of_node = HashSet::new();
    let mut nodes: Vec<FileNode> = Vec::new();
    let mut node_of_item = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let is_new_leaf = || !leaves_of_node.contains(item.target.leaf());
        let continues = index.checked_sub(1).is_some_and(|last| {
            let last = &items[last];
            let goes_on = if counts_attrs { item.attr > last.attr } else { is_new_leaf() };
            is_about_same(last, item) && goes_on
        });
        if !continues {
            leaves_of_node.clear();
            let is_animated = is_attribute(item);
            nodes.push(FileNode { first_item: index, parent: None, is_animated });
        }
        leaves_of_node.insert(item.target.leaf());
        node_of_item.push(nodes.len() - 1);
    }
    (nodes, node_of_item)
}

fn is_attribute(item: &Item) -> bool {
    matches!(item.target, Target::Attribute { .. })
}

/// Whether two items are attributes of nodes of one name and place.
fn is_about_same(last: &Item, item: &Item) -> bool {
    let place = |item: &Item| (item.row, item.child);
    is_attribute(last)
        && is_attribute(item)
        && last.target.node() == item.target.node()
        && place(last) == place(item)
}

/// The parent of a node is the last one before it that is less deep: one step up, if the file
/// skips none.
fn parents_by_rows(nodes: &mut [FileNode], items: &[Item]) {
    // The nodes on the way from a root to the last node.
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

/// Whether the numbers of children, consumed in order, leave nothing over and make at least one
/// child: else they mean something else.
fn closes_by_child_counts(nodes: &[FileNode], items: &[Item]) -> bool {
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

fn parents_by_child_counts(nodes: &mut [FileNode], items: &[Item]) {
    // Each with the number of children still to come.
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
    use crate::{diagnostics::Notices, formats::maya::decode};

    /// A node by name, and the index of its parent.
    type Expected = (&'static str, Option<usize>);

    /// The nodes of a file with these `anim` lines: a line with three names is an attribute.
    fn nodes(lines: &str) -> Vec<(String, Option<usize>)> {
        let mut text = "animVersion 1.1;\n".to_owned();
        for line in lines.lines() {
            text += &format!("anim {line};\n");
            if line.split_whitespace().count() > 4 {
                text += "animData { keys { 1 0 auto auto 1 1 0; } }\n";
            }
        }
        let document = decode(text.as_bytes(), &mut Notices::new()).unwrap();
        let hierarchy = Hierarchy::new(&document.items);
        let name = |node: &FileNode| {
            document.items[node.first_item].target.node().unwrap_or_default().to_owned()
        };
        hierarchy.nodes.iter().map(|node| (name(node), node.parent)).collect()
    }

    #[test]
    fn parents() {
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
        let two = nodes("t.x x a 0 0 0\nt.y y a 0 0 0\nt.x x a 0 0 0");
        assert_eq!(two, [("a".to_owned(), None), ("a".to_owned(), None)]);
    }
}
