//! Detects samples in which the gaze is lost. Recorders write the head's forward direction while
//! they cannot track the eye.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeId, Rotation},
    measure::analysis::Ray,
};

use crate::{
    sampling::HeadSamples,
    signal::{Grid, angle, grid::TIME_TOLERANCE_S, statistics::median, stretch::find_runs},
};

const MAX_LOST_ANGLE_DEG: f64 = 0.02;
/// The shortest loss, in seconds. A real gaze may cross the head's forward direction for a shorter
/// time.
const MIN_LOSS_S: f64 = 0.1;

/// Removes the rays around gaze keys that have no direction. Such a key is all 0, or one of its
/// components is not finite.
///
/// Where the direction is missing, a clip returns a gaze straight ahead. Without this function,
/// these samples would be measured as a real gaze.
pub(crate) fn remove_undefined(gaze: &mut [Option<Ray>], clip: &Clip, node: NodeId, grid: &Grid) {
    let Rotation::Direction(direction) = &clip.nodes[node].motion.rotation else { return };
    let curves = direction.tracks().map(|track| clip.track(track).curve.key_times());
    let mut times: Vec<f64> = curves.into_iter().flatten().copied().collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let is_undefined = |time: f64| !is_defined(direction.evaluate_at(&clip.tracks, time));
    let is_undefined: Vec<bool> = times.iter().map(|time| is_undefined(*time)).collect();
    for keys in find_runs(times.len(), |key| is_undefined[key]) {
        let before = keys.start.checked_sub(1).map_or(f64::NEG_INFINITY, |key| times[key]);
        let after = times.get(keys.end).copied().unwrap_or(f64::INFINITY);
        let samples = grid.samples_within(before, after);
        for index in samples.filter(|index| {
            (before + grid.tolerance_s(before)..after - grid.tolerance_s(after))
                .contains(&grid.time(*index))
        }) {
            gaze[index] = None;
        }
    }
}

/// Returns `true` if a stored direction says where the gaze looks. Recorders write zeros or NaN while
/// it is lost.
pub(crate) fn is_defined(direction: DVec3) -> bool {
    direction.is_finite() && direction != DVec3::ZERO
}

pub(crate) fn remove_lost(gaze: &mut [Option<Ray>], head: &HeadSamples, rate: f64) {
    let is_forward = |index: usize| {
        angle_to_head(gaze, head, index).is_some_and(|angle| angle <= MAX_LOST_ANGLE_DEG)
    };
    let mut lost = find_runs(gaze.len(), is_forward);
    lost.retain(|run| (run.len() - 1) as f64 / rate >= MIN_LOSS_S - TIME_TOLERANCE_S);
    lost.into_iter().for_each(|run| gaze[run].fill(None));
}

/// Returns the median angle between the gaze and the head's forward direction, in degrees.
pub(crate) fn median_angle_to_head(gaze: &[Option<Ray>], head: &HeadSamples) -> Option<f64> {
    median((0..gaze.len()).filter_map(|index| angle_to_head(gaze, head, index)).collect())
}

fn angle_to_head(gaze: &[Option<Ray>], head: &HeadSamples, index: usize) -> Option<f64> {
    let forward = head.rotations[index] * DVec3::NEG_Z;
    let angle = angle::between(gaze[index]?.direction, forward);
    angle.is_finite().then_some(angle)
}
