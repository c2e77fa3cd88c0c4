//! Prepares the content of a recording's timeline on a background task.

use std::{collections::HashMap, sync::Arc};

use bevy::prelude::*;

use super::{
    dwells::{DwellJob, Dwells},
    events::{EventRow, TimelineEvent},
    lanes::{Lane, TextSpan},
    rows::is_covered_by_flags,
};
use crate::session::{Job, Jobs};
use bevy_mutoscope::{ClipAsset, Recording, stage::View};
use mutoscope_core::clip::{Clip, Condition, ConditionKind, NodeId};
use mutoscope_view::timeline::KeyIndex;

/// Pairs of start and end, in seconds.
type Spans = Arc<[(f64, f64)]>;

/// The content of the timeline of a recording, computed once from all keys. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PreparedTimeline {
    pub(super) keys: Arc<KeyIndex>,
    pub(super) lanes: Arc<[Lane]>,
    pub(super) conditions: Arc<[Condition]>,
    pub(super) presences: Arc<HashMap<NodeId, Spans>>,
    pub(super) events: Arc<[EventRow]>,
    pub(in crate::ui) dwells: Dwells,
    /// The times of events and diagnostics, in seconds, ascending. Dragged times snap to them.
    pub(super) event_times: Arc<[f64]>,
}

/// An event or a text, at the time at which it begins.
#[derive(Clone, Copy, Debug)]
pub(in crate::ui) struct NamedMoment<'a> {
    /// The name of the row that shows the moment, or `begins` for a switch.
    pub(in crate::ui) kind: &'a str,
    pub(in crate::ui) text: &'a str,
    /// The clip time, in seconds.
    pub(in crate::ui) time: f64,
}

impl PreparedTimeline {
    /// Indexes every key of `recording`. Takes long for large recordings, so run it in the
    /// background.
    pub fn new(recording: &ClipAsset) -> Self {
        let clip = &recording.clip;
        let conditions: Arc<[Condition]> = clip.conditions().into();
        let lane = |signal| match is_covered_by_flags(clip, signal, &conditions) {
            true => Lane::Empty,
            false => Lane::for_signal(clip, signal),
        };
        let presences = conditions.iter().filter(|one| one.kind == ConditionKind::Presence);
        let presences = presences.map(|one| (one.node, one.spans.clone())).collect();
        Self {
            keys: KeyIndex::new(clip, &recording.sample_times).into(),
            lanes: clip.signals.iter().map(lane).collect(),
            presences: Arc::new(presences),
            conditions,
            events: EventRow::from_clip(clip)
                .into_iter()
                .chain(EventRow::fixation_rows(clip))
                .collect(),
            dwells: Dwells::default(),
            event_times: event_times(clip),
        }
    }

    pub(super) fn event_rows(&self) -> impl ExactSizeIterator<Item = usize> {
        0..self.events.len() + self.dwells.rows.len()
    }

    pub(super) fn event_row(&self, index: usize) -> &EventRow {
        let dwell_row = || &self.dwells.rows[index - self.events.len()];
        self.events.get(index).unwrap_or_else(dwell_row)
    }

    /// Returns what a search can find on the timeline: events, the texts of the signals of `clip`, and the
    /// times at which its switches turn on.
    pub(in crate::ui) fn named_moments<'a>(
        &'a self,
        clip: &'a Clip,
    ) -> impl Iterator<Item = NamedMoment<'a>> {
        let events = self.event_rows().map(|index| self.event_row(index)).flat_map(|row| {
            let moment = |event: &'a TimelineEvent| NamedMoment {
                kind: &row.name,
                text: &event.help,
                time: event.time,
            };
            row.events.iter().map(moment)
        });
        let signals = || clip.signals.iter().zip(&*self.lanes);
        let texts = signals().flat_map(|(signal, lane)| {
            let spans: &[TextSpan] = if let Lane::Texts(spans) = lane { spans } else { &[] };
            spans.iter().map(|span| NamedMoment {
                kind: &signal.name,
                text: &span.text,
                time: span.start,
            })
        });
        let switches = signals().flat_map(|(signal, lane)| {
            let spans: &[(f64, f64)] = if let Lane::Switch(spans) = lane { spans } else { &[] };
            spans.iter().map(|&(start, _)| NamedMoment {
                kind: "begins",
                text: &signal.name,
                time: start,
            })
        });
        events.chain(texts).chain(switches)
    }

    /// Returns `true` if there are long gaps without keys, which can be folded.
    pub fn has_empty_stretches(&self) -> bool {
        !self.keys.folds().gaps().is_empty()
    }
}

fn event_times(clip: &Clip) -> Arc<[f64]> {
    let events = clip.events.iter().map(|event| event.time);
    let diagnostics = clip.diagnostics.iter().filter_map(|diagnostic| diagnostic.time);
    let mut event_times: Vec<f64> =
        events.chain(diagnostics).filter(|time| time.is_finite()).collect();
    event_times.sort_unstable_by(f64::total_cmp);
    event_times.into()
}

#[derive(Component, Debug, Default)]
pub(in crate::ui) struct TimelinePreparation {
    /// The sample times of the recording for which the timeline is prepared. If the recording still
    /// has this allocation, its tracks have not changed.
    sample_times: Option<Arc<[f64]>>,
    job: Job<(), PreparedTimeline>,
    ready: Option<PreparedTimeline>,
    dwells: DwellJob,
    /// The latest dwells. They are also kept outside `ready`, because a new timeline needs them
    /// before new dwells are found.
    latest_dwells: Dwells,
}

impl TimelinePreparation {
    pub(in crate::ui) fn timeline_for(&self, recording: &Recording) -> Option<&PreparedTimeline> {
        self.ready.as_ref().filter(|_| self.is_current(recording))
    }

    fn is_current(&self, recording: &Recording) -> bool {
        let times = &recording.asset().sample_times;
        self.sample_times.as_ref().is_some_and(|about| Arc::ptr_eq(about, times))
    }
}

pub(in crate::ui) fn prepare_timelines(
    mut recordings: Query<(&Recording, &mut TimelinePreparation)>,
    jobs: Res<Jobs>,
    view: Res<View>,
) {
    for (recording, mut preparing) in &mut recordings {
        if !preparing.is_current(recording) {
            let asset = recording.asset().clone();
            preparing.ready = None;
            preparing.sample_times = Some(asset.sample_times.clone());
            preparing.job.start(&jobs, (), move |_| PreparedTimeline::new(&asset));
        }
        // Poll without change detection, so that the component is marked as changed only if there
        // is a result.
        match preparing.bypass_change_detection().job.poll() {
            None => {}
            Some((_, Ok(ready))) => {
                let dwells = preparing.latest_dwells.clone();
                preparing.ready = Some(PreparedTimeline { dwells, ..ready });
            }
            Some((_, Err(crashed))) => error!("indexing keys: {crashed}"),
        }
        let unchanged = preparing.bypass_change_detection();
        if let Some(found) = unchanged.dwells.poll(recording, &view.areas, &jobs) {
            if let Some(ready) = &mut preparing.ready {
                ready.dwells = found.clone();
            }
            preparing.latest_dwells = found;
        }
    }
}
