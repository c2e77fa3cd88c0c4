//! By how much the gaze is on a target before the hand.

use glam::DVec3;
use mutoscope_core::measure::analysis::Ray;

use crate::signal::{Grid, angle, grid::SLACK};

/// The longest pause within a look at a target, in seconds.
const JOINED: f64 = 0.075;
/// How long before a pinch a look may have ended, in seconds.
const LATEST_END: f64 = 1.0;
/// The longest look that is measured, in seconds: looking back costs time for each pinch.
const LONGEST: f64 = 600.0;

/// The time at which the gaze came to `target` last, before the sample `last`, at which the hand is there at `time`:
/// seconds. `None` if it did not within a second, or was there from the start.
pub(crate) fn onset(
    gaze: &[Option<Ray>],
    grid: &Grid,
    target: DVec3,
    (last, time): (usize, f64),
    most_degrees: f64,
) -> Option<f64> {
    let is_on = |index: usize| {
        gaze[index]
            .is_some_and(|ray| angle::between(ray.direction, target - ray.origin) <= most_degrees)
    };
    let first = grid.within(time - LONGEST, time).start;
    let mut on = (first..=last).rev().filter(|index| is_on(*index));
    let mut start = on.next().filter(|end| time - grid.time(*end) <= LATEST_END + SLACK)?;
    for index in on {
        if (start - index) as f64 / grid.rate > JOINED + SLACK {
            break;
        }
        start = index;
    }
    (start > first).then(|| grid.time(start))
}
