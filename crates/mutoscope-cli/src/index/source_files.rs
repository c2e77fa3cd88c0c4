//! Lists the files to index, each once.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_128;

use crate::{
    Source,
    walk::{Walk, WalkEntry},
};

pub(crate) enum Entry {
    Stdin,
    /// A path that the user named, or one below a folder that the user named.
    Path {
        entry: WalkEntry,
        is_named: bool,
    },
}

pub(crate) struct SourceFiles<'a> {
    sources: &'a [Source],
    named: HashSet<u128>,
}

impl<'a> SourceFiles<'a> {
    pub(crate) fn new(sources: &'a [Source]) -> Result<Self, Vec<(&'a Path, io::Error)>> {
        let (mut identities, mut named) = (Identities::default(), HashSet::new());
        let mut unreadable = Vec::new();
        for path in sources.iter().filter_map(Source::path) {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => {
                    unreadable.extend(fs::read_dir(path).err().map(|error| (path, error)));
                }
                Ok(_) => drop(named.insert(identities.identify(path))),
                Err(error) => unreadable.push((path, error)),
            }
        }
        if unreadable.is_empty() { Ok(Self { sources, named }) } else { Err(unreadable) }
    }

    pub(crate) fn from_readable(sources: &'a [Source]) -> Self {
        let mut identities = Identities::default();
        let is_file = |path: &&Path| fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir());
        let named = sources.iter().filter_map(Source::path).filter(is_file);
        let named = named.map(|path| identities.identify(path)).collect();
        Self { sources, named }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry> + Send {
        let entries_of = |source: &Source| -> Box<dyn Iterator<Item = Entry> + Send> {
            let Some(path) = source.path() else { return Box::new(std::iter::once(Entry::Stdin)) };
            if path.is_dir() {
                let to_entry = |entry| Entry::Path { entry, is_named: false };
                return Box::new(Walk::new(path).map(to_entry));
            }
            let entry = WalkEntry::File(path.to_owned());
            Box::new(std::iter::once(Entry::Path { entry, is_named: true }))
        };
        let (mut identities, mut seen) = (Identities::default(), HashSet::new());
        let mut has_stdin = false;
        self.sources.iter().flat_map(entries_of).filter_map(move |entry| match entry {
            Entry::Stdin => (!std::mem::replace(&mut has_stdin, true)).then_some(entry),
            Entry::Path { entry: WalkEntry::File(path), .. } => {
                let id = identities.identify(&path);
                let is_named = self.named.contains(&id);
                seen.insert(id).then_some(Entry::Path { entry: WalkEntry::File(path), is_named })
            }
            other => Some(other),
        })
    }
}

/// Identifies files by the hashes of their canonical paths, because different files may have the
/// same printed path. Two hard links to the same content are two files.
#[derive(Default)]
struct Identities {
    folder: Option<(PathBuf, PathBuf)>,
}

impl Identities {
    fn identify(&mut self, path: &Path) -> u128 {
        xxh3_128(self.resolve(path).as_os_str().as_encoded_bytes())
    }

    fn resolve(&mut self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        if let (false, Some(folder), Some(name)) = (is_link, path.parent(), path.file_name())
            && let Some(real) = self.resolve_folder(folder)
        {
            return real.join(name);
        }
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn resolve_folder(&mut self, folder: &Path) -> Option<&Path> {
        if self.folder.as_ref().is_none_or(|(last, _)| last != folder) {
            let folder_path = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            self.folder = Some((folder.to_owned(), fs::canonicalize(folder_path).ok()?));
        }
        self.folder.as_ref().map(|(_, real)| real.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sources: &[PathBuf]) -> Vec<(String, bool)> {
        let sources: Vec<_> = sources.iter().map(|path| Source::File(path.clone())).collect();
        let files = SourceFiles::new(&sources).unwrap_or_else(|_| panic!("all sources exist"));
        let name = |entry| match entry {
            Entry::Path { entry: WalkEntry::File(path), is_named } => {
                (path.file_name().unwrap().to_string_lossy().into_owned(), is_named)
            }
            _ => ("not a file".to_owned(), false),
        };
        files.entries().map(name).collect()
    }

    #[test]
    fn each_file_is_found_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("takes/deep")).unwrap();
        for name in ["takes/a", "takes/deep/b"] {
            fs::write(path(name), name).unwrap();
        }
        let all = [("a".to_owned(), false), ("b".to_owned(), false)];
        assert_eq!(names(&[path("takes"), path("takes")]), all);
        assert_eq!(names(&[path("takes"), path("takes/deep")]), all);
        assert_eq!(names(&[path("takes/deep/.."), path("takes/deep")]), all);
        // A file that the user named is marked so even if a folder led to it first.
        let with_b = [("a".to_owned(), false), ("b".to_owned(), true)];
        assert_eq!(names(&[path("takes"), path("takes/deep/../deep/b")]), with_b);
    }

    #[cfg(unix)]
    #[test]
    fn links_share_an_identity_and_names_that_print_alike_do_not() {
        use std::os::unix::ffi::OsStrExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
        fs::write(path(b"a"), "a").unwrap();
        std::os::unix::fs::symlink("a", path(b"link")).unwrap();
        assert_eq!(names(&[folder.path().to_owned()]), [("a".to_owned(), false)]);
        for name in [&b"bad\\xff"[..], b"bad\xff"] {
            // Some file systems reject the second name, which is not UTF-8.
            if fs::write(path(name), "b").is_err() {
                return;
            }
        }
        assert_eq!(names(&[folder.path().to_owned()]).len(), 3);
    }

    #[test]
    fn missing_sources_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let sources = ["", "gone", "gone too"].map(|name| Source::File(folder.path().join(name)));
        let unreadable = SourceFiles::new(&sources).err().unwrap();
        let paths: Vec<_> = unreadable.iter().map(|(path, _)| *path).collect();
        assert_eq!(paths, [folder.path().join("gone"), folder.path().join("gone too")]);
    }
}
