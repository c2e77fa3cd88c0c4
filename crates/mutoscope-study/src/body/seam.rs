//! Measures how well the last pose of a loop leads to the first.

use super::samples::BodySamples;
use crate::{
    range::MeasuredRange,
    signal::{angle, statistics::median},
};

/// The seam of a loop. Positions are relative to the horizontal position of the root, because a
/// looping walk may move on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seam {
    /// The largest distance between the first and the last position of a joint, in metres.
    pub(super) gap: f64,
    /// The gap, divided by the largest median step of a joint. `None` if no joint moves.
    pub(super) gap_steps: Option<f64>,
    /// The largest angle between the first and the last rotation of a joint, in degrees.
    pub(super) angle: f64,
    /// The largest difference between the first and the last velocity of a joint, in metres per
    /// second.
    pub(super) velocity_gap: f64,
}

/// Compares both ends of a range. `None` if the range has fewer than three frames.
pub(super) fn measure_seam(body: &BodySamples<'_>, range: &MeasuredRange) -> Option<Seam> {
    if range.samples.len() < 3 {
        return None;
    }
    let (first, last) = (range.samples.start, range.samples.end - 1);
    let [start, second, before_end, end] =
        [first, first + 1, last - 1, last].map(|index| body.sample_pose(index));
    let joints = 0..body.joints.len();
    let largest = |value: &dyn Fn(usize) -> f64| joints.clone().map(value).fold(f64::NAN, f64::max);
    let gap = largest(&|joint| end.positions[joint].distance(start.positions[joint]));
    let angle = largest(&|joint| {
        angle::rotation_vector(start.rotations[joint], end.rotations[joint]).length()
    });
    let velocity_gap = largest(&|joint| {
        let first_step = second.positions[joint] - start.positions[joint];
        (end.positions[joint] - before_end.positions[joint]).distance(first_step) * body.grid.rate
    });
    let largest_step = largest(&|joint| {
        let steps = range.steps().map(|step| body.steps[step * body.joints.len() + joint]);
        median(steps.filter(|step| step.is_finite()).collect()).unwrap_or(f64::NAN)
    });
    Some(Seam {
        gap,
        gap_steps: (largest_step > 0.0).then(|| gap / largest_step),
        angle,
        velocity_gap,
    })
}
