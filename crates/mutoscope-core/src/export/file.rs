//! Files that are complete or absent.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use super::{ExportError, ExportOptions, ExportTarget, Job, Progress, Report};
use crate::{
    clip::Clip,
    io::{atomic_file, file_name},
};

/// Writes `clip` by `options` to the file at `path`, and to its further files ([`ExportTarget::files`]),
/// replacing existing ones.
///
/// Each is written to a temporary file in the same folder, and all are renamed when complete: a
/// cancelled or failed export leaves nothing behind, and keeps the existing files. Links are followed.
/// Pipes and devices are written to directly, and without further files.
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
    if is_device(path)? {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        return target.write(clip, options, &mut out, progress);
    }
    write_files(target, clip, options, &target.files(path), progress)
}

/// The same for files that are called otherwise: as many as [`ExportTarget::files`] has, in its order.
///
/// # Errors
/// As [`write_file`].
///
/// # Panics
/// If there are fewer or more of them.
pub fn write_files(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    paths: &[PathBuf],
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    /// How much of the work a target's own file is, where there are others.
    const OWN: f64 = 0.8;
    let job = Job::new(clip, options);
    let beside = target.tables_beside();
    assert_eq!(paths.len(), 1 + beside.len(), "a path for each file");
    let share = (1.0 - OWN) / beside.len().max(1) as f64;
    let own = if beside.is_empty() { 1.0 } else { OWN };
    let (mut report, file) = written(&paths[0], &mut |out| {
        target.write_own(&job, out, &mut |done| progress(done * own))
    })?;
    let mut files = vec![file];
    for (index, (table, path)) in beside.iter().zip(&paths[1..]).enumerate() {
        let before = own + index as f64 * share;
        let (said, file) = written(path, &mut |out| {
            table.write(&job, out, &mut |done| progress((before + done * share).min(1.0)))
        })?;
        report.add_of_table(table.name, said);
        files.push(file);
    }
    // The target's own is the last: once it exists, the others do too.
    files.into_iter().rev().try_for_each(|(file, path)| atomic_file::finish(file, &path))?;
    Ok(report)
}

/// Puts `bytes` in the place of the file at `path`, whole or not at all. Links are followed.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    if is_device(path)? {
        return Ok(fs::write(path, bytes)?);
    }
    let path = real(path)?;
    let mut file = atomic_file::begin(&path, ".part")?;
    file.as_file_mut().write_all(bytes)?;
    Ok(atomic_file::finish(file, &path)?)
}

/// Whether something at `path` takes bytes and keeps no file: a pipe, a device. Of Windows' devices only `NUL` is one to
/// write to.
///
/// # Errors
/// If Windows takes the name for another device, or for no file at all.
fn is_device(path: &Path) -> io::Result<bool> {
    if cfg!(windows) && file_name::is_windows_null(path) {
        return Ok(true);
    }
    file_name::check(path)?;
    Ok(path.metadata().is_ok_and(|about| !about.is_file()))
}

/// A file that is written and not yet in its place, which is at the path.
type Unfinished = (atomic_file::Unfinished, PathBuf);

fn written(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn io::Write) -> Result<Report, ExportError>,
) -> Result<(Report, Unfinished), ExportError> {
    let path = real(path)?;
    let mut file = atomic_file::begin(&path, ".part")?;
    let mut out = BufWriter::new(file.as_file_mut());
    let report = write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok((report, (file, path)))
}

/// Where a path leads to, through links.
///
/// # Errors
/// If it cannot be followed; a path where nothing is leads to itself.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    // A browser has no symbolic links, and a device is no file.
    if cfg!(target_family = "wasm") || (cfg!(windows) && file_name::is_windows_null(path)) {
        return Ok(path.to_owned());
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        // Some drives of Windows do not tell where their paths lead, nor does Wine 8 of a long one.
        Err(_) if cfg!(windows) && path.is_file() => Ok(path.to_owned()),
        real => real,
    }
}
