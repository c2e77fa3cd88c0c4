//! The file system.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::SharedBytes;
use super::{About, Stamp};

pub use std::fs::{File, read};

/// The file at `path`, to be read piece by piece.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// The metadata of what is at `path`, following links.
///
/// # Errors
/// If there is nothing, or it cannot be accessed.
pub fn about(path: &Path) -> io::Result<About> {
    let about = fs::metadata(path)?;
    Ok(About { size: about.len(), is_file: about.is_file() })
}

/// The size and the time of an open file, wherever its path leads by now.
///
/// # Errors
/// If the system does not tell.
pub fn stamp(file: &File) -> io::Result<Stamp> {
    let about = file.metadata()?;
    Ok(Stamp { size: about.len(), modified: about.modified().ok() })
}

/// Everything in the file at `path`, if it is in memory anyway: nothing is.
pub fn in_memory(_path: &Path) -> Option<SharedBytes> {
    None
}

/// Whether a folder is at `path`.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// The files in `folder`, not those in its subfolders, in no order. Paths in the current folder, `.`,
/// have no folder.
///
/// # Errors
/// If the folder cannot be read.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let named = |entry: fs::DirEntry| match folder == Path::new(".") {
        true => PathBuf::from(entry.file_name()),
        false => entry.path(),
    };
    let mut files: Vec<_> = entries.into_iter().map(named).collect();
    files.retain(|path| path.is_file());
    Ok(files)
}
