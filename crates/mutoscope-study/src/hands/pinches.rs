//! Pinches, their apertures, and the reaches before them.

use std::ops::Range;

use mutoscope_core::measure::analysis::{Episode, Ray};
use serde::Serialize;

use super::{
    gaze_lead,
    kinematics::Hand,
    movements::{Movement, largest},
};
use crate::{
    StudyOptions,
    signal::{Grid, gradient},
};

/// How long before a pinch its reach may have ended, in seconds.
const LATEST_END_OF_REACH: f64 = 0.3;

/// A pinch, and the reach before it. What is unknown is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pinch {
    /// The hand: `right` or `left`.
    pub hand: &'static str,
    /// Its start, in seconds.
    pub start_s: f64,
    /// Its end, in seconds.
    pub end_s: f64,
    /// Seconds.
    pub duration_s: f64,
    /// The largest distance of the tips of thumb and index finger before it, in metres.
    pub aperture_peak_m: Option<f64>,
    /// The time of that, in seconds.
    pub aperture_peak_s: Option<f64>,
    /// The largest speed at which the tips close from there on, in metres per second.
    pub closing_speed_mps: Option<f64>,
    /// The start of the movement before it, in seconds.
    pub reach_start_s: Option<f64>,
    /// From there to the pinch, in seconds.
    pub reach_s: Option<f64>,
    /// From there to the largest speed, in seconds.
    pub reach_time_to_peak_speed_s: Option<f64>,
    /// From there to the largest aperture, in seconds.
    pub reach_time_to_peak_aperture_s: Option<f64>,
    /// From the gaze's coming to the target to the pinch, in seconds.
    pub gaze_lead_s: Option<f64>,
    /// From the gaze's coming to the target to the start of the reach, in seconds: positive if the gaze is first.
    pub gaze_lead_onset_s: Option<f64>,
}

/// The signals that the pinches of a hand are measured by.
pub(crate) struct Grasps<'a> {
    pub(crate) hand: &'a Hand,
    pub(crate) name: &'static str,
    pub(crate) movements: &'a [Movement],
    /// The gaze, lost samples as none.
    pub(crate) gaze: Option<&'a [Option<Ray>]>,
    pub(crate) grid: Grid,
    pub(crate) options: &'a StudyOptions,
}

impl Grasps<'_> {
    /// The pinches of these episodes, in the order of time.
    pub(crate) fn pinches(&self, episodes: &[Episode]) -> Vec<Pinch> {
        let mut end_before = f64::NEG_INFINITY;
        let mut pinches = Vec::with_capacity(episodes.len());
        for episode in episodes {
            pinches.push(self.pinch(episode, end_before));
            end_before = episode.end;
        }
        pinches
    }

    fn pinch(&self, episode: &Episode, end_before: f64) -> Pinch {
        let (start, last) = (episode.start, self.grid.floor(episode.start));
        let window = last.and_then(|last| self.window(start, end_before, last));
        let aperture = window.map(|window| Aperture::of(&self.hand.aperture, window, &self.grid));
        let reach = self.reach(start);
        let onset = last.and_then(|last| self.gaze_onset(start, last));
        let from_reach = |time: f64| reach.map(|reach| time - reach.start_s);
        let peak = aperture.as_ref().map(|aperture| aperture.peak_at);
        Pinch {
            hand: self.name,
            start_s: start,
            end_s: episode.end,
            duration_s: episode.end - start,
            aperture_peak_m: aperture.as_ref().map(|aperture| aperture.peak),
            aperture_peak_s: peak,
            closing_speed_mps: aperture.and_then(|aperture| aperture.closing_speed),
            reach_start_s: reach.map(|reach| reach.start_s),
            reach_s: from_reach(start),
            reach_time_to_peak_speed_s: reach.map(|reach| reach.time_to_peak_s),
            reach_time_to_peak_aperture_s: peak.and_then(from_reach).filter(|after| *after > 0.0),
            gaze_lead_s: onset.map(|onset| start - onset),
            gaze_lead_onset_s: reach.zip(onset).map(|(reach, onset)| reach.start_s - onset),
        }
    }

    /// The samples before a pinch, up to `last`, if the tips are tracked at all of them.
    fn window(&self, start: f64, end_before: f64, last: usize) -> Option<Range<usize>> {
        let from = (start - self.options.aperture_window_s).max(end_before).max(self.grid.start);
        let window = self.grid.within(from, self.grid.time(last));
        let apertures = self.hand.aperture.get(window.clone())?;
        (window.len() > 2 && apertures.iter().all(|aperture| aperture.is_finite()))
            .then_some(window)
    }

    /// The last movement that began before a pinch and did not end long before it.
    fn reach(&self, start: f64) -> Option<&Movement> {
        let begun = self.movements.partition_point(|movement| movement.start_s < start);
        let last = self.movements[..begun].last();
        last.filter(|movement| movement.end_s >= start - LATEST_END_OF_REACH)
    }

    fn gaze_onset(&self, start: f64, last: usize) -> Option<f64> {
        let target = self.hand.target.get(last).filter(|target| target.is_finite())?;
        gaze_lead::onset(
            self.gaze?,
            &self.grid,
            *target,
            (last, start),
            self.options.gaze_on_target_deg,
        )
    }
}

/// The aperture before a pinch.
struct Aperture {
    peak: f64,
    peak_at: f64,
    closing_speed: Option<f64>,
}

impl Aperture {
    fn of(apertures: &[f64], window: Range<usize>, grid: &Grid) -> Self {
        let apertures = &apertures[window.clone()];
        let (at, peak) = largest(apertures);
        let opening = gradient(apertures, grid.rate);
        let closing = opening[at..].iter().map(|speed| -speed).fold(f64::NEG_INFINITY, f64::max);
        Self {
            peak,
            peak_at: grid.time(window.start + at),
            closing_speed: Some(closing).filter(|it| it.is_finite()),
        }
    }
}
