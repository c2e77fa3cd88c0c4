//! Where a gaze is only the head's forward: recorders write that while the eye is not tracked.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeId, Rotation},
    measure::analysis::Ray,
};

use crate::{
    sampling::HeadSamples,
    signal::{Grid, angle, grid::SLACK, statistics::median, stretch::runs},
};

/// The largest angle between a lost gaze and the head's forward, in degrees.
const ANGLE: f64 = 0.02;
/// The least duration of a loss, in seconds.
const DURATION: f64 = 0.1;

/// Removes the rays of a gaze between keys of which one has no direction: its components are not finite, or all 0.
/// A clip looks ahead there.
pub(crate) fn remove_undefined(gaze: &mut [Option<Ray>], clip: &Clip, node: NodeId, grid: &Grid) {
    let Rotation::Direction(direction) = &clip.nodes[node].motion.rotation else { return };
    let curves = direction.tracks().map(|track| clip.track(track).curve.key_times());
    let mut times: Vec<f64> = curves.into_iter().flatten().copied().collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let is_undefined = |time: f64| {
        let direction = direction.at(&clip.tracks, time);
        !direction.is_finite() || direction == DVec3::ZERO
    };
    let is_undefined: Vec<bool> = times.iter().map(|time| is_undefined(*time)).collect();
    for keys in runs(times.len(), |key| is_undefined[key]) {
        let before = keys.start.checked_sub(1).map_or(f64::NEG_INFINITY, |key| times[key]);
        let after = times.get(keys.end).copied().unwrap_or(f64::INFINITY);
        let samples = grid.within(before, after);
        for index in
            samples.filter(|index| (before + SLACK..after - SLACK).contains(&grid.time(*index)))
        {
            gaze[index] = None;
        }
    }
}

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
