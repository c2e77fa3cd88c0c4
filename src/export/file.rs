//! Files that are complete or absent.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::{ExportError, ExportOptions, ExportTarget, Progress, Report};
use crate::{atomic_file, clip::Clip};

/// Writes `clip` by `options` to the file at `path`, replacing what is there.
///
/// It is written to a temporary file in the same folder and renamed when complete: a cancelled or failed export
/// leaves nothing behind, and keeps the existing file. Links are followed. Pipes and devices are
/// written to directly.
///
/// # Errors
/// As [`ExportTarget::write`].
pub fn write_file(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let path = real(path)?;
    if path.metadata().is_ok_and(|about| !about.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(&path)?);
        return target.write(clip, options, &mut out, progress);
    }
    let mut file = atomic_file::begin(&path, ".part")?;
    let mut out = BufWriter::new(file.as_file_mut());
    let report = target.write(clip, options, &mut out, progress)?;
    out.flush()?;
    drop(out);
    atomic_file::finish(file, &path)?;
    Ok(report)
}

/// Where a path leads to, through links.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    // A browser has no symbolic links.
    if cfg!(target_family = "wasm") {
        return Ok(path.to_owned());
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        real => real,
    }
}
