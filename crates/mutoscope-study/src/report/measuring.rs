//! Measures a recording with its labels and builds its report.

use std::path::Path;

use mutoscope_core::{
    clip::Clip,
    diagnostics::Severity,
    io::progress::Progress,
    measure::analysis::NamedArea,
    read::{Message, format_path},
};

use super::{CheckTally, MotionPacker, RecordingReport, ReportDiagnostic};
use crate::{
    Request, StudyOptions,
    labels::{
        Label, LabelFileError, LabelFormat, find_sidecar, labels_from_markers,
        message_for_diagnostic, read_file,
    },
    study,
    verdict::{CheckedClip, Profile, check_all},
};

/// The source of the labels of recordings.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelSource {
    /// No labels.
    None,
    /// The markers of each recording.
    Markers,
    /// The same labels for every recording.
    Given(Vec<Label>),
    /// The label file next to each recording, if there is one.
    Sidecars,
}

/// The error of a label file that cannot be read.
#[derive(Debug)]
pub struct BrokenLabels {
    /// The path, formatted for messages.
    pub path: String,
    /// The format of the file.
    pub format: LabelFormat,
    /// The reason.
    pub error: LabelFileError,
}

impl BrokenLabels {
    /// Returns the message about the file.
    pub fn message(&self) -> Message<'_> {
        self.error.message(&self.path, self.format)
    }
}

impl LabelSource {
    /// Returns the labels of the recording at `path`. Messages about the label file are added to
    /// `messages`.
    ///
    /// # Errors
    /// Returns an error if the label file cannot be read.
    pub fn find_labels(
        &self,
        clip: &Clip,
        path: Option<&Path>,
        messages: &mut Vec<String>,
    ) -> Result<Vec<Label>, BrokenLabels> {
        let recording = match (self, path) {
            (Self::None, _) | (Self::Sidecars, None) => return Ok(Vec::new()),
            (Self::Markers, _) => return Ok(labels_from_markers(clip)),
            (Self::Given(labels), _) => return Ok(labels.clone()),
            (Self::Sidecars, Some(path)) => path,
        };
        let Some((path, format)) = find_sidecar(recording) else { return Ok(Vec::new()) };
        let name = format_path(&path);
        match read_file(&path, format) {
            Ok(labels) => {
                let diagnostics = labels.diagnostics.iter();
                messages.extend(diagnostics.map(|diagnostic| {
                    message_for_diagnostic(&name, format, diagnostic).to_string()
                }));
                Ok(labels.labels)
            }
            Err(error) => Err(BrokenLabels { path: name, format, error }),
        }
    }
}

/// The settings with which recordings are measured for a report.
#[derive(Clone, Debug)]
pub struct MeasureOptions<'a> {
    /// The source of labels.
    pub labels: LabelSource,
    /// The areas that the gaze may hit.
    pub areas: &'a [NamedArea],
    /// The thresholds.
    pub options: StudyOptions,
    /// `true` collects plots and diagnostics, which only a page shows.
    pub for_page: bool,
    /// Makes the motion that a page plays. `None` leaves the motion out.
    pub motion: Option<MotionPacker>,
}

/// A recording to measure.
#[derive(Clone, Debug)]
pub struct Recording<'a> {
    /// The decoded recording.
    pub clip: &'a Clip,
    /// The name in the report.
    pub name: String,
    /// The path of the recording, next to which a label file may be.
    pub file: Option<&'a Path>,
    /// The selected animation, if the file has several.
    pub animation: Option<String>,
}

impl MeasureOptions<'_> {
    /// Measures a recording and returns its report. Messages are added to `messages`.
    ///
    /// # Errors
    /// Returns an error if the label file cannot be read.
    pub fn measure_recording(
        &self,
        recording: Recording<'_>,
        messages: &mut Vec<String>,
    ) -> Result<RecordingReport, BrokenLabels> {
        let Recording { clip, name, file, animation } = recording;
        let labels = self.labels.find_labels(clip, file, messages)?;
        let request = Request {
            labels: &labels,
            areas: self.areas,
            options: self.options.clone(),
            with_plots: self.for_page,
        };
        Ok(match study(clip, &request, &mut Progress::default()) {
            Ok(study) => {
                let checked = match self.for_page {
                    true => check_all(clip, &Profile::default()),
                    false => CheckedClip::default(),
                };
                let diagnostics = checked.diagnostics.iter().map(ReportDiagnostic::from).collect();
                let motion = self.motion.as_ref().and_then(|maker| maker.pack_motion(clip, &name));
                let report = RecordingReport::from_study(name, animation, clip, study, diagnostics);
                RecordingReport { motion, checks: CheckTally::from(checked), ..report }
            }
            Err(error) => {
                messages.push(format!("{}: {name}: {error}", Severity::Error));
                RecordingReport::for_too_long(name, animation, clip, error)
            }
        })
    }
}
