//! Files that are whole or not there: written beside their place, and put into it when they are done.

use std::{
    fs::{self, Permissions},
    io,
    path::Path,
};

use tempfile::{Builder, NamedTempFile};

/// A file beside the one at `path`, whose name ends in `suffix`. If it is dropped before it is
/// finished, nothing is left of it.
///
/// # Errors
/// If nothing can be written there.
pub(crate) fn begin(path: &Path, suffix: &str) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(suffix);
    // All may read it who may read others that are made there.
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(folder(path))
}

/// Puts a finished file in the place of what is at `path`, as open to others as that is.
///
/// # Errors
/// If it cannot be put there; what was there still is.
pub(crate) fn finish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    if let Ok(about) = fs::metadata(path) {
        file.as_file().set_permissions(about.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// What the names of unfinished files and folders begin with.
pub(crate) const PREFIX: &str = ".mutoscope-";

/// The folder of the file at `path`.
pub(crate) fn folder(path: &Path) -> &Path {
    let named = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}
