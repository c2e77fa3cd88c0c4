//! Without a subcommand: the viewer.

use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use super::{Reader, Reading, Source, Status, ViewArgs, skin, tell};
use crate::viewer::{self, SavedView, ViewerPlugin};

/// Opens the viewer on `paths`; folders stand for the recordings in them.
pub(super) fn run(paths: &[PathBuf], view: &ViewArgs, reading: &Reading) -> Status {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match viewer::recordings_in(path, reading.format) {
                Ok(found) if found.is_empty() => {
                    tell(format_args!("error: {}: no recording is in it", path.display()));
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
    let Some(reader) = Reader::prepare(reading) else { return Status::Failed };
    let Some(wardrobe) = skin::wardrobe(reading) else { return Status::Failed };
    let path = reading.rig.as_ref().and_then(Source::path).map(Path::to_owned);
    let rig = reader.rig.map(|rig| viewer::RigFile::new(rig, path));
    let Reader { format, assumptions, .. } = reader;
    let rotation = assumptions.of_all.rotation;
    let ViewArgs { at, range, select, from, against } = view.clone();
    let range = range.map(RangeInclusive::into_inner);
    let wish = against.wish();
    let against = against.against.map(|path| (path, wish));
    let view = SavedView { at, range, select, camera: from.camera, against };
    match viewer::run(files, ViewerPlugin { format, rig, rotation, view }, wardrobe) {
        Ok(()) => Status::Done,
        Err(error) => {
            tell(format_args!("error: {error}"));
            Status::Failed
        }
    }
}
