//! Computes the measures of a gaze over a range.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    measure::analysis::{
        Area, DispersionOptions, Fixation, GazeSample, Ray, dwells_from_hits,
        fixations_by_dispersion,
    },
};

use super::{
    events::{DwellEvent, FixationEvent},
    loss,
    precision::{PrecisionWindows, window_length},
    saccades,
    saccades::Saccade,
};
use crate::{
    StudyOptions,
    measures::Measures,
    range::MeasuredRange,
    sampling::{HeadSamples, find_nearest_area},
    signal::{
        Grid, angle,
        statistics::{fit_line, mean, median, standard_deviation},
    },
};

/// The conditions for fitting a main sequence: the number of saccades, and the ratio of the largest
/// amplitude to the smallest. With fewer or more similar saccades, the slope would be mostly noise.
const MIN_SEQUENCE_SACCADES: usize = 5;
const MIN_AMPLITUDE_RATIO: f64 = 2.0;

#[derive(Clone, Debug, Default)]
pub(crate) struct MeasuredGaze {
    /// One ray for each sample, `None` while the gaze is lost.
    pub(crate) rays: Vec<Option<Ray>>,
    pub(crate) fixations: Vec<FixationEvent>,
    pub(crate) saccades: Vec<Saccade>,
    pub(crate) dwells: Vec<DwellEvent>,
    /// The median angle between the gaze and the head's forward direction, in degrees.
    pub(crate) angle_to_head: Option<f64>,
}

pub(crate) struct GazeSamples {
    pub(crate) node: NodeId,
    pub(crate) rays: Vec<Option<Ray>>,
    /// The index of the area that each ray hits. Empty if there are no areas.
    pub(crate) hits: Vec<Option<usize>>,
}

impl MeasuredGaze {
    pub(crate) fn from_samples(
        clip: &Clip,
        samples: GazeSamples,
        head: Option<&HeadSamples>,
        areas: &[Area],
        grid: &Grid,
        options: &StudyOptions,
    ) -> Self {
        let GazeSamples { node, mut rays, hits } = samples;
        loss::remove_undefined(&mut rays, clip, node, grid);
        let angle_to_head = head.and_then(|head| loss::median_angle_to_head(&rays, head));
        if let Some(head) = head {
            loss::remove_lost(&mut rays, head, grid.rate);
        }
        let hit =
            |index: usize| hits.get(index).copied().flatten().filter(|_| rays[index].is_some());
        let dwells = dwells_from_hits((0..rays.len()).map(|index| (grid.time(index), hit(index))));
        let dwells = dwells.into_iter().map(|dwell| DwellEvent {
            area: areas[dwell.area].name.clone(),
            start_s: dwell.start,
            end_s: dwell.end,
            duration_s: dwell.end - dwell.start,
            index: dwell.area,
        });
        let dwells = dwells.collect();
        let saccades = saccades::detect_saccades(&rays, head, grid, options);
        let fixations = detect_fixations(clip, &rays, areas, grid, options);
        Self { rays, fixations, saccades, dwells, angle_to_head }
    }

    /// Returns the time in which the gaze is tracked, in seconds. A step between two samples is
    /// tracked if both samples are.
    pub(crate) fn tracked_time(&self, range: &MeasuredRange, rate: f64) -> f64 {
        let is_tracked =
            |step: &usize| self.rays[*step].is_some() && self.rays[*step + 1].is_some();
        range.steps().filter(is_tracked).count() as f64 / rate
    }

    pub(crate) fn measure(&self, range: &MeasuredRange, rate: f64, measures: &mut Measures) {
        let tracked = self.rays[range.samples.clone()].iter().flatten().count();
        let samples = Some(range.samples.len()).filter(|samples| *samples > 0);
        measures.add("gaze_tracked_share", samples.map(|samples| tracked as f64 / samples as f64));
        let time = Some(self.tracked_time(range, rate)).filter(|time| *time > 0.0);
        self.measure_precision(range, rate, measures);
        self.measure_fixations(range, time, measures);
        self.measure_saccades(range, time, measures);
    }

    fn measure_precision(&self, range: &MeasuredRange, rate: f64, measures: &mut Measures) {
        let rays = &self.rays[range.samples.clone()];
        let directions: Vec<Option<DVec3>> =
            rays.iter().map(|ray| ray.map(|ray| ray.direction)).collect();
        let mut windows = PrecisionWindows::default();
        windows.add(&directions, window_length(1.0 / rate));
        let precision = windows.medians();
        measures.add("gaze_rms_s2s_deg", precision.rms_s2s.map(f64::to_degrees));
        measures.add("gaze_std_deg", precision.deviation.map(f64::to_degrees));
        let bcea = precision.bcea.map(|area| area.to_degrees().to_degrees());
        measures.add("gaze_bcea_deg2", bcea);
    }

