//! Fixations and dwells as events for reports.

use serde::Serialize;

/// A fixation of a gaze.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixationEvent {
    /// The time of the first sample, in seconds.
    pub start_s: f64,
    /// The time of the last sample, in seconds.
    pub end_s: f64,
    /// The duration in seconds.
    pub duration_s: f64,
    /// The mean direction, of length 1, in the viewer's space.
    pub direction: [f64; 3],
    /// The mean origin of the gaze, in metres.
    pub origin: [f64; 3],
    /// The index of the area that the fixation is on, if any.
    #[serde(skip)]
    pub area: Option<usize>,
}

/// A dwell of a gaze on an area.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DwellEvent {
    /// The name of the area.
    pub area: String,
    /// The time of the first sample, in seconds.
    pub start_s: f64,
    /// The time of the first sample outside the area, or of the last sample of the recording, in
    /// seconds.
    pub end_s: f64,
    /// The duration in seconds.
    pub duration_s: f64,
    /// The index of the area.
    #[serde(skip)]
    pub index: usize,
}
