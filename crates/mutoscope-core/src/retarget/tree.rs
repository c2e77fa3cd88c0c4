//! Ancestry of nodes, precomputed.

use crate::clip::{NodeId, Nodes};

/// The nodes in an order in which each comes before all that are below it, and nothing comes between these.
pub(super) struct Tree {
    /// By position in the order.
    order: Vec<NodeId>,
    /// For each node its position in the order, and that after the last below it.
    ranges: Vec<(usize, usize)>,
    parents: Vec<Option<NodeId>>,
}

impl Tree {
    pub(super) fn new(nodes: &Nodes) -> Self {
        let mut children = vec![Vec::new(); nodes.len()];
        let mut stack = Vec::new();
        // The last on the stack is visited first.
        for (id, node) in nodes.with_ids().rev() {
            match node.parent {
                Some(parent) => children[parent.index()].push(id),
                None => stack.push(id),
            }
        }
        let (mut order, mut ranges) = (Vec::with_capacity(nodes.len()), vec![(0, 0); nodes.len()]);
        while let Some(id) = stack.pop() {
            ranges[id.index()].0 = order.len();
            order.push(id);
            stack.append(&mut children[id.index()]);
        }
        let parents: Vec<_> = nodes.iter().map(|node| node.parent).collect();
        // A subtree ends where that of its last child does.
        for &id in order.iter().rev() {
            let (start, end) = ranges[id.index()];
            let end = end.max(start + 1);
            ranges[id.index()].1 = end;
            if let Some(parent) = parents[id.index()] {
                let range = &mut ranges[parent.index()];
                range.1 = range.1.max(end);
            }
        }
        Self { order, ranges, parents }
    }

    /// All nodes, each before those below it.
    pub(super) fn order(&self) -> &[NodeId] {
        &self.order
    }

    /// Where in the order a node and all below it are.
    pub(super) fn range(&self, top: NodeId) -> (usize, usize) {
        self.ranges[top.index()]
    }

    /// The node and all below it.
    pub(super) fn below(&self, top: NodeId) -> &[NodeId] {
        let (start, end) = self.ranges[top.index()];
        &self.order[start..end]
    }

    /// Whether `node` is `top` or below it.
    pub(super) fn is_in(&self, node: NodeId, top: NodeId) -> bool {
        let (start, end) = self.ranges[top.index()];
        (start..end).contains(&self.ranges[node.index()].0)
    }

    /// A node and those above it, the nearest first.
    pub(super) fn upwards(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |node| self.parents[node.index()])
    }

    /// The nearest node that both are in.
    pub(super) fn common(&self, one: NodeId, other: NodeId) -> Option<NodeId> {
        self.upwards(one).find(|&top| self.is_in(other, top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clip::{Motion, Node, NodeKind, Transform},
        diagnostics::Notices,
    };

    #[test]
    fn subtrees_are_ranges_in_any_file_order() {
        let parents = [Some(2), Some(0), Some(3), None, Some(2), None];
        let node = |parent: Option<usize>| Node {
            name: String::new(),
            group: None,
            parent: parent.map(NodeId::new),
            bone_from: None,
            kind: NodeKind::Joint,
            side: None,
            rest: Transform::IDENTITY,
            motion: Motion::default(),
        };
        let nodes = Nodes::new(parents.into_iter().map(node).collect(), &mut Notices::new());
        let tree = Tree::new(&nodes);
        let ids = |nodes: &[NodeId]| nodes.iter().map(|id| id.index()).collect::<Vec<_>>();
        assert_eq!(ids(tree.order()), [3, 2, 0, 1, 4, 5]);
        assert_eq!(ids(tree.below(NodeId::new(2))), [2, 0, 1, 4]);
        let id = NodeId::new;
        assert!(tree.is_in(id(1), id(3)) && !tree.is_in(id(3), id(1)) && !tree.is_in(id(5), id(3)));
        assert_eq!(tree.common(id(1), id(4)), Some(id(2)));
        assert_eq!(tree.common(id(1), id(5)), None);
    }
}
