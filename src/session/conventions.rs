//! The axes, units, rotation rule, interpolation and frame rate that are assumed of recordings.

use std::io;

use bevy::prelude::*;

use super::{
    files::{FileFailure, FileOpener, Interpolation},
    history::{Edit, EditedValue},
};
use bevy_mutoscope::stage::{CameraRequest, View};
use mutoscope_core::clip::{
    Assumption, Assumptions, FormatId, InterpolationOverride, RotationRule,
};

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
    let focus = opener.open.focused(&view);
    match (command, focus) {
        (ConventionCommand::SetInterpolation(interpolation), _) => {
            for entity in opener.open.entities() {
                if let Some(mut recording) = opener.open.recording_mut(entity) {
                    recording.set_interpolation(interpolation);
                }
            }
            interpolation_of_new.0 = interpolation;
        }
        (_, None) => {}
        (ConventionCommand::Assume(assumption), Some(focus)) => {
            edit_assumptions(Some(assumption), focus, &mut opener, &mut camera);
        }
        (ConventionCommand::Reset, Some(focus)) => {
            edit_assumptions(None, focus, &mut opener, &mut camera);
        }
        (ConventionCommand::SetFrameRate(rate_hz), Some(focus)) => {
            let Some(recording) = opener.open.recording(focus) else { return };
            let rates = [recording.asset().options.frame_rate, rate_hz];
            let [before, after] = rates.map(|rate| EditedValue::FrameRate(focus, rate));
            let edit = Edit { name: "frame rate".to_owned(), before, after };
            opener.edit_options(focus, edit, |options| options.frame_rate = rate_hz);
        }
    }
}

/// Reads a recording again after undo or redo of its frame rate, which is in Hz.
pub(in crate::session) fn restore_frame_rate(
    In((recording, rate_hz)): In<(Entity, Option<f64>)>,
    mut opener: FileOpener,
) {
    opener.reload_with(recording, |options| options.frame_rate = rate_hz);
}

/// Restores the assumptions on a format after undo or redo.
pub(in crate::session) fn restore_assumptions(
    In((format, assumptions, rotation)): In<(FormatId, Assumptions, Option<RotationRule>)>,
    mut opener: FileOpener,
    mut camera: MessageWriter<CameraRequest>,
) {
    let saved = opener.settings.set_assumptions(format, assumptions, rotation);
    report_settings_failure(saved, &mut opener);
    opener.reload_all();
    camera.write(CameraRequest::FrameAll { at_once: false });
}

fn edit_assumptions(
    assumption: Option<Assumption>,
    focus: Entity,
    opener: &mut FileOpener,
    camera: &mut MessageWriter<CameraRequest>,
) {
    let Some(clip) = opener.open.recording(focus).map(|recording| recording.clip()) else { return };
    let (format, is_attached) = (clip.format, clip.skeleton.attached().is_some());
    let value = |opener: &FileOpener| {
        let (assumptions, rotation) = opener.settings.chosen_assumptions(format);
        EditedValue::Assumptions(format, assumptions, rotation)
    };
    let before = value(opener);
    let saved = match assumption {
        Some(assumption) => opener.settings.assume(format, assumption),
        None => opener.settings.set_assumptions(format, Assumptions::default(), None),
    };
    report_settings_failure(saved, opener);
    let name = edit_name(assumption).to_owned();
    let after = value(opener);
    opener.history.record(Edit { name, before, after });
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

fn edit_name(assumption: Option<Assumption>) -> &'static str {
    match assumption {
        None => "resetting axes and units",
        Some(Assumption::Handedness(_)) => "handedness",
        Some(Assumption::Up(_)) => "up axis",
        Some(Assumption::MetresPerUnit(_)) => "unit of length",
        Some(Assumption::SecondsPerUnit(_)) => "unit of time",
        Some(Assumption::Rotation(_)) => "rotation rule",
    }
}

fn report_settings_failure(saved: io::Result<()>, opener: &mut FileOpener) {
    if let Err(error) = saved {
        let name = "the settings".to_owned();
        let message = format!("cannot be written: {error}");
        opener.files.failure = Some(FileFailure { name, message });
    }
}
