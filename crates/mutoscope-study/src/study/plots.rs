//! Prepares what the page draws of a recording: curves, stretches, areas.

use glam::DVec3;
use mutoscope_core::{
    clip::Span,
    measure::analysis::{Area, Shape},
};

use super::measured::MeasuredSubjects;
use crate::{
    StudyOptions,
    body::measure::{FOOT_NAMES, contact_test},
    range::MeasuredRange,
    signal::{Grid, stretch::find_runs},
    subjects::HANDS,
};

const MAX_CURVE_COLUMNS: usize = 800;

#[derive(Clone, Debug, Default)]
pub(crate) struct Plots {
    /// The stretches in which a hand or the gaze is tracked, by name, in seconds.
    pub(crate) tracked: Vec<(&'static str, Vec<[f64; 2]>)>,
    /// The speeds of the wrists, in metres per second.
    pub(crate) speeds: Vec<Curve>,
    /// The apertures of the hands, in metres.
    pub(crate) apertures: Vec<Curve>,
    /// The heights of the feet, in metres.
    pub(crate) feet: Vec<Curve>,
    /// The stretches in which a foot is in contact, by side, in seconds.
    pub(crate) contacts: Vec<(&'static str, Vec<[f64; 2]>)>,
    pub(crate) areas: Vec<ProjectedArea>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// The connected parts of the curve, as pairs of time in seconds and value.
    pub(crate) parts: Vec<Vec<[f64; 2]>>,
}

/// An area in the view from the eye. All angles are in degrees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProjectedArea {
    pub(crate) name: String,
    pub(crate) yaw: f64,
    pub(crate) pitch: f64,
    pub(crate) radius: f64,
}

impl Plots {
    pub(super) fn from_subjects(
        measured: &MeasuredSubjects<'_>,
        areas: &[Area],
        span: Span,
        options: &StudyOptions,
    ) -> Self {
        let mut plots = Self::default();
        let grid = &measured.grid;
        for (hand, (_, name)) in measured.hands.iter().zip(HANDS) {
            let Some(hand) = hand else { continue };
            if let Some(tracked) = &hand.tracked {
                plots.tracked.push((name, tracked.iter().map(|it| [it.start, it.end]).collect()));
            }
            plots.speeds.push(Curve::from_values(name, &hand.hand.wrist.speed, grid));
            if !hand.hand.aperture.is_empty() {
                plots.apertures.push(Curve::from_values(name, &hand.hand.aperture, grid));
            }
        }
        if let Some(gaze) = &measured.gaze {
            plots.tracked.push((
                "gaze",
                run_times(grid, find_runs(gaze.rays.len(), |index| gaze.rays[index].is_some())),
            ));
            let origins = gaze.fixations.iter().map(|fixation| DVec3::from_array(fixation.origin));
            let eye = origins.sum::<DVec3>() / gaze.fixations.len().max(1) as f64;
            plots.areas =
                areas.iter().filter_map(|area| ProjectedArea::from_area(area, eye)).collect();
        }
        if let Some(body) = &measured.body {
            let frames = &measured.frames;
            let range = MeasuredRange::new(span.start, span.end(), span, frames);
            for (foot, name) in body.feet.iter().zip(FOOT_NAMES) {
                let Some(positions) = foot else { continue };
                let heights: Vec<f64> = positions.iter().map(|position| position.y).collect();
                plots.feet.push(Curve::from_values(name, &heights, frames));
                let contact = contact_test(positions, &range, frames.rate, options);
                let contact_runs = contact
                    .map_or_else(Vec::new, |is_contact| find_runs(range.steps().len(), is_contact));
                let sample_run = |run: &std::ops::Range<usize>| run.start..run.end + 1;
                plots
                    .contacts
                    .push((name, run_times(frames, contact_runs.iter().map(sample_run).collect())));
            }
        }
        plots
    }
}

impl Plots {
    pub(crate) fn drop_curves(&mut self) {
        *self = Self { tracked: std::mem::take(&mut self.tracked), ..Self::default() };
    }
}

fn run_times(grid: &Grid, runs: Vec<std::ops::Range<usize>>) -> Vec<[f64; 2]> {
    runs.into_iter().map(|run| [grid.time(run.start), grid.time(run.end - 1)]).collect()
}

impl Curve {
    fn from_values(name: &'static str, values: &[f64], grid: &Grid) -> Self {
        let width = values.len().div_ceil(MAX_CURVE_COLUMNS).max(1);
        let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
        for run in find_runs(values.len(), |index| values[index].is_finite()) {
            let mut part = Vec::new();
            let mut start = run.start;
            while start < run.end {
                // Align columns to the start of the recording and not to the start of the run.
                // Otherwise a gap would shift all later columns.
                let end = ((start / width + 1) * width).min(run.end);
                let mut kept = find_extremes(values, start..end);
                kept.sort_unstable();
                part.extend(kept.into_iter().map(|index| [grid.time(index), values[index]]));
                start = end;
            }
            part.dedup();
            parts.push(part);
        }
        Self { name, parts }
    }
}

fn find_extremes(values: &[f64], range: std::ops::Range<usize>) -> [usize; 2] {
    range.clone().fold([range.start; 2], |[low, high], index| {
        [
            if values[index] < values[low] { index } else { low },
            if values[index] > values[high] { index } else { high },
        ]
    })
}

impl ProjectedArea {
    /// Projects an area onto the view. `None` for an area on a joint, because it does not stay in
    /// one direction.
    fn from_area(area: &Area, eye: DVec3) -> Option<Self> {
        let direction =
            (area.shape.centre() - eye).try_normalize().filter(|_| area.joint.is_none())?;
        let [yaw, pitch] = yaw_and_pitch(direction);
        let half = match area.shape {
            Shape::Sphere { radius, .. } => radius,
            Shape::Box { half, .. } => half.max_element(),
            Shape::Plane { half, .. } => half.max_element(),
        };
        let radius = half.atan2(eye.distance(area.shape.centre())).to_degrees();
        Some(Self { name: area.name.clone(), yaw, pitch, radius })
    }
}

/// Returns the yaw to the right and the pitch upwards of a direction, in degrees. −Z is straight
/// ahead.
pub(crate) fn yaw_and_pitch(direction: DVec3) -> [f64; 2] {
    [direction.x.atan2(-direction.z).to_degrees(), direction.y.clamp(-1.0, 1.0).asin().to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_curves_keep_extremes_and_gaps() {
        let grid = Grid::with_count(100.0, 100_000);
        let mut values: Vec<f64> =
            (0..100_000).map(|index| (f64::from(index) / 500.0).sin()).collect();
        values[40_010] = 9.0;
        values[70_000..70_100].fill(f64::NAN);
        let curve = Curve::from_values("x", &values, &grid);
        assert_eq!(curve.parts.len(), 2);
        let points: Vec<_> = curve.parts.concat();
        assert!(points.len() <= 2 * (MAX_CURVE_COLUMNS + 2), "{}", points.len());
        assert!(points.contains(&[400.1, 9.0]));
        assert!(points.is_sorted_by(|one, other| one[0] < other[0]));
    }
}
