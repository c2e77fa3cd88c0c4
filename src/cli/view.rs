//! Without a subcommand: the viewer.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{Reader, Reading, Source, Status, tell};
use crate::{
    formats,
    viewer::{self, ViewerPlugin},
};

/// How much of a file in a folder is read to tell whether it is a recording.
const BYTES_TO_RECOGNISE: u64 = 4096;

/// Opens the viewer on `paths`; folders stand for the recordings in them.
pub(super) fn run(paths: &[PathBuf], reading: &Reading) -> Status {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            match recordings_in(path, reading) {
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
    let path = reading.rig.as_ref().and_then(Source::path).map(Path::to_owned);
    let rig = reader.rig.map(|rig| viewer::RigFile::new(rig, path));
    let Reader { format, rotation, .. } = reader;
    match viewer::run(files, ViewerPlugin { format, rig, rotation }) {
        Ok(()) => Status::Done,
        Err(error) => {
            tell(format_args!("error: {error}"));
            Status::Failed
        }
    }
}

/// The recordings in `folder`, in the order of their names.
fn recordings_in(folder: &Path, reading: &Reading) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file() && is_recording(path, reading));
    paths.sort();
    Ok(paths)
}

fn is_recording(path: &Path, reading: &Reading) -> bool {
    let mut start = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BYTES_TO_RECOGNISE).read_to_end(&mut start));
    read.is_ok() && formats::is_recognised(&start, reading.format)
}
