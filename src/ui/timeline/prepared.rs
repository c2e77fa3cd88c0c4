//! The content of the timeline of a recording, prepared on a task.

use std::{collections::HashMap, sync::Arc};

use bevy::prelude::*;

use super::{
    dwells::{Dwells, PreparingDwells},
    events::EventRow,
    lanes::Lane,
    rows::is_told_by_flags,
};
use crate::{
    asset::ClipAsset,
    recording::Recording,
    session::{Job, Jobs},
    stage::View,
};
use mutoscope_core::{
    clip::{Clip, Condition, ConditionKind, NodeId},
    measure::timeline::KeyIndex,
};

/// From when to when something holds, in seconds, again and again.
type Stretches = Arc<[(f64, f64)]>;

/// The content of the timeline of a recording: computed once from every key. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PreparedTimeline {
    pub(super) keys: Arc<KeyIndex>,
    /// The content of the lane of each signal.
    pub(super) lanes: Arc<[Lane]>,
    /// The conditions of nodes, and when they hold.
    pub(super) conditions: Arc<[Condition]>,
    /// The times at which nodes are present, which are among the conditions.
    pub(super) presences: Arc<HashMap<NodeId, Stretches>>,
    /// The events, by kind, and fixations.
    pub(super) events: Arc<[EventRow]>,
    /// The dwells on areas of interest, as soon as they are known.
    pub(in crate::ui) dwells: Dwells,
    /// When anything happens, or there is something to notice, in seconds, ascending.
    pub(super) moments: Arc<[f64]>,
}

impl PreparedTimeline {
    /// Looks at every key of `recording`: meant to run in the background.
    pub fn new(recording: &ClipAsset) -> Self {
        let clip = &recording.clip;
        let conditions: Arc<[Condition]> = clip.conditions().into();
        let lane = |signal| match is_told_by_flags(clip, signal, &conditions) {
            true => Lane::Silent,
            false => Lane::of(clip, signal),
        };
        let presences = conditions.iter().filter(|one| one.kind == ConditionKind::Presence);
        let presences = presences.map(|one| (one.node, one.spans.clone())).collect();
        Self {
            keys: KeyIndex::new(clip, &recording.sample_times).into(),
            lanes: clip.signals.iter().map(lane).collect(),
            presences: Arc::new(presences),
            conditions,
            events: EventRow::all(clip).into_iter().chain(EventRow::fixations(clip)).collect(),
            dwells: Dwells::default(),
            moments: moments(clip),
        }
    }

    /// The rows of events: those of the recording, then the dwells.
    pub(super) fn event_rows(&self) -> impl ExactSizeIterator<Item = usize> {
        0..self.events.len() + self.dwells.rows.len()
    }

    /// One of those rows.
    pub(super) fn event_row(&self, index: usize) -> &EventRow {
        let of_dwells = || &self.dwells.rows[index - self.events.len()];
        self.events.get(index).unwrap_or_else(of_dwells)
    }

    /// Whether there are long stretches without keys, which can be folded.
    pub fn has_empty_stretches(&self) -> bool {
        !self.keys.folds().gaps().is_empty()
    }
}

fn moments(clip: &Clip) -> Arc<[f64]> {
    let events = clip.events.iter().map(|event| event.time);
    let notices = clip.notices.iter().filter_map(|notice| notice.time);
    let mut moments: Vec<f64> = events.chain(notices).filter(|time| time.is_finite()).collect();
    moments.sort_unstable_by(f64::total_cmp);
    moments.into()
}

/// The timeline of a recording, on the entity of the [`Recording`], as soon as it is known.
#[derive(Component, Debug, Default)]
pub(in crate::ui) struct Preparing {
    /// The sample times of the recording that it is about; the same as long as its tracks are.
    about: Option<Arc<[f64]>>,
    job: Job<(), PreparedTimeline>,
    ready: Option<PreparedTimeline>,
    dwells: PreparingDwells,
    /// The dwells that were computed last.
    found: Dwells,
}

impl Preparing {
    /// The timeline of `recording`, if it is known by now.
    pub(in crate::ui) fn of(&self, recording: &Recording) -> Option<&PreparedTimeline> {
        self.ready.as_ref().filter(|_| self.is_about(recording))
    }

    fn is_about(&self, recording: &Recording) -> bool {
        let times = &recording.asset().sample_times;
        self.about.as_ref().is_some_and(|about| Arc::ptr_eq(about, times))
    }
}

/// Has the keys of every recording that was opened looked through.
pub(in crate::ui) fn prepare(
    mut recordings: Query<(&Recording, &mut Preparing)>,
    jobs: Res<Jobs>,
    view: Res<View>,
) {
    for (recording, mut preparing) in &mut recordings {
        if !preparing.is_about(recording) {
            let asset = recording.asset().clone();
            preparing.ready = None;
            preparing.about = Some(asset.sample_times.clone());
            preparing.job.start(&jobs, (), move |_| PreparedTimeline::new(&asset));
        }
        // Accessed without triggering change detection, until something has changed.
        match preparing.bypass_change_detection().job.poll() {
            None => {}
            Some((_, Ok(ready))) => {
                let dwells = preparing.found.clone();
                preparing.ready = Some(PreparedTimeline { dwells, ..ready });
            }
            Some((_, Err(crashed))) => error!("indexing keys: {crashed}"),
        }
        let quiet = preparing.bypass_change_detection();
        if let Some(found) = quiet.dwells.poll(recording, &view.areas, &jobs) {
            if let Some(ready) = &mut preparing.ready {
                ready.dwells = found.clone();
            }
            preparing.found = found;
        }
    }
}
