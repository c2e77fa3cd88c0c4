//! Protects input files from being overwritten.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The error for an output that would overwrite an input file. The field is the role of that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("would overwrite {0}, an input; nothing written. Name another file")]
pub struct OverwriteError(&'static str);

/// The input files of an export, and what each is used for. An export must not overwrite them.
#[derive(Clone, Debug, Default)]
pub struct InputFiles(HashMap<FileId, &'static str>);

impl InputFiles {
    /// Adds the file at `path`. `what` is its role, such as `the recording`. Pipes and devices are
    /// ignored, because they cannot be overwritten.
    pub fn add(&mut self, path: &Path, what: &'static str) {
        if let Some(id) = FileId::from_path(path) {
            self.0.entry(id).or_insert(what);
        }
    }

    /// Adds all files of `other`.
    pub fn add_all(&mut self, other: &Self) {
        for (id, what) in &other.0 {
            self.0.entry(id.clone()).or_insert(what);
        }
    }

    /// Checks that an output at `path` does not overwrite an input file, even if their paths
    /// differ.
    ///
    /// # Errors
    /// Fails if `path` is an input file.
    pub fn check_output(&self, path: &Path) -> Result<(), OverwriteError> {
        match FileId::from_path(path).and_then(|id| self.0.get(&id)) {
            None => Ok(()),
            Some(role) => Err(OverwriteError(role)),
        }
    }

    /// Checks that outputs at `paths` would not overwrite an input file.
    ///
    /// # Errors
    /// Fails if one of the paths is an input file.
    pub fn check_outputs(&self, paths: &[PathBuf]) -> Result<(), OverwriteError> {
        paths.iter().try_for_each(|path| self.check_output(path))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FileId {
    /// The number of the file, and the number of its device or volume.
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "files of a browser have no numbers")
    )]
    Number { device: u64, file: u64 },
    #[cfg_attr(unix, allow(dead_code, reason = "for systems where files have no numbers"))]
    Path(PathBuf),
}

impl FileId {
    fn from_path(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Self::from_metadata(path, &metadata).ok()
    }

    #[cfg(unix)]
    fn from_metadata(_: &Path, metadata: &fs::Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Self::Number { device: metadata.dev(), file: metadata.ino() })
    }

    /// Returns the number of the file, or its path if another program has locked the file. Windows
    /// returns file numbers only for files that we can open.
    #[cfg(windows)]
    fn from_metadata(path: &Path, _: &fs::Metadata) -> io::Result<Self> {
        let metadata =
            winapi_util::Handle::from_path(path).and_then(winapi_util::file::information);
        match metadata {
            Ok(metadata) => Ok(Self::Number {
                device: metadata.volume_serial_number(),
                file: metadata.file_index(),
            }),
            Err(_) => fs::canonicalize(path).map(Self::Path),
        }
    }

    #[cfg(not(any(unix, windows)))]
    fn from_metadata(path: &Path, _: &fs::Metadata) -> io::Result<Self> {
        fs::canonicalize(path).map(Self::Path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_files_are_rejected_as_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("read"), "1").expect("written");
        fs::write(path("other"), "2").expect("written");
        let mut inputs = InputFiles::default();
        inputs.add(&path("read"), "the skeleton");
        inputs.add(&path("missing"), "the recording");
        let allowed = |name: &str| inputs.check_output(&path(name));
        assert_eq!(
            [allowed("other"), allowed("new"), allowed("missing")],
            [Ok(()), Ok(()), Ok(())]
        );
        let message = "would overwrite the skeleton, an input; nothing written. Name another file";
        assert_eq!(allowed("read").map_err(|error| error.to_string()), Err(message.to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn symbolic_links_to_input_files_are_rejected_as_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("read"), "1").expect("written");
        std::os::unix::fs::symlink(path("read"), path("soft")).expect("linked");
        let mut inputs = InputFiles::default();
        inputs.add(&path("soft"), "the recording");
        for name in ["read", "soft"] {
            assert!(inputs.check_output(&path(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn hard_links_to_input_files_are_rejected_as_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("read"), "1").expect("written");
        fs::write(path("other"), "1").expect("written");
        fs::hard_link(path("read"), path("hard")).expect("linked");
        let mut inputs = InputFiles::default();
        inputs.add(&path("read"), "the recording");
        for name in ["read", "hard"] {
            assert!(inputs.check_output(&path(name)).is_err(), "{name}");
        }
        assert_eq!(inputs.check_output(&path("other")), Ok(()));
    }

    #[cfg(windows)]
    #[test]
    fn input_files_are_rejected_as_output_in_any_case() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("Take.anim"), "1").expect("written");
        let mut inputs = InputFiles::default();
        inputs.add(&folder.path().join("Take.anim"), "the recording");
        assert!(inputs.check_output(&folder.path().join("TAKE.ANIM")).is_err());
    }
}
