//! The measures of a gaze over a range.

use glam::DVec3;
use mutoscope_core::{
    clip::{Clip, NodeId, Pose},
    measure::analysis::{
        Area, DispersionOptions, Fixation, GazeSample, Ray, dwells_of_hits, fixations_by_dispersion,
    },
};

use super::{
    looks::{DwellEvent, FixationEvent},
    lost, saccades,
    saccades::Saccade,
};
use crate::{
    StudyOptions,
    measures::Measures,
    range::MeasuredRange,
    sampling::{HeadSamples, nearest},
    signal::{
        Grid, angle,
        statistics::{deviation, line, mean, median},
    },
};

/// The fewest saccades that have a main sequence, and how many times as large as the smallest the largest is.
const FEWEST_OF_SEQUENCE: usize = 5;
const SPREAD_OF_SEQUENCE: f64 = 2.0;

/// All that is known of a gaze over a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct MeasuredGaze {
    /// The gaze, `None` where it is lost.
    pub(crate) rays: Vec<Option<Ray>>,
    pub(crate) fixations: Vec<FixationEvent>,
    pub(crate) saccades: Vec<Saccade>,
    pub(crate) dwells: Vec<DwellEvent>,
    /// The median angle to the head's forward, in degrees.
    pub(crate) angle_to_head: Option<f64>,
}

impl MeasuredGaze {
    pub(crate) fn of(
        (clip, node): (&Clip, NodeId),
        (mut rays, hits): (Vec<Option<Ray>>, Vec<Option<usize>>),
        head: Option<&HeadSamples>,
        areas: &[Area],
        grid: &Grid,
        options: &StudyOptions,
    ) -> Self {
        lost::remove_undefined(&mut rays, clip, node, grid);
        let angle_to_head = head.and_then(|head| lost::median_angle_to_head(&rays, head));
        if let Some(head) = head {
            lost::remove_lost(&mut rays, head, grid.rate);
        }
        let hit =
            |index: usize| hits.get(index).copied().flatten().filter(|_| rays[index].is_some());
        let dwells = dwells_of_hits((0..rays.len()).map(|index| (grid.time(index), hit(index))));
        let dwells = dwells.into_iter().map(|dwell| DwellEvent {
            area: areas[dwell.area].name.clone(),
            start_s: dwell.start,
            end_s: dwell.end,
            duration_s: dwell.end - dwell.start,
            index: dwell.area,
        });
        let dwells = dwells.collect();
        let saccades = saccades::of_gaze(&rays, head, grid, options);
        let fixations = fixations(clip, &rays, areas, grid, options);
        Self { rays, fixations, saccades, dwells, angle_to_head }
    }

    /// The time in which it is tracked, by steps of which both ends are, in seconds.
    pub(crate) fn tracked_time(&self, range: &MeasuredRange, rate: f64) -> f64 {
        let is_tracked =
            |step: &usize| self.rays[*step].is_some() && self.rays[*step + 1].is_some();
        range.steps().filter(is_tracked).count() as f64 / rate
    }

    /// Adds its measures over a range.
    pub(crate) fn measure(&self, range: &MeasuredRange, rate: f64, measures: &mut Measures) {
        let tracked = self.rays[range.samples.clone()].iter().flatten().count();
        let samples = Some(range.samples.len()).filter(|samples| *samples > 0);
        measures.add("gaze_tracked_share", samples.map(|samples| tracked as f64 / samples as f64));
        let time = Some(self.tracked_time(range, rate)).filter(|time| *time > 0.0);
        self.measure_fixations(range, time, measures);
        self.measure_saccades(range, time, measures);
    }

    fn measure_fixations(&self, range: &MeasuredRange, time: Option<f64>, measures: &mut Measures) {
        let within: Vec<_> = self.fixations.iter().filter(|one| range.has(one.start_s)).collect();
        let count = time.map(|_| within.len());
        measures.add("gaze_fixations", count);
        measures.add("gaze_fixation_rate_hz", time.map(|time| within.len() as f64 / time));
        let durations: Vec<f64> = within.iter().map(|one| one.duration_s).collect();
        measures.add("gaze_fixation_duration_mean_s", mean(&durations));
        measures.add("gaze_fixation_duration_median_s", median(durations.clone()));
        measures.add("gaze_fixation_duration_sd_s", deviation(&durations));
        let directions =
            within.iter().map(|one| DVec3::from_array(one.direction)).collect::<Vec<_>>();
        let path = directions.windows(2).map(|pair| angle::between(pair[0], pair[1])).sum::<f64>();
        measures.add("gaze_scan_path_deg", count.map(|_| path));
    }

    fn measure_saccades(&self, range: &MeasuredRange, time: Option<f64>, measures: &mut Measures) {
        let within: Vec<&Saccade> =
            self.saccades.iter().filter(|one| range.has(one.start_s)).collect();
        measures.add("gaze_saccades", time.map(|_| within.len()));
        measures.add("gaze_saccade_rate_hz", time.map(|time| within.len() as f64 / time));
        let numbers =
            |number: fn(&Saccade) -> f64| within.iter().map(|one| number(one)).collect::<Vec<_>>();
        let amplitudes = numbers(|one| one.amplitude_deg);
        measures.add("gaze_saccade_amplitude_mean_deg", mean(&amplitudes));
        measures.add("gaze_saccade_amplitude_median_deg", median(amplitudes.clone()));
        let velocity = median(numbers(|one| one.peak_velocity_degps));
        measures.add("gaze_saccade_peak_velocity_median_degps", velocity);
        measures.add("gaze_saccade_duration_median_s", median(numbers(|one| one.duration_s)));
        let sequence = main_sequence(&within);
        measures.add("gaze_main_sequence_exponent", sequence.map(|sequence| sequence.0));
        measures.add("gaze_main_sequence_1deg_degps", sequence.map(|sequence| sequence.1));
        let head: Option<f64> = within.iter().map(|one| one.head_deg).sum();
        let all: f64 = amplitudes.iter().sum();
        measures.add("gaze_head_share", head.filter(|_| all > 0.0).map(|head| head / all));
    }
}

/// The exponent of the peak velocity over the amplitude, and the velocity at 1°.
pub(crate) fn main_sequence(saccades: &[&Saccade]) -> Option<(f64, f64)> {
    let amplitudes = saccades.iter().map(|one| one.amplitude_deg);
    let (smallest, largest) =
        (amplitudes.clone().fold(f64::INFINITY, f64::min), amplitudes.fold(0.0, f64::max));
    if saccades.len() < FEWEST_OF_SEQUENCE || largest < SPREAD_OF_SEQUENCE * smallest {
        return None;
    }
    let points = saccades.iter().map(|one| (one.amplitude_deg.ln(), one.peak_velocity_degps.ln()));
    let (slope, intercept) = line(&points.collect::<Vec<_>>())?;
    Some((slope, intercept.exp()))
}

fn fixations(
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
        dispersion: options.fixation_dispersion_deg.to_radians(),
        duration: options.fixation_duration_s,
    };
    let needs_pose = areas.iter().any(|area| area.joint.is_some());
    let mut pose = Pose::default();
    let mut area_of = |fixation: &Fixation| {
        if needs_pose {
            clip.sample(f64::midpoint(fixation.start, fixation.end), &mut pose);
        }
        let ray = Ray { origin: fixation.origin, direction: fixation.direction };
        nearest(areas, ray, needs_pose.then_some(&pose))
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
