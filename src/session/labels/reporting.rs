//! Writes the report of all open recordings as a web page.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;

use crate::session::{
    FileFailure, Files, Job, Jobs,
    files::writing::{display_output_path, write_complete_file},
};
use mutoscope_core::{
    clip::Clip,
    io::progress::{Cancelled, Progress},
    measure::{analysis::NamedArea, checks},
};
use mutoscope_player::{Embedded, element_script};
use mutoscope_study::{
    Request, StudyError, StudyOptions,
    labels::Label,
    report::{
        DEFAULT_MOTION_BYTES, MAX_PLOTTED_RECORDINGS, Motion, MotionPacker, PageOptions,
        PagePlayer, RecordingReport, Report, ReportDiagnostic, write_page,
    },
    study,
};

/// The job that writes a report.
#[derive(Resource, Debug, Default)]
pub struct Reports {
    job: Job<PathBuf, Result<(), String>>,
}

#[derive(Clone, Debug)]
pub(in crate::session) struct ReportInput {
    pub(in crate::session) path: String,
    pub(in crate::session) clip: Arc<Clip>,
    pub(in crate::session) labels: Vec<Label>,
}

impl Reports {
    /// Returns the path of the report that is being written.
    pub fn running(&self) -> Option<&Path> {
        self.job.key().map(PathBuf::as_path)
    }

    pub(in crate::session) fn start(
        &mut self,
        recordings: Vec<ReportInput>,
        areas: Vec<NamedArea>,
        path: PathBuf,
        jobs: &Jobs,
    ) {
        let to = path.clone();
        self.job.start(jobs, path, move |progress| {
            let page = build_page(&recordings, &areas, &mut progress.watch_work())
                .map_err(|error| format!("cannot be written: {error}"))?;
            write_complete_file(&to, &page).map_err(|error| format!("cannot be written: {error}"))
        });
    }
}

pub(in crate::session) fn finish_report(mut reports: ResMut<Reports>, mut files: ResMut<Files>) {
    let Some((path, result)) = reports.bypass_change_detection().job.poll() else { return };
    match result.unwrap_or_else(|crashed| Err(crashed.to_string())) {
        Ok(()) => files.notify(format!("Wrote {}", display_output_path(&path))),
        Err(message) => {
            let name = path.display().to_string();
            files.write_failure = Some(FileFailure { name, message });
        }
    }
}

fn build_page(
    recordings: &[ReportInput],
    areas: &[NamedArea],
    progress: &mut Progress<'_>,
) -> io::Result<Vec<u8>> {
    let options = StudyOptions::default();
    let with_plots = recordings.len() <= MAX_PLOTTED_RECORDINGS;
    let packer = MotionPacker::new(pack_motion, DEFAULT_MOTION_BYTES);
    let mut reports = Vec::new();
    for (index, recording) in recordings.iter().enumerate() {
        let mut progress = progress.begin_nested((index + 1) as f64 / recordings.len() as f64);
        let request =
            Request { labels: &recording.labels, areas, options: options.clone(), with_plots };
        let motion = packer.pack_motion(&recording.clip, &recording.path);
        let mut report = report_recording(recording, &request, &mut progress)
            .map_err(|Cancelled| io::ErrorKind::Interrupted)?;
        report.motion = motion;
        reports.push(report);
    }
    let mut page = Vec::new();
    let player = Some(PagePlayer { script: element_script(), max_bytes: DEFAULT_MOTION_BYTES });
    let page_options = PageOptions { player, ..PageOptions::default() };
    write_page(&Report::new(reports, options, None), &page_options, &mut page)?;
    Ok(page)
}

fn pack_motion(clip: &Clip, name: &str) -> Option<Motion> {
    let embedded = Embedded::new(clip, name, &mut Progress::default()).ok()?;
    Some(Motion { svg: embedded.svg, pack: embedded.pack })
}

fn report_recording(
    recording: &ReportInput,
    request: &Request<'_>,
    progress: &mut Progress<'_>,
) -> Result<RecordingReport, Cancelled> {
    let animations = recording.clip.animations();
    let animation =
        animations.and_then(|animations| animations.names.get(animations.current).cloned());
    Ok(match study(&recording.clip, request, progress) {
        Ok(study) => {
            let issues = checks::check_clip(&recording.clip);
            let issue = |issue: &checks::ClipDiagnostic| ReportDiagnostic {
                severity: issue.severity,
                message: issue.message.clone(),
                time: issue.time,
            };
            let issues = issues.iter().map(issue).collect();
            RecordingReport::from_study(
                recording.path.clone(),
                animation,
                &recording.clip,
                study,
                issues,
            )
        }
        Err(StudyError::Cancelled(cancelled)) => return Err(cancelled),
        Err(error) => {
            RecordingReport::for_too_long(recording.path.clone(), animation, &recording.clip, error)
        }
    })
}
