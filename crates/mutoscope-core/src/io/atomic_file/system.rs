//! Output files that are either complete or absent: each is written to a temporary file in the
//! folder of its destination, and renamed when it is complete.
//!
//! Windows differs in three ways. Some names cannot be created
//! ([`file_name`](crate::io::file_name)), a path may be too long for the `tempfile` crate, and a
//! file that another program has open cannot always be replaced.

use std::{
    borrow::Cow,
    collections::HashSet,
    ffi::OsStr,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::io::file_name;

/// A file that is being written.
pub type UnfinishedFile = NamedTempFile;

/// Creates a temporary file in the folder of `path`. Its name ends in `suffix`. The file is removed
/// if it is dropped before it is finished.
///
/// # Errors
/// If the folder is not writable, or Windows cannot create a file called `path`.
pub fn begin(path: &Path, suffix: &str) -> io::Result<UnfinishedFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMP_PREFIX).suffix(suffix);
    // `tempfile` creates private files. Give this one the permissions of an ordinary new file.
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    file_name::check_output_name(path)?;
    let folder = parent_folder(path);
    remove_abandoned(folder);
    loop {
        let file = builder
            .tempfile_in(to_extended_length(folder))
            .map_err(|error| hide_temp_name(error, folder))?;
        // Before we locked the file, another process may have removed the file as abandoned. In
        // that case, create another file.
        if claim(&file) {
            return Ok(file);
        }
    }
}

/// Moves a finished file to `path`. An existing file is replaced, and its permissions are kept.
///
/// # Errors
/// If the file cannot be moved. An existing file stays unchanged.
#[cfg(not(windows))]
pub fn finish(file: UnfinishedFile, path: &Path) -> io::Result<()> {
    if let Ok(metadata) = fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Moves a finished file to `path`. An existing file is replaced unless it is marked read-only.
///
/// # Errors
/// If the file cannot be moved. An existing file stays unchanged.
#[cfg(windows)]
pub fn finish(file: UnfinishedFile, path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, READ_ONLY));
    }
    let (file, unfinished) = file.into_parts();
    drop(file);
    // `keep` clears the temporary attribute of the file. We rename with the standard library
    // because it supports long paths, and replaces a file that another program has open if that
    // program allows it.
    let kept = unfinished.keep().map_err(|error| error.error)?;
    fs::rename(&kept, path).map_err(|error| {
        // If the file cannot be removed either, a later run of the program removes it as abandoned.
        let _ = fs::remove_file(&kept);
        file_in_use_error(error, path)
    })
}

#[cfg(windows)]
const READ_ONLY: &str = "it is marked read-only. Clear that mark, or name another file";

#[cfg(windows)]
fn file_in_use_error(error: io::Error, path: &Path) -> io::Error {
    /// The Windows error codes ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION and
    /// ERROR_LOCK_VIOLATION.
    const IN_USE: [i32; 3] = [5, 32, 33];
    let is_in_use = error.raw_os_error().is_some_and(|code| IN_USE.contains(&code));
    if !is_in_use || !path.is_file() {
        return error;
    }
    let message = "another program has it open. Close it there, or name another file";
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// Creates a nameless file in the folder of `path`, which the system removes when it is closed.
///
/// # Errors
/// If the folder is not writable.
pub(in crate::io) fn temporary_file(path: &Path) -> io::Result<File> {
    let folder = parent_folder(path);
    tempfile::tempfile_in(to_extended_length(folder)).map_err(|error| hide_temp_name(error, folder))
}

/// Returns the folder as a path that can be extended by the name of a temporary file. `tempfile`
/// calls the Windows API directly, which limits paths to 260 characters unless they begin with
/// `\\?\`. The standard library has no such limit.
fn to_extended_length(folder: &Path) -> Cow<'_, Path> {
    const TEMP_NAME_CHARS: usize = 60;
    const MAX_PATH_CHARS: usize = 260;
    let length = |path: &Path| path.as_os_str().len();
    let is_short = || {
        std::path::absolute(folder)
            .is_ok_and(|absolute| length(&absolute) + TEMP_NAME_CHARS < MAX_PATH_CHARS)
    };
    if cfg!(windows) && !is_short() {
        fs::canonicalize(folder).map_or(Cow::Borrowed(folder), Cow::Owned)
    } else {
        Cow::Borrowed(folder)
    }
}

