//! Files that are complete or absent: written to a temporary file in the folder of their
//! destination, and renamed when complete.

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, File, Permissions},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use tempfile::{Builder, NamedTempFile, TempDir};

/// A file that is being written.
pub type Unfinished = NamedTempFile;

/// A temporary file in the folder of `path`, whose name ends in `suffix`. It is removed if it is
/// dropped before it is finished.
///
/// # Errors
/// If nothing can be written there.
pub fn begin(path: &Path, suffix: &str) -> io::Result<Unfinished> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(suffix);
    // It has the permissions of other files that are created there.
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    let folder = folder(path);
    remove_abandoned(folder);
    loop {
        let file = builder.tempfile_in(folder).map_err(|error| plain(error, folder))?;
        // Whoever removes abandoned files may have been quicker than the lock.
        if is_claimed(&file) {
            return Ok(file);
        }
    }
}

/// Moves a finished file to `path`, replacing what is there and keeping its permissions.
///
/// # Errors
/// If it cannot be put there; what was there still is.
pub fn finish(file: Unfinished, path: &Path) -> io::Result<()> {
    if let Ok(about) = fs::metadata(path) {
        file.as_file().set_permissions(about.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// A temporary folder next to `path`. It is removed if it is dropped before it is finished.
///
/// # Errors
/// If nothing can be written there.
pub fn begin_folder(path: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(".part");
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777));
    builder.tempdir_in(folder(path)).map_err(|error| plain(error, folder(path)))
}

/// An error about a temporary file in `folder`, without the name of that file, which is nobody's concern.
fn plain(error: io::Error, folder: &Path) -> io::Error {
    if !folder.exists() {
        return io::Error::new(io::ErrorKind::NotFound, "its folder does not exist");
    }
    let text = error.to_string();
    let cause = text.rsplit_once(" at path ").map_or(&*text, |(cause, _)| cause);
    io::Error::new(error.kind(), cause)
}

/// Puts the files of a finished folder into the folder at `path`, in the place of those that have the
/// same names: all of them or none.
///
/// # Errors
/// If they cannot be put there; what was there still is.
pub fn finish_folder(unfinished: TempDir, path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        fs::rename(unfinished.path(), path)?;
        // It is not there any more.
        let _ = unfinished.keep();
        return Ok(());
    }
    let replaced = Builder::new().prefix(PREFIX).suffix(".old").tempdir_in(folder(path))?;
    let mut moves = Vec::new();
    for entry in fs::read_dir(unfinished.path())? {
        let entry = entry?;
        let to = path.join(entry.file_name());
        if fs::symlink_metadata(&to).is_ok() {
            moves.push((to.clone(), replaced.path().join(entry.file_name())));
        }
        moves.push((entry.path(), to));
    }
    move_all(&moves).map_err(|Unmoved { error, is_undone }| {
        if !is_undone {
            // The replaced file is kept under a temporary name rather than lost.
            let _ = replaced.keep();
        }
        error
    })
}

/// Why files were not moved.
#[derive(Debug)]
struct Unmoved {
    error: io::Error,
    /// Whether all of them are where they were.
    is_undone: bool,
}

/// Moves files, each from one path to another: all of them or none.
fn move_all(moves: &[(PathBuf, PathBuf)]) -> Result<(), Unmoved> {
    for (index, (from, to)) in moves.iter().enumerate() {
        if let Err(error) = fs::rename(from, to) {
            let back = moves[..index].iter().rev().map(|(from, to)| fs::rename(to, from));
            // Each is moved back, also after one that cannot be.
            let is_undone = back.filter(Result::is_err).count() == 0;
            return Err(Unmoved { error, is_undone });
        }
    }
    Ok(())
}

/// Locks an unfinished file for as long as it is open, so that others see that it is not abandoned.
/// False if it was removed before that.
#[cfg(unix)]
fn is_claimed(file: &Unfinished) -> bool {
    // Where files cannot be locked, none is taken for abandoned.
    file.as_file().lock().is_err() || file.path().exists()
}

/// A lock would keep other programs from writing to the file.
#[cfg(not(unix))]
fn is_claimed(_: &Unfinished) -> bool {
    true
}

/// Removes the unfinished files in `folder` of programs that were killed; once in the life of this
/// program. What cannot be removed stays.
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
        if is_file && is_unfinished(&entry.file_name()) {
            remove_if_abandoned(&entry.path());
        }
    }
}

