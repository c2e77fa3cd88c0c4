//! Detects saccades by velocity (I-VT).

use glam::DVec3;
use mutoscope_core::measure::analysis::Ray;
use serde::Serialize;

use crate::{
    StudyOptions,
    sampling::HeadSamples,
    signal::{Grid, angle, stretch::find_runs},
};

/// A saccade of a gaze.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Saccade {
    /// The time of the first sample, in seconds.
    pub start_s: f64,
    /// The time of the last sample, in seconds.
    pub end_s: f64,
    /// The duration in seconds.
    pub duration_s: f64,
    /// The angle between the first and the last direction, in degrees.
    pub amplitude_deg: f64,
    /// The largest angular velocity, in degrees per second.
    pub peak_velocity_degps: f64,
    /// The amplitude divided by the duration, in degrees per second.
    pub mean_velocity_degps: f64,
    /// The rotation of the head about the axis of the saccade in the same time, in degrees. `None`
    /// without a head.
    pub head_deg: Option<f64>,
}

/// Detects the saccades in gaze directions that are sampled at `rate` Hz. The first sample is at 0
/// s. A direction is `None` while the gaze is lost.
pub fn saccades(directions: &[Option<DVec3>], rate: f64, options: &StudyOptions) -> Vec<Saccade> {
    let ray = |direction: &Option<DVec3>| {
        let direction = direction.and_then(DVec3::try_normalize)?;
        Some(Ray { origin: DVec3::ZERO, direction })
    };
    let rays: Vec<_> = directions.iter().map(ray).collect();
    detect_saccades(&rays, None, &Grid::with_count(rate, rays.len()), options)
}

pub(crate) fn detect_saccades(
    gaze: &[Option<Ray>],
    head: Option<&HeadSamples>,
    grid: &Grid,
    options: &StudyOptions,
) -> Vec<Saccade> {
    let velocity = |step: usize| match (gaze[step], gaze[step + 1]) {
        (Some(one), Some(other)) => angle::between(one.direction, other.direction) * grid.rate,
        _ => 0.0,
    };
    let velocities: Vec<f64> = (0..gaze.len().saturating_sub(1)).map(velocity).collect();
    let fast =
        find_runs(velocities.len(), |step| velocities[step] >= options.saccade_velocity_degps);
    let saccade = |steps: std::ops::Range<usize>| {
        let (first, last) = (steps.start, steps.end);
        let (from, to) = (gaze[first]?.direction, gaze[last]?.direction);
        let (amplitude, duration) = (angle::between(from, to), steps.len() as f64 / grid.rate);
        (amplitude >= options.saccade_amplitude_deg).then(|| Saccade {
            start_s: grid.time(first),
            end_s: grid.time(last),
            duration_s: duration,
            amplitude_deg: amplitude,
            peak_velocity_degps: velocities[steps].iter().copied().fold(0.0, f64::max),
            mean_velocity_degps: amplitude / duration,
            head_deg: head.and_then(|head| head_turn_deg(head, [first, last], from.cross(to))),
        })
    };
    fast.into_iter().filter_map(saccade).collect()
}

fn head_turn_deg(head: &HeadSamples, [first, last]: [usize; 2], axis: DVec3) -> Option<f64> {
    let turn = angle::rotation_vector(head.rotations[first], head.rotations[last]);
    Some(turn.dot(axis.try_normalize()?)).filter(|part| part.is_finite())
}
