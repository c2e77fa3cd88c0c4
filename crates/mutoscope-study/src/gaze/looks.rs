//! Fixations and dwells as events.

use serde::Serialize;

/// A fixation of a gaze.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixationEvent {
    /// The time of its first sample, in seconds.
    pub start_s: f64,
    /// The time of its last sample, in seconds.
    pub end_s: f64,
    /// Seconds.
    pub duration_s: f64,
    /// The mean direction, of length 1, in the viewer's space.
    pub direction: [f64; 3],
    /// The mean origin of the gaze, in metres.
    pub origin: [f64; 3],
    /// The index of the area that it is on, if any.
    #[serde(skip)]
    pub area: Option<usize>,
}

/// A dwell of a gaze on an area.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DwellEvent {
    /// The name of the area.
    pub area: String,
    /// The time of its first sample, in seconds.
    pub start_s: f64,
    /// The time of the first sample elsewhere, or of the last sample, in seconds.
    pub end_s: f64,
    /// Seconds.
    pub duration_s: f64,
    /// The index of the area.
    #[serde(skip)]
    pub index: usize,
}
