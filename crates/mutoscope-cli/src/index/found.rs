//! The files to index, each once.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_128;

use crate::{
    Source,
    walk::{Found, Walk},
};

/// An entry to index.
pub(crate) enum Entry {
    /// Standard input.
    Stdin,
    /// Something that was named, or is below a folder that was.
    Found {
        /// The file or folder.
        found: Found,
        /// Whether it was named itself.
        is_named: bool,
    },
}

/// The files that are named, and those below folders that are.
pub(crate) struct Files<'a> {
    sources: &'a [Source],
    /// The files that are named themselves.
    named: HashSet<u128>,
}

impl<'a> Files<'a> {
    /// The files of `sources`.
    ///
    /// # Errors
    /// If one of them cannot be read: each of these.
    pub(crate) fn of(sources: &'a [Source]) -> Result<Self, Vec<(&'a Path, io::Error)>> {
        let (mut identities, mut named) = (Identities::default(), HashSet::new());
        let mut unreadable = Vec::new();
        for path in sources.iter().filter_map(Source::path) {
            match fs::metadata(path) {
                Ok(about) if about.is_dir() => {
                    unreadable.extend(fs::read_dir(path).err().map(|error| (path, error)));
                }
                Ok(_) => drop(named.insert(identities.of(path))),
                Err(error) => unreadable.push((path, error)),
            }
        }
        if unreadable.is_empty() { Ok(Self { sources, named }) } else { Err(unreadable) }
    }

    /// The same without those that cannot be read.
    pub(crate) fn of_readable(sources: &'a [Source]) -> Self {
        let mut identities = Identities::default();
        let is_file = |path: &&Path| fs::metadata(path).is_ok_and(|about| !about.is_dir());
        let named = sources.iter().filter_map(Source::path).filter(is_file);
        let named = named.map(|path| identities.of(path)).collect();
        Self { sources, named }
    }

    /// Each file once, however it is named and whatever leads to it, in the order in which they are found.
    pub(crate) fn each(&self) -> impl Iterator<Item = Entry> + Send {
        let below = |source: &Source| -> Box<dyn Iterator<Item = Entry> + Send> {
            let Some(path) = source.path() else { return Box::new(std::iter::once(Entry::Stdin)) };
            if path.is_dir() {
                let found = |found| Entry::Found { found, is_named: false };
                return Box::new(Walk::of(path).map(found));
            }
            let found = Found::File(path.to_owned());
            Box::new(std::iter::once(Entry::Found { found, is_named: true }))
        };
        let (mut identities, mut seen) = (Identities::default(), HashSet::new());
        let mut has_stdin = false;
        self.sources.iter().flat_map(below).filter_map(move |entry| match entry {
            Entry::Stdin => (!std::mem::replace(&mut has_stdin, true)).then_some(entry),
            Entry::Found { found: Found::File(path), .. } => {
                let id = identities.of(&path);
                let is_named = self.named.contains(&id);
                seen.insert(id).then_some(Entry::Found { found: Found::File(path), is_named })
            }
            other => Some(other),
        })
    }
}

/// Tells files apart, by hashes of where paths really lead: what is printed may be alike. A hard link is a
/// file of its own.
#[derive(Default)]
struct Identities {
    /// The folder of the last file, and where that really is.
    folder: Option<(PathBuf, PathBuf)>,
}

impl Identities {
    fn of(&mut self, path: &Path) -> u128 {
        xxh3_128(self.real(path).as_os_str().as_encoded_bytes())
    }

    /// Where `path` really leads; itself if that is unknown.
    fn real(&mut self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
        if let (false, Some(folder), Some(name)) = (is_link, path.parent(), path.file_name())
            && let Some(real) = self.real_folder(folder)
        {
            return real.join(name);
        }
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn real_folder(&mut self, folder: &Path) -> Option<&Path> {
        if self.folder.as_ref().is_none_or(|(last, _)| last != folder) {
            let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            self.folder = Some((folder.to_owned(), fs::canonicalize(here).ok()?));
        }
        self.folder.as_ref().map(|(_, real)| real.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sources: &[PathBuf]) -> Vec<(String, bool)> {
        let sources: Vec<_> = sources.iter().map(|path| Source::File(path.clone())).collect();
        let files = Files::of(&sources).unwrap_or_else(|_| panic!("they can be read"));
        let name = |entry| match entry {
            Entry::Found { found: Found::File(path), is_named } => {
                (path.file_name().unwrap().to_string_lossy().into_owned(), is_named)
            }
            _ => ("no file".to_owned(), false),
        };
        files.each().map(name).collect()
    }

    #[test]
    fn each_file_is_found_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("takes/deep")).unwrap();
        for name in ["takes/a", "takes/deep/b"] {
            fs::write(at(name), name).unwrap();
        }
        let all = [("a".to_owned(), false), ("b".to_owned(), false)];
        assert_eq!(names(&[at("takes"), at("takes")]), all);
        assert_eq!(names(&[at("takes"), at("takes/deep")]), all);
        assert_eq!(names(&[at("takes/deep/.."), at("takes/deep")]), all);
        // Named is named, wherever it is found first.
        let with_b = [("a".to_owned(), false), ("b".to_owned(), true)];
        assert_eq!(names(&[at("takes"), at("takes/deep/../deep/b")]), with_b);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_a_file_are_that_file_and_names_that_print_alike_are_not() {
        use std::os::unix::ffi::OsStrExt as _;

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
        fs::write(at(b"a"), "a").unwrap();
        std::os::unix::fs::symlink("a", at(b"link")).unwrap();
        assert_eq!(names(&[folder.path().to_owned()]), [("a".to_owned(), false)]);
        for name in [&b"bad\\xff"[..], b"bad\xff"] {
            // Not every file system takes the second name.
            if fs::write(at(name), "b").is_err() {
                return;
            }
        }
        assert_eq!(names(&[folder.path().to_owned()]).len(), 3);
    }

    #[test]
    fn what_is_named_and_gone_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let sources = ["", "gone", "gone too"].map(|name| Source::File(folder.path().join(name)));
        let unreadable = Files::of(&sources).err().unwrap();
        let paths: Vec<_> = unreadable.iter().map(|(path, _)| *path).collect();
        assert_eq!(paths, [folder.path().join("gone"), folder.path().join("gone too")]);
    }
}
