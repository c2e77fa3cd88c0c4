//! The data of a report. Its serialised form is the JSON that scripts rely on.

use std::{collections::BTreeMap, io};

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Severity, write_printable_json},
    measure::checks::ClipDiagnostic,
};
use serde::Serialize;

use super::{MAX_PLOTTED_RECORDINGS, Motion, limits, method};
use crate::{
    Events, Note, RangeMeasures, Study, StudyError, StudyOptions,
    study::plots::Plots,
    verdict::{CheckedClip, WorstValue},
};

/// A report of recordings.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this JSON structure.
    pub version: u32,
    /// The name and version of the program that wrote the report.
    pub generator: String,
    /// The method of computation, in sentences.
    pub method: Vec<String>,
    /// The limits of the devices and formats, in sentences with sources.
    pub limits: Vec<String>,
    /// The thresholds.
    pub options: StudyOptions,
    /// The recordings.
    pub recordings: Vec<RecordingReport>,
}

/// One recording of a report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RecordingReport {
    /// The path, as the user gave it.
    pub path: String,
    /// The selected animation, if the file has several.
    pub animation: Option<String>,
    /// The name of the format.
    pub format: Option<String>,
    /// The version of the format.
    pub version: Option<String>,
    /// The start, in seconds.
    pub start_s: Option<f64>,
    /// The duration in seconds.
    pub duration_s: Option<f64>,
    /// The rate at which the recording was measured, in Hz.
    pub rate_hz: Option<f64>,
    /// The source of the rate: `option`, `file`, `keys` or `assumed`.
    pub rate_from: Option<&'static str>,
    /// The reason why the recording has no measures, if there are none.
    pub error: Option<String>,
    /// The whole recording, then the labels in file order.
    pub ranges: Vec<RangeMeasures>,
    /// The events of the recording.
    pub events: Events,
    /// Notes about single measures.
    pub notes: Vec<Note>,
    /// The diagnostics about the file, for the page.
    #[serde(skip)]
    pub diagnostics: Vec<ReportDiagnostic>,
    /// The results of the checks, for the page.
    #[serde(skip)]
    pub checks: CheckTally,
    /// The motion for the player of the page, if any.
    #[serde(skip)]
    pub motion: Option<Motion>,
    #[serde(skip)]
    pub(crate) plots: Plots,
}

/// A diagnostic about a file, for the page.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportDiagnostic {
    /// The severity.
    pub severity: Severity,
    /// The message, a single sentence.
    pub message: String,
    /// The clip time that the diagnostic is about, in seconds, if any.
    pub time: Option<f64>,
}

impl From<&ClipDiagnostic> for ReportDiagnostic {
    fn from(diagnostic: &ClipDiagnostic) -> Self {
        let ClipDiagnostic { severity, message, time, .. } = diagnostic;
        Self { severity: *severity, message: message.clone(), time: *time }
    }
}

/// The results of the checks of a recording, for the page.
#[derive(Clone, Debug, Default)]
pub struct CheckTally {
    /// The highest severity and the number of problems, for each code.
    pub(crate) problems: BTreeMap<&'static str, (Severity, usize)>,
    /// The worst value of each check that measures one.
    pub(crate) worst_values: Vec<WorstValue>,
}

impl From<CheckedClip> for CheckTally {
    fn from(checked: CheckedClip) -> Self {
        let mut problems = BTreeMap::new();
        for diagnostic in &checked.diagnostics {
            let (severity, count) =
                problems.entry(diagnostic.code.as_str()).or_insert((diagnostic.severity, 0));
            *severity = diagnostic.severity.max(*severity);
            *count += 1;
        }
        Self { problems, worst_values: checked.worst_values }
    }
}

impl Report {
    /// Creates a report of recordings. `device` is the name of the recording device, if known.
    pub fn new(
        recordings: Vec<RecordingReport>,
        options: StudyOptions,
        device: Option<&str>,
    ) -> Self {
        Self {
            version: 1,
            generator: concat!("mutoscope ", env!("CARGO_PKG_VERSION")).to_owned(),
            method: method::describe_method(&recordings, &options),
            limits: limits::list_limits(&recordings, device),
            options,
            recordings,
        }
    }

    /// Appends reports of recordings to `all`. Once there are more than [`MAX_PLOTTED_RECORDINGS`], the plots
    /// of all of them are dropped to save memory, because the page becomes an overview without
    /// plots.
    pub fn append_recordings(all: &mut Vec<RecordingReport>, mut new: Vec<RecordingReport>) {
        let before = all.len();
        if before + new.len() > MAX_PLOTTED_RECORDINGS {
            if before <= MAX_PLOTTED_RECORDINGS {
                all.iter_mut().for_each(RecordingReport::drop_plots);
            }
            new.iter_mut().for_each(RecordingReport::drop_plots);
        }
        all.extend(new);
    }

    /// Writes the report as a single line of JSON, including the line break. Control characters are
    /// escaped.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_printable_json(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

impl RecordingReport {
    /// Creates the report of a measured recording.
    pub fn from_study(
        path: String,
        animation: Option<String>,
        clip: &Clip,
        study: Study,
        diagnostics: Vec<ReportDiagnostic>,
    ) -> Self {
        let Study { rate, ranges, events, notes, plots } = study;
        Self {
            rate_hz: Some(rate.hz),
            rate_from: Some(rate.source.as_str()),
            ranges,
            events,
            notes,
            diagnostics,
            plots,
            ..Self::from_clip(path, animation, clip)
        }
    }

    /// Creates the report of a recording whose duration is too long for its number of keys.
    pub fn for_too_long(
        path: String,
        animation: Option<String>,
        clip: &Clip,
        error: StudyError,
    ) -> Self {
        Self { error: Some(error.to_string()), ..Self::from_clip(path, animation, clip) }
    }

    /// Creates the report of a recording that cannot be read.
    pub fn for_unreadable(path: String, format: Option<String>, error: String) -> Self {
        Self { path, format, error: Some(error), ..Self::default() }
    }

    fn from_clip(path: String, animation: Option<String>, clip: &Clip) -> Self {
        Self {
            path,
            animation,
            format: Some(clip.format.as_str().to_owned()),
            version: Some(clip.version.clone()),
            start_s: Some(clip.span.start),
            duration_s: Some(clip.span.duration),
            ..Self::default()
        }
    }

    /// Drops the data that only a page with plots needs.
    pub fn drop_plots(&mut self) {
        self.motion = None;
        self.plots.drop_curves();
    }

    /// Returns `true` if the recording has a measure whose name begins with `prefix`. Looks only at
    /// the first range, because all ranges have the same measures.
    pub(crate) fn has_measure(&self, prefix: &str) -> bool {
        let whole = self.ranges.first();
        whole.is_some_and(|whole| whole.measures.iter().any(|(name, _)| name.starts_with(prefix)))
    }

    pub(crate) fn has_hands(&self) -> bool {
        self.has_measure("right_path") || self.has_measure("left_path")
    }
}
