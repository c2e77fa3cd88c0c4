//! Computes all measures of one recording.
//!
//! | file | what it does |
//! |---|---|
//! | `measured` | samples each subject and detects events in the whole recording |
//! | `notes` | adds notes about single measures |
//! | `plots` | prepares what the page draws: curves, stretches, areas |

mod measured;
mod notes;
pub(crate) mod plots;

use mutoscope_core::{
    clip::Clip,
    io::progress::{Cancelled, Progress},
    measure::analysis::{Area, NamedArea},
};
use serde::Serialize;

use crate::{
    Measures, StudyOptions,
    gaze::{AreaMeasures, DwellEvent, FixationEvent, Saccade},
    hands::{Movement, Pinch},
    labels::Label,
    range::MeasuredRange,
    signal::{Grid, Rate},
    subjects::Subjects,
};
use measured::MeasuredSubjects;
use plots::Plots;

/// The limits for the number of samples of a recording: a fixed number, and a number per key. The
/// larger limit applies. Without the limits, a file with two keys at a huge distance could take
/// unlimited time and memory.
const MIN_SAMPLE_BUDGET: usize = 1 << 18;
const SAMPLES_PER_KEY: usize = 4;

/// The measurements to compute.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// The ranges to measure in addition to the whole recording.
    pub labels: &'a [Label],
    /// The areas that the gaze may hit.
    pub areas: &'a [NamedArea],
    /// The thresholds.
    pub options: StudyOptions,
    /// `true` keeps the curves for plots.
    pub with_plots: bool,
}

/// The measures of one recording.
#[derive(Clone, Debug)]
pub struct Study {
    /// The rate at which the recording was measured.
    pub rate: Rate,
    /// The whole recording, then the labels in their original order.
    pub ranges: Vec<RangeMeasures>,
    /// The events of the whole recording.
    pub events: Events,
    /// Notes about single measures.
    pub notes: Vec<Note>,
    pub(crate) plots: Plots,
}

/// The measures of a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeMeasures {
    /// The name of the range; empty for the whole recording.
    pub label: String,
    /// The tier of the label.
    pub tier: Option<String>,
    /// The start, in seconds.
    pub start_s: f64,
    /// The end, in seconds.
    pub end_s: f64,
    /// The measures over the range.
    pub measures: Measures,
    /// The measures of each area.
    pub areas: Vec<AreaMeasures>,
}

/// The events of a recording, each kind sorted by time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Events {
    /// Movements of the wrists.
    pub movements: Vec<Movement>,
    /// Pinches.
    pub pinches: Vec<Pinch>,
    /// Saccades.
    pub saccades: Vec<Saccade>,
    /// Fixations.
    pub fixations: Vec<FixationEvent>,
    /// Dwells on areas.
    pub dwells: Vec<DwellEvent>,
}

/// A note about a measure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The name of the measure, or of the column that several measures share.
    pub measure: String,
    /// The text of the note.
    pub text: String,
}

/// The reason why a recording is not measured.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// The recording lasts too long for its number of keys at the requested rate.
    #[error(
        "it lasts {duration} s, which at {rate} Hz is more than the {max_samples} samples allowed for its number of keys; \
         nothing measured. Choose a lower rate"
    )]
    TooLong {
        /// The duration in seconds.
        duration: f64,
        /// The rate in Hz.
        rate: f64,
        /// The largest number of samples for a recording with this many keys.
        max_samples: usize,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Measures a recording.
///
/// # Errors
/// Fails if `progress` is cancelled, or if the recording lasts much longer than its number of keys
/// justifies. Work and memory are bounded by the number of keys, not by the duration.
pub fn study(
    clip: &Clip,
    request: &Request<'_>,
    progress: &mut Progress<'_>,
) -> Result<Study, StudyError> {
    let subjects = Subjects::from_clip(clip);
    let options = &request.options;
    let rate = Rate::for_clip(clip, options.rate, subjects.rate_candidates());
    let max_samples = clip.key_count().saturating_mul(SAMPLES_PER_KEY).max(MIN_SAMPLE_BUDGET);
    let too_long = |rate| StudyError::TooLong { duration: clip.span.duration, rate, max_samples };
    let grid = Grid::new(clip.span, rate.hz, max_samples).ok_or_else(|| too_long(rate.hz))?;
    // Measure bodies at the frame rate of the file, because another rate would place samples
    // between frames.
    let frames = subjects.root.and(clip.rate_hz).filter(|hz| *hz > 0.0).unwrap_or(rate.hz);
    let max_frames =
        max_samples.saturating_mul(8) / crate::body::BodySamples::values_per_frame(clip);
    let frames = match subjects.root {
        Some(_) => Grid::new(clip.span, frames, max_frames).ok_or_else(|| too_long(frames))?,
        None => grid,
    };
    let areas: Vec<Area> = request.areas.iter().filter_map(|area| area.resolve(clip)).collect();
    let grids = [grid, frames];
    let measured = MeasuredSubjects::from_clip(clip, &subjects, &areas, grids, options, progress)?;
    let whole = Label { start: clip.span.start, end: clip.span.end(), ..Label::default() };
    let measure = |label: &Label| {
        let range = MeasuredRange::new(label.start, label.end, clip.span, &measured.grid);
        let frames = MeasuredRange::new(label.start, label.end, clip.span, &measured.frames);
        RangeMeasures {
            label: label.label.clone(),
            tier: label.tier.clone(),
            start_s: label.start,
            end_s: label.end,
            measures: measured.measure_range([&range, &frames], options),
            areas: measured.measure_areas(&range, &areas),
        }
    };
    let labels = std::iter::once(&whole).chain(request.labels);
    let ranges: Result<Vec<RangeMeasures>, Cancelled> = labels
        .map(|label| {
            progress.check_cancelled()?;
            Ok(measure(label))
        })
        .collect();
    let ranges = ranges?;
    let notes = notes::collect_notes(clip, &subjects, &measured, request, &ranges, rate.hz);
    let plots = match request.with_plots {
        true => Plots::from_subjects(&measured, &areas, clip.span, options),
        false => Plots::default(),
    };
    Ok(Study { rate, ranges, events: measured.into_events(), notes, plots })
}
