//! The measures of labels, for the inspector. All labels are measured at once: that takes hardly longer than one, and
//! then the next that is selected is known. Where none is selected any more, where labels change, and where the recording
//! is closed, the work ends soon.

use std::sync::Arc;

use bevy::prelude::*;

use super::EditedLabels;
use crate::{
    recording::{Recording, Revision},
    session::{Job, Jobs, Progress},
    stage::View,
};
use mutoscope_core::{clip::Clip, measure::analysis::NamedArea};
use mutoscope_study::{RangeMeasures, Request, labels::Label, study_until};

/// The measures of a label.
pub type MeasuredRange = RangeMeasures;

/// The measures of all labels of a recording, or the job that computes them.
#[derive(Debug, Default)]
pub struct Measuring {
    job: Job<About, Result<Vec<MeasuredRange>, String>>,
    done: Option<(About, Result<Vec<MeasuredRange>, String>)>,
}

/// The labels that were measured.
#[derive(Clone, Debug, PartialEq)]
struct About {
    revision: Revision,
    /// The version of the labels.
    version: u64,
    areas: Vec<NamedArea>,
}

impl Measuring {
    /// The measures of the label with this index, in this version of the labels, once they are known.
    pub(super) fn of(&self, version: u64, label: usize) -> Option<Result<&MeasuredRange, &str>> {
        let (about, result) = self.done.as_ref()?;
        if about.version != version {
            return None;
        }
        match result {
            // The first is the whole recording.
            Ok(ranges) => ranges.get(label + 1).map(Ok),
            Err(why) => Some(Err(why)),
        }
    }

    fn knows(&self, about: &About) -> bool {
        self.done.as_ref().is_some_and(|(done, _)| done == about) || self.job.key() == Some(about)
    }
}

/// Measures the labels of each recording of which one is selected.
pub(in crate::session) fn measure_labels(
    mut recordings: Query<(&Recording, &mut EditedLabels)>,
    view: Res<View>,
    jobs: Res<Jobs>,
) {
    for (recording, mut labels) in &mut recordings {
        // Accessed without triggering change detection, until something has changed.
        let quiet = labels.bypass_change_detection();
        if let Some((about, result)) = quiet.measuring.job.poll() {
            let result = result.unwrap_or_else(|crashed| Err(crashed.to_string()));
            quiet.measuring.done = Some((about, result));
        }
        if quiet.selected().is_none() {
            // Nobody waits for it any more.
            quiet.measuring.job.cancel();
            continue;
        }
        let revision = recording.revision();
        let about = About { revision, version: quiet.version(), areas: view.areas.clone() };
        if !quiet.measuring.knows(&about) {
            let (clip, labels) = (recording.clip().clone(), quiet.labels().to_vec());
            let areas = about.areas.clone();
            quiet
                .measuring
                .job
                .start(&jobs, about, move |progress| measured(&clip, &labels, &areas, progress));
        }
    }
}

fn measured(
    clip: &Arc<Clip>,
    labels: &[Label],
    areas: &[NamedArea],
    progress: &Progress,
) -> Result<Vec<MeasuredRange>, String> {
    let request = Request { labels, areas, ..Request::default() };
    match study_until(clip, &request, &|| progress.is_cancelled()) {
        Ok(Some(study)) => Ok(study.ranges),
        // What is given then is discarded.
        Ok(None) => Err("cancelled".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
