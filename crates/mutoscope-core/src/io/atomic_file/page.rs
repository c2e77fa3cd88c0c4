//! Downloads: files are written to memory, and downloaded when they are complete.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::OnceLock,
};

/// A function that offers a file to the user of the page. The arguments are the name and the
/// content of the file.
pub type Deliver = fn(&str, &[u8]) -> io::Result<()>;

static DELIVER: OnceLock<Deliver> = OnceLock::new();

/// Sets the function that delivers finished files. Only the first call has an effect.
pub fn set_delivery(deliver: Deliver) {
    // If a function is set already, `set` fails and the first function stays.
    let _ = DELIVER.set(deliver);
}

/// A file that is being written. It is discarded if it is dropped before it is finished.
#[derive(Debug, Default)]
pub struct UnfinishedFile(Vec<u8>);

impl UnfinishedFile {
    /// Returns the writer of the file.
    pub fn as_file_mut(&mut self) -> &mut Self {
        self
    }
}

impl Write for UnfinishedFile {
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
/// Never. If memory runs out, the page crashes.
pub fn begin(_: &Path, _: &str) -> io::Result<UnfinishedFile> {
    Ok(UnfinishedFile::default())
}

/// Delivers a finished file under the file name of `path`.
///
/// # Errors
/// If the delivery fails, or no delivery function is set.
pub fn finish(file: UnfinishedFile, path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let deliver = DELIVER.get().ok_or_else(|| io::Error::other("the page cannot deliver files"))?;
    deliver(&name, &file.0)
}

/// Fails, because a page has no files.
pub(in crate::io) fn temporary_file(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}
