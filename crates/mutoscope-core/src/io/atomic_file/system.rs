//! Files that are whole or not there: written beside their destination, and moved there when they
//! are complete.

use std::{
    fs::{self, Permissions},
    io,
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile, TempDir};

/// A file that is being written.
pub type Unfinished = NamedTempFile;

/// A file beside the one at `path`, whose name ends in `suffix`. If it is dropped before it is
/// finished, it is removed.
///
/// # Errors
/// If nothing can be written there.
pub fn begin(path: &Path, suffix: &str) -> io::Result<Unfinished> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(suffix);
    // It has the permissions of other files that are created there.
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    builder.tempfile_in(folder(path))
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

/// A folder beside the one at `path`. If it is dropped before it is finished, it is removed.
///
/// # Errors
/// If nothing can be written there.
pub fn begin_folder(path: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(".part");
    #[cfg(unix)]
    builder.permissions(<Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777));
    builder.tempdir_in(folder(path))
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
            // What was there is rather kept under a temporary name than lost.
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

/// What the names of unfinished files and folders begin with.
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
    fn existing_file_at_the_folder_path_is_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("frames");
        fs::write(&path, "old").expect("written");
        assert!(finish_folder(finished(&path), &path).is_err());
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(place.path()), ["frames"]);
    }
}
