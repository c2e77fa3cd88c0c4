//! Downloads: files are written to memory, and downloaded when they are complete.

use std::{
    io::{self, Write},
    path::Path,
    sync::OnceLock,
};

/// Gives a file of this name and content to whoever uses the page.
pub type Deliver = fn(&str, &[u8]) -> io::Result<()>;

static DELIVER: OnceLock<Deliver> = OnceLock::new();

/// Says how finished files are delivered, once for the page.
pub fn deliver_by(deliver: Deliver) {
    // The first function that is set stays.
    let _ = DELIVER.set(deliver);
}

/// A file that is being written. If it is dropped before it is finished, it is gone.
#[derive(Debug, Default)]
pub struct Unfinished(Vec<u8>);

impl Unfinished {
    /// The file to write to.
    pub fn as_file_mut(&mut self) -> &mut Self {
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
pub fn begin(_: &Path, _: &str) -> io::Result<Unfinished> {
    Ok(Unfinished::default())
}

/// Delivers a finished file by the name of `path`.
///
/// # Errors
/// If it is refused, or nothing says how.
pub fn finish(file: Unfinished, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let deliver = DELIVER.get().ok_or_else(|| io::Error::other("the page cannot deliver files"))?;
    deliver(&name, &file.0)
}