/// Creates a temporary folder next to `path`. It is removed if it is dropped before it is finished.
///
/// # Errors
/// If the parent folder is not writable, or Windows cannot create a folder called `path`.
pub fn begin_folder(path: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(TEMP_PREFIX).suffix(".part");
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777));
    file_name::check_output_name(path)?;
    builder
        .tempdir_in(parent_folder(path))
        .map_err(|error| hide_temp_name(error, parent_folder(path)))
}

/// Removes the name of the temporary file from an error message, because it means nothing to the
/// user.
fn hide_temp_name(error: io::Error, folder: &Path) -> io::Error {
    if !folder.exists() {
        return io::Error::new(io::ErrorKind::NotFound, "its folder does not exist");
    }
    let text = error.to_string();
    let cause = text.rsplit_once(" at path ").map_or(&*text, |(cause, _)| cause);
    let message = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            format!("its folder cannot be written ({cause}). Name a file in another folder")
        }
        _ => cause.to_owned(),
    };
    io::Error::new(error.kind(), message)
}

/// Moves the files of a finished folder into the folder at `path`. Files with the same names are
/// replaced. Either all files are moved, or none.
///
/// # Errors
/// If the files cannot be moved. Existing files stay unchanged.
pub fn finish_folder(unfinished: TempDir, path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        fs::rename(unfinished.path(), path)?;
        // The temporary folder has been renamed, so do not remove the temporary folder on drop.
        let _ = unfinished.keep();
        return Ok(());
    }
    let replaced =
        Builder::new().prefix(TEMP_PREFIX).suffix(".old").tempdir_in(parent_folder(path))?;
    let mut moves = Vec::new();
    for entry in fs::read_dir(unfinished.path())? {
        let entry = entry?;
        let to = path.join(entry.file_name());
        if fs::symlink_metadata(&to).is_ok() {
            moves.push((to.clone(), replaced.path().join(entry.file_name())));
        }
        moves.push((entry.path(), to));
    }
    move_all(&moves).map_err(|MoveFailure { error, is_undone }| {
        if !is_undone {
            // Keep the folder with the replaced files, because it holds the only copy of a file
            // that could not be moved back.
            let _ = replaced.keep();
        }
        error
    })
}

#[derive(Debug)]
struct MoveFailure {
    error: io::Error,
    is_undone: bool,
}

/// Renames each file from the first path of its pair to the second. If a rename fails, moves the
/// files back that were already moved.
fn move_all(moves: &[(PathBuf, PathBuf)]) -> Result<(), MoveFailure> {
    for (index, (from, to)) in moves.iter().enumerate() {
        if let Err(error) = fs::rename(from, to) {
            let back = moves[..index].iter().rev().map(|(from, to)| fs::rename(to, from));
            // Try to move every file back, even if one of them fails.
            let is_undone = back.filter(Result::is_err).count() == 0;
            return Err(MoveFailure { error, is_undone });
        }
    }
    Ok(())
}

/// Locks an unfinished file while it is open, so that other processes do not remove it as
/// abandoned. Returns `false` if the file was removed before it was locked.
#[cfg(unix)]
fn claim(file: &UnfinishedFile) -> bool {
    // If the file system does not support locks, `remove_if_abandoned` cannot lock the file either
    // and keeps it.
    file.as_file().lock().is_err() || file.path().exists()
}

/// On Windows, an open file needs no lock, because `remove_if_abandoned` needs exclusive access. A
/// lock would keep other programs, such as an encoder, from writing to the file.
#[cfg(not(unix))]
fn claim(_: &UnfinishedFile) -> bool {
    true
}

