//! All measures of one recording.
//!
//! | file | what it does |
//! |---|---|
//! | `measured` | what is known of each subject over the whole recording |
//! | `notes` | what to know about single measures |
//! | `plots` | what the page draws: curves, stretches, areas |

mod measured;
mod notes;
pub(crate) mod plots;

use mutoscope_core::{
    clip::Clip,
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
use measured::Measured;
use plots::Plots;

/// The samples that a recording may have however few keys it has, and for each key.
const FREE_SAMPLES: usize = 1 << 18;
const SAMPLES_OF_A_KEY: usize = 4;

/// The measurements that are requested.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// The ranges to measure besides the whole recording.
    pub labels: &'a [Label],
    /// The areas that a gaze may look at.
    pub areas: &'a [NamedArea],
    /// The thresholds.
    pub options: StudyOptions,
    /// Whether curves for plots are kept.
    pub with_plots: bool,
}

/// The measures of one recording.
#[derive(Clone, Debug)]
pub struct Study {
    /// The rate at which it was measured.
    pub rate: Rate,
    /// The whole recording, then the labels in their order.
    pub ranges: Vec<RangeMeasures>,
    /// The events of the whole recording.
    pub events: Events,
    /// Notes on single measures.
    pub notes: Vec<Note>,
    pub(crate) plots: Plots,
}

/// The measures of a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeMeasures {
    /// Its name; empty for the whole recording.
    pub label: String,
    /// The tier of the label.
    pub tier: Option<String>,
    /// Its start, in seconds.
    pub start_s: f64,
    /// Its end, in seconds.
    pub end_s: f64,
    /// Its measures.
    pub measures: Measures,
    /// The measures of each area.
    pub areas: Vec<AreaMeasures>,
}

/// The events of a recording, each kind in the order of time.
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

/// A note on a measure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The measure, or the column that several share.
    pub measure: String,
    /// A sentence.
    pub text: String,
}

/// A recording lasts longer than its keys justify at this rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooLong {
    /// Seconds.
    pub duration: f64,
    /// Samples per second.
    pub rate: f64,
    /// The most samples that are taken of it.
    pub most: usize,
}

impl std::fmt::Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { duration, rate, most } = self;
        write!(
            f,
            "it lasts {duration} s, which at {rate} Hz is more than the {most} samples that its keys justify; \
             nothing measured. Choose a lower rate"
        )
    }
}

impl std::error::Error for TooLong {}

/// Measures a recording.
///
/// # Errors
/// If it lasts far longer than its keys justify: work and memory follow its keys, not its duration.
pub fn study(clip: &Clip, request: &Request<'_>) -> Result<Study, TooLong> {
    Ok(study_until(clip, request, &|| false)?.expect("nobody cancels it"))
}

/// The same; nothing as soon as `is_cancelled`, which is asked now and then.
///
/// # Errors
/// As [`study`].
pub fn study_until(
    clip: &Clip,
    request: &Request<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Option<Study>, TooLong> {
    let subjects = Subjects::of(clip);
    let options = &request.options;
    let rate = Rate::of(clip, options.rate, subjects.keyed());
    let most = clip.key_count().saturating_mul(SAMPLES_OF_A_KEY).max(FREE_SAMPLES);
    let too_long = |hz| TooLong { duration: clip.span.duration, rate: hz, most };
    let grid = Grid::new(clip.span, rate.hz, most).ok_or_else(|| too_long(rate.hz))?;
    // A body is measured at its own frames.
    let frames = subjects.root.and(clip.rate_hz).filter(|hz| *hz > 0.0).unwrap_or(rate.hz);
    let most_frames = most.saturating_mul(8) / crate::body::BodySamples::cost(clip);
    let frames = match subjects.root {
        Some(_) => Grid::new(clip.span, frames, most_frames).ok_or_else(|| too_long(frames))?,
        None => grid,
    };
    let areas: Vec<Area> = request.areas.iter().filter_map(|area| area.of(clip)).collect();
    let grids = [grid, frames];
    let Some(measured) = Measured::of(clip, &subjects, &areas, grids, options, is_cancelled) else {
        return Ok(None);
    };
    let whole = Label { start: clip.span.start, end: clip.span.end(), ..Label::default() };
    let measure = |label: &Label| {
        let range = MeasuredRange::new(label.start, label.end, clip.span, &measured.grid);
        let frames = MeasuredRange::new(label.start, label.end, clip.span, &measured.frames);
        RangeMeasures {
            label: label.label.clone(),
            tier: label.tier.clone(),
            start_s: label.start,
            end_s: label.end,
            measures: measured.measures([&range, &frames], options),
            areas: measured.areas(&range, &areas),
        }
    };
    let labels = std::iter::once(&whole).chain(request.labels);
    let ranges: Option<Vec<RangeMeasures>> =
        labels.map(|label| (!is_cancelled()).then(|| measure(label))).collect();
    let Some(ranges) = ranges else { return Ok(None) };
    let notes = notes::of(clip, &subjects, &measured, request, &ranges, rate.hz);
    let plots = match request.with_plots {
        true => Plots::of(&measured, &areas, clip.span, options),
        false => Plots::default(),
    };
    Ok(Some(Study { rate, ranges, events: measured.into_events(), notes, plots }))
}
