//! Writes files atomically: after an export a file is complete or does not exist.

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

/// Writes `clip` to the file at `path`, and its tables to their own files
/// ([`ExportTarget::output_paths`]), replacing existing files.
///
/// Each file is written to a temporary file in the same folder, and all of them are renamed when
/// they are complete. A cancelled or failed export therefore leaves no file behind and keeps the
/// existing files. Symbolic links are followed. Pipes and devices are written to directly, without
/// the tables.
///
/// # Errors
/// Fails for the same reasons as [`ExportTarget::write`].
pub fn write_file(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    path: &Path,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    if is_pipe_or_device(path)? {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        return target.write(clip, options, &mut out, progress);
    }
    write_files(target, clip, options, &target.output_paths(path), progress)
}

/// Writes `clip` like [`write_file`], to explicit paths: one for each path of
/// [`ExportTarget::output_paths`], in the same order.
///
/// # Errors
/// Fails for the same reasons as [`write_file`].
///
/// # Panics
/// Panics if the number of paths is not the number of files that the target writes.
pub fn write_files(
    target: &ExportTarget,
    clip: &Clip,
    options: &ExportOptions,
    paths: &[PathBuf],
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    const MAIN_FILE_SHARE: f64 = 0.8;
    let clip = target.prepare_clip(clip, options)?;
    let path = resolve_links(&paths[0])?;
    let path = cfg!(not(target_family = "wasm")).then_some(&*path);
    let job = Job { path, ..Job::new(&clip, options) };
    let side_tables = target.side_tables();
    assert_eq!(paths.len(), 1 + side_tables.len(), "a path for each file");
    let table_share = (1.0 - MAIN_FILE_SHARE) / side_tables.len().max(1) as f64;
    let main_share = if side_tables.is_empty() { 1.0 } else { MAIN_FILE_SHARE };
    let (mut report, file) = write_unfinished(&paths[0], &mut |out| {
        target.write_main_file(&job, out, &mut progress.begin_nested(main_share))
    })?;
    let mut files = vec![file];
    for (index, (table, path)) in side_tables.iter().zip(&paths[1..]).enumerate() {
        let end = (main_share + (index + 1) as f64 * table_share).min(1.0);
        let (table_report, file) = write_unfinished(path, &mut |out| {
            table.write(&job, out, &mut progress.begin_nested(end))
        })?;
        report.add_part(table.name, table_report);
        files.push(file);
    }
    // Rename the main file last, so that the tables exist as soon as it does.
    files.into_iter().rev().try_for_each(|(file, path)| atomic_file::finish(file, &path))?;
    Ok(report)
}

/// Replaces the file at `path` with `bytes`, completely or not at all. Symbolic links are followed.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    if is_pipe_or_device(path)? {
        return Ok(fs::write(path, bytes)?);
    }
    let path = resolve_links(path)?;
    let mut file = atomic_file::begin(&path, ".part")?;
    file.as_file_mut().write_all(bytes)?;
    Ok(atomic_file::finish(file, &path)?)
}

/// Returns `true` if `path` is a pipe or a device, which takes bytes but keeps no file. On Windows
/// `NUL` is the only such device that can be written to.
///
/// # Errors
/// Fails if Windows reserves the name for another device, or cannot use it for a file at all.
fn is_pipe_or_device(path: &Path) -> io::Result<bool> {
    if cfg!(windows) && file_name::is_windows_null_device(path) {
        return Ok(true);
    }
    file_name::check_output_name(path)?;
    Ok(path.metadata().is_ok_and(|metadata| !metadata.is_file()))
}

type Unfinished = (atomic_file::UnfinishedFile, PathBuf);

fn write_unfinished(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn io::Write) -> Result<Report, ExportError>,
) -> Result<(Report, Unfinished), ExportError> {
    let path = resolve_links(path)?;
    let mut file = atomic_file::begin(&path, ".part")?;
    let mut out = BufWriter::new(file.as_file_mut());
    let report = write(&mut out)?;
    out.flush()?;
    drop(out);
    Ok((report, (file, path)))
}

/// Resolves the symbolic links of `path`. A path without a file is returned as it is.
///
/// # Errors
/// Fails if the path cannot be resolved.
pub fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    // Browsers have no symbolic links, and Windows' null device has no path to resolve.
    if cfg!(target_family = "wasm") || (cfg!(windows) && file_name::is_windows_null_device(path)) {
        return Ok(path.to_owned());
    }
    match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_owned()),
        // Some drives on Windows cannot resolve paths, and Wine 8 cannot resolve long ones, so use
        // the path as it is.
        Err(_) if cfg!(windows) && path.is_file() => Ok(path.to_owned()),
        real => real,
    }
}
