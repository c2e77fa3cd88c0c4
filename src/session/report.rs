//! Writes the report of all open recordings as a web page.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use bevy::prelude::*;

use super::{
    files::{
        FileFailure, Files, OpenRecordings, ReplaceQuestion, Source, display_name,
        display_output_path, existing_files_question, write_complete_file,
    },
    jobs::{Job, Jobs},
    schedule::ApplyStep,
    view::absolute_path,
};
use bevy_mutoscope::stage::View;
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

/// Writes a report of all open recordings, as a web page.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportCommand {
    /// The path.
    pub path: PathBuf,
    /// Is `true` if an existing file may be replaced without asking the user.
    pub replaces: bool,
}

/// The job that writes a report.
#[derive(Resource, Debug, Default)]
pub struct Reports {
    job: Job<PathBuf, Result<(), String>>,
}

#[derive(Clone, Debug)]
struct ReportInput {
    path: String,
    clip: Arc<Clip>,
    labels: Vec<Label>,
}

impl Reports {
    /// Returns the path of the report that is being written.
    pub fn running(&self) -> Option<&Path> {
        self.job.key().map(PathBuf::as_path)
    }

    fn start(
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

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<Reports>().add_systems(Update, finish_report.in_set(ApplyStep::Follow));
}

/// Starts to write a report with the `labels` of the recordings. Returns a question if the file
/// exists.
pub(in crate::session) fn apply(
    In((command, mut labels)): In<(ReportCommand, HashMap<Entity, Vec<Label>>)>,
    open: OpenRecordings,
    view: Res<View>,
    mut files: ResMut<Files>,
    mut reports: ResMut<Reports>,
    jobs: Res<Jobs>,
) -> Option<ReplaceQuestion<ReportCommand>> {
    let ReportCommand { path, replaces } = command;
    let mut inputs = open.input_files(files.skeleton.as_ref());
    files.add_listed_to(&mut inputs);
    if let Err(error) = inputs.check_output(&path) {
        let failure = FileFailure { name: display_name(&path), message: error.to_string() };
        files.write_failure = Some(failure);
        return None;
    }
    if !replaces && let Some(text) = existing_files_question(std::slice::from_ref(&path)) {
        return Some(ReplaceQuestion { text, command: ReportCommand { path, replaces: true } });
    }
    let recordings = open.in_order().into_iter().map(|open| ReportInput {
        path: match open.source {
            // Use the absolute path, so that links in the report work wherever the page is stored.
            Source::File(path) => absolute_path(path).display().to_string(),
            other => other.name(),
        },
        clip: open.recording.clip().clone(),
        labels: labels.remove(&open.entity).unwrap_or_default(),
    });
    reports.start(recordings.collect(), view.areas.clone(), path, &jobs);
    None
}

fn finish_report(mut reports: ResMut<Reports>, mut files: ResMut<Files>) {
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
