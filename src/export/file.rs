//! Whole files or none.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::{ExportError, Progress, Report, Target, Wanted};
use crate::clip::Clip;

/// Writes what is wanted of `clip` to the file at `path`, in the place of what is there.
///
/// It is written beside it first and takes its place when it is whole: what is cancelled or fails
/// leaves nothing behind, and what was there stays. Links are followed. What is no file, such as a
/// pipe, is written to as it is.
///
/// # Errors
/// As [`Target::write`].
pub fn write_file(
    target: &Target,
    clip: &Clip,
    wanted: &Wanted,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let path = real(path)?;
    if path.metadata().is_ok_and(|about| !about.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(&path)?);
        return target.write(clip, wanted, &mut out, progress);
    }
    let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = builder().tempfile_in(beside.unwrap_or(Path::new(".")))?;
    let mut out = BufWriter::new(file.as_file_mut());
    let report = target.write(clip, wanted, &mut out, progress)?;
    out.flush()?;
    drop(out);
    if let Ok(about) = path.metadata() {
        file.as_file().set_permissions(about.permissions())?;
    }
    file.persist(&path).map_err(|error| error.error)?;
    Ok(report)
}

/// Where a path leads to, through links.
fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        real => real,
    }
}

/// Makes files that all may read who may read others that are made there.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mutoscope-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
