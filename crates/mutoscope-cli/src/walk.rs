//! Walks the files below a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    vec,
};

use super::format_path;

/// Iterates over everything below a folder, sorted by name. Does not follow links to folders,
/// because they may form cycles.
#[derive(Debug)]
pub(super) struct Walk {
    folders: Vec<vec::IntoIter<FolderEntry>>,
    excluded: Option<PathBuf>,
    unreadable: Option<WalkEntry>,
}

#[derive(Debug)]
pub(super) enum WalkEntry {
    /// A file, or a link to a file.
    File(PathBuf),
    /// A broken link, a link to a folder, a pipe or a device.
    NotAFile,
    /// A folder that cannot be listed, or an entry that we have no permission to examine.
    Unreadable(PathBuf, io::Error),
}

#[derive(Debug)]
struct FolderEntry {
    path: PathBuf,
    is_folder: bool,
}

impl Walk {
    pub(super) fn new(folder: &Path) -> Self {
        let mut walk = Self { folders: Vec::new(), excluded: None, unreadable: None };
        walk.unreadable = walk.enter(folder.to_owned());
        walk
    }

    pub(super) fn excluding(self, folder: &Path) -> Self {
        Self { excluded: fs::canonicalize(folder).ok(), ..self }
    }

    fn enter(&mut self, folder: PathBuf) -> Option<WalkEntry> {
        let is_excluded = self
            .excluded
            .as_ref()
            .is_some_and(|except| fs::canonicalize(&folder).is_ok_and(|real| real == *except));
        if is_excluded {
            return None;
        }
        match read_entries(&folder) {
            Ok(entries) => {
                self.folders.push(entries.into_iter());
                None
            }
            Err(error) => Some(WalkEntry::Unreadable(folder, error)),
        }
    }
}

impl Iterator for Walk {
    type Item = WalkEntry;

    fn next(&mut self) -> Option<WalkEntry> {
        if let Some(unreadable) = self.unreadable.take() {
            return Some(unreadable);
        }
        loop {
            let Some(FolderEntry { path, is_folder }) = self.folders.last_mut()?.next() else {
                self.folders.pop();
                continue;
            };
            if !is_folder {
                return Some(match fs::metadata(&path) {
                    Ok(metadata) if metadata.is_file() => WalkEntry::File(path),
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        WalkEntry::Unreadable(path, error)
                    }
                    _ => WalkEntry::NotAFile,
                });
            }
            if let Some(unreadable) = self.enter(path) {
                return Some(unreadable);
            }
        }
    }
}

fn read_entries(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        Ok(FolderEntry { path: entry.path(), is_folder })
    };
    let mut entries = fs::read_dir(folder)?.map(entry).collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_cached_key(|entry| {
        let name = entry.path.file_name().unwrap_or_default();
        // Names that are not UTF-8 may print alike. Compare the raw names as well. Otherwise the
        // order of such names would not be fixed.
        (format_path(Path::new(name)), name.to_owned())
    });
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(walk: Walk, below: &Path) -> Vec<String> {
        let name = |found| match found {
            WalkEntry::File(path) => {
                path.strip_prefix(below).unwrap().to_string_lossy().replace('\\', "/")
            }
            WalkEntry::NotAFile => "not a file".to_owned(),
            WalkEntry::Unreadable(path, _) => format!("unreadable: {}", path.display()),
        };
        walk.map(name).collect()
    }

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn files_and_folders_are_sorted_together_by_name() {
        let folder = folder(&["b", "a/2", "a/1", "a.txt", "c/d/e", "z"]);
        let found = names(Walk::new(folder.path()), folder.path());
        assert_eq!(found, ["a/1", "a/2", "a.txt", "b", "c/d/e", "z"]);
        let without =
            names(Walk::new(folder.path()).excluding(&folder.path().join("c/../a")), folder.path());
        assert_eq!(without, ["a.txt", "b", "c/d/e", "z"]);
    }

    // On Windows, creating links needs special rights.
    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed() {
        let folder = folder(&["a/1"]);
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
        std::os::unix::fs::symlink("1", folder.path().join("a/one")).unwrap();
        assert_eq!(names(Walk::new(folder.path()), folder.path()), ["a/1", "a/one", "not a file"]);
    }

    #[test]
    fn missing_folder_is_unreadable() {
        let folder = folder(&[]);
        let missing = folder.path().join("missing");
        let found = names(Walk::new(&missing), folder.path());
        assert_eq!(found, [format!("unreadable: {}", missing.display())]);
    }
}
