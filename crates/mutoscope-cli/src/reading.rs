//! The reader that the arguments ask for, and reporting what it found.

use std::path::Path;

use mutoscope_core::{
    clip::{Assumptions, Clip, FormatAssumptions},
    read::{Input, InputError, Message, Reader, Retarget, path_text},
};

use mutoscope_minecraft::PlayerSkins;

use super::{Reading, RotationWay, Status, skin, tell};

impl Reading {
    /// Whether nothing is said about how files are read.
    pub(super) fn is_default(&self) -> bool {
        let Self { format, rig, allow_unmatched_rig, retarget, skin, columns, rotation } = self;
        (format.is_none() && rotation.is_none() && rig.is_none() && !allow_unmatched_rig)
            && [retarget, skin, columns].iter().all(|path| path.is_none())
    }

    /// Reads the skeleton, if one is wanted, and reports the issues in it on standard error;
    /// nothing, and why, if it cannot be read.
    pub fn reader(&self) -> Option<Reader> {
        let rotation = self.rotation.map(RotationWay::rule);
        let assumptions =
            FormatAssumptions::of_all(Assumptions { rotation, ..Assumptions::default() });
        let mut reader = Reader {
            format: self.format,
            allows_unmatched_rig: self.allow_unmatched_rig,
            assumptions,
            ..Reader::default()
        };
        if let Some(path) = &self.columns {
            match mutoscope_logs::mapping_file(path) {
                Ok(file) => reader.columns = Some(file),
                Err(error) => {
                    let message = format!("cannot be read: {error}");
                    tell(Message::about_file(&path_text(path), message));
                    return None;
                }
            }
        }
        if let Some(word) = &self.retarget {
            match Retarget::of_word(word) {
                Ok(retarget) => reader.retarget = retarget,
                Err(message) => {
                    tell(Message::about_file(&path_text(word), message));
                    return None;
                }
            }
        }
        if let Some(source) = &self.rig {
            let name = source.to_string();
            if let Err(message) = reader.read_rig(source) {
                tell(Message::about_file(&name, message));
                return None;
            }
            if let Some(rig) = &reader.rig {
                let notices = rig.notices.iter();
                notices.for_each(|notice| tell(Message::of_rig_notice(&name, rig.kind, notice)));
            }
        }
        Some(reader)
    }

    /// The file with the map of bones, if one is named.
    pub(super) fn bone_map(&self) -> Option<&Path> {
        self.retarget.as_deref().and_then(Retarget::map_of)
    }

    /// Reads the skins of Minecraft players, and reports on standard error what is none; nothing if there
    /// are none.
    pub fn player_skins(&self) -> Option<PlayerSkins> {
        skin::player_skins(self.skin.as_deref())
    }
}

/// Prints the messages about a recording on standard error and returns its clip, if there is one.
pub fn report(input: &Input) -> Option<&Clip> {
    input.messages().iter().for_each(tell);
    input.result.as_ref().ok()
}

/// The exit status of a command that needs the clip.
pub fn failure(input: &Input) -> Status {
    match input.result {
        Err(InputError::WrongUsage(_)) => Status::WrongUsage,
        _ => Status::Failed,
    }
}
