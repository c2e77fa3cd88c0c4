//! Computes the measures of each area over a range.

use glam::DVec3;
use mutoscope_core::measure::analysis::Area;
use serde::Serialize;

use super::{
    events::{DwellEvent, FixationEvent},
    measure::MeasuredGaze,
};
use crate::{range::MeasuredRange, sampling::HeadSamples, signal::angle};

/// The measures of one area over a range. A value that cannot be known is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AreaMeasures {
    /// The name of the area.
    pub area: String,
    /// The number of fixations on the area.
    pub fixations: Option<usize>,
    /// The time from the start of the range to the first fixation on the area, in seconds.
    pub first_fixation_s: Option<f64>,
    /// The total duration of the fixations on the area, in seconds.
    pub fixation_s: Option<f64>,
    /// The number of dwells on the area.
    pub dwells: Option<usize>,
    /// The time from the start of the range to the first dwell on the area, in seconds.
    pub first_dwell_s: Option<f64>,
    /// The total duration of the dwells on the area, in seconds.
    pub dwell_s: Option<f64>,
    /// The mean duration of the dwells on the area, in seconds.
    pub dwell_mean_s: Option<f64>,
    /// The total duration of the dwells, as a share of the time in which the gaze is tracked.
    pub dwell_share: Option<f64>,
    /// The number of dwells after the first.
    pub revisits: Option<usize>,
    /// The angle between the area's centre and the mean direction of the gaze, in degrees. It is the
    /// accuracy of the eye tracker in a range in which the person looks at the centre. `None` for an
    /// area on a joint.
    pub accuracy_deg: Option<f64>,
}

pub(crate) fn measure_areas(
    areas: &[Area],
    gaze: &MeasuredGaze,
    head: Option<&HeadSamples>,
    range: &MeasuredRange,
    rate: f64,
) -> Vec<AreaMeasures> {
    let time = Some(gaze.tracked_time(range, rate)).filter(|time| *time > 0.0);
    let measure = |(index, area): (usize, &Area)| {
        let is_on_area = |fixation: &&FixationEvent| {
            fixation.area == Some(index) && range.contains_start(fixation.start_s)
        };
        let fixations: Vec<_> = gaze.fixations.iter().filter(is_on_area).collect();
        let is_in_range =
            |dwell: &&DwellEvent| dwell.index == index && range.contains_start(dwell.start_s);
        let dwells: Vec<_> = gaze.dwells.iter().filter(is_in_range).collect();
        let dwell_time: f64 = dwells.iter().map(|one| one.duration_s).sum();
        let count_if_tracked = |count: usize| time.map(|_| count);
        AreaMeasures {
            area: area.name.clone(),
            fixations: count_if_tracked(fixations.len()),
            first_fixation_s: fixations.first().map(|one| one.start_s - range.start),
            fixation_s: time.map(|_| fixations.iter().map(|one| one.duration_s).sum::<f64>() + 0.0),
            dwells: count_if_tracked(dwells.len()),
            first_dwell_s: dwells.first().map(|one| one.start_s - range.start),
            dwell_s: time.map(|_| dwell_time + 0.0),
            dwell_mean_s: (!dwells.is_empty()).then(|| dwell_time / dwells.len() as f64),
            dwell_share: time.map(|time| (dwell_time + 0.0) / time),
            revisits: dwells.len().checked_sub(1),
            accuracy_deg: measure_accuracy(area, gaze, head, range),
        }
    };
    areas.iter().enumerate().map(measure).collect()
}

/// Returns the length of the mean offset of the gaze from the area's centre, in degrees. Offsets are
/// averaged in the axes of the head, because the error of an eye tracker turns with the head.
///
/// ETDQualitizer (Niehorster et al.) defines accuracy in this way.
fn measure_accuracy(
    area: &Area,
    gaze: &MeasuredGaze,
    head: Option<&HeadSamples>,
    range: &MeasuredRange,
) -> Option<f64> {
    if area.joint.is_some() {
        return None;
    }
    let offset = |index: usize| {
        let ray = gaze.rays[index]?;
        let target = area.shape.centre() - ray.origin;
        let across = ray.direction.reject_from(target).try_normalize().unwrap_or_default();
        let offset = across * angle::between(ray.direction, target);
        let offset = head.map_or(offset, |head| head.rotations[index].inverse() * offset);
        offset.is_finite().then_some(offset)
    };
    let offsets: Vec<DVec3> = range.samples.clone().filter_map(offset).collect();
    let mean = offsets.iter().sum::<DVec3>() / offsets.len() as f64;
    (!offsets.is_empty()).then(|| mean.length())
}
