//! Creates the [`ReadOptions`] that the arguments describe, and prints the messages of its inputs.

use crate::registry;
use std::{fs, path::Path};

use mutoscope_core::{
    clip::{Assumptions, Clip, FormatAssumptions},
    formats::{Fit, ReadOptions, SkeletonSource},
    read::{Input, Message, ReadError, format_path, open_skeleton},
    retarget::BoneMap,
};

use mutoscope_minecraft::PlayerSkins;

use super::{ReadArgs, RotationMode, Status, print_message, skin};

impl ReadArgs {
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

    /// Returns the options, and reads the skeleton and the mapping file that the arguments name.
    ///
    /// Prints diagnostics of the skeleton on standard error. Returns `None` after an error message
    /// if a file cannot be read.
    pub fn read_options(&self) -> Option<ReadOptions> {
        let rotation = self.rotation.map(RotationMode::to_rotation_rule);
        let assumptions =
            FormatAssumptions::for_all_formats(Assumptions { rotation, ..Assumptions::default() });
        let mut options = ReadOptions {
            registry: registry().clone(),
            format: self.format,
            allows_unmatched_skeleton: self.allow_unmatched_rig,
            assumptions,
            frame_rate: self.frame_rate,
            ..ReadOptions::default()
        };
        if let Some(path) = &self.columns {
            let file = mutoscope_logs::read_mapping_file(path)
                .map_err(|error| format!("cannot be read: {error}"));
            options.columns = Some(value_or_message(&format_path(path), file)?);
        }
        if let Some(value) = &self.retarget {
            options.fit = value_or_message(&format_path(value), parse_fit(value))?;
        }
        if let Some(source) = &self.rig {
            let name = source.to_string();
            let skeleton = value_or_message(&name, open_skeleton(source, registry()))?;
            for diagnostic in &skeleton.diagnostics {
                print_message(Message::from_skeleton_diagnostic(&name, skeleton.kind, diagnostic));
            }
            options.skeleton = SkeletonSource::Given(skeleton.into());
        }
        Some(options)
    }

    pub(super) fn bone_map(&self) -> Option<&Path> {
        self.retarget.as_deref().and_then(map_path)
    }

    /// Reads the skins of Minecraft players, and prints problems on standard error.
    ///
    /// Returns `None` after an error message if `--skin` names no readable skin.
    pub fn read_player_skins(&self) -> Option<PlayerSkins> {
        skin::read_player_skins(self.skin.as_deref())
    }
}

/// Returns the value, or prints the error as a message about the file at `path`.
fn value_or_message<T>(path: &str, result: Result<T, impl ToString>) -> Option<T> {
    result.map_err(|error| print_message(Message::for_file(path, error.to_string()))).ok()
}

const BY_NAME: &str = "off";

const BY_BONES: &str = "auto";

/// Parses the value of `--retarget`: `off`, `auto`, or the path of a bone map, which is read.
///
/// # Errors
/// Returns the message if the file cannot be read or is not a bone map.
pub fn parse_fit(value: &Path) -> Result<Fit, String> {
    match map_path(value) {
        None if value == Path::new(BY_BONES) => Ok(Fit::ByBones),
        None => Ok(Fit::ByName),
        Some(path) => {
            let text = fs::read_to_string(path)
                .map_err(|error| format!("as a bone map: cannot be read: {error}"))?;
            BoneMap::parse(&text).map(Fit::Map).map_err(|error| error.to_string())
        }
    }
}

/// Returns the path of the bone map that `value` names, or `None` if `value` is a keyword.
pub fn map_path(value: &Path) -> Option<&Path> {
    (value != Path::new(BY_NAME) && value != Path::new(BY_BONES)).then_some(value)
}

/// Prints the messages about a recording on standard error. Returns its clip, or `None` if the
/// recording cannot be read.
pub fn report_input(input: &Input) -> Option<&Clip> {
    input.messages().iter().for_each(print_message);
    input.clip()
}

/// Returns the exit status for a recording that has no clip.
pub fn failure_status(input: &Input) -> Status {
    match input.result {
        Err(ReadError::WrongUsage(_)) => Status::WrongUsage,
        _ => Status::Failed,
    }
}
