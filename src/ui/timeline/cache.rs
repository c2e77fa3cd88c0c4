//! What rows show, kept while the axis stays as it is.

use std::{collections::HashMap, sync::Arc};

use super::{
    axis::TimeAxis,
    density::Density,
    lanes,
    rows::{Row, nodes_of},
};
use crate::clip::{Clip, KeyTimes, Owner, TrackId};

/// What rows show: counted once for each axis, not in each frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    axis: Option<TimeAxis>,
    densities: HashMap<Row, Arc<Density>>,
    /// For each switch, when it is on; whatever the axis.
    spans: HashMap<TrackId, Arc<[(f64, f64)]>>,
}

impl Cache {
    /// Forgets what another axis showed.
    pub(super) fn aim_at(&mut self, axis: &TimeAxis) {
        if self.axis != Some(*axis) {
            self.axis = Some(*axis);
            self.densities.clear();
        }
    }

    /// Where the keys of `row` are on the axis aimed at.
    pub(super) fn density(&mut self, clip: &Clip, row: Row, axis: &TimeAxis) -> Arc<Density> {
        let count = || Arc::new(Density::new(&key_times(clip, row), axis));
        self.densities.entry(row).or_insert_with(count).clone()
    }

    /// When the switch `track` is on.
    pub(super) fn spans_on(&mut self, clip: &Clip, track: TrackId) -> Arc<[(f64, f64)]> {
        let find = || lanes::spans_on(&clip.track(track).curve, clip.span).into();
        self.spans.entry(track).or_insert_with(find).clone()
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
