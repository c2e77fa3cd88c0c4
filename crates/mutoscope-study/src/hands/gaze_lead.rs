//! Finds the time at which the gaze reaches a target that the hand then grasps.

use glam::DVec3;
use mutoscope_core::measure::analysis::Ray;

use crate::signal::{Grid, angle, grid::TIME_TOLERANCE_S};

const MAX_LOOK_GAP_S: f64 = 0.075;
const MAX_LOOK_AGE_S: f64 = 1.0;
/// The longest look that is measured, in seconds. Without this limit, the search for the start of a
/// look could visit all earlier samples of the recording for each pinch.
const MAX_LOOK_DURATION_S: f64 = 600.0;

/// Returns the time, in seconds, at which the gaze last began to look at `target` before a pinch.
///
/// `time` is the start of the pinch, and `last` is the last sample to search. Returns `None` if the
/// gaze was not on the target in the second before the pinch, or if the look began more than
/// [`MAX_LOOK_DURATION_S`] before the pinch or with the recording.
pub(crate) fn find_look_onset(
    gaze: &[Option<Ray>],
    grid: &Grid,
    target: DVec3,
    last: usize,
    time: f64,
    max_angle_deg: f64,
) -> Option<f64> {
    let is_on = |index: usize| {
        gaze[index]
            .is_some_and(|ray| angle::between(ray.direction, target - ray.origin) <= max_angle_deg)
    };
    let first = grid.samples_within(time - MAX_LOOK_DURATION_S, time).start;
    let mut looks = (first..=last).rev().filter(|index| is_on(*index));
    let mut start =
        looks.next().filter(|end| time - grid.time(*end) <= MAX_LOOK_AGE_S + TIME_TOLERANCE_S)?;
    for index in looks {
        if (start - index) as f64 / grid.rate > MAX_LOOK_GAP_S + TIME_TOLERANCE_S {
            break;
        }
        start = index;
    }
    (start > first).then(|| grid.time(start))
}
