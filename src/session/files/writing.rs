//! Writing files that are complete or absent.

use std::{
    io::{self, Write as _},
    path::Path,
};

use mutoscope_core::{export::real, io::atomic_file};

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
