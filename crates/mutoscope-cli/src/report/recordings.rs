//! The reports of the recordings of one file.

use crate::{
    Input, InputError, Reader, Source,
    recordings::{self, Kind},
};
use mutoscope_core::{
    clip::Clip,
    diagnostics::Severity,
    measure::{analysis::NamedArea, checks::all_issues},
};
use mutoscope_study::{
    Request, StudyOptions,
    report::{Issue, RecordingReport},
    study,
};

use super::sources::LabelSource;

/// How recordings are measured.
pub(super) struct Measuring<'a> {
    pub(super) reader: &'a Reader,
    pub(super) labels: LabelSource,
    pub(super) areas: &'a [NamedArea],
    pub(super) options: StudyOptions,
    /// Whether plots and issues are wanted: for a page.
    pub(super) for_page: bool,
}

/// The result of one file.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) bytes: u64,
    /// Messages, a line each.
    pub(super) lines: Vec<String>,
    pub(super) reports: Vec<RecordingReport>,
    /// Whether its labels cannot be read.
    pub(super) has_broken_labels: bool,
    /// Whether it does not have what the command line requests.
    pub(super) is_wrong_usage: bool,
    pub(super) skipped: Option<Skipped>,
}

/// Why a file has no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    Unrecognised,
    WithoutAnimations,
    NoFile,
    /// It does not have the animation that was chosen.
    WithoutChoice,
}

impl Done {
    pub(super) fn skipped(why: Skipped) -> Self {
        Self { skipped: Some(why), ..Self::default() }
    }

    /// A file that cannot be read at all.
    pub(super) fn failed(path: String, line: String, error: String) -> Self {
        let reports = vec![RecordingReport::unreadable(path, None, error)];
        Self { lines: vec![line], reports, ..Self::default() }
    }
}

impl Measuring<'_> {
    /// The reports of a file. One that was named is always taken for a recording.
    pub(super) fn file(&self, source: &Source, is_named: bool) -> Done {
        let file = match is_named {
            true => self.reader.read(source),
            false => self.reader.read_if_recognised(source),
        };
        let mut done = Done::default();
        let mut take = |input: &Input, animation| {
            self.recording(input, source, is_named, animation, &mut done)
        };
        match recordings::each(self.reader, (source, is_named), file, &mut take) {
            Kind::Recordings => done,
            Kind::WithoutAnimations => Done::skipped(Skipped::WithoutAnimations),
            Kind::Unrecognised => Done::skipped(Skipped::Unrecognised),
        }
    }

    fn recording(
        &self,
        input: &Input,
        source: &Source,
        is_named: bool,
        animation: Option<String>,
        done: &mut Done,
    ) {
        if let Err(InputError::WrongUsage(_)) = &input.result {
            if !is_named {
                done.skipped = Some(Skipped::WithoutChoice);
                return;
            }
            done.is_wrong_usage = true;
        }
        let messages = input.messages();
        done.lines.extend(messages.iter().map(ToString::to_string));
        let path = input.name.clone();
        match &input.result {
            Ok(clip) => {
                let report = self.clip(clip, path, source, animation, done);
                done.reports.push(report);
            }
            Err(_) => {
                let last = messages.last();
                let format = last.and_then(|message| message.format).map(str::to_owned);
                let error = last.map(|message| match &message.place {
                    Some(place) => format!("at {place}: {}", message.message),
                    None => message.message.clone(),
                });
                let error = error.unwrap_or_else(|| "cannot be read".to_owned());
                let mut report = RecordingReport::unreadable(path, format, error);
                report.animation = animation;
                done.reports.push(report);
            }
        }
    }

    fn clip(
        &self,
        clip: &Clip,
        path: String,
        source: &Source,
        animation: Option<String>,
        done: &mut Done,
    ) -> RecordingReport {
        let labels = match self.labels.labels(clip, source.path(), &mut done.lines) {
            Ok(labels) => labels,
            Err(message) => {
                done.has_broken_labels = true;
                done.lines.push(message);
                Vec::new()
            }
        };
        let request = Request {
            labels: &labels,
            areas: self.areas,
            options: self.options.clone(),
            with_plots: self.for_page,
        };
        match study(clip, &request) {
            Ok(study) => {
                let issues = if self.for_page { issues(clip) } else { Vec::new() };
                RecordingReport::of_study(path, animation, clip, study, issues)
            }
            Err(error) => {
                done.lines.push(format!("{}: {path}: {error}", Severity::Error));
                RecordingReport::too_long(path, animation, clip, error)
            }
        }
    }
}

/// The issues in a recording: those of the decoder and of the checks.
fn issues(clip: &Clip) -> Vec<Issue> {
    let issue =
        |severity, message: &str, time| Issue { severity, message: message.to_owned(), time };
    all_issues(clip).iter().map(|one| issue(one.severity, &one.message, one.time)).collect()
}
