//! Writing files that are complete or absent.

use std::{
    io::{self, Write as _},
    path::Path,
};

use super::open_request::name_of;
use mutoscope_core::{export::real, io::atomic_file, read::path_text};

/// Writes `content` to `path`, in place of what is there; through a link, to the file that it leads to. In a browser
/// it is downloaded.
pub(in crate::session) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let real = real(path)?;
    if real.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let mut file = atomic_file::begin(&real, ".part")?;
    file.as_file_mut().write_all(content)?;
    atomic_file::finish(file, &real)
}

/// Where a file was written, for the user: its path, or in a browser the name of the download.
pub(in crate::session) fn written_text(path: &Path) -> String {
    if cfg!(target_family = "wasm") { name_of(path) } else { path_text(path) }
}
