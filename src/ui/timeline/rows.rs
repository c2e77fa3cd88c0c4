//! Which rows the timeline has.

use std::collections::HashSet;

use super::lanes::Lane;
use crate::clip::{
    Clip, Condition, ConditionKind, GroupId, NodeId, Owner, Side, Signal, SignalKind,
};

/// One row of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Row {
    /// Markers, or the events of the kind with this index.
    Events(usize),
    /// What is found at a time.
    Findings,
    /// What a signal says.
    Signal(usize),
    /// When what a flag says holds.
    Flag(usize),
    /// The keys of all nodes of a group.
    Group(GroupId),
    /// The keys of a node.
    Node(NodeId),
}

/// The rows of `clip` from top to bottom, those of `loose` nodes before those of groups. Of a group that is not unfolded, only the node that is
/// selected has a row.
pub(super) fn rows(
    clip: &Clip,
    event_kinds: usize,
    lanes: &[Lane],
    conditions: &[Condition],
    loose: &[NodeId],
    unfolded: &HashSet<GroupId>,
    selected: Option<NodeId>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..event_kinds).map(Row::Events).collect();
    // What says something in words or by being on stands above mere numbers.
    let with = |wanted: fn(&Lane) -> bool| {
        let signals = lanes.iter().enumerate().filter(move |(_, lane)| wanted(lane));
        signals.map(|(signal, _)| Row::Signal(signal))
    };
    rows.extend(with(|lane| matches!(lane, Lane::On(_) | Lane::Words(_))));
    let is_flag = |index: &usize| conditions[*index].kind != ConditionKind::Presence;
    rows.extend((0..conditions.len()).filter(is_flag).map(Row::Flag));
    rows.extend(with(|lane| matches!(lane, Lane::Run)));
    rows.extend(loose.iter().copied().map(Row::Node));
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

/// The nodes of `clip` that are in no group and have tracks, in file order.
pub(super) fn loose_with_tracks(clip: &Clip) -> Vec<NodeId> {
    let mut has_tracks = vec![false; clip.nodes.len()];
    for track in &clip.tracks {
        if let Owner::Node(node) = track.owner {
            has_tracks[node.index()] = true;
        }
    }
    let loose = clip.nodes.with_ids().filter(|(_, node)| node.group.is_none());
    loose.map(|(id, _)| id).filter(|id| has_tracks[id.index()]).collect()
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

/// Whether flags tell bit by bit what a signal's numbers do.
pub(super) fn is_told_by_flags(clip: &Clip, signal: &Signal, conditions: &[Condition]) -> bool {
    let track = clip.track(signal.track);
    conditions.iter().any(|condition| {
        let tells = matches!(
            &condition.kind,
            ConditionKind::Flag { property: Some(property), .. } if *property == track.property
        );
        tells && track.owner == Owner::Node(condition.node)
    })
}

/// What a flag tells, and of whom unless all are of the same.
pub(super) fn flag_label(clip: &Clip, condition: &Condition) -> String {
    let ConditionKind::Flag { name, .. } = &condition.kind else { return String::new() };
    let owner = Owner::Node(condition.node);
    let is_of_owner = |signal: &Signal| clip.track(signal.track).owner == owner;
    if clip.signals.iter().all(is_of_owner) {
        return name.to_string();
    }
    format!("{} {name}", clip.owner_name(owner))
}

/// What a signal tells, in words: `tracked`, `on ground`.
pub(in crate::ui) fn signal_word(clip: &Clip, signal: &Signal) -> String {
    match signal.kind {
        SignalKind::Tracked => "tracked".to_owned(),
        SignalKind::Pinch => "pinch".to_owned(),
        SignalKind::Attribute => {
            clip.property_words(&clip.track(signal.track).property).replace('_', " ")
        }
    }
}

/// What a signal tells and of whom, unless all are of the same.
pub(super) fn signal_label(clip: &Clip, signal: &Signal) -> String {
    let word = signal_word(clip, signal);
    let owner = clip.track(signal.track).owner;
    let is_of_owner = |other: &Signal| clip.track(other.track).owner == owner;
    if signal.kind == SignalKind::Attribute && clip.signals.iter().all(is_of_owner) {
        return word;
    }
    format!("{} {word}", clip.owner_name(owner))
}
