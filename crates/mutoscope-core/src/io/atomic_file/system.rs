//! Files that are complete or absent: written to a temporary file in the folder of their
//! destination, and renamed when complete.
//!
//! Windows differs in three ways: some names mean no file ([`file_name`](crate::io::file_name)), paths may be
//! too long for tempfile, and a file that another program has open cannot always be replaced.

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

use crate::io::file_name::windows_problem;

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
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666));
    check_name(path)?;
    let folder = folder(path);
    remove_abandoned(folder);
    loop {
        let file = builder.tempfile_in(long(folder)).map_err(|error| plain(error, folder))?;
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
#[cfg(not(windows))]
pub fn finish(file: Unfinished, path: &Path) -> io::Result<()> {
    if let Ok(about) = fs::metadata(path) {
        file.as_file().set_permissions(about.permissions())?;
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Moves a finished file to `path`, replacing what is there. A file that is marked read-only is kept.
///
/// # Errors
/// If it cannot be put there; what was there still is.
#[cfg(windows)]
pub fn finish(file: Unfinished, path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|about| about.permissions().readonly()) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, READ_ONLY));
    }
    let (file, unfinished) = file.into_parts();
    drop(file);
    // No temporary file any more, also in its attributes. The standard library's own renaming takes long paths,
    // and replaces a file that another program has open if that program allows it.
    let kept = unfinished.keep().map_err(|error| error.error)?;
    fs::rename(&kept, path).map_err(|error| {
        // What remains is removed by the next that writes here.
        let _ = fs::remove_file(&kept);
        in_use(error, path)
    })
}

#[cfg(windows)]
const READ_ONLY: &str = "it is marked read-only. Clear that mark, or name another file";

/// An error of replacing the file at `path`, which in Windows fails while another program has it open.
#[cfg(windows)]
fn in_use(error: io::Error, path: &Path) -> io::Error {
    /// Access denied; used by another process; locked by another process.
    const IN_USE: [i32; 3] = [5, 32, 33];
    let is_in_use = error.raw_os_error().is_some_and(|code| IN_USE.contains(&code));
    if !is_in_use || !path.is_file() {
        return error;
    }
    let message = "another program has it open. Close it there, or name another file";
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// Refuses a name that means no file in Windows.
///
/// # Errors
/// If it means none.
fn check_name(path: &Path) -> io::Result<()> {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    match windows_problem(&name) {
        Some(problem) if cfg!(windows) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{problem}; nothing written. Name another file"),
        )),
        _ => Ok(()),
    }
}

/// The folder by a name that tempfile can extend on Windows. The standard library takes paths of any length, but
/// tempfile calls the system itself, which takes more than 260 characters only of names that begin with `\\?\`.
fn long(folder: &Path) -> Cow<'_, Path> {
    /// As many characters as the name of a temporary file may have.
    const ROOM: usize = 60;
    const LONGEST: usize = 260;
    let length = |path: &Path| path.as_os_str().len();
    let is_short =
        || std::path::absolute(folder).is_ok_and(|absolute| length(&absolute) + ROOM < LONGEST);
    match cfg!(windows) && !is_short() {
        true => fs::canonicalize(folder).map_or(Cow::Borrowed(folder), Cow::Owned),
        false => Cow::Borrowed(folder),
    }
}

/// A temporary folder next to `path`. It is removed if it is dropped before it is finished.
///
/// # Errors
/// If nothing can be written there.
pub fn begin_folder(path: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(".part");
    #[cfg(unix)]
    builder.permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777));
    check_name(path)?;
    builder.tempdir_in(folder(path)).map_err(|error| plain(error, folder(path)))
}

