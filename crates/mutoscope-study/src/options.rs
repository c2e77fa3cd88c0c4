//! The thresholds of all measures.

use serde::Serialize;

use crate::signal::rate;

/// The thresholds of all measures, and which samples are measured. Names have their units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyOptions {
    /// Samples per second; `None` takes each recording's own, or else 60.
    #[serde(serialize_with = "rate_or_assumed")]
    pub rate: Option<f64>,
    /// The cut-off of the filter of hand positions; 0 filters nothing.
    pub cutoff_hz: f64,
    /// The speed of a wrist from which it moves.
    pub movement_speed_mps: f64,
    /// The least peak speed of a movement.
    pub movement_peak_mps: f64,
    /// The least duration of a movement.
    pub movement_duration_s: f64,
    /// The longest pause within a movement.
    pub movement_gap_s: f64,
    /// The angular velocity from which a gaze is in a saccade.
    pub saccade_velocity_degps: f64,
    /// The least amplitude of a saccade.
    pub saccade_amplitude_deg: f64,
    /// The largest dispersion of a fixation (I-DT).
    pub fixation_dispersion_deg: f64,
    /// The least duration of a fixation.
    pub fixation_duration_s: f64,
    /// The largest angle between a gaze and what it is on, for the time by which it leads the hand.
    pub gaze_on_target_deg: f64,
    /// How long before a pinch its aperture is looked at.
    pub aperture_window_s: f64,
    /// How far above its lowest place a foot is in contact.
    pub contact_height_m: f64,
    /// How fast a foot in contact may rise or fall.
    pub contact_speed_mps: f64,
    /// The height of the ground.
    pub ground_m: f64,
    /// How far below the ground a body counts as below it.
    pub ground_tolerance_m: f64,
    /// The joints that are feet, by name; without any, they are found by their names.
    #[serde(skip)]
    pub feet: Vec<String>,
}

impl Default for StudyOptions {
    fn default() -> Self {
        Self {
            rate: None,
            cutoff_hz: 10.0,
            movement_speed_mps: 0.05,
            movement_peak_mps: 0.1,
            movement_duration_s: 0.1,
            movement_gap_s: 0.1,
            saccade_velocity_degps: 30.0,
            saccade_amplitude_deg: 1.0,
            fixation_dispersion_deg: 1.0,
            fixation_duration_s: 0.1,
            gaze_on_target_deg: 5.0,
            aperture_window_s: 1.0,
            contact_height_m: 0.03,
            contact_speed_mps: 0.1,
            ground_m: 0.0,
            ground_tolerance_m: 0.01,
            feet: Vec::new(),
        }
    }
}

fn rate_or_assumed<S: serde::Serializer>(
    rate: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rate.unwrap_or(rate::ASSUMED))
}
