//! The issues in the data of an open recording.

use std::sync::Arc;

use bevy::prelude::*;

use crate::recording::{Recording, Revision};
use crate::session::{Job, Jobs, Progress};
use mutoscope_core::{
    clip::Clip,
    io::cooperative::yield_now,
    measure::checks::{self, Issue},
};

/// The issues in the data of a recording, on the entity of the [`Recording`]: at first the decoder's notices,
/// and those of all checks as soon as these are done.
#[derive(Component, Debug, Default)]
pub struct Issues {
    /// The clip that they are of.
    of: Option<Revision>,
    all: Arc<[Issue]>,
    checking: Job<(), Arc<[Issue]>>,
}

impl Issues {
    /// All issues in `clip`, looked for at once.
    pub fn of(clip: &Clip) -> Self {
        Self { all: checks::all_issues(clip).into(), ..Self::default() }
    }

    /// The issues in the order of time, those without one first.
    pub fn all(&self) -> &[Issue] {
        &self.all
    }

    /// Runs the checks on `clip`.
    fn check(&mut self, clip: Arc<Clip>, jobs: &Jobs) {
        let work = async move |progress: Progress| {
            let mut search = checks::Search::new(&clip);
            while !progress.is_cancelled() && search.step().is_continue() {
                yield_now().await;
            }
            search.finish().into()
        };
        self.checking.start_cooperative(jobs, (), Progress::default(), work);
    }

    /// Whether checks are still running.
    pub fn is_under_way(&self) -> bool {
        self.checking.is_running()
    }
}

/// Checks every recording whose clip is another than the one that was checked.
pub(in crate::session) fn look_for_issues(
    mut recordings: Query<(&Recording, &mut Issues)>,
    jobs: Res<Jobs>,
) {
    for (recording, mut issues) in &mut recordings {
        let revision = Some(recording.revision());
        if issues.of != revision {
            let clip = recording.clip().clone();
            let all = checks::noticed(&clip).into();
            *issues = Issues { of: revision, all, checking: Job::default() };
            issues.check(clip, &jobs);
        }
        // Accessed without triggering change detection, until something has changed.
        match issues.bypass_change_detection().checking.poll() {
            None => {}
            Some((_, Ok(found))) => issues.all = found,
            // The decoder's notices stay.
            Some((_, Err(crashed))) => error!("checking the recording: {crashed}"),
        }
    }
}
