//! A report and its recordings. Serialised, it is the JSON that scripts rely on.

use std::io;

use mutoscope_core::{
    clip::Clip,
    diagnostics::{Severity, printable_json},
};
use serde::Serialize;

use super::{MOST_PLOTTED, Motion, limits, method};
use crate::{Events, Note, RangeMeasures, Study, StudyOptions, TooLong, study::plots::Plots};

/// A report of recordings.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub version: u32,
    /// The program that made it.
    pub generator: String,
    /// How each number was computed, in sentences.
    pub method: Vec<String>,
    /// The limits of devices and formats that apply, in sentences with sources.
    pub limits: Vec<String>,
    /// The thresholds.
    pub options: StudyOptions,
    /// The recordings.
    pub recordings: Vec<RecordingReport>,
}

/// One recording of a report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RecordingReport {
    /// Its path, as it was named.
    pub path: String,
    /// The choice of an animation in a file that holds several.
    pub animation: Option<String>,
    /// The word for its format.
    pub format: Option<String>,
    /// The version of that format.
    pub version: Option<String>,
    /// Its start, in seconds.
    pub start_s: Option<f64>,
    /// How long it plays, in seconds.
    pub duration_s: Option<f64>,
    /// The rate at which it was measured.
    pub rate_hz: Option<f64>,
    /// Where that is from: `option`, `file`, `keys` or `assumed`.
    pub rate_from: Option<&'static str>,
    /// Why it has no measures.
    pub error: Option<String>,
    /// The whole recording, then the labels in the order of their file.
    pub ranges: Vec<RangeMeasures>,
    /// Its events.
    pub events: Events,
    /// Notes on single measures.
    pub notes: Vec<Note>,
    /// The issues in the file.
    #[serde(skip)]
    pub issues: Vec<Issue>,
    /// Its motion, for the player of the page.
    #[serde(skip)]
    pub motion: Option<Motion>,
    #[serde(skip)]
    pub(crate) plots: Plots,
}

/// An issue in a file, for the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// How much it matters.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The time that it concerns, in seconds, if any.
    pub time: Option<f64>,
}

impl Report {
    /// The report of these recordings. `device` is what they were recorded with, if that is known.
    pub fn new(
        recordings: Vec<RecordingReport>,
        options: StudyOptions,
        device: Option<&str>,
    ) -> Self {
        Self {
            version: 1,
            generator: concat!("mutoscope ", env!("CARGO_PKG_VERSION")).to_owned(),
            method: method::sentences(&recordings, &options),
            limits: limits::sentences(&recordings, device),
            options,
            recordings,
        }
    }

    /// Adds reports of recordings to others. Beyond a number of them, plots are of no use and take memory.
    pub fn gather(all: &mut Vec<RecordingReport>, mut new: Vec<RecordingReport>) {
        let before = all.len();
        if before + new.len() > MOST_PLOTTED {
            if before <= MOST_PLOTTED {
                all.iter_mut().for_each(RecordingReport::drop_plots);
            }
            new.iter_mut().for_each(RecordingReport::drop_plots);
        }
        all.extend(new);
    }

    /// Writes it as JSON, on one line with its end. Control characters are escaped.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        printable_json(&mut *out, self)?;
        out.write_all(b"\n")
    }
}

impl RecordingReport {
    /// The report of a recording that was measured.
    pub fn of_study(
        path: String,
        animation: Option<String>,
        clip: &Clip,
        study: Study,
        issues: Vec<Issue>,
    ) -> Self {
        let Study { rate, ranges, events, notes, plots } = study;
        Self {
            rate_hz: Some(rate.hz),
            rate_from: Some(rate.source.word()),
            ranges,
            events,
            notes,
            issues,
            plots,
            ..Self::of_clip(path, animation, clip)
        }
    }

    /// The report of a recording that lasts longer than its keys justify.
    pub fn too_long(path: String, animation: Option<String>, clip: &Clip, error: TooLong) -> Self {
        Self { error: Some(error.to_string()), ..Self::of_clip(path, animation, clip) }
    }

    /// The report of a recording that cannot be read.
    pub fn unreadable(path: String, format: Option<String>, error: String) -> Self {
        Self { path, format, error: Some(error), ..Self::default() }
    }

    fn of_clip(path: String, animation: Option<String>, clip: &Clip) -> Self {
        Self {
            path,
            animation,
            format: Some(clip.format.word().to_owned()),
            version: Some(clip.version.clone()),
            start_s: Some(clip.span.start),
            duration_s: Some(clip.span.duration),
            ..Self::default()
        }
    }

    /// Drops what only a page with plots needs.
    pub fn drop_plots(&mut self) {
        self.motion = None;
        self.plots.drop_curves();
    }

    /// Whether any of its ranges has a measure that begins so.
    pub(crate) fn has(&self, start: &str) -> bool {
        let whole = self.ranges.first();
        whole.is_some_and(|whole| whole.measures.iter().any(|(name, _)| name.starts_with(start)))
    }

    /// Whether it has a hand.
    pub(crate) fn has_hands(&self) -> bool {
        self.has("right_path") || self.has("left_path")
    }
}
