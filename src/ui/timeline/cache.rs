//! What rows show, kept while the axis stays as it is.

use std::{collections::HashMap, sync::Arc};

use super::{
    axis::TimeAxis,
    density::Density,
    events::EventRow,
    lanes::Lane,
    rows::{Row, is_told_by_flags, loose_with_tracks, nodes_of},
    run::Run,
};
use crate::clip::{Clip, Condition, ConditionKind, KeyTimes, NodeId, Owner};

/// From when to when something holds, in seconds, again and again.
type Stretches = Arc<[(f64, f64)]>;

/// What rows show: counted once for each axis, not in each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    densities: HashMap<Row, Arc<Density>>,
    runs: HashMap<usize, Arc<Run>>,
    /// What the lane of each signal shows, whatever the axis.
    lanes: Option<Arc<[Lane]>>,
    /// What happens, by kinds.
    events: Option<Arc<[EventRow]>>,
    /// What holds of nodes, and when.
    conditions: Option<Arc<[Condition]>>,
    /// Those of them that are when nodes are there.
    presences: Option<HashMap<NodeId, Stretches>>,
    /// The nodes outside of groups that have rows.
    loose: Option<Arc<[NodeId]>>,
}

impl Cache {
    /// Forgets what another axis showed.
    pub(super) fn aim_at(&mut self, axis: &TimeAxis) {
        if self.axis != Some(*axis) {
            self.axis = Some(*axis);
            self.densities.clear();
            self.runs.clear();
        }
    }

    /// Where the keys of `row` are on the axis aimed at.
    pub(super) fn density(&mut self, clip: &Clip, row: Row, axis: &TimeAxis) -> Arc<Density> {
        let count = || Arc::new(Density::new(&key_times(clip, row), axis));
        self.densities.entry(row).or_insert_with(count).clone()
    }

    /// How the numbers of the signal with this index run on the axis aimed at.
    pub(super) fn run(&mut self, clip: &Clip, signal: usize, axis: &TimeAxis) -> Arc<Run> {
        let run = || Arc::new(Run::new(clip, &clip.signals[signal], axis));
        self.runs.entry(signal).or_insert_with(run).clone()
    }

    /// What the lane of each signal shows.
    pub(super) fn lanes(&mut self, clip: &Clip) -> Arc<[Lane]> {
        let conditions = self.conditions(clip);
        let lane = |signal| match is_told_by_flags(clip, signal, &conditions) {
            true => Lane::Silent,
            false => Lane::of(clip, signal),
        };
        self.lanes.get_or_insert_with(|| clip.signals.iter().map(lane).collect()).clone()
    }

    /// What holds of nodes, and when.
    pub(super) fn conditions(&mut self, clip: &Clip) -> Arc<[Condition]> {
        self.conditions.get_or_insert_with(|| clip.conditions().into()).clone()
    }

    /// When there is something to see of a node; nothing if that goes without saying.
    pub(super) fn presence(&mut self, clip: &Clip, node: NodeId) -> Option<Arc<[(f64, f64)]>> {
        let conditions = self.conditions(clip);
        let presences = self.presences.get_or_insert_with(|| {
            let all = conditions.iter().filter(|one| one.kind == ConditionKind::Presence);
            all.map(|one| (one.node, one.spans.clone())).collect()
        });
        presences.get(&node).cloned()
    }

    /// What happens, by kinds.
    pub(super) fn events(&mut self, clip: &Clip) -> Arc<[EventRow]> {
        self.events.get_or_insert_with(|| EventRow::all(clip).into()).clone()
    }

    /// The nodes outside of groups that have rows.
    pub(super) fn loose(&mut self, clip: &Clip) -> Arc<[NodeId]> {
        self.loose.get_or_insert_with(|| loose_with_tracks(clip).into()).clone()
    }
}

/// The key times of all curves in `row`, each once, with how many curves share them.
fn key_times(clip: &Clip, row: Row) -> Vec<(&KeyTimes, u32)> {
    let is_in_row = |owner: Owner| match (row, owner) {
        (Row::Node(node), Owner::Node(owner)) => node == owner,
        (Row::Group(group), Owner::Node(node)) => clip.nodes[node].group == Some(group),
        (Row::Group(group), Owner::Group(owner)) => group == owner && is_alone(clip, row),
        _ => false,
    };
    let mut found: Vec<(&KeyTimes, u32)> = Vec::new();
    for track in clip.tracks.iter().filter(|track| is_in_row(track.owner)) {
        let times = track.curve.times();
        match found.iter_mut().rev().find(|(seen, _)| seen.is_shared_with(times)) {
            Some((_, count)) => *count += 1,
            None => found.push((times, 1)),
        }
    }
    found
}

/// Whether a group has no nodes whose keys could stand for it.
fn is_alone(clip: &Clip, row: Row) -> bool {
    matches!(row, Row::Group(group) if nodes_of(clip, group).next().is_none())
}
