//! Measures pinches, their apertures, and the reaches before them.

use std::ops::Range;

use mutoscope_core::measure::analysis::{Episode, Ray};
use serde::Serialize;

use super::{
    gaze_lead,
    kinematics::Hand,
    movements::{Movement, first_maximum},
};
use crate::{
    StudyOptions,
    signal::{Grid, gradient},
};

const MAX_REACH_AGE_S: f64 = 0.3;

/// A pinch and the reach before it. A value that cannot be known is `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pinch {
    /// The hand: `right` or `left`.
    pub hand: &'static str,
    /// The start, in seconds.
    pub start_s: f64,
    /// The end, in seconds.
    pub end_s: f64,
    /// The duration in seconds.
    pub duration_s: f64,
    /// The largest distance between the tips of thumb and index finger before the pinch, in metres.
    pub aperture_peak_m: Option<f64>,
    /// The time of the largest aperture, in seconds.
    pub aperture_peak_s: Option<f64>,
    /// The largest speed at which the tips close after the largest aperture, in metres per second.
    pub closing_speed_mps: Option<f64>,
    /// The start of the movement before the pinch, in seconds.
    pub reach_start_s: Option<f64>,
    /// The time from the start of the reach to the pinch, in seconds.
    pub reach_s: Option<f64>,
    /// The time from the start of the reach to its peak speed, in seconds.
    pub reach_time_to_peak_speed_s: Option<f64>,
    /// The time from the start of the reach to the largest aperture, in seconds. `None` if the
    /// aperture was largest before the reach.
    pub reach_time_to_peak_aperture_s: Option<f64>,
    /// The time from when the gaze reaches the target until the pinch, in seconds.
    pub gaze_lead_s: Option<f64>,
    /// The time from when the gaze reaches the target until the reach starts, in seconds. Positive
    /// if the gaze reaches the target before the reach starts.
    pub gaze_lead_onset_s: Option<f64>,
}

pub(crate) struct PinchMeasurer<'a> {
    pub(crate) hand: &'a Hand,
    pub(crate) name: &'static str,
    pub(crate) movements: &'a [Movement],
    pub(crate) gaze: Option<&'a [Option<Ray>]>,
    pub(crate) grid: Grid,
    pub(crate) options: &'a StudyOptions,
}

impl PinchMeasurer<'_> {
    /// Measures the pinches of `episodes`, which must be sorted by time.
    pub(crate) fn measure_pinches(&self, episodes: &[Episode]) -> Vec<Pinch> {
        let mut previous_end = f64::NEG_INFINITY;
        let mut pinches = Vec::with_capacity(episodes.len());
        for episode in episodes {
            pinches.push(self.measure_pinch(episode, previous_end));
            previous_end = episode.end;
        }
        pinches
    }

    fn measure_pinch(&self, episode: &Episode, previous_end: f64) -> Pinch {
        let (start, last) = (episode.start, self.grid.last_sample_before(episode.start));
        let window = last.and_then(|last| self.aperture_window(start, previous_end, last));
        let aperture =
            window.map(|window| Aperture::from_window(&self.hand.aperture, window, &self.grid));
        let reach = self.find_reach(start);
        let onset = last.and_then(|last| self.find_gaze_onset(start, last));
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

    /// Returns the samples in the window before a pinch that starts at `start`. The window ends at
    /// sample `last`. `None` if the window has fewer than three samples, or if a fingertip is lost
    /// in one of them.
    fn aperture_window(&self, start: f64, previous_end: f64, last: usize) -> Option<Range<usize>> {
        let from = (start - self.options.aperture_window_s).max(previous_end).max(self.grid.start);
        let window = self.grid.samples_within(from, self.grid.time(last));
        let apertures = self.hand.aperture.get(window.clone())?;
        (window.len() > 2 && apertures.iter().all(|aperture| aperture.is_finite()))
            .then_some(window)
    }

    fn find_reach(&self, start: f64) -> Option<&Movement> {
        let begun = self.movements.partition_point(|movement| movement.start_s < start);
        let last = self.movements[..begun].last();
        last.filter(|movement| movement.end_s >= start - MAX_REACH_AGE_S)
    }

    fn find_gaze_onset(&self, start: f64, last: usize) -> Option<f64> {
        let target = self.hand.tip_midpoint.get(last).filter(|target| target.is_finite())?;
        gaze_lead::find_look_onset(
            self.gaze?,
            &self.grid,
            *target,
            last,
            start,
            self.options.gaze_on_target_deg,
        )
    }
}

/// The aperture in the window before a pinch: its peak in metres, the time of the peak in seconds,
/// and the closing speed in metres per second.
struct Aperture {
    peak: f64,
    peak_at: f64,
    closing_speed: Option<f64>,
}

impl Aperture {
    fn from_window(apertures: &[f64], window: Range<usize>, grid: &Grid) -> Self {
        let apertures = &apertures[window.clone()];
        let (at, peak) = first_maximum(apertures);
        let opening = gradient(apertures, grid.rate);
        let closing = opening[at..].iter().map(|speed| -speed).fold(f64::NEG_INFINITY, f64::max);
        Self {
            peak,
            peak_at: grid.time(window.start + at),
            closing_speed: Some(closing).filter(|it| it.is_finite()),
        }
    }
}
