//! The file system.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{FileMetadata, SharedBytes, Stamp};

pub use std::fs::{File, read};

/// Opens the file at `path` for reading.
///
/// # Errors
/// If it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns the metadata of the file or folder at `path`, and follows links.
///
/// # Errors
/// If the path does not exist, or cannot be accessed.
pub fn metadata(path: &Path) -> io::Result<FileMetadata> {
    let metadata = fs::metadata(path)?;
    Ok(FileMetadata {
        size: metadata.len(),
        is_file: metadata.is_file(),
        modified: metadata.modified().ok(),
    })
}

/// Returns the size and modification time of an open file, even if its path refers to another file
/// now.
///
/// # Errors
/// If the system does not provide the metadata.
pub fn file_stamp(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok(Stamp { size: metadata.len(), modified: metadata.modified().ok() })
}

/// Reads bytes at `offset` into `bytes`, and returns how many. Several threads can read the same file
/// at once.
///
/// # Errors
/// If the file cannot be read.
pub fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, bytes, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, bytes, offset);
}

/// Returns `None`, because files of the file system are not in memory.
pub fn in_memory(_path: &Path) -> Option<SharedBytes> {
    None
}

/// Returns `true` if `path` is a folder.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Returns the files in `folder` in no particular order, without those in its subfolders. If
/// `folder` is `.`, the paths are plain file names.
///
/// # Errors
/// If the folder cannot be read.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let to_path = |entry: fs::DirEntry| match folder == Path::new(".") {
        true => PathBuf::from(entry.file_name()),
        false => entry.path(),
    };
    let mut files: Vec<_> = entries.into_iter().map(to_path).collect();
    files.retain(|path| path.is_file());
    Ok(files)
}
