//! Sidecar files: those that a file names, or that are kept in its folder.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    io,
    path::{Component, Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::io::{file_name::windows_problem, storage};

/// Where the files are that another file names.
///
/// A name is relative to the folder of the file that names it, with `/` between its parts. It may
/// lead out of that folder (`../skins/alex.png`), as far as the source has anything there, and is
/// never absolute. So decoding knows no file system: sidecars come from a [folder](FolderSidecars),
/// from [memory](MemorySidecars), from [an asynchronous source](FetchedSidecars), or from any
/// function from a name to bytes.
pub trait Sidecars {
    /// Everything in the file of this name.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is no such file; any other kind if it cannot be read.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// The names of the files in the same folder; none where the source cannot list them.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<F: Fn(&str) -> io::Result<Vec<u8>>> Sidecars for F {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        self(name)
    }
}

/// No sidecars: what a file names is out of reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSidecars;

impl Sidecars for NoSidecars {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        let message = "it is in a separate file, which cannot be read here";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }
}

/// Sidecars in a folder of the file system.
#[derive(Clone, Debug)]
pub struct FolderSidecars {
    folder: PathBuf,
    /// The names in the folder, listed on first use: it may serve many recordings.
    names: OnceLock<Vec<String>>,
}

impl FolderSidecars {
    /// The sidecars of the file at `path`.
    pub fn of_file(path: &Path) -> Self {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Self { folder, names: OnceLock::new() }
    }

    /// The file of this name.
    ///
    /// # Errors
    /// If the name is absolute or, on Windows, means no file there: opening a device may block.
    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let mut parts = Path::new(relative(name)?).components();
        match parts.find_map(|part| windows_problem(part.as_os_str().to_str()?)) {
            Some(problem) if cfg!(windows) => {
                Err(io::Error::new(io::ErrorKind::InvalidInput, problem.to_string()))
            }
            _ => Ok(self.folder.join(name)),
        }
    }
}

/// `name`, if it is relative.
fn relative(name: &str) -> io::Result<&str> {
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
        let path = self.path(name)?;
        // Checked before it is opened: opening a pipe blocks until something writes to it.
        if !storage::about(&path)?.is_file {
            let message = "expected a file, found a folder, a pipe or a device";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        storage::read(path)
    }

    fn names(&self) -> Vec<String> {
        self.names.get_or_init(|| self.list()).clone()
    }
}

impl FolderSidecars {
    fn list(&self) -> Vec<String> {
        let is_here = self.folder.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { &self.folder };
        let Ok(files) = storage::files_in(folder) else { return Vec::new() };
        let name = |path: &PathBuf| Some(path.file_name()?.to_str()?.to_owned());
        let mut names: Vec<_> = files.iter().filter_map(name).collect();
        names.sort();
        names
    }
}

/// Sidecars in memory: dropped files, or those of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemorySidecars {
    /// By their paths from a common root, without `.` and `..`.
    files: Arc<BTreeMap<String, Arc<[u8]>>>,
    /// The folder that names are relative to, from that root.
    folder: String,
}

impl MemorySidecars {
    /// Files by their paths from a common root, with `/` between their parts.
    pub fn new<B: Into<Arc<[u8]>>>(files: impl IntoIterator<Item = (String, B)>) -> Self {
        let entry = |(path, bytes): (String, B)| Some((resolved("", &path)?, bytes.into()));
        let files = Arc::new(files.into_iter().filter_map(entry).collect());
        Self { files, folder: String::new() }
    }

    /// The same files, for the one at this path: names are relative to its folder.
    #[must_use]
    pub fn of_file(&self, path: &str) -> Self {
        let path = resolved("", path).unwrap_or_default();
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        Self { files: self.files.clone(), folder }
    }
}

impl Sidecars for MemorySidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let file = resolved(&self.folder, relative(name)?).and_then(|path| self.files.get(&path));
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

/// The path of the file that is called `name` in `folder`; nothing if it is above the root.
fn resolved(folder: &str, name: &str) -> Option<String> {
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

/// Sidecars that are read while decoding does not wait: from an asset server, from a network.
///
/// Files that have not been fetched yet are not found, and noted. So decode, [fetch](Self::insert)
/// what was [asked for](Self::take_requested), and decode again, until nothing more is asked for.
#[derive(Debug, Default)]
pub struct FetchedSidecars {
    files: HashMap<String, io::Result<Vec<u8>>>,
    requested: RefCell<BTreeSet<String>>,
}

impl FetchedSidecars {
    /// The names that were asked for since this was last called, and have not been fetched.
    pub fn take_requested(&mut self) -> Vec<String> {
        std::mem::take(self.requested.get_mut()).into_iter().collect()
    }

    /// Adds the file of this name, or the error of fetching it.
    pub fn insert(&mut self, name: String, bytes: io::Result<Vec<u8>>) {
        self.files.insert(name, bytes);
    }
}

impl Sidecars for FetchedSidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self.files.get(relative(name)?) {
            Some(Ok(bytes)) => Ok(bytes.clone()),
            Some(Err(error)) => Err(io::Error::new(error.kind(), error.to_string())),
            None => {
                self.requested.borrow_mut().insert(name.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        }
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
        let folder = FolderSidecars::of_file(&root.path().join("scenes/scene.json"));
        let files = [("scenes/one.bin", "one"), ("two.bin", "two")];
        let files = files.map(|(name, bytes)| (name.to_owned(), bytes.as_bytes()));
        let memory = MemorySidecars::new(files).of_file("scenes/scene.json");
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

    /// Devices are in every folder.
    #[cfg(windows)]
    #[test]
    fn devices_and_streams_are_not_read() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        fs::write(root.path().join("real.bin"), "real").unwrap();
        let sidecars = FolderSidecars::of_file(&root.path().join("take.gltf"));
        for name in ["folder", "CON", "con.png", "folder/NUL", "real.bin:stream", "aux.bin"] {
            let error = sidecars.read(name).unwrap_err();
            // What a folder is reported as is the system's.
            let kinds = [io::ErrorKind::InvalidInput, io::ErrorKind::PermissionDenied];
            assert!(kinds.contains(&error.kind()), "{name}: {error}");
        }
        assert_eq!(sidecars.read(r"folder\..\real.bin").unwrap(), b"real");
    }

    /// A name leads anywhere, also to what never ends.
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
        let sidecars = FolderSidecars::of_file(&root.path().join("take.gltf"));
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
    }
}
