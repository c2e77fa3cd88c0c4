//! Checks the data of open recordings.

use std::sync::Arc;

use bevy::prelude::*;

use crate::session::jobs::{Job, Jobs, Progress};
use bevy_mutoscope::{Recording, Revision};
use mutoscope_core::{
    clip::Clip,
    io::cooperative::yield_now,
    measure::checks::{self, ClipDiagnostic},
};

/// The diagnostics on the data of a recording. A component on the entity of the [`Recording`].
///
/// At first there are only the decoder's diagnostics. The diagnostics of the checks follow when
/// they are done.
#[derive(Component, Debug, Default)]
pub struct RecordingDiagnostics {
    checked_revision: Option<Revision>,
    all: Arc<[ClipDiagnostic]>,
    checking: Job<(), Arc<[ClipDiagnostic]>>,
}

impl RecordingDiagnostics {
    /// Returns the diagnostics of `clip`. Runs all checks immediately.
    pub fn check_immediately(clip: &Clip) -> Self {
        Self { all: checks::check_clip(clip).into(), ..Self::default() }
    }

    /// Returns the diagnostics in order of time. Diagnostics without a time come first.
    pub fn all(&self) -> &[ClipDiagnostic] {
        &self.all
    }

    fn start_checks(&mut self, clip: Arc<Clip>, jobs: &Jobs) {
        let work = async move |progress: Progress| {
            let mut search = checks::CheckRun::new(&clip);
            while !progress.is_cancelled() && search.step().is_continue() {
                yield_now().await;
            }
            search.finish().into()
        };
        self.checking.start_cooperative(jobs, (), Progress::default(), work);
    }

    /// Returns `true` while checks are running.
    pub fn is_checking(&self) -> bool {
        self.checking.is_running()
    }
}

pub(in crate::session) fn check_recordings(
    mut recordings: Query<(&Recording, &mut RecordingDiagnostics)>,
    jobs: Res<Jobs>,
) {
    for (recording, mut diagnostics) in &mut recordings {
        let revision = Some(recording.revision());
        if diagnostics.checked_revision != revision {
            let clip = recording.clip().clone();
            let all = checks::decoder_diagnostics(&clip).into();
            *diagnostics =
                RecordingDiagnostics { checked_revision: revision, all, checking: Job::default() };
            diagnostics.start_checks(clip, &jobs);
        }
        // Bypass change detection, because polling a running job is not a change of the component.
        match diagnostics.bypass_change_detection().checking.poll() {
            None => {}
            Some((_, Ok(all))) => diagnostics.all = all,
            // The checks crashed, so keep the diagnostics from the decoder.
            Some((_, Err(crashed))) => error!("checking the recording: {crashed}"),
        }
    }
}
