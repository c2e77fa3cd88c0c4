//! Detects movements of a wrist: runs of samples in which its speed is above a threshold.

use std::ops::Range;

use glam::DVec3;
use serde::Serialize;

use super::{
    kinematics::Kinematics,
    smoothness::{log_dimensionless_jerk, spectral_arc_length},
};
use crate::{
    StudyOptions,
    measures::serialize_finite,
    signal::{Grid, LowPass, grid::TIME_TOLERANCE_S, peaks, stretch::find_runs},
};

/// The smallest prominence of a speed peak, as a share of the peak speed and in metres per second.
/// The larger of the two applies.
const MIN_PROMINENCE_SHARE: f64 = 0.05;
const MIN_PROMINENCE_MPS: f64 = 0.02;

/// A movement of a wrist, from one rest to the next. An undefined number is NaN.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Movement {
    /// The hand: `right` or `left`, or empty if it is unknown.
    pub hand: &'static str,
    /// The time of the first sample, in seconds.
    pub start_s: f64,
    /// The time of the last sample, in seconds.
    pub end_s: f64,
    /// The duration in seconds.
    pub duration_s: f64,
    /// The length of the path, in metres.
    pub path_m: f64,
    /// The distance from the first position to the last, in metres.
    pub displacement_m: f64,
    /// The displacement divided by the path length. 1 is a straight line.
    #[serde(serialize_with = "serialize_finite")]
    pub straightness: f64,
    /// The largest speed, in metres per second.
    pub peak_speed_mps: f64,
    /// The path length divided by the duration, in metres per second.
    #[serde(serialize_with = "serialize_finite")]
    pub mean_speed_mps: f64,
    /// The time from the start to the peak speed, in seconds.
    pub time_to_peak_s: f64,
    /// The number of prominent peaks of the speed, an estimate of the number of submovements.
    pub speed_peaks: usize,
    /// The log dimensionless jerk, computed from the jerk vector.
    #[serde(serialize_with = "serialize_finite")]
    pub ldlj: f64,
    /// The spectral arc length.
    #[serde(serialize_with = "serialize_finite")]
    pub sparc: f64,
    /// `true` if the movement touches an end of its tracked stretch. It may then have begun earlier
    /// or ended later.
    pub cut: bool,
}

/// Detects the movements of a point whose positions, in metres, are sampled at `rate` Hz. The first
/// sample is at 0 s. A missing position is NaN.
pub fn movements(positions: &[DVec3], rate: f64, options: &StudyOptions) -> Vec<Movement> {
    let filter = LowPass::new(options.cutoff_hz, rate);
    let kinematics = Kinematics::from_positions(positions, filter.as_ref(), rate);
    let grid = Grid::with_count(rate, positions.len());
    detect_movements(&kinematics, &grid, "", options)
}

pub(crate) fn detect_movements(
    kinematics: &Kinematics,
    grid: &Grid,
    hand: &'static str,
    options: &StudyOptions,
) -> Vec<Movement> {
    let mut movements = Vec::new();
    for stretch in &kinematics.stretches {
        for samples in find_fast_runs(kinematics, stretch, grid.rate, options) {
            let cut = samples.start == stretch.start || samples.end == stretch.end;
            movements.push(Movement { cut, ..measure_movement(kinematics, samples, grid, hand) });
        }
    }
    movements
}

fn find_fast_runs(
    kinematics: &Kinematics,
    stretch: &Range<usize>,
    rate: f64,
    options: &StudyOptions,
) -> Vec<Range<usize>> {
    let speed = &kinematics.speed[stretch.clone()];
    let mut merged: Vec<Range<usize>> = Vec::new();
    for run in find_runs(speed.len(), |index| speed[index] >= options.movement_speed_mps) {
        // Measure the gap from the last sample of one run to the first sample of the next run.
        let gap = |last: &Range<usize>| (run.start - last.end + 1) as f64 / rate;
        match merged
            .last_mut()
            .filter(|last| gap(last) <= options.movement_gap_s + TIME_TOLERANCE_S)
        {
            Some(last) => last.end = run.end,
            None => merged.push(run),
        }
    }
    let peak = |run: &Range<usize>| speed[run.clone()].iter().copied().fold(0.0, f64::max);
    merged.retain(|run| {
        (run.len() - 1) as f64 / rate >= options.movement_duration_s - TIME_TOLERANCE_S
            && peak(run) >= options.movement_peak_mps
    });
    let in_recording = |run: Range<usize>| run.start + stretch.start..run.end + stretch.start;
    merged.into_iter().map(in_recording).collect()
}

fn measure_movement(
    kinematics: &Kinematics,
    samples: Range<usize>,
    grid: &Grid,
    hand: &'static str,
) -> Movement {
    let (first, last) = (samples.start, samples.end - 1);
    let positions = &kinematics.positions[samples.clone()];
    let speed = &kinematics.speed[samples.clone()];
    let jerk_squared = &kinematics.jerk_squared[samples];
    let path: f64 = positions.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let displacement = positions[0].distance(positions[positions.len() - 1]);
    let (at_peak, peak) = first_maximum(speed);
    let duration = (last - first) as f64 / grid.rate;
    Movement {
        hand,
        start_s: grid.time(first),
        end_s: grid.time(last),
        duration_s: duration,
        path_m: path,
        displacement_m: displacement,
        straightness: displacement / path,
        peak_speed_mps: peak,
        mean_speed_mps: path / duration,
        time_to_peak_s: at_peak as f64 / grid.rate,
        speed_peaks: peaks::count_prominent(
            speed,
            (MIN_PROMINENCE_SHARE * peak).max(MIN_PROMINENCE_MPS),
        ),
        ldlj: log_dimensionless_jerk(jerk_squared, peak, grid.rate),
        sparc: spectral_arc_length(speed, grid.rate),
        cut: false,
    }
}

/// Returns the index and value of the first maximum. The value is −∞ if `values` is empty or all
/// NaN.
pub(crate) fn first_maximum(values: &[f64]) -> (usize, f64) {
    let larger = |best: (usize, f64), (index, value): (usize, f64)| {
        if value > best.1 { (index, value) } else { best }
    };
    values.iter().copied().enumerate().fold((0, f64::NEG_INFINITY), larger)
}
