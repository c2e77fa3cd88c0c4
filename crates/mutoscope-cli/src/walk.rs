//! The files below a folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    vec,
};

use super::path_text;

/// Walks everything below a folder, sorted by name. Links to folders are not followed: they may form
/// circles.
#[derive(Debug)]
pub(super) struct Walk {
    /// The remaining entries of each folder on the current path.
    folders: Vec<vec::IntoIter<Entry>>,
    /// A folder that is skipped.
    except: Option<PathBuf>,
    /// The first folder, if it could not be read.
    unreadable: Option<Found>,
}

/// Something below a folder.
#[derive(Debug)]
pub(super) enum Found {
    /// A file, or a link to one.
    File(PathBuf),
    /// A link that leads nowhere or to a folder, a pipe, a device.
    NoFile,
    /// A folder that cannot be read, or something in one whose content cannot be looked at.
    Unreadable(PathBuf, io::Error),
}

#[derive(Debug)]
struct Entry {
    path: PathBuf,
    is_folder: bool,
}

impl Walk {
    /// Everything below `folder`.
    pub(super) fn of(folder: &Path) -> Self {
        let mut walk = Self { folders: Vec::new(), except: None, unreadable: None };
        walk.unreadable = walk.enter(folder.to_owned());
        walk
    }

    /// The same without the content of `folder`, whatever its path.
    pub(super) fn except(self, folder: &Path) -> Self {
        Self { except: fs::canonicalize(folder).ok(), ..self }
    }

    fn enter(&mut self, folder: PathBuf) -> Option<Found> {
        let is_excepted = self
            .except
            .as_ref()
            .is_some_and(|except| fs::canonicalize(&folder).is_ok_and(|real| real == *except));
        if is_excepted {
            return None;
        }
        match entries(&folder) {
            Ok(entries) => {
                self.folders.push(entries.into_iter());
                None
            }
            Err(error) => Some(Found::Unreadable(folder, error)),
        }
    }
}

impl Iterator for Walk {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        if let Some(unreadable) = self.unreadable.take() {
            return Some(unreadable);
        }
        loop {
            let Some(Entry { path, is_folder }) = self.folders.last_mut()?.next() else {
                self.folders.pop();
                continue;
            };
            if !is_folder {
                return Some(match fs::metadata(&path) {
                    Ok(about) if about.is_file() => Found::File(path),
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        Found::Unreadable(path, error)
                    }
                    _ => Found::NoFile,
                });
            }
            if let Some(unreadable) = self.enter(path) {
                return Some(unreadable);
            }
        }
    }
}

fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        Ok(Entry { path: entry.path(), is_folder })
    };
    let mut entries = fs::read_dir(folder)?.map(entry).collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_cached_key(|entry| {
        let name = entry.path.file_name().unwrap_or_default();
        // Names that print alike have an order, too.
        (path_text(Path::new(name)), name.to_owned())
    });
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(walk: Walk, below: &Path) -> Vec<String> {
        let name = |found| match found {
            Found::File(path) => {
                path.strip_prefix(below).unwrap().to_string_lossy().replace('\\', "/")
            }
            Found::NoFile => "no file".to_owned(),
            Found::Unreadable(path, _) => format!("unreadable: {}", path.display()),
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
    fn files_come_in_the_order_of_names_with_those_of_folders_among_them() {
        let folder = folder(&["b", "a/2", "a/1", "a.txt", "c/d/e", "z"]);
        let found = names(Walk::of(folder.path()), folder.path());
        assert_eq!(found, ["a/1", "a/2", "a.txt", "b", "c/d/e", "z"]);
        let without =
            names(Walk::of(folder.path()).except(&folder.path().join("c/../a")), folder.path());
        assert_eq!(without, ["a.txt", "b", "c/d/e", "z"]);
    }

    // On Windows only those who may do everything make links.
    #[cfg(unix)]
    #[test]
    fn links_in_a_circle_are_not_followed() {
        let folder = folder(&["a/1"]);
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
        std::os::unix::fs::symlink("1", folder.path().join("a/one")).unwrap();
        assert_eq!(names(Walk::of(folder.path()), folder.path()), ["a/1", "a/one", "no file"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let folder = folder(&[]);
        let missing = folder.path().join("missing");
        let found = names(Walk::of(&missing), folder.path());
        assert_eq!(found, [format!("unreadable: {}", missing.display())]);
    }
}
