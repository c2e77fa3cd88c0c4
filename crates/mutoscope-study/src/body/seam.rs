//! How well the last pose of a loop leads to the first.

use super::samples::BodySamples;
use crate::{
    range::MeasuredRange,
    signal::{angle, statistics::median},
};

/// The seam of a loop. The horizontal place of the root is taken off, as a loop may walk on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seam {
    /// The largest distance of a joint's last place from its first, in metres.
    pub(super) gap: f64,
    /// The same by the largest median step of a joint; `None` if no joint moves.
    pub(super) gap_steps: Option<f64>,
    /// The largest angle between a joint's last rotation and its first, in degrees.
    pub(super) angle: f64,
    /// The largest difference of a joint's last velocity from its first, in metres per second.
    pub(super) velocity_gap: f64,
}

/// The seam between the ends of a range; `None` under three frames.
pub(super) fn seam(body: &BodySamples<'_>, range: &MeasuredRange) -> Option<Seam> {
    if range.samples.len() < 3 {
        return None;
    }
    let (first, last) = (range.samples.start, range.samples.end - 1);
    let [one, two, before, end] = [first, first + 1, last - 1, last].map(|index| body.pose(index));
    let joints = 0..body.joints.len();
    let largest = |value: &dyn Fn(usize) -> f64| joints.clone().map(value).fold(f64::NAN, f64::max);
    let gap = largest(&|joint| end.places[joint].distance(one.places[joint]));
    let angle = largest(&|joint| angle::turn(one.rotations[joint], end.rotations[joint]).length());
    let velocity_gap = largest(&|joint| {
        let first_step = two.places[joint] - one.places[joint];
        (end.places[joint] - before.places[joint]).distance(first_step) * body.grid.rate
    });
    let typical = largest(&|joint| {
        let steps = range.steps().map(|step| body.steps[step * body.joints.len() + joint]);
        median(steps.filter(|step| step.is_finite()).collect()).unwrap_or(f64::NAN)
    });
    Some(Seam { gap, gap_steps: (typical > 0.0).then(|| gap / typical), angle, velocity_gap })
}
