//! Files in memory, by path.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, Cursor},
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use super::{FileMetadata, SharedBytes};

/// Files by their normalised paths. A folder exists as long as it contains a file.
#[derive(Debug, Default)]
pub(super) struct MemoryFiles(BTreeMap<PathBuf, FileBytes>);

/// The bytes of a file. They are never copied, because a file may be as large as half of the
/// memory.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(target_family = "wasm"),
    allow(unreachable_pub, reason = "elsewhere it is only tested")
)]
pub struct FileBytes(SharedBytes);

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl MemoryFiles {
    pub(super) const fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(super) fn insert(&mut self, path: &Path, bytes: Vec<u8>) {
        self.0.insert(normalize(path), FileBytes(Arc::new(Cow::Owned(bytes))));
    }

    pub(super) fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.find_file(path).map(|bytes| bytes.as_ref().to_vec())
    }

    pub(super) fn shared_bytes(&self, path: &Path) -> Option<SharedBytes> {
        self.find_file(path).ok().map(|file| file.0.clone())
    }

    pub(super) fn open(&self, path: &Path) -> io::Result<Cursor<FileBytes>> {
        self.find_file(path).cloned().map(Cursor::new)
    }

    pub(super) fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        match self.find_file(path) {
            Ok(bytes) => Ok(FileMetadata {
                size: bytes.as_ref().len() as u64,
                is_file: true,
                modified: None,
            }),
            Err(_) if self.is_dir(path) => {
                Ok(FileMetadata { size: 0, is_file: false, modified: None })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_dir(&self, path: &Path) -> bool {
        self.files_below(&normalize(path)).next().is_some()
    }

    pub(super) fn files_in(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        if !self.is_dir(folder) {
            return Err(not_found());
        }
        let folder = normalize(folder);
        let is_in = |path: &&PathBuf| path.parent() == Some(&*folder);
        Ok(self.files_below(&folder).filter(is_in).cloned().collect())
    }

    fn files_below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        self.0.keys().filter(move |path| path.starts_with(folder) && *path != folder)
    }

    fn find_file(&self, path: &Path) -> io::Result<&FileBytes> {
        self.0.get(&normalize(path)).ok_or_else(not_found)
    }
}

fn not_found() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "the page has not received this file")
}

/// Returns `path` relative to the root, without `.` and `..`. A path that leads above the root
/// becomes `..`, which never exists.
fn normalize(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normalized.push(name),
            Component::ParentDir if !normalized.pop() => return PathBuf::from(".."),
            Component::ParentDir | Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => {}
        }
    }
    normalized
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn files() -> MemoryFiles {
        let mut files = MemoryFiles::new();
        for path in ["1/takes/a.bin", "1/takes/deep/b.bin", "1/skin.png", "2/takes/a.bin"] {
            files.insert(Path::new(path), path.as_bytes().to_vec());
        }
        files
    }

    fn paths(found: io::Result<Vec<PathBuf>>) -> Vec<String> {
        let text = |path: &PathBuf| path.to_str().unwrap().replace('\\', "/");
        found.unwrap().iter().map(text).collect()
    }

    #[test]
    fn files_are_read_by_equivalent_paths() {
        let files = files();
        let read = |path: &str| files.read(Path::new(path)).map_err(|error| error.kind());
        assert_eq!(read("1/takes/a.bin").unwrap(), b"1/takes/a.bin");
        assert_eq!(read("1/takes/../skin.png").unwrap(), b"1/skin.png");
        assert_eq!(read("./1/takes/deep/../../skin.png").unwrap(), b"1/skin.png");
        for missing in ["1/takes", "3", "", "1/takes/../../../1/skin.png", "takes/a.bin"] {
            assert_eq!(read(missing), Err(io::ErrorKind::NotFound), "{missing}");
        }
        let mut start = Vec::new();
        files.open(Path::new("2/takes/a.bin")).unwrap().take(3).read_to_end(&mut start).unwrap();
        assert_eq!(start, b"2/t");
    }

    #[test]
    fn shared_bytes_are_not_copied() {
        let files = files();
        let [first, second] =
            [(); 2].map(|()| files.shared_bytes(Path::new("1/skin.png")).unwrap());
        assert!(Arc::ptr_eq(&first, &second) && **first == *b"1/skin.png");
        assert!(files.shared_bytes(Path::new("1/takes")).is_none());
    }

    #[test]
    fn folders_exist_if_they_contain_files() {
        let files = files();
        assert_eq!(paths(files.files_in(Path::new("1/takes"))), ["1/takes/a.bin"]);
        assert_eq!(paths(files.files_in(Path::new("1/takes/deep/.."))), ["1/takes/a.bin"]);
        assert_eq!(paths(files.files_in(Path::new("1"))), ["1/skin.png"]);
        for path in ["1", "1/takes/", ""] {
            assert!(files.is_dir(Path::new(path)), "{path}");
            let metadata = files.metadata(Path::new(path)).unwrap();
            assert_eq!(
                metadata,
                FileMetadata { size: 0, is_file: false, modified: None },
                "{path}"
            );
        }
        for path in ["3", "1/skin.png", "1/take", ".."] {
            assert!(!files.is_dir(Path::new(path)), "{path}");
            assert!(files.files_in(Path::new(path)).is_err(), "{path}");
        }
        let metadata = files.metadata(Path::new("1/skin.png")).unwrap();
        assert_eq!(metadata, FileMetadata { size: 10, is_file: true, modified: None });
    }

    #[test]
    fn writing_replaces_a_file() {
        let mut files = files();
        files.insert(Path::new("1/./skin.png"), b"new".to_vec());
        assert_eq!(files.read(Path::new("1/skin.png")).unwrap(), b"new");
        assert_eq!(paths(files.files_in(Path::new("1"))), ["1/skin.png"]);
    }
}
