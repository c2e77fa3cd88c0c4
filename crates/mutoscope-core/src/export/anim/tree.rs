//! The hierarchy of nodes, in the order of the lines of a file.

use crate::clip::{Clip, NodeId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) id: NodeId,
    pub(super) depth: usize,
    pub(super) child_count: usize,
}

pub(super) fn depth_first_branches(clip: &Clip) -> Vec<Branch> {
    let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); clip.nodes.len()];
    let mut next: Vec<(NodeId, usize)> = Vec::new();
    for (id, node) in clip.nodes.with_ids() {
        match node.parent {
            Some(parent) => children[parent.index()].push(id),
            None => next.push((id, 0)),
        }
    }
    next.reverse();
    let mut branches = Vec::with_capacity(clip.nodes.len());
    while let Some((id, depth)) = next.pop() {
        let children = &children[id.index()];
        branches.push(Branch { id, depth, child_count: children.len() });
        next.extend(children.iter().rev().map(|&child| (child, depth + 1)));
    }
    branches
}
