//! Downloads: files are written to memory, and downloaded when they are complete.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::browser;

/// A file that is being written. If it is dropped before it is finished, it is gone.
#[derive(Debug, Default)]
pub(crate) struct Unfinished(Vec<u8>);

impl Unfinished {
    /// The file to write to.
    pub(crate) fn as_file_mut(&mut self) -> &mut Self {
        self
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Begins a file.
///
/// # Errors
/// Never: memory that runs out ends the page.
pub(crate) fn begin(_: &Path, _: &str) -> io::Result<Unfinished> {
    Ok(Unfinished::default())
}

/// Downloads a finished file by the name of `path`.
///
/// # Errors
/// If the browser refuses it.
pub(crate) fn finish(file: Unfinished, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    browser::download(&name, &file.0)
}
