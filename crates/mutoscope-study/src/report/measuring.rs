//! The report of one recording with its labels.

use std::path::Path;

use mutoscope_core::{
    clip::Clip,
    diagnostics::Severity,
    measure::{analysis::NamedArea, checks::all_issues},
    read::{Message, path_text},
};

use super::{Issue, MotionMaker, RecordingReport};
use crate::{
    Request, StudyOptions,
    labels::{
        Label, LabelFileError, LabelFormat, find_sidecar, labels_of_markers, message_of_notice,
        read_file,
    },
    study,
};

/// Where the labels of recordings are from.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelSource {
    /// There are none.
    None,
    /// The markers of each recording.
    Markers,
    /// These, for every recording.
    Given(Vec<Label>),
    /// The file beside each recording, if there is one.
    Sidecars,
}

/// A label file that cannot be read.
#[derive(Debug)]
pub struct BrokenLabels {
    /// Its path in words.
    pub path: String,
    /// Its format.
    pub format: LabelFormat,
    /// Why.
    pub error: LabelFileError,
}

impl BrokenLabels {
    /// The message about it.
    pub fn message(&self) -> Message<'_> {
        self.error.message(&self.path, self.format)
    }
}

impl LabelSource {
    /// The labels of the recording at `path`. Messages about their file go to `lines`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn labels(
        &self,
        clip: &Clip,
        path: Option<&Path>,
        lines: &mut Vec<String>,
    ) -> Result<Vec<Label>, BrokenLabels> {
        let recording = match (self, path) {
            (Self::None, _) | (Self::Sidecars, None) => return Ok(Vec::new()),
            (Self::Markers, _) => return Ok(labels_of_markers(clip)),
            (Self::Given(labels), _) => return Ok(labels.clone()),
            (Self::Sidecars, Some(path)) => path,
        };
        let Some((path, format)) = find_sidecar(recording) else { return Ok(Vec::new()) };
        let name = path_text(&path);
        match read_file(&path, format) {
            Ok(labels) => {
                let notices = labels.notices.iter();
                lines.extend(
                    notices.map(|notice| message_of_notice(&name, format, notice).to_string()),
                );
                Ok(labels.labels)
            }
            Err(error) => Err(BrokenLabels { path: name, format, error }),
        }
    }
}

/// How recordings are measured for a report.
#[derive(Clone, Debug)]
pub struct Measuring<'a> {
    /// Where labels are from.
    pub labels: LabelSource,
    /// The areas that a gaze may look at.
    pub areas: &'a [NamedArea],
    /// The thresholds.
    pub options: StudyOptions,
    /// Whether plots and issues are wanted: for a page.
    pub for_page: bool,
    /// Makes the motion that a page plays, if that is wanted.
    pub motion: Option<MotionMaker>,
}

/// A recording to measure.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    /// The recording.
    pub clip: &'a Clip,
    /// Its name in the report.
    pub name: String,
    /// Its file, beside which its labels may be.
    pub file: Option<&'a Path>,
    /// The choice of an animation in a file that holds several.
    pub animation: Option<String>,
}

impl Measuring<'_> {
    /// The report of a recording. Messages go to `lines`.
    ///
    /// # Errors
    /// If the file of its labels cannot be read.
    pub fn report(
        &self,
        recording: Recording<'_>,
        lines: &mut Vec<String>,
    ) -> Result<RecordingReport, BrokenLabels> {
        let Recording { clip, name, file, animation } = recording;
        let labels = self.labels.labels(clip, file, lines)?;
        let request = Request {
            labels: &labels,
            areas: self.areas,
            options: self.options.clone(),
            with_plots: self.for_page,
        };
        Ok(match study(clip, &request) {
            Ok(study) => {
                let issues = if self.for_page { issues(clip) } else { Vec::new() };
                let motion = self.motion.as_ref().and_then(|maker| maker.motion(clip, &name));
                let report = RecordingReport::of_study(name, animation, clip, study, issues);
                RecordingReport { motion, ..report }
            }
            Err(error) => {
                lines.push(format!("{}: {name}: {error}", Severity::Error));
                RecordingReport::too_long(name, animation, clip, error)
            }
        })
    }
}

/// The issues in a recording: those of the decoder and of the checks.
fn issues(clip: &Clip) -> Vec<Issue> {
    let issue =
        |severity, message: &str, time| Issue { severity, message: message.to_owned(), time };
    all_issues(clip).iter().map(|one| issue(one.severity, &one.message, one.time)).collect()
}
