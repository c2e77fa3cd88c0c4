//! Without a subcommand: the viewer.

use std::path::PathBuf;

use super::{Reader, Reading, Status, tell};
use crate::viewer;

/// Opens the viewer on `paths`; folders stand for the recordings in them.
pub(super) fn run(paths: &[PathBuf], reading: &Reading) -> Status {
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
    match viewer::run(files, reader.format, reader.rig) {
        Ok(()) => Status::Done,
        Err(error) => {
            tell(format_args!("error: {error}"));
            Status::Failed
        }
    }
}
