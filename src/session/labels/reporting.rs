//! The report of all open recordings, as a page.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;

use crate::session::{
    FailedLoading, Files, Job, Jobs, Progress,
    files::writing::{write_whole, written_text},
};
use mutoscope_core::{
    clip::Clip,
    measure::{analysis::NamedArea, checks},
};
use mutoscope_player::{Embedded, element_script};
use mutoscope_study::{
    Request, StudyOptions,
    labels::Label,
    report::{
        Issue, MOST_PLOTTED, MOTION_BYTES, Motion, MotionMaker, PageOptions, PagePlayer,
        RecordingReport, Report, write_page,
    },
    study,
};

/// The report that is being written.
#[derive(Resource, Debug, Default)]
pub struct Reports {
    job: Job<PathBuf, Result<(), String>>,
}

/// A recording as a report takes it.
#[derive(Clone, Debug)]
pub(in crate::session) struct Reported {
    /// Its path, as links name it.
    pub(in crate::session) path: String,
    pub(in crate::session) clip: Arc<Clip>,
    pub(in crate::session) labels: Vec<Label>,
}

impl Reports {
    /// The path of the report that is being written.
    pub fn running(&self) -> Option<&Path> {
        self.job.key().map(PathBuf::as_path)
    }

    /// Writes a report to `path`, in place of one that is being written.
    pub(in crate::session) fn start(
        &mut self,
        recordings: Vec<Reported>,
        areas: Vec<NamedArea>,
        path: PathBuf,
        jobs: &Jobs,
    ) {
        let to = path.clone();
        self.job.start(jobs, path, move |progress| {
            let page = page(&recordings, &areas, progress)
                .map_err(|error| format!("cannot be written: {error}"))?;
            write_whole(&to, &page).map_err(|error| format!("cannot be written: {error}"))
        });
    }
}

/// Says that the report was written, or why it was not.
pub(in crate::session) fn finish_report(mut reports: ResMut<Reports>, mut files: ResMut<Files>) {
    let Some((path, result)) = reports.bypass_change_detection().job.poll() else { return };
    match result.unwrap_or_else(|crashed| Err(crashed.to_string())) {
        Ok(()) => files.say(format!("Wrote {}", written_text(&path))),
        Err(message) => {
            let name = path.display().to_string();
            files.unwritten = Some(FailedLoading { name, message });
        }
    }
}

fn page(recordings: &[Reported], areas: &[NamedArea], progress: &Progress) -> io::Result<Vec<u8>> {
    let options = StudyOptions::default();
    let with_plots = recordings.len() <= MOST_PLOTTED;
    let maker = MotionMaker::new(packed, MOTION_BYTES);
    let mut reports = Vec::new();
    for (index, one) in recordings.iter().enumerate() {
        if progress.is_cancelled() {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        progress.set(index as u64, recordings.len() as u64);
        let request = Request { labels: &one.labels, areas, options: options.clone(), with_plots };
        let motion = maker.motion(&one.clip, &one.path);
        let mut report = report(one, &request);
        report.motion = motion;
        reports.push(report);
    }
    let mut page = Vec::new();
    let player = Some(PagePlayer { script: element_script(), most_bytes: MOTION_BYTES });
    let page_options = PageOptions { player, ..PageOptions::default() };
    write_page(&Report::new(reports, options, None), &page_options, &mut page)?;
    Ok(page)
}

/// The motion of a recording for the player of the page.
fn packed(clip: &Clip, name: &str) -> Option<Motion> {
    let embedded = Embedded::new(clip, name, &mut |_| ControlFlow::Continue(())).ok()?;
    Some(Motion { picture: embedded.picture, pack: embedded.pack })
}

fn report(one: &Reported, request: &Request<'_>) -> RecordingReport {
    let animations = one.clip.animations();
    let animation = animations.and_then(|them| them.names.get(them.current).cloned());
    match study(&one.clip, request) {
        Ok(study) => {
            let issues = checks::all_issues(&one.clip);
            let issue = |issue: &checks::Issue| Issue {
                severity: issue.severity,
                message: issue.message.clone(),
                time: issue.time,
            };
            let issues = issues.iter().map(issue).collect();
            RecordingReport::of_study(one.path.clone(), animation, &one.clip, study, issues)
        }
        Err(error) => RecordingReport::too_long(one.path.clone(), animation, &one.clip, error),
    }
}
