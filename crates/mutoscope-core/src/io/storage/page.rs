//! The files that a web page has received.

use std::{
    io::{self, Cursor},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{
    FileMetadata, SharedBytes, Stamp,
    memory::{FileBytes, MemoryFiles},
};

/// An open file.
pub type File = Cursor<FileBytes>;

/// The files of the whole page. All code on the page shares them, like a file system.
static FILES: Mutex<MemoryFiles> = Mutex::new(MemoryFiles::new());

fn files() -> MutexGuard<'static, MemoryFiles> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores a file that the page has received, until the page is closed.
pub fn add_file(path: &Path, bytes: Vec<u8>) {
    files().insert(path, bytes);
}

/// Returns all bytes of the file at `path`.
///
/// # Errors
/// If the page has not received such a file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    files().read(path.as_ref())
}

/// Returns all bytes of the file at `path` without a copy; `None` if the page has not received it.
pub fn in_memory(path: &Path) -> Option<SharedBytes> {
    files().shared_bytes(path)
}

/// Opens the file at `path` for reading.
///
/// # Errors
/// The same as for [`read`].
pub fn open(path: &Path) -> io::Result<File> {
    files().open(path)
}

/// Returns the stamp of an open file. A file in memory never changes.
pub fn file_stamp(file: &File) -> io::Result<Stamp> {
    Ok(Stamp { size: file.get_ref().as_ref().len() as u64, modified: None })
}

/// Reads bytes at `offset` into `bytes`, and returns how many.
pub fn read_at(file: &File, mut bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    let content = file.get_ref().as_ref();
    let start = content.len().min(offset as usize);
    io::Write::write(&mut bytes, &content[start..])
}

/// Returns the metadata of the file or folder at `path`.
///
/// # Errors
/// The same as for [`read`].
pub fn metadata(path: &Path) -> io::Result<FileMetadata> {
    files().metadata(path)
}

/// Returns `true` if `path` is a folder.
pub fn is_dir(path: &Path) -> bool {
    files().is_dir(path)
}

/// Returns the files in `folder`, without those in its subfolders.
///
/// # Errors
/// If the page has not received any file in that folder.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    files().files_in(folder)
}
