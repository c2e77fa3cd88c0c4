//! The measures of each area over a range.

use serde::Serialize;

use super::{
    looks::{DwellEvent, FixationEvent},
    measure::MeasuredGaze,
};
use crate::range::MeasuredRange;

/// How a gaze looked at one area. What is unknown is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaMeasures {
    /// The name of the area.
    pub area: String,
    /// The number of fixations on it.
    pub fixations: Option<usize>,
    /// From the start of the range to the first of them, in seconds.
    pub first_fixation_s: Option<f64>,
    /// Their durations together, in seconds.
    pub fixation_s: Option<f64>,
    /// The number of dwells on it.
    pub dwells: Option<usize>,
    /// From the start of the range to the first of them, in seconds.
    pub first_dwell_s: Option<f64>,
    /// Their durations together, in seconds.
    pub dwell_s: Option<f64>,
    /// Their mean duration, in seconds.
    pub dwell_mean_s: Option<f64>,
    /// The part of the tracked time of the gaze that they take.
    pub dwell_share: Option<f64>,
    /// The number of dwells after the first.
    pub revisits: Option<usize>,
}

/// The measures of the areas with these names.
pub(crate) fn measure<'a>(
    names: impl Iterator<Item = &'a str>,
    gaze: &MeasuredGaze,
    range: &MeasuredRange,
    rate: f64,
) -> Vec<AreaMeasures> {
    let time = Some(gaze.tracked_time(range, rate)).filter(|time| *time > 0.0);
    let area = |(index, name): (usize, &str)| {
        let is_on = |one: &&FixationEvent| one.area == Some(index) && range.has(one.start_s);
        let fixations: Vec<_> = gaze.fixations.iter().filter(is_on).collect();
        let is_of = |one: &&DwellEvent| one.index == index && range.has(one.start_s);
        let dwells: Vec<_> = gaze.dwells.iter().filter(is_of).collect();
        let dwell: f64 = dwells.iter().map(|one| one.duration_s).sum();
        let is_known = |count: usize| time.map(|_| count);
        AreaMeasures {
            area: name.to_owned(),
            fixations: is_known(fixations.len()),
            first_fixation_s: fixations.first().map(|one| one.start_s - range.start),
            fixation_s: time.map(|_| fixations.iter().map(|one| one.duration_s).sum::<f64>() + 0.0),
            dwells: is_known(dwells.len()),
            first_dwell_s: dwells.first().map(|one| one.start_s - range.start),
            dwell_s: time.map(|_| dwell + 0.0),
            dwell_mean_s: (!dwells.is_empty()).then(|| dwell / dwells.len() as f64),
            dwell_share: time.map(|time| (dwell + 0.0) / time),
            revisits: dwells.len().checked_sub(1),
        }
    };
    names.enumerate().map(area).collect()
}
