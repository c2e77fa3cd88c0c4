//! Without a subcommand: the viewer.

use std::path::{Path, PathBuf};

use mutoscope_cli::{Reading, Status, tell};
use mutoscope_core::read::{Reader, Source};

use super::ViewArgs;
use crate::{
    session::{self, SessionPlugin},
    stage::PlayerSkin,
    viewer,
};

/// Opens the viewer on `paths`; folders stand for the recordings in them.
pub(super) fn run(paths: &[PathBuf], view: &ViewArgs, reading: &Reading) -> Status {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match session::recordings_in(path, reading.format) {
                Ok(found) if found.is_empty() => {
                    tell(format_args!("error: {}: no recording found in it", path.display()));
                }
                Ok(found) => files.extend(found),
                Err(error) => {
                    tell(format_args!("error: {}: cannot be read: {error}", path.display()));
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() && !paths.is_empty() {
        return Status::Failed;
    }
    let Some(reader) = reading.reader() else { return Status::Failed };
    let Some(skins) = reading.player_skins() else { return Status::Failed };
    let path = reading.rig.as_ref().and_then(Source::path).map(Path::to_owned);
    let rig = reader.rig.map(|rig| session::RigFile::new(rig, path));
    let Reader { format, assumptions, .. } = reader;
    let rotation = assumptions.of_all.rotation;
    let view = match view.clone().saved() {
        Ok(view) => view,
        Err(message) => {
            tell(format_args!("error: {message}"));
            return Status::WrongUsage;
        }
    };
    match viewer::run(files, SessionPlugin { format, rig, rotation, view }, PlayerSkin(skins)) {
        Ok(()) => Status::Done,
        Err(error) => {
            tell(format_args!("error: {error}"));
            Status::Failed
        }
    }
}
