//! Where a gaze is only the head's forward: recorders write that while the eye is not tracked.

use glam::DVec3;
use mutoscope_core::measure::analysis::Ray;

use crate::{
    sampling::HeadSamples,
    signal::{angle, grid::SLACK, statistics::median, stretch::runs},
};

/// The largest angle between a lost gaze and the head's forward, in degrees.
const ANGLE: f64 = 0.02;
/// The least duration of a loss, in seconds.
const DURATION: f64 = 0.1;

/// Removes the rays of a gaze, `rate` per second, where it is lost.
pub(crate) fn remove_lost(gaze: &mut [Option<Ray>], head: &HeadSamples, rate: f64) {
    let is_forward =
        |index: usize| angle_to_head(gaze, head, index).is_some_and(|angle| angle <= ANGLE);
    let mut lost = runs(gaze.len(), is_forward);
    lost.retain(|run| (run.len() - 1) as f64 / rate >= DURATION - SLACK);
    lost.into_iter().for_each(|run| gaze[run].fill(None));
}

/// The median angle between a gaze and the head's forward, in degrees.
pub(crate) fn median_angle_to_head(gaze: &[Option<Ray>], head: &HeadSamples) -> Option<f64> {
    median((0..gaze.len()).filter_map(|index| angle_to_head(gaze, head, index)).collect())
}

fn angle_to_head(gaze: &[Option<Ray>], head: &HeadSamples, index: usize) -> Option<f64> {
    let forward = head.rotations[index] * DVec3::NEG_Z;
    let angle = angle::between(gaze[index]?.direction, forward);
    angle.is_finite().then_some(angle)
}