/// Removes the unfinished files of killed programs from `folder`. Each folder is cleaned once per
/// run. Files that cannot be removed stay.
fn remove_abandoned(folder: &Path) {
    static CLEANED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let Ok(real) = fs::canonicalize(folder) else { return };
    let is_new = {
        let mut cleaned = CLEANED.lock().unwrap_or_else(PoisonError::into_inner);
        cleaned.get_or_insert_default().insert(real.clone())
    };
    if is_new {
        remove_abandoned_in(&real);
    }
}

fn remove_abandoned_in(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_unfinished_name(&entry.file_name()) {
            remove_if_abandoned(&entry.path());
        }
    }
}

fn is_unfinished_name(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(TEMP_PREFIX) && name.contains(".part"))
}

#[cfg(unix)]
fn remove_if_abandoned(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    if file.try_lock().is_ok() {
        // The lock is held during the removal, so that no other process can claim the file in
        // between.
        let _ = fs::remove_file(path);
    }
}

#[cfg(windows)]
fn remove_if_abandoned(path: &Path) {
    use std::os::windows::fs::OpenOptionsExt as _;

    /// The access right to delete a file, from the Windows API.
    const DELETE: u32 = 0x0001_0000;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    // Opening with share mode 0 fails if another handle to the file is open. If opening succeeds,
    // dropping the handle deletes the file.
    let exclusive =
        File::options().access_mode(DELETE).share_mode(0).custom_flags(DELETE_ON_CLOSE).open(path);
    drop(exclusive);
}

const TEMP_PREFIX: &str = ".mutoscope-";

