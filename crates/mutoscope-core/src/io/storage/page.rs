//! The files that a page was given.

use std::{
    io::{self, Cursor},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    About, SharedBytes, Stamp,
    memory::{MemoryFiles, Shared},
};

/// A file that is read piece by piece.
pub type File = Cursor<Shared>;

/// One for the page, as there is one file system for a program.
static FILES: Mutex<MemoryFiles> = Mutex::new(MemoryFiles::new());

fn files() -> MutexGuard<'static, MemoryFiles> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a file that the page was given, for as long as it is open.
pub fn give(path: &Path, bytes: Vec<u8>) {
    files().insert(path, bytes);
}

/// Everything in the file at `path`.
///
/// # Errors
/// If the page was not given it.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    files().read(path.as_ref())
}

/// Everything in the file at `path`, which is in memory anyway; `None` if the page was not given it.
pub fn in_memory(path: &Path) -> Option<SharedBytes> {
    files().shared(path)
}

/// The file at `path`, to be read piece by piece.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> io::Result<File> {
    files().open(path)
}

/// The size of an open file, whose bytes never change.
pub fn stamp(file: &File) -> io::Result<Stamp> {
    Ok(Stamp { size: file.get_ref().as_ref().len() as u64, modified: None })
}

/// The metadata of the file at `path`.
///
/// # Errors
/// As [`read`].
pub fn about(path: &Path) -> io::Result<About> {
    files().about(path)
}

/// Whether a folder is at `path`.
pub fn is_dir(path: &Path) -> bool {
    files().is_dir(path)
}

/// The files in `folder`, not those in folders of it.
///
/// # Errors
/// If the page was given none.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files().files_in(folder)
}
