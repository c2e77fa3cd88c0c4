//! The rows of the timeline.

use std::collections::HashSet;

use super::{PreparedTimeline, lanes::Lane};
use mutoscope_core::{
    clip::{Clip, Condition, ConditionKind, GroupId, NodeId, Owner, Side, Signal, SignalKind},
    measure::timeline::ItemId,
};

/// One row of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Row {
    /// The bar of the recording, with its letter and name.
    Recording,
    /// How far it is from the recording that it is compared with.
    Distance,
    /// An element of the scene.
    Element(usize),
    /// Labels: the row with this index of them.
    Labels(usize),
    /// The label that is begun or named.
    LabelDraft,
    /// Markers, events of one kind, fixations or dwells: the event row with this index.
    Events(usize),
    /// The issues.
    Issues,
    /// A signal.
    Signal(usize),
    /// A flag.
    Flag(usize),
    /// The keys of a group, a node or a curve.
    Keys(ItemId),
}

/// The rows from top to bottom. Of what is not `open`, only what leads to the node that
/// is selected has rows.
pub(super) fn rows(
    prepared: &PreparedTimeline,
    open: &HashSet<ItemId>,
    selected: Option<NodeId>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = prepared.event_rows().map(Row::Events).collect();
    // Text and boolean lanes are above numeric ones.
    let with = |wanted: fn(&Lane) -> bool| {
        let signals = prepared.lanes.iter().enumerate().filter(move |(_, lane)| wanted(lane));
        signals.map(|(signal, _)| Row::Signal(signal))
    };
    rows.extend(with(|lane| matches!(lane, Lane::On(_) | Lane::Words(_))));
    let conditions = &prepared.conditions;
    let is_flag = |index: &usize| conditions[*index].kind != ConditionKind::Presence;
    rows.extend((0..conditions.len()).filter(is_flag).map(Row::Flag));
    rows.extend(with(|lane| matches!(lane, Lane::Signal)));
    let tree = prepared.keys.tree();
    let revealed = selected.and_then(|node| tree.of_node(node));
    rows.extend(tree.rows(open, revealed).into_iter().map(Row::Keys));
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

/// The label of a flag, with its owner unless all have the same.
pub(super) fn flag_label(clip: &Clip, condition: &Condition) -> String {
    let ConditionKind::Flag { name, .. } = &condition.kind else { return String::new() };
    let owner = Owner::Node(condition.node);
    let is_of_owner = |signal: &Signal| clip.track(signal.track).owner == owner;
    if clip.signals.iter().all(is_of_owner) {
        return name.to_string();
    }
    format!("{} {name}", clip.owner_name(owner))
}

/// The word for a signal: `tracked`, `on ground`.
pub(in crate::ui) fn signal_word(clip: &Clip, signal: &Signal) -> String {
    match signal.kind {
        SignalKind::Tracked => "tracked".to_owned(),
        SignalKind::Pinch => "pinch".to_owned(),
        SignalKind::Attribute => {
            clip.property_words(&clip.track(signal.track).property).replace('_', " ")
        }
    }
}

/// The label of a signal, with its owner unless all have the same.
pub(super) fn signal_label(clip: &Clip, signal: &Signal) -> String {
    let word = signal_word(clip, signal);
    let owner = clip.track(signal.track).owner;
    let is_of_owner = |other: &Signal| clip.track(other.track).owner == owner;
    if signal.kind == SignalKind::Attribute && clip.signals.iter().all(is_of_owner) {
        return word;
    }
    format!("{} {word}", clip.owner_name(owner))
}
