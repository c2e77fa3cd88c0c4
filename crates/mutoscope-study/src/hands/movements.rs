//! Movements of a wrist: runs of samples at which it is fast.

use std::ops::Range;

use glam::DVec3;
use serde::Serialize;

use super::{
    kinematics::Kinematics,
    smoothness::{log_dimensionless_jerk, spectral_arc_length},
};
use crate::{
    StudyOptions,
    measures::finite,
    signal::{Grid, LowPass, grid::SLACK, peaks, stretch::runs},
};

/// The least prominence of a peak of speed: this part of the largest speed, and this many metres per second.
const PEAK_SHARE: f64 = 0.05;
const PEAK_LEAST: f64 = 0.02;

/// A movement of a wrist, from one rest to the next. Numbers that are undefined are NaN.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Movement {
    /// The hand: `right` or `left`; empty where it is unknown.
    pub hand: &'static str,
    /// The time of its first sample, in seconds.
    pub start_s: f64,
    /// The time of its last sample, in seconds.
    pub end_s: f64,
    /// Seconds.
    pub duration_s: f64,
    /// The length of its path, in metres.
    pub path_m: f64,
    /// The distance from its first place to its last, in metres.
    pub displacement_m: f64,
    /// Displacement by path: 1 is straight.
    #[serde(serialize_with = "finite")]
    pub straightness: f64,
    /// The largest speed, in metres per second.
    pub peak_speed_mps: f64,
    /// Path by duration, in metres per second.
    #[serde(serialize_with = "finite")]
    pub mean_speed_mps: f64,
    /// From its start to its largest speed, in seconds.
    pub time_to_peak_s: f64,
    /// The number of prominent peaks of speed: an estimate of the number of submovements.
    pub speed_peaks: usize,
    /// The log dimensionless jerk, of the vector jerk.
    #[serde(serialize_with = "finite")]
    pub ldlj: f64,
    /// The spectral arc length.
    #[serde(serialize_with = "finite")]
    pub sparc: f64,
    /// Whether it touches an end of the tracked stretch that it is in: then it may have begun earlier, or gone on.
    pub cut: bool,
}

/// The movements of a point whose places are known `rate` times per second from 0 s on, in metres; NaN where there
/// is none.
pub fn movements(places: &[DVec3], rate: f64, options: &StudyOptions) -> Vec<Movement> {
    let filter = LowPass::new(options.cutoff_hz, rate);
    let kinematics = Kinematics::of(places, filter.as_ref(), rate);
    let grid = Grid { start: 0.0, rate, count: places.len() };
    of_kinematics(&kinematics, &grid, "", options)
}

pub(crate) fn of_kinematics(
    kinematics: &Kinematics,
    grid: &Grid,
    hand: &'static str,
    options: &StudyOptions,
) -> Vec<Movement> {
    let mut movements = Vec::new();
    for stretch in &kinematics.stretches {
        for samples in fast_runs(kinematics, stretch, grid.rate, options) {
            let cut = samples.start == stretch.start || samples.end == stretch.end;
            movements.push(Movement { cut, ..movement(kinematics, samples, grid, hand) });
        }
    }
    movements
}

/// The samples of each movement within a stretch.
fn fast_runs(
    kinematics: &Kinematics,
    stretch: &Range<usize>,
    rate: f64,
    options: &StudyOptions,
) -> Vec<Range<usize>> {
    let speed = &kinematics.speed[stretch.clone()];
    let mut merged: Vec<Range<usize>> = Vec::new();
    for run in runs(speed.len(), |index| speed[index] >= options.movement_speed_mps) {
        // From the last sample of one to the first of the next.
        let gap = |last: &Range<usize>| (run.start - last.end + 1) as f64 / rate;
        match merged.last_mut().filter(|last| gap(last) <= options.movement_gap_s + SLACK) {
            Some(last) => last.end = run.end,
            None => merged.push(run),
        }
    }
    let peak = |run: &Range<usize>| speed[run.clone()].iter().copied().fold(0.0, f64::max);
    merged.retain(|run| {
        (run.len() - 1) as f64 / rate >= options.movement_duration_s - SLACK
            && peak(run) >= options.movement_peak_mps
    });
    let in_recording = |run: Range<usize>| run.start + stretch.start..run.end + stretch.start;
    merged.into_iter().map(in_recording).collect()
}

fn movement(
    kinematics: &Kinematics,
    samples: Range<usize>,
    grid: &Grid,
    hand: &'static str,
) -> Movement {
    let (first, last) = (samples.start, samples.end - 1);
    let places = &kinematics.places[samples.clone()];
    let speed = &kinematics.speed[samples.clone()];
    let jerk_squared = &kinematics.jerk_squared[samples];
    let path: f64 = places.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let displacement = places[0].distance(places[places.len() - 1]);
    let (at_peak, peak) = largest(speed);
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
        speed_peaks: peaks::count(speed, (PEAK_SHARE * peak).max(PEAK_LEAST)),
        ldlj: log_dimensionless_jerk(jerk_squared, peak, grid.rate),
        sparc: spectral_arc_length(speed, grid.rate),
        cut: false,
    }
}

/// The first of the largest values, and that value.
pub(crate) fn largest(values: &[f64]) -> (usize, f64) {
    let larger = |best: (usize, f64), (index, value): (usize, f64)| {
        if value > best.1 { (index, value) } else { best }
    };
    values.iter().copied().enumerate().fold((0, f64::NEG_INFINITY), larger)
}
