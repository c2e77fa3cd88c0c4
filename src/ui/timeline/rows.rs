//! Which rows the timeline has.

use std::collections::HashSet;

use crate::clip::{Clip, GroupId, NodeId, Owner, Side, SignalKind};

/// One row of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Row {
    /// Markers and other events.
    Markers,
    /// Notices that have a time.
    Notices,
    /// When a signal is on.
    Signal(usize),
    /// The keys of all nodes of a group.
    Group(GroupId),
    /// The keys of a node.
    Node(NodeId),
}

/// The rows of `clip` from top to bottom. Of a group that is not unfolded, only the node that is
/// selected has a row.
pub(super) fn rows(clip: &Clip, unfolded: &HashSet<GroupId>, selected: Option<NodeId>) -> Vec<Row> {
    let mut rows = Vec::new();
    if !clip.events.is_empty() {
        rows.push(Row::Markers);
    }
    if clip.notices.iter().any(|notice| notice.time.is_some()) {
        rows.push(Row::Notices);
    }
    rows.extend((0..clip.signals.len()).map(Row::Signal));
    let loose = clip.nodes.with_ids().filter(|(_, node)| node.group.is_none());
    rows.extend(loose.map(|(id, _)| Row::Node(id)));
    for group in (0..clip.groups.len()).map(GroupId::new) {
        let members = nodes_of(clip, group);
        if members.clone().next().is_none() {
            continue;
        }
        rows.push(Row::Group(group));
        let is_open = unfolded.contains(&group);
        let has_row = |id: &NodeId| is_open || selected == Some(*id);
        rows.extend(members.filter(has_row).map(Row::Node));
    }
    rows
}

/// The nodes of `group`, in file order.
pub(in crate::ui) fn nodes_of(
    clip: &Clip,
    group: GroupId,
) -> impl Iterator<Item = NodeId> + Clone + '_ {
    let of_group = move |&index: &usize| clip.nodes[NodeId::new(index)].group == Some(group);
    (0..clip.nodes.len()).filter(of_group).map(NodeId::new)
}

/// The side of a body that `owner` is on.
pub(in crate::ui) fn side_of(clip: &Clip, owner: Owner) -> Option<Side> {
    match owner {
        Owner::Node(node) => clip.nodes[node].side,
        Owner::Group(group) => clip.nodes[nodes_of(clip, group).next()?].side,
    }
}

/// The word for what a signal tells.
pub(in crate::ui) fn signal_word(kind: SignalKind) -> &'static str {
    match kind {
        SignalKind::Tracked => "tracked",
        SignalKind::Pinch => "pinch",
        SignalKind::Attribute => "attribute",
    }
}
