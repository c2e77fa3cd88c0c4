//! The axes, units, rotation rule, interpolation and frame rate that are assumed of recordings.

use bevy::prelude::*;

use super::files::{FileFailure, FileOpener, Interpolation};
use bevy_mutoscope::stage::{CameraRequest, View};
use mutoscope_core::clip::{Assumption, Assumptions, InterpolationOverride};

/// A command on axes, units and interpolation.
#[derive(Clone, Debug, PartialEq)]
pub enum ConventionCommand {
    /// Sets an assumption for all recordings of the current format.
    Assume(Assumption),
    /// Resets the assumptions to the defaults of the format.
    Reset,
    /// Sets the interpolation between keys.
    SetInterpolation(InterpolationOverride),
    /// Reloads the recording with this frame rate in Hz. `None` uses the rate that the file
    /// declares.
    SetFrameRate(Option<f64>),
}

pub(in crate::session) fn apply(
    In(command): In<ConventionCommand>,
    mut opener: FileOpener,
    view: Res<View>,
    mut interpolation_of_new: ResMut<Interpolation>,
    mut camera: MessageWriter<CameraRequest>,
) {
    match command {
        ConventionCommand::Assume(assumption) => {
            assume(Some(assumption), &mut opener, &view, &mut camera);
        }
        ConventionCommand::Reset => assume(None, &mut opener, &view, &mut camera),
        ConventionCommand::SetInterpolation(interpolation) => {
            for entity in opener.open.entities() {
                if let Some(mut recording) = opener.open.recording_mut(entity) {
                    recording.set_interpolation(interpolation);
                }
            }
            interpolation_of_new.0 = interpolation;
        }
        ConventionCommand::SetFrameRate(rate_hz) => {
            if let Some(focus) = opener.open.focused(&view) {
                opener.reload_with(focus, |options| options.frame_rate = rate_hz);
            }
        }
    }
}

fn assume(
    assumption: Option<Assumption>,
    opener: &mut FileOpener,
    view: &View,
    camera: &mut MessageWriter<CameraRequest>,
) {
    let Some(focus) = opener.open.focused(view) else { return };
    let Some(clip) = opener.open.recording(focus).map(|recording| recording.clip()) else { return };
    let (format, is_attached) = (clip.format, clip.skeleton.attached().is_some());
    let saved = match assumption {
        Some(assumption) => opener.settings.assume(format, assumption),
        None => opener.settings.reset_assumptions(format),
    };
    if let Err(error) = saved {
        let name = "the settings".to_owned();
        let message = format!("cannot be written: {error}");
        opener.files.failure = Some(FileFailure { name, message });
    }
    match assumption {
        // Decode the file again, because the assumption changes the times of the keys.
        Some(Assumption::SecondsPerUnit(_)) => opener.reload_all(),
        // If a skeleton is attached, the last arm reloads the recording. The skeleton was
        // converted to the recording's space, which this assumption changes.
        Some(assumption) if !is_attached => {
            let mut assumptions = Assumptions::default();
            assumptions.assume(assumption);
            // An assumption for a format applies to all open recordings of that format.
            for entity in opener.open.entities() {
                if let Some(mut recording) = opener.open.recording_mut(entity)
                    && recording.clip().format == format
                {
                    recording.edit_convention(|convention| assumptions.apply(convention));
                }
            }
        }
        _ => opener.reload_all(),
    }
    let is_in_place =
        matches!(assumption, Some(Assumption::Rotation(_) | Assumption::SecondsPerUnit(_)));
    if !is_in_place {
        camera.write(CameraRequest::FrameAll { at_once: false });
    }
}
