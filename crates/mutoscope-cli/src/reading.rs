//! Creates the [`Reader`] that the arguments describe, and prints the messages of its inputs.

use std::path::Path;

use mutoscope_core::{
    clip::{Assumptions, Clip, FormatAssumptions},
    read::{Input, InputError, Message, Reader, Retarget, format_path},
};

use mutoscope_minecraft::PlayerSkins;

use super::{Reading, RotationMode, Status, print_message, skin};

impl Reading {
    pub(super) fn is_default(&self) -> bool {
        let Self {
            format,
            rig,
            allow_unmatched_rig,
            retarget,
            skin,
            columns,
            frame_rate,
            rotation,
        } = self;
        (format.is_none()
            && rotation.is_none()
            && frame_rate.is_none()
            && rig.is_none()
            && !allow_unmatched_rig)
            && [retarget, skin, columns].iter().all(|path| path.is_none())
    }

    /// Creates the reader, and reads the skeleton and the mapping file that the arguments name.
    ///
    /// Prints diagnostics of the skeleton on standard error. Returns `None` after an error message
    /// if a file cannot be read.
    pub fn reader(&self) -> Option<Reader> {
        let rotation = self.rotation.map(RotationMode::to_rotation_rule);
        let assumptions =
            FormatAssumptions::for_all_formats(Assumptions { rotation, ..Assumptions::default() });
        let mut reader = Reader {
            format: self.format,
            allows_unmatched_rig: self.allow_unmatched_rig,
            assumptions,
            frame_rate: self.frame_rate,
            ..Reader::default()
        };
        if let Some(path) = &self.columns {
            match mutoscope_logs::read_mapping_file(path) {
                Ok(file) => reader.columns = Some(file),
                Err(error) => {
                    let message = format!("cannot be read: {error}");
                    print_message(Message::for_file(&format_path(path), message));
                    return None;
                }
            }
        }
        if let Some(value) = &self.retarget {
            match Retarget::from_argument(value) {
                Ok(retarget) => reader.retarget = retarget,
                Err(message) => {
                    print_message(Message::for_file(&format_path(value), message));
                    return None;
                }
            }
        }
        if let Some(source) = &self.rig {
            let name = source.to_string();
            if let Err(message) = reader.read_skeleton(source) {
                print_message(Message::for_file(&name, message));
                return None;
            }
            if let Some(rig) = &reader.rig {
                let diagnostics = rig.diagnostics.iter();
                diagnostics.for_each(|diagnostic| {
                    print_message(Message::from_skeleton_diagnostic(&name, rig.kind, diagnostic))
                });
            }
        }
        Some(reader)
    }

    pub(super) fn bone_map(&self) -> Option<&Path> {
        self.retarget.as_deref().and_then(Retarget::map_path)
    }

    /// Reads the skins of Minecraft players, and prints problems on standard error.
    ///
    /// Returns `None` after an error message if `--skin` names no readable skin.
    pub fn read_player_skins(&self) -> Option<PlayerSkins> {
        skin::read_player_skins(self.skin.as_deref())
    }
}

/// Prints the messages about a recording on standard error. Returns its clip, or `None` if the
/// recording cannot be read.
pub fn report_input(input: &Input) -> Option<&Clip> {
    input.messages().iter().for_each(print_message);
    input.result.as_ref().ok()
}

/// Returns the exit status for a recording that has no clip.
pub fn failure_status(input: &Input) -> Status {
    match input.result {
        Err(InputError::WrongUsage(_)) => Status::WrongUsage,
        _ => Status::Failed,
    }
}
