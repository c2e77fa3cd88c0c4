//! Measures the labels of a recording for the inspector.
//!
//! All labels are measured together, because that takes hardly longer than one label and the next
//! selected label is then known already. The job ends early if no label is selected any more, if
//! the labels change, or if the recording is closed.

use std::sync::Arc;

use bevy::prelude::*;

use super::EditedLabels;
use crate::session::jobs::{Job, Jobs, Progress};
use bevy_mutoscope::{Recording, Revision, stage::View};
use mutoscope_core::{clip::Clip, measure::analysis::NamedArea};
use mutoscope_study::{RangeMeasures, Request, labels::Label, study};

/// The measures of a label.
pub type MeasuredRange = RangeMeasures;

/// The measures of all labels of a recording, or the job that computes them.
#[derive(Debug, Default)]
pub struct Measuring {
    job: Job<MeasureInput, Result<Vec<MeasuredRange>, String>>,
    done: Option<(MeasureInput, Result<Vec<MeasuredRange>, String>)>,
}

#[derive(Clone, Debug, PartialEq)]
struct MeasureInput {
    revision: Revision,
    version: u64,
    areas: Vec<NamedArea>,
}

impl Measuring {
    /// Returns the measures of a label, or why they could not be computed. `None` if the labels of
    /// this version were not measured yet.
    pub(super) fn get(&self, version: u64, label: usize) -> Option<Result<&MeasuredRange, &str>> {
        let (input, result) = self.done.as_ref()?;
        if input.version != version {
            return None;
        }
        match result {
            // The first range is the whole recording, so the label at index `i` is range `i + 1`.
            Ok(ranges) => ranges.get(label + 1).map(Ok),
            Err(why) => Some(Err(why)),
        }
    }

    fn covers(&self, input: &MeasureInput) -> bool {
        self.done.as_ref().is_some_and(|(done, _)| done == input) || self.job.key() == Some(input)
    }
}

pub(in crate::session) fn measure_labels(
    mut recordings: Query<(&Recording, &mut EditedLabels)>,
    view: Res<View>,
    jobs: Res<Jobs>,
) {
    for (recording, mut labels) in &mut recordings {
        // Bypass change detection, because polling a running job is not a change of the component.
        let untracked = labels.bypass_change_detection();
        if let Some((input, result)) = untracked.measuring.job.poll() {
            let result = result.unwrap_or_else(|crashed| Err(crashed.to_string()));
            untracked.measuring.done = Some((input, result));
        }
        if untracked.selected().is_none() {
            // Cancel the job, because the inspector shows measures only for a selected label.
            untracked.measuring.job.cancel();
            continue;
        }
        let revision = recording.revision();
        let input =
            MeasureInput { revision, version: untracked.version(), areas: view.areas.clone() };
        if !untracked.measuring.covers(&input) {
            let (clip, labels) = (recording.clip().clone(), untracked.labels().to_vec());
            let areas = input.areas.clone();
            untracked.measuring.job.start(&jobs, input, move |progress| {
                measure_ranges(&clip, &labels, &areas, progress)
            });
        }
    }
}

fn measure_ranges(
    clip: &Arc<Clip>,
    labels: &[Label],
    areas: &[NamedArea],
    progress: &Progress,
) -> Result<Vec<MeasuredRange>, String> {
    let request = Request { labels, areas, ..Request::default() };
    let study = study(clip, &request, &mut progress.watch_work());
    // The user never sees that the work was cancelled, because the result of a cancelled job is
    // discarded.
    study.map(|study| study.ranges).map_err(|error| error.to_string())
}
