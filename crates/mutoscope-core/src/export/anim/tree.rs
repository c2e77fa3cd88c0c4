//! The hierarchy, as the lines of a file give it.

use crate::clip::{Clip, NodeId};

/// A node in its place: depth first, as the lines of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) id: NodeId,
    /// Its depth in the hierarchy.
    pub(super) row: usize,
    /// How many children it has.
    pub(super) children: usize,
}

/// The nodes of `clip`, each before its children, and these in the order of the recording.
pub(super) fn branches(clip: &Clip) -> Vec<Branch> {
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
    while let Some((id, row)) = next.pop() {
        let children = &children[id.index()];
        branches.push(Branch { id, row, children: children.len() });
        next.extend(children.iter().rev().map(|&child| (child, row + 1)));
    }
    branches
}
