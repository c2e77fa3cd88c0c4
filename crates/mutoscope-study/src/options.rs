//! The thresholds of all measures.

use serde::Serialize;

use crate::signal::rate;

/// The thresholds of all measures and the sampling rate. The names of fields end in their units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyOptions {
    /// The sampling rate in Hz. `None` uses the rate of each recording, or 60 Hz if a recording has
    /// no rate.
    #[serde(serialize_with = "serialize_rate")]
    pub rate: Option<f64>,
    /// The cut-off of the low-pass filter on hand positions. 0 turns the filter off.
    pub cutoff_hz: f64,
    /// The wrist speed at which a movement begins and ends.
    pub movement_speed_mps: f64,
    /// The smallest peak speed of a movement.
    pub movement_peak_mps: f64,
    /// The shortest duration of a movement.
    pub movement_duration_s: f64,
    /// The longest pause that does not split a movement.
    pub movement_gap_s: f64,
    /// The smallest angular velocity of the gaze during a saccade.
    pub saccade_velocity_degps: f64,
    /// The smallest amplitude of a saccade.
    pub saccade_amplitude_deg: f64,
    /// The largest dispersion of a fixation (I-DT).
    pub fixation_dispersion_deg: f64,
    /// The shortest duration of a fixation.
    pub fixation_duration_s: f64,
    /// The largest angle between the gaze and a target at which the gaze is on the target. Used for
    /// the time by which the gaze leads the hand.
    pub gaze_on_target_deg: f64,
    /// The length of the window before a pinch in which the aperture is measured.
    pub aperture_window_s: f64,
    /// The largest height above its lowest position at which a foot is in contact.
    pub contact_height_m: f64,
    /// The largest vertical speed of a foot in contact.
    pub contact_speed_mps: f64,
    /// The height of the ground.
    pub ground_m: f64,
    /// The largest depth below the ground that is tolerated.
    pub ground_tolerance_m: f64,
    /// The names of the joints that are feet. If empty, feet are recognised by their names.
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

fn serialize_rate<S: serde::Serializer>(
    rate: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rate.unwrap_or(rate::DEFAULT_RATE_HZ))
}