    fn measure_fixations(&self, range: &MeasuredRange, time: Option<f64>, measures: &mut Measures) {
        let within: Vec<_> =
            self.fixations.iter().filter(|one| range.contains_start(one.start_s)).collect();
        let count = time.map(|_| within.len());
        measures.add("gaze_fixations", count);
        measures.add("gaze_fixation_rate_hz", time.map(|time| within.len() as f64 / time));
        let durations: Vec<f64> = within.iter().map(|one| one.duration_s).collect();
        measures.add("gaze_fixation_duration_mean_s", mean(&durations));
        measures.add("gaze_fixation_duration_median_s", median(durations.clone()));
        measures.add("gaze_fixation_duration_sd_s", standard_deviation(&durations));
        let directions =
            within.iter().map(|one| DVec3::from_array(one.direction)).collect::<Vec<_>>();
        let path = directions.windows(2).map(|pair| angle::between(pair[0], pair[1])).sum::<f64>();
        measures.add("gaze_scan_path_deg", count.map(|_| path));
    }

    fn measure_saccades(&self, range: &MeasuredRange, time: Option<f64>, measures: &mut Measures) {
        let within: Vec<&Saccade> =
            self.saccades.iter().filter(|one| range.contains_start(one.start_s)).collect();
        measures.add("gaze_saccades", time.map(|_| within.len()));
        measures.add("gaze_saccade_rate_hz", time.map(|time| within.len() as f64 / time));
        let collect =
            |number: fn(&Saccade) -> f64| within.iter().map(|one| number(one)).collect::<Vec<_>>();
        let amplitudes = collect(|one| one.amplitude_deg);
        measures.add("gaze_saccade_amplitude_mean_deg", mean(&amplitudes));
        measures.add("gaze_saccade_amplitude_median_deg", median(amplitudes.clone()));
        let velocity = median(collect(|one| one.peak_velocity_degps));
        measures.add("gaze_saccade_peak_velocity_median_degps", velocity);
        measures.add("gaze_saccade_duration_median_s", median(collect(|one| one.duration_s)));
        let sequence = fit_main_sequence(&within);
        measures.add("gaze_main_sequence_exponent", sequence.map(|sequence| sequence.0));
        measures.add("gaze_main_sequence_1deg_degps", sequence.map(|sequence| sequence.1));
        let head: Option<f64> = within.iter().map(|one| one.head_deg).sum();
        let all: f64 = amplitudes.iter().sum();
        measures.add("gaze_head_share", head.filter(|_| all > 0.0).map(|head| head / all));
    }
}

/// Fits the main sequence: returns the exponent of peak velocity over amplitude, and the peak
/// velocity at 1°, in degrees per second. `None` if the saccades are too few or too similar.
pub(crate) fn fit_main_sequence(saccades: &[&Saccade]) -> Option<(f64, f64)> {
    let amplitudes = saccades.iter().map(|one| one.amplitude_deg);
    let (smallest, largest) =
        (amplitudes.clone().fold(f64::INFINITY, f64::min), amplitudes.fold(0.0, f64::max));
    if saccades.len() < MIN_SEQUENCE_SACCADES || largest < MIN_AMPLITUDE_RATIO * smallest {
        return None;
    }
    let points = saccades.iter().map(|one| (one.amplitude_deg.ln(), one.peak_velocity_degps.ln()));
    let (slope, intercept) = fit_line(&points.collect::<Vec<_>>())?;
    Some((slope, intercept.exp()))
}

fn detect_fixations(
    clip: &Clip,
    rays: &[Option<Ray>],
    areas: &[Area],
    grid: &Grid,
    options: &StudyOptions,
) -> Vec<FixationEvent> {
    let sample =
        |(index, ray): (usize, &Option<Ray>)| GazeSample { time: grid.time(index), ray: *ray };
    let samples: Vec<GazeSample> = rays.iter().enumerate().map(sample).collect();
    let thresholds = DispersionOptions {
        max_dispersion: options.fixation_dispersion_deg.to_radians(),
        min_duration: options.fixation_duration_s,
    };
    let needs_pose = areas.iter().any(|area| area.joint.is_some());
    let mut pose = Pose::default();
    let mut area_of = |fixation: &Fixation| {
        if needs_pose {
            clip.sample(f64::midpoint(fixation.start, fixation.end), &mut pose);
        }
        let ray = Ray { origin: fixation.origin, direction: fixation.direction };
        find_nearest_area(areas, ray, needs_pose.then_some(&pose))
    };
    let event = |fixation: Fixation| FixationEvent {
        start_s: fixation.start,
        end_s: fixation.end,
        duration_s: fixation.end - fixation.start,
        direction: fixation.direction.to_array(),
        origin: fixation.origin.to_array(),
        area: area_of(&fixation),
    };
    fixations_by_dispersion(&samples, &thresholds).into_iter().map(event).collect()
}
