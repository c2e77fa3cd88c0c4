//! The drawings of a recording in the page: curves, stretches, areas.

use glam::DVec3;
use mutoscope_core::{
    clip::Span,
    measure::analysis::{Area, Shape},
};

use super::measured::Measured;
use crate::{
    StudyOptions,
    body::measure::{FEET, contacts},
    range::MeasuredRange,
    signal::{Grid, stretch::runs},
    subjects::HANDS,
};

/// How many columns a curve is thinned to: each keeps its smallest and its largest value.
const COLUMNS: usize = 800;

/// The drawings of a recording in the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plots {
    /// Stretches in which a hand or a gaze is tracked, by name, in seconds.
    pub(crate) tracked: Vec<(&'static str, Vec<[f64; 2]>)>,
    /// Speeds of the wrists, in metres per second, by hand.
    pub(crate) speeds: Vec<Curve>,
    /// Apertures, in metres, by hand.
    pub(crate) apertures: Vec<Curve>,
    /// Heights of the feet, in metres, by side.
    pub(crate) feet: Vec<Curve>,
    /// Stretches in which a foot is in contact, by side, in seconds.
    pub(crate) contacts: Vec<(&'static str, Vec<[f64; 2]>)>,
    /// The areas as they are seen from the mean place of the eye.
    pub(crate) areas: Vec<SeenArea>,
}

/// A curve over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// Its connected parts: times in seconds, and values.
    pub(crate) parts: Vec<Vec<[f64; 2]>>,
}

/// An area in a view from the eye, in degrees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenArea {
    pub(crate) name: String,
    pub(crate) yaw: f64,
    pub(crate) pitch: f64,
    /// Half of its angular size.
    pub(crate) radius: f64,
}

impl Plots {
    pub(super) fn of(
        measured: &Measured<'_>,
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
            plots.speeds.push(Curve::of(name, &hand.hand.wrist.speed, grid));
            if !hand.hand.aperture.is_empty() {
                plots.apertures.push(Curve::of(name, &hand.hand.aperture, grid));
            }
        }
        if let Some(gaze) = &measured.gaze {
            plots.tracked.push((
                "gaze",
                times(grid, runs(gaze.rays.len(), |index| gaze.rays[index].is_some())),
            ));
            let origins = gaze.fixations.iter().map(|fixation| DVec3::from_array(fixation.origin));
            let eye = origins.sum::<DVec3>() / gaze.fixations.len().max(1) as f64;
            plots.areas = areas.iter().filter_map(|area| SeenArea::of(area, eye)).collect();
        }
        if let Some(body) = &measured.body {
            let frames = &measured.frames;
            let range = MeasuredRange::new(span.start, span.end(), span, frames);
            for (foot, name) in body.feet.iter().zip(FEET) {
                let Some(places) = foot else { continue };
                let heights: Vec<f64> = places.iter().map(|place| place.y).collect();
                plots.feet.push(Curve::of(name, &heights, frames));
                let contact = contacts(places, &range, frames.rate, options);
                let steps = contact
                    .map_or_else(Vec::new, |is_contact| runs(range.steps().len(), is_contact));
                let through = |run: &std::ops::Range<usize>| run.start..run.end + 1;
                plots.contacts.push((name, times(frames, steps.iter().map(through).collect())));
            }
        }
        plots
    }
}

impl Plots {
    /// Keeps only what the timeline shows.
    pub(crate) fn drop_curves(&mut self) {
        *self = Self { tracked: std::mem::take(&mut self.tracked), ..Self::default() };
    }
}

fn times(grid: &Grid, runs: Vec<std::ops::Range<usize>>) -> Vec<[f64; 2]> {
    runs.into_iter().map(|run| [grid.time(run.start), grid.time(run.end - 1)]).collect()
}

impl Curve {
    fn of(name: &'static str, values: &[f64], grid: &Grid) -> Self {
        let width = values.len().div_ceil(COLUMNS).max(1);
        let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
        for run in runs(values.len(), |index| values[index].is_finite()) {
            let mut part = Vec::new();
            let mut at = run.start;
            while at < run.end {
                // Columns are the same for all curves, so that a gap moves nothing.
                let end = ((at / width + 1) * width).min(run.end);
                let mut kept = extremes(values, at..end);
                kept.sort_unstable();
                part.extend(kept.into_iter().map(|index| [grid.time(index), values[index]]));
                at = end;
            }
            part.dedup();
            parts.push(part);
        }
        Self { name, parts }
    }
}

/// The indices of the smallest and the largest value.
fn extremes(values: &[f64], range: std::ops::Range<usize>) -> [usize; 2] {
    range.clone().fold([range.start; 2], |[low, high], index| {
        [
            if values[index] < values[low] { index } else { low },
            if values[index] > values[high] { index } else { high },
        ]
    })
}

impl SeenArea {
    /// An area that stands still; those on joints have no place in a view.
    fn of(area: &Area, eye: DVec3) -> Option<Self> {
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

/// The yaw to the right and the pitch upwards of a direction, in degrees; −Z is ahead.
pub(crate) fn yaw_and_pitch(direction: DVec3) -> [f64; 2] {
    [direction.x.atan2(-direction.z).to_degrees(), direction.y.clamp(-1.0, 1.0).asin().to_degrees()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_curves_keep_extremes_and_gaps() {
        let grid = Grid { start: 0.0, rate: 100.0, count: 100_000 };
        let mut values: Vec<f64> =
            (0..100_000).map(|index| (f64::from(index) / 500.0).sin()).collect();
        values[40_010] = 9.0;
        values[70_000..70_100].fill(f64::NAN);
        let curve = Curve::of("x", &values, &grid);
        assert_eq!(curve.parts.len(), 2);
        let points: Vec<_> = curve.parts.concat();
        assert!(points.len() <= 2 * (COLUMNS + 2), "{}", points.len());
        assert!(points.contains(&[400.1, 9.0]));
        assert!(points.is_sorted_by(|one, other| one[0] < other[0]));
    }
}
