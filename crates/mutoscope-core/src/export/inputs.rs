//! Input files are never overwritten.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The input files of an export, each with its role: none of them may be overwritten.
#[derive(Clone, Debug, Default)]
pub struct InputFiles(HashMap<FileId, &'static str>);

impl InputFiles {
    /// Adds a file that is read as `what`: `the recording`. Pipes and devices cannot be
    /// overwritten.
    pub fn add(&mut self, path: &Path, what: &'static str) {
        if let Some(id) = FileId::of(path) {
            self.0.entry(id).or_insert(what);
        }
    }

    /// Adds all of these.
    pub fn add_all(&mut self, other: &Self) {
        for (id, what) in &other.0 {
            self.0.entry(id.clone()).or_insert(what);
        }
    }

    /// Whether the file at `path` may be written.
    ///
    /// # Errors
    /// If it is one of the input files, under any name: the message.
    pub fn allow(&self, path: &Path) -> Result<(), String> {
        match FileId::of(path).and_then(|id| self.0.get(&id)) {
            None => Ok(()),
            Some(what) => {
                Err(format!("would overwrite {what}, an input; nothing written. Name another file"))
            }
        }
    }

    /// Whether all of these files may be written.
    ///
    /// # Errors
    /// As [`Self::allow`], if one of them may not.
    pub fn allow_all(&self, paths: &[PathBuf]) -> Result<(), String> {
        paths.iter().try_for_each(|path| self.allow(path))
    }
}

/// The identity of a file, under any name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FileId {
    /// The numbers of a file and of the device or volume that it is on.
    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "files of a browser have no numbers")
    )]
    Number { device: u64, file: u64 },
    #[cfg_attr(unix, allow(dead_code, reason = "for systems where files have no numbers"))]
    Path(PathBuf),
}

impl FileId {
    /// The regular file at `path`, through links; nothing if there is none.
    fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Self::of_metadata(path, &about).ok()
    }

    #[cfg(unix)]
    fn of_metadata(_: &Path, about: &fs::Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        Ok(Self::Number { device: about.dev(), file: about.ino() })
    }

    /// The numbers need an open file: one that another program holds for itself is known by its path.
    #[cfg(windows)]
    fn of_metadata(path: &Path, _: &fs::Metadata) -> io::Result<Self> {
        let about = winapi_util::Handle::from_path(path).and_then(winapi_util::file::information);
        match about {
            Ok(about) => {
                Ok(Self::Number { device: about.volume_serial_number(), file: about.file_index() })
            }
            Err(_) => fs::canonicalize(path).map(Self::Path),
        }
    }

    #[cfg(not(any(unix, windows)))]
    fn of_metadata(path: &Path, _: &fs::Metadata) -> io::Result<Self> {
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
        let allowed = |name: &str| inputs.allow(&path(name));
        assert_eq!(
            [allowed("other"), allowed("new"), allowed("missing")],
            [Ok(()), Ok(()), Ok(())]
        );
        let message = "would overwrite the skeleton, an input; nothing written. Name another file";
        assert_eq!(allowed("read"), Err(message.to_owned()));
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
            assert!(inputs.allow(&path(name)).is_err(), "{name}");
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
            assert!(inputs.allow(&path(name)).is_err(), "{name}");
        }
        assert_eq!(inputs.allow(&path("other")), Ok(()));
    }

    /// Windows does not tell apart upper and lower case in names.
    #[cfg(windows)]
    #[test]
    fn input_files_are_rejected_as_output_in_any_case() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("Take.anim"), "1").expect("written");
        let mut inputs = InputFiles::default();
        inputs.add(&folder.path().join("Take.anim"), "the recording");
        assert!(inputs.allow(&folder.path().join("TAKE.ANIM")).is_err());
    }
}