/// Whether a file of this name is one that [`begin`] made.
fn is_unfinished(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.contains(".part"))
}

/// Removes an unfinished file that no program has locked.
#[cfg(unix)]
fn remove_if_abandoned(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    if file.try_lock().is_ok() {
        // It is locked meanwhile, so that nobody takes it for a file of his own.
        let _ = fs::remove_file(path);
    }
}

/// Removes an unfinished file that was not written to for a day.
#[cfg(not(unix))]
fn remove_if_abandoned(path: &Path) {
    const LONG: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    let age = |file: File| file.metadata()?.modified()?.elapsed().map_err(io::Error::other);
    if File::open(path).and_then(age).is_ok_and(|age| age > LONG) {
        let _ = fs::remove_file(path);
    }
}

/// The prefix of the names of unfinished files and folders.
const PREFIX: &str = ".mutoscope-";

/// The folder of the file at `path`.
fn folder(path: &Path) -> &Path {
    let named = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
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

    /// A finished folder of two files that is to be at `path`.
    fn finished(path: &Path) -> TempDir {
        let folder = begin_folder(path).expect("begun");
        for name in ["1.png", "2.png"] {
            fs::write(folder.path().join(name), "new").expect("written");
        }
        folder
    }

    #[test]
    fn folder_appears_atomically() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("frames");
        finish_folder(finished(&path), &path).expect("finished");
        assert_eq!(names(&path), ["1.png", "2.png"]);
        assert_eq!(names(place.path()), ["frames"]);
    }

    #[test]
    fn folder_files_are_added_and_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("frames");
        fs::create_dir(&path).expect("made");
        fs::write(path.join("2.png"), "old").expect("written");
        fs::write(path.join("mine.txt"), "old").expect("written");
        finish_folder(finished(&path), &path).expect("finished");
        assert_eq!(names(&path), ["1.png", "2.png", "mine.txt"]);
        assert_eq!(fs::read(path.join("2.png")).expect("read"), b"new");
        assert_eq!(names(place.path()), ["frames"]);
    }

    #[test]
    fn failed_move_restores_all_files() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        fs::write(path("new"), "new").expect("written");
        fs::write(path("there"), "old").expect("written");
        let moves = [("there", "aside"), ("new", "there"), ("missing", "anywhere")];
        let moves = moves.map(|(from, to)| (path(from), path(to)));
        let unmoved = move_all(&moves).expect_err("one is missing");
        assert!(unmoved.is_undone, "{unmoved:?}");
        assert_eq!(names(place.path()), ["new", "there"]);
        assert_eq!(fs::read(path("there")).expect("read"), b"old");
    }

    #[test]
    fn missing_folder_is_reported_without_the_name_of_a_temporary_file() {
        let place = tempfile::tempdir().expect("a folder");
        let missing = place.path().join("missing/take.glb");
        let error = begin(&missing, ".part").expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), "its folder does not exist");
        let error = begin_folder(&missing).expect_err("no folder");
        assert_eq!(error.to_string(), "its folder does not exist");
        fs::write(place.path().join("file"), "").expect("written");
        let error = begin(&place.path().join("file/take.glb"), ".part").expect_err("a file");
        assert!(!error.to_string().contains(PREFIX), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn abandoned_files_are_removed_and_those_in_work_are_not() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        let in_work = begin(&path("take.glb"), ".part").expect("begun");
        for name in [".mutoscope-dead.part", ".mutoscope-x.gif.part", ".mutoscope-x.part.mp4"] {
            fs::write(path(name), "half").expect("written");
        }
        for name in [".mutoscope-mine", "take.part", ".mutoscope-x.old"] {
            fs::write(path(name), "mine").expect("written");
        }
        remove_abandoned_in(place.path());
        assert!(in_work.path().exists());
        finish(in_work, &path("take.glb")).expect("finished");
        let kept = [".mutoscope-mine", ".mutoscope-x.old", "take.glb", "take.part"];
        assert_eq!(names(place.path()), kept);
    }

    #[test]
    fn existing_file_at_the_folder_path_is_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("frames");
        fs::write(&path, "old").expect("written");
        assert!(finish_folder(finished(&path), &path).is_err());
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(place.path()), ["frames"]);
    }
}
