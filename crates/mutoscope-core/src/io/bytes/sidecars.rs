//! Sidecar files: files that another file refers to, or that are in the same folder.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, HashMap},
    io,
    path::{Component, Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::io::{file_name::windows_name_problem, storage};

/// A source of sidecar files.
///
/// A name is a relative path from the folder of the file that refers to the sidecar, with `/` as
/// the separator. The path may lead out of that folder (`../skins/alex.png`) if the source has
/// files there.
///
/// Decoders do not depend on a file system, because the source may be a [folder](FolderSidecars),
/// [memory](MemorySidecars), an [asynchronous source](FetchedSidecars), or any function that
/// returns the bytes for a name.
pub trait Sidecars {
    /// Reads all bytes of the file with this name.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is no such file; any other kind if it cannot be read.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Returns the names of the files in the same folder. The list is empty if the source cannot
    /// list them.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns `true` if files or names were requested that have not been fetched yet. A decoder may
    /// then stop, because the recording is decoded again.
    fn has_unfetched(&self) -> bool {
        false
    }
}

impl<F: Fn(&str) -> io::Result<Vec<u8>>> Sidecars for F {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self(name)
    }
}

/// A source without sidecar files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        let message = "it is in a separate file, which cannot be read here";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// Sidecar files in a folder of the file system.
#[derive(Clone, Debug)]
pub struct FolderSidecars {
    folder: PathBuf,
    /// The names in the folder. They are kept after the first use, because one source may serve
    /// many recordings.
    names: OnceLock<Vec<String>>,
}

impl FolderSidecars {
    /// Creates the source of sidecar files for the file at `path`.
    pub fn for_file(path: &Path) -> Self {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self { folder, names: OnceLock::new() }
    }

    /// Returns the path of the file with this name.
    ///
    /// # Errors
    /// If the name is absolute. On Windows, also if it is a reserved name, because opening a device
    /// may block.
    fn file_path(&self, name: &str) -> io::Result<PathBuf> {
        let mut parts = Path::new(check_relative(name)?).components();
        match parts.find_map(|part| windows_name_problem(part.as_os_str().to_str()?)) {
            Some(problem) if cfg!(windows) => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, problem.to_string()))
            }
            _ => Ok(self.folder.join(name)),
        }
    }
}

fn check_relative(name: &str) -> io::Result<&str> {
    let is_absolute =
        |part: Component<'_>| matches!(part, Component::RootDir | Component::Prefix(_));
    if name.starts_with('\\') || Path::new(name).components().any(is_absolute) {
        let message = format!("expected a name relative to the file, found {name:?}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(name)
}

impl Sidecars for FolderSidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = self.file_path(name)?;
        // Check the kind of the file before opening it, because opening a pipe blocks until
        // something writes to it.
        if !storage::metadata(&path)?.is_file {
            let message = "expected a file, found a folder, a pipe or a device";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        storage::read(path)
    }

    fn names(&self) -> Vec<String> {
        self.names.get_or_init(|| self.list_names()).clone()
    }
}

impl FolderSidecars {
    fn list_names(&self) -> Vec<String> {
        let is_here = self.folder.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { &self.folder };
        let Ok(files) = storage::files_in(folder) else { return Vec::new() };
        let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.to_owned());
        let mut names: Vec<_> = files.iter().filter_map(name).collect();
        names.sort();
        names
    }
}

/// Sidecar files in memory, such as dropped files or the files of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemorySidecars {
    /// The files by their paths from a common root, without `.` and `..`.
    files: Arc<BTreeMap<String, Arc<[u8]>>>,
    folder: String,
}

impl MemorySidecars {
    /// Creates a source from files and their paths from a common root, with `/` as the separator.
    pub fn new<B: Into<Arc<[u8]>>>(files: impl IntoIterator<Item = (String, B)>) -> Self {
        let entry = |(path, bytes): (String, B)| Some((resolve("", &path)?, bytes.into()));
        let files = Arc::new(files.into_iter().filter_map(entry).collect());
        Self { files, folder: String::new() }
    }

    /// Returns a source of the same files for the file at this path: names are relative to its
    /// folder.
    #[must_use]
    pub fn for_file(&self, path: &str) -> Self {
        let path = resolve("", path).unwrap_or_default();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        Self { files: self.files.clone(), folder }
    }
}

impl Sidecars for MemorySidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file =
            resolve(&self.folder, check_relative(name)?).and_then(|path| self.files.get(&path));
        file.map(|bytes| bytes.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn names(&self) -> Vec<String> {
        let in_folder = |path: &String| {
            let name = match &*self.folder {
                "" => path,
                folder => path.strip_prefix(folder)?.strip_prefix('/')?,
            };
            (!name.contains('/')).then(|| name.to_owned())
        };
        self.files.keys().filter_map(in_folder).collect()
    }
}