/// An error about a temporary file in `folder`, without the name of that file, which is nobody's concern.
fn plain(error: io::Error, folder: &Path) -> io::Error {
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

/// Whoever has a file open keeps it from being opened alone, which is how Windows tells that it is abandoned. A lock
/// would keep other programs from writing to the file.
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

/// Removes an unfinished file that no program has open.
#[cfg(windows)]
fn remove_if_abandoned(path: &Path) {
    use std::os::windows::fs::OpenOptionsExt as _;

    /// The right to remove it.
    const DELETE: u32 = 0x0001_0000;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    // It is opened only if nobody else has it open, and removed by being closed.
    let alone =
        File::options().access_mode(DELETE).share_mode(0).custom_flags(DELETE_ON_CLOSE).open(path);
    drop(alone);
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

    fn replaced(path: &Path) -> io::Result<()> {
        use io::Write as _;
        let mut file = begin(path, ".part")?;
        file.write_all(b"new")?;
        finish(file, path)
    }

    /// Wine 8 and file systems of others replace no file that is open, as Windows 10 does.
    #[test]
    fn files_that_are_read_are_replaced_or_kept() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("take.glb");
        fs::write(&path, "old").expect("written");
        let reader = File::open(&path).expect("opened");
        let expected: &[u8] = match replaced(&path) {
            Ok(()) => b"new",
            Err(error) if cfg!(windows) => {
                assert!(error.to_string().starts_with("another program has it open"), "{error}");
                b"old"
            }
            Err(error) => panic!("{error}"),
        };
        drop(reader);
        assert_eq!(fs::read(&path).expect("read"), expected);
        assert_eq!(names(place.path()), ["take.glb"]);
    }

    #[test]
    fn paths_longer_than_260_characters_are_written() {
        let place = tempfile::tempdir().expect("a folder");
        let deep = place.path().join("a".repeat(120)).join("b".repeat(120)).join("c".repeat(40));
        fs::create_dir_all(&deep).expect("made");
        let path = deep.join("take.glb");
        assert!(path.as_os_str().len() > 280);
        for _ in 0..2 {
            replaced(&path).expect("written");
        }
        assert_eq!(names(&deep), ["take.glb"]);
        finish_folder(finished(&deep.join("frames")), &deep.join("frames")).expect("finished");
        assert_eq!(names(&deep.join("frames")), ["1.png", "2.png"]);
    }

    #[cfg(windows)]
    #[test]
    fn files_that_others_hold_are_kept() {
        use std::os::windows::fs::OpenOptionsExt as _;

        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("take.glb");
        fs::write(&path, "old").expect("written");
        let held = File::options().read(true).share_mode(1).open(&path).expect("opened");
        let error = replaced(&path).expect_err("it is held");
        assert!(error.to_string().starts_with("another program has it open"), "{error}");
        drop(held);
        let mut permissions = fs::metadata(&path).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions.clone()).expect("set");
        let error = replaced(&path).expect_err("it is read-only");
        assert_eq!(error.to_string(), READ_ONLY);
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(place.path()), ["take.glb"]);
        #[allow(clippy::permissions_set_readonly_false, reason = "the attribute of Windows")]
        permissions.set_readonly(false);
        fs::set_permissions(&path, permissions).expect("set");
    }

    #[cfg(windows)]
    #[test]
    fn names_of_devices_and_streams_are_refused() {
        let place = tempfile::tempdir().expect("a folder");
        for name in ["NUL.glb", "con.anim", "take:1.glb", "take."] {
            let error = replaced(&place.path().join(name)).expect_err("no file");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            assert!(error.to_string().contains("in Windows"), "{name}: {error}");
        }
        assert!(names(place.path()).is_empty());
    }

    #[test]
    fn unwritable_folder_is_reported_with_a_remedy() {
        let place = tempfile::tempdir().expect("a folder");
        let denied = io::Error::new(io::ErrorKind::PermissionDenied, "denied at path \"x\"");
        let expected = "its folder cannot be written (denied). Name a file in another folder";
        assert_eq!(plain(denied, place.path()).to_string(), expected);
        let other = io::Error::other("no space at path \"x\"");
        assert_eq!(plain(other, place.path()).to_string(), "no space");
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
