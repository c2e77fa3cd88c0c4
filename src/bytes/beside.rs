//! The bytes of files that a file names.

use std::{io, path::Path};

/// Reads the file at a path that is relative to the folder of the one that names it: so decoding
/// stays free of files and folders, and whoever decodes says what can be read.
pub type ReadBeside<'a> = dyn Fn(&Path) -> io::Result<Vec<u8>> + 'a;

/// Where there are no files to be read.
///
/// # Errors
/// Always.
pub fn nothing_beside(_: &Path) -> io::Result<Vec<u8>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "it is in a file of its own, out of reach here"))
}