/// Returns the path of the file `name` in `folder`; `None` if it is above the root.
fn resolve(folder: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Sidecar files that cannot be read synchronously, such as those of an asset server or a network.
///
/// Reading a file that has not been fetched fails with `NotFound` and records the name of the file.
/// Decode the recording, [insert](Self::insert) the [requested](Self::take_requested) files, and
/// decode again. Repeat this until nothing is requested. If the decoder
/// [requests the names](Self::requests_names) of the files in the folder, [set](Self::set_names)
/// them too.
#[derive(Debug, Default)]
pub struct FetchedSidecars {
    files: HashMap<String, io::Result<Vec<u8>>>,
    requested: RefCell<BTreeSet<String>>,
    names: Option<Vec<String>>,
    requests_names: Cell<bool>,
}

impl FetchedSidecars {
    /// Removes and returns the names of files that were requested since the last call and had not
    /// been fetched.
    pub fn take_requested(&mut self) -> Vec<String> {
        std::mem::take(self.requested.get_mut()).into_iter().collect()
    }

    /// Adds the file with this name, or the error of fetching it.
    pub fn insert(&mut self, name: String, bytes: io::Result<Vec<u8>>) {
        self.files.insert(name, bytes);
    }

    /// Returns `true` if the names of the files in the folder were requested and are not set.
    pub fn requests_names(&self) -> bool {
        self.requests_names.get()
    }

    /// Sets the names of the files in the folder. If they cannot be listed, pass no names.
    pub fn set_names(&mut self, names: Vec<String>) {
        self.names = Some(names);
        self.requests_names.set(false);
    }
}

impl Sidecars for FetchedSidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self.files.get(check_relative(name)?) {
            Some(Ok(bytes)) => Ok(bytes.clone()),
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            None => {
                self.requested.borrow_mut().insert(name.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }

    fn names(&self) -> Vec<String> {
        self.requests_names.set(self.names.is_none());
        self.names.clone().unwrap_or_default()
    }

    fn has_unfetched(&self) -> bool {
        self.requests_names() || !self.requested.borrow().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn kind(read: io::Result<Vec<u8>>) -> io::ErrorKind {
        read.unwrap_err().kind()
    }

    #[test]
    fn names_are_relative_to_the_folder_and_never_absolute() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("scenes")).unwrap();
        fs::write(root.path().join("scenes/one.bin"), "one").unwrap();
        fs::write(root.path().join("two.bin"), "two").unwrap();
        let folder = FolderSidecars::for_file(&root.path().join("scenes/scene.json"));
        let files = [("scenes/one.bin", "one"), ("two.bin", "two")];
        let files = files.map(|(name, bytes)| (name.to_owned(), bytes.as_bytes()));
        let memory = MemorySidecars::new(files).for_file("scenes/scene.json");
        let absolute = root.path().join("two.bin").to_str().unwrap().to_owned();
        for sidecars in [&folder as &dyn Sidecars, &memory] {
            assert_eq!(sidecars.read("one.bin").unwrap(), b"one");
            assert_eq!(sidecars.read("../two.bin").unwrap(), b"two");
            assert_eq!(sidecars.names(), ["one.bin"]);
            assert_eq!(kind(sidecars.read("three.bin")), io::ErrorKind::NotFound);
            assert_eq!(kind(sidecars.read(&absolute)), io::ErrorKind::InvalidInput);
            assert_eq!(kind(sidecars.read("\\\\host\\two.bin")), io::ErrorKind::InvalidInput);
        }
        assert_eq!(kind(memory.read("../../two.bin")), io::ErrorKind::NotFound, "above the root");
    }

    #[cfg(windows)]
    #[test]
    fn devices_and_streams_are_not_read() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        fs::write(root.path().join("real.bin"), "real").unwrap();
        let sidecars = FolderSidecars::for_file(&root.path().join("take.gltf"));
        for name in ["folder", "CON", "con.png", "folder/NUL", "real.bin:stream", "aux.bin"] {
            let error = sidecars.read(name).unwrap_err();
            // The error kind for a folder depends on the system.
            let kinds = [io::ErrorKind::InvalidInput, io::ErrorKind::PermissionDenied];
            assert!(kinds.contains(&error.kind()), "{name}: {error}");
        }
        assert_eq!(sidecars.read(r"folder\..\real.bin").unwrap(), b"real");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn non_regular_files_are_not_read() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", root.path().join("endless.bin")).unwrap();
        std::os::unix::fs::symlink("real.bin", root.path().join("link.bin")).unwrap();
        fs::write(root.path().join("real.bin"), "real").unwrap();
        let pipe = root.path().join("pipe.bin");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let sidecars = FolderSidecars::for_file(&root.path().join("take.gltf"));
        for name in ["folder", "endless.bin", "pipe.bin"] {
            assert_eq!(kind(sidecars.read(name)), io::ErrorKind::InvalidInput, "{name}");
        }
        assert_eq!(sidecars.read("link.bin").unwrap(), b"real");
    }

    #[test]
    fn missing_sidecars_are_requested_once() {
        let mut sidecars = FetchedSidecars::default();
        for _ in 0..2 {
            assert_eq!(kind(sidecars.read("a")), io::ErrorKind::NotFound);
        }
        assert_eq!(sidecars.take_requested(), ["a"]);
        sidecars.insert("a".to_owned(), Ok(b"bytes".to_vec()));
        sidecars.insert("b".to_owned(), Err(io::ErrorKind::PermissionDenied.into()));
        assert_eq!(sidecars.read("a").unwrap(), b"bytes");
        assert_eq!(kind(sidecars.read("b")), io::ErrorKind::PermissionDenied);
        assert_eq!(kind(sidecars.read("/etc/passwd")), io::ErrorKind::InvalidInput);
        assert!(sidecars.take_requested().is_empty());
        assert!(sidecars.names().is_empty() && sidecars.requests_names());
        assert!(sidecars.has_unfetched());
        sidecars.set_names(vec!["a".to_owned()]);
        assert_eq!(sidecars.names(), ["a"]);
        assert!(!sidecars.has_unfetched());
    }
}
