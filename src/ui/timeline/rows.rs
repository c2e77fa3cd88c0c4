//! Decides which rows the timeline of a recording has.

use std::collections::HashSet;

use super::{PreparedTimeline, lanes::Lane};
use mutoscope_core::clip::{
    Clip, Condition, ConditionKind, GroupId, NodeId, Owner, Side, Signal, SignalKind,
};
use mutoscope_view::timeline::ItemId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Row {
    /// The bar of the recording, with its letter and name.
    Recording,
    /// The distances to the recording with which this recording is compared.
    Distance,
    /// An element of a Minecraft scene, by its index in the scene.
    Element(usize),
    /// A row of labels, by index.
    Labels(usize),
    /// The label that the user has begun or is naming.
    LabelDraft,
    /// Markers, events of one kind, fixations or dwells, by the index of the event row.
    Events(usize),
    /// The issues.
    Issues,
    /// A signal, by index.
    Signal(usize),
    /// A flag, by the index of its condition in [`PreparedTimeline`].
    Flag(usize),
    /// The keys of a group, a node or a curve.
    Keys(ItemId),
}

pub(super) fn build_rows(
    prepared: &PreparedTimeline,
    open: &HashSet<ItemId>,
    selected: Option<NodeId>,
) -> Vec<Row> {
    let mut rows: Vec<Row> = prepared.event_rows().map(Row::Events).collect();
    // Put texts and booleans before numbers.
    let signal_rows = |accepts: fn(&Lane) -> bool| {
        let signals = prepared.lanes.iter().enumerate().filter(move |(_, lane)| accepts(lane));
        signals.map(|(signal, _)| Row::Signal(signal))
    };
    rows.extend(signal_rows(|lane| matches!(lane, Lane::Switch(_) | Lane::Texts(_))));
    let conditions = &prepared.conditions;
    let is_flag = |index: &usize| conditions[*index].kind != ConditionKind::Presence;
    rows.extend((0..conditions.len()).filter(is_flag).map(Row::Flag));
    rows.extend(signal_rows(|lane| matches!(lane, Lane::Values)));
    let tree = prepared.keys.tree();
    let revealed = selected.and_then(|node| tree.item_of_node(node));
    rows.extend(tree.visible_rows(open, revealed).into_iter().map(Row::Keys));
    rows
}

pub(in crate::ui) fn group_nodes(
    clip: &Clip,
    group: GroupId,
) -> impl Iterator<Item = NodeId> + Clone + '_ {
    let of_group = move |&index: &usize| clip.nodes[NodeId::new(index)].group == Some(group);
    (0..clip.nodes.len()).filter(of_group).map(NodeId::new)
}

pub(in crate::ui) fn owner_side(clip: &Clip, owner: Owner) -> Option<Side> {
    match owner {
        Owner::Node(node) => clip.nodes[node].side,
        Owner::Group(group) => clip.nodes[group_nodes(clip, group).next()?].side,
    }
}

pub(super) fn is_covered_by_flags(clip: &Clip, signal: &Signal, conditions: &[Condition]) -> bool {
    let track = clip.track(signal.track);
    conditions.iter().any(|condition| {
        let is_same_property = matches!(
            &condition.kind,
            ConditionKind::Flag { property: Some(property), .. } if *property == track.property
        );
        is_same_property && track.owner == Owner::Node(condition.node)
    })
}

pub(super) fn flag_label(clip: &Clip, condition: &Condition) -> String {
    let ConditionKind::Flag { name, .. } = &condition.kind else { return String::new() };
    let owner = Owner::Node(condition.node);
    let is_of_owner = |signal: &Signal| clip.track(signal.track).owner == owner;
    if clip.signals.iter().all(is_of_owner) {
        return name.to_string();
    }
    format!("{} {name}", clip.owner_name(owner))
}

pub(in crate::ui) fn signal_name(clip: &Clip, signal: &Signal) -> String {
    match signal.kind {
        SignalKind::Tracked => "tracked".to_owned(),
        SignalKind::Pinch => "pinch".to_owned(),
        SignalKind::Attribute => {
            clip.property_label(&clip.track(signal.track).property).replace('_', " ")
        }
    }
}

pub(super) fn signal_label(clip: &Clip, signal: &Signal) -> String {
    let name = signal_name(clip, signal);
    let owner = clip.track(signal.track).owner;
    let is_of_owner = |other: &Signal| clip.track(other.track).owner == owner;
    if signal.kind == SignalKind::Attribute && clip.signals.iter().all(is_of_owner) {
        return name;
    }
    format!("{} {name}", clip.owner_name(owner))
}