fn parent_folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn finished_folder(path: &Path) -> TempDir {
        let folder = begin_folder(path).expect("begun");
        for name in ["1.png", "2.png"] {
            fs::write(folder.path().join(name), "new").expect("written");
        }
        folder
    }

    #[test]
    fn folder_appears_atomically() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("frames");
        finish_folder(finished_folder(&path), &path).expect("finished");
        assert_eq!(names(&path), ["1.png", "2.png"]);
        assert_eq!(names(dir.path()), ["frames"]);
    }

    #[test]
    fn folder_files_are_added_and_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("frames");
        fs::create_dir(&path).expect("made");
        fs::write(path.join("2.png"), "old").expect("written");
        fs::write(path.join("mine.txt"), "old").expect("written");
        finish_folder(finished_folder(&path), &path).expect("finished");
        assert_eq!(names(&path), ["1.png", "2.png", "mine.txt"]);
        assert_eq!(fs::read(path.join("2.png")).expect("read"), b"new");
        assert_eq!(names(dir.path()), ["frames"]);
    }

    #[test]
    fn failed_move_restores_all_files() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        fs::write(path("new"), "new").expect("written");
        fs::write(path("there"), "old").expect("written");
        let moves = [("there", "aside"), ("new", "there"), ("missing", "anywhere")];
        let moves = moves.map(|(from, to)| (path(from), path(to)));
        let unmoved = move_all(&moves).expect_err("one is missing");
        assert!(unmoved.is_undone, "{unmoved:?}");
        assert_eq!(names(dir.path()), ["new", "there"]);
        assert_eq!(fs::read(path("there")).expect("read"), b"old");
    }

    #[test]
    fn missing_folder_is_reported_without_the_name_of_a_temporary_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let missing = dir.path().join("missing/take.glb");
        let error = begin(&missing, ".part").expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), "its folder does not exist");
        let error = begin_folder(&missing).expect_err("no folder");
        assert_eq!(error.to_string(), "its folder does not exist");
        fs::write(dir.path().join("file"), "").expect("written");
        let error = begin(&dir.path().join("file/take.glb"), ".part").expect_err("a file");
        assert!(!error.to_string().contains(TEMP_PREFIX), "{error}");
    }

    #[test]
    fn abandoned_files_are_removed_but_unfinished_files_are_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        let unfinished = begin(&path("take.glb"), ".part").expect("begun");
        for name in [".mutoscope-dead.part", ".mutoscope-x.gif.part", ".mutoscope-x.part.mp4"] {
            fs::write(path(name), "half").expect("written");
        }
        for name in [".mutoscope-mine", "take.part", ".mutoscope-x.old"] {
            fs::write(path(name), "mine").expect("written");
        }
        remove_abandoned_in(dir.path());
        assert!(unfinished.path().exists());
        finish(unfinished, &path("take.glb")).expect("finished");
        let kept = [".mutoscope-mine", ".mutoscope-x.old", "take.glb", "take.part"];
        assert_eq!(names(dir.path()), kept);
    }

    fn write_replacement(path: &Path) -> io::Result<()> {
        use io::Write as _;
        let mut file = begin(path, ".part")?;
        file.write_all(b"new")?;
        finish(file, path)
    }

    /// Wine 8 and some third-party file systems do not replace an open file, but Windows 10 does.
    #[test]
    fn open_files_are_replaced_or_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("take.glb");
        fs::write(&path, "old").expect("written");
        let reader = File::open(&path).expect("opened");
        let expected: &[u8] = match write_replacement(&path) {
            Ok(()) => b"new",
            Err(error) if cfg!(windows) => {
                assert!(error.to_string().starts_with("another program has it open"), "{error}");
                b"old"
            }
            Err(error) => panic!("{error}"),
        };
        drop(reader);
        assert_eq!(fs::read(&path).expect("read"), expected);
        assert_eq!(names(dir.path()), ["take.glb"]);
    }

    #[test]
    fn paths_longer_than_260_characters_are_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let deep = dir.path().join("a".repeat(120)).join("b".repeat(120)).join("c".repeat(40));
        fs::create_dir_all(&deep).expect("made");
        let path = deep.join("take.glb");
        assert!(path.as_os_str().len() > 280);
        for _ in 0..2 {
            write_replacement(&path).expect("written");
        }
        assert_eq!(names(&deep), ["take.glb"]);
        finish_folder(finished_folder(&deep.join("frames")), &deep.join("frames"))
            .expect("finished");
        assert_eq!(names(&deep.join("frames")), ["1.png", "2.png"]);
    }

    #[cfg(windows)]
    #[test]
    fn locked_and_read_only_files_are_kept() {
        use std::os::windows::fs::OpenOptionsExt as _;

        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("take.glb");
        fs::write(&path, "old").expect("written");
        let locked = File::options().read(true).share_mode(1).open(&path).expect("opened");
        let error = write_replacement(&path).expect_err("it is locked");
        assert!(error.to_string().starts_with("another program has it open"), "{error}");
        drop(locked);
        let mut permissions = fs::metadata(&path).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).expect("set");
        let error = write_replacement(&path).expect_err("it is read-only");
        assert_eq!(error.to_string(), READ_ONLY);
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(dir.path()), ["take.glb"]);
        #[allow(clippy::permissions_set_readonly_false, reason = "the attribute of Windows")]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).expect("set");
    }

    #[cfg(windows)]
    #[test]
    fn names_of_devices_and_streams_are_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["NUL.glb", "con.anim", "take:1.glb", "take."] {
            let error = write_replacement(&dir.path().join(name)).expect_err("no file");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            assert!(error.to_string().contains("on Windows"), "{name}: {error}");
        }
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn unwritable_folder_is_reported_with_a_remedy() {
        let dir = tempfile::tempdir().expect("a folder");
        let denied = io::Error::new(io::ErrorKind::PermissionDenied, "denied at path \"x\"");
        let expected = "its folder cannot be written (denied). Name a file in another folder";
        assert_eq!(hide_temp_name(denied, dir.path()).to_string(), expected);
        let other = io::Error::other("no space at path \"x\"");
        assert_eq!(hide_temp_name(other, dir.path()).to_string(), "no space");
    }

    #[test]
    fn existing_file_at_the_folder_path_is_kept() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("frames");
        fs::write(&path, "old").expect("written");
        assert!(finish_folder(finished_folder(&path), &path).is_err());
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(dir.path()), ["frames"]);
    }
}
