//! Where recordings come from: a file, standard input or memory, and the files around it.

use std::{
    cell::RefCell,
    ffi::OsString,
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::message::path_text;
use crate::bytes::{FolderSidecars, MemorySidecars, NoSidecars, Sidecars};

/// Where a recording comes from. Its text is what messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input, which the command line calls `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// What a program has in memory. The command line has no word for it.
    Memory(MemoryFile),
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    /// What messages call it; the extension breaks ties where the content may be of several formats.
    pub name: String,
    /// Everything in it.
    pub bytes: Arc<[u8]>,
    /// The files around it.
    pub sidecars: MemorySidecars,
}

impl Source {
    /// Everything in it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.read_if(|_| true)
    }

    /// Everything in it if `is_worth` of its first bytes; the first bytes of something large that is
    /// not.
    ///
    /// # Errors
    /// If it cannot be read, or comes to no end.
    pub fn read_if(&self, is_worth: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path) => {
                let file = File::open(path)?;
                let about = file.metadata()?;
                read_if(&mut &file, about.is_file().then_some(about.len()), is_worth)
            }
            Self::Stdin => read_if(&mut io::stdin().lock(), None, is_worth),
            Self::Memory(MemoryFile { bytes, .. }) => {
                read_if(&mut &bytes[..], Some(bytes.len() as u64), is_worth)
            }
        }
    }

    /// The files around it: those in its folder, those in memory, or none.
    pub fn sidecars(&self) -> Box<dyn Sidecars> {
        match self {
            Self::File(path) => Box::new(FolderSidecars::of_file(path)),
            Self::Stdin => Box::new(NoSidecars),
            Self::Memory(MemoryFile { sidecars, .. }) => Box::new(sidecars.clone()),
        }
    }

    /// The path, if it is a file's.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Memory(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// The name of its file, or its text.
    pub(super) fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map_or_else(|| self.to_string(), |name| path_text(Path::new(name)))
    }
}

/// How much of a file is read to find out whether it is worth reading, in bytes.
const HEAD: u64 = 1 << 20;

/// Up to this size, in bytes, a file is read whatever its head is.
const SMALL: u64 = 64 << 20;

/// How much is read from what states no size, such as a pipe, in bytes.
const ENDLESS: u64 = 2 << 30;

fn read_if(
    from: &mut impl Read,
    size: Option<u64>,
    is_worth: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.by_ref().take(HEAD).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == HEAD && !is_worth(&bytes) {
        if size.is_none_or(|size| size <= SMALL) {
            from.by_ref().take(SMALL - HEAD).read_to_end(&mut bytes)?;
        }
        if size.is_some_and(|size| size > SMALL) || bytes.len() as u64 == SMALL {
            bytes.truncate(HEAD as usize);
        }
        return Ok(bytes);
    }
    match size {
        Some(_) => from.read_to_end(&mut bytes)?,
        None => from.by_ref().take(ENDLESS - HEAD).read_to_end(&mut bytes)?,
    };
    if size.is_none() && bytes.len() as u64 >= ENDLESS {
        let message = format!("it comes to no end: {} GiB read", ENDLESS >> 30);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Any name that the system has, also one that is not UTF-8.
impl From<OsString> for Source {
    fn from(text: OsString) -> Self {
        if text == "-" { Self::Stdin } else { Self::File(text.into()) }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("-"),
            Self::Memory(MemoryFile { name, .. }) => f.write_str(name),
            Self::File(path) => f.write_str(&path_text(path)),
        }
    }
}

/// Sidecars of a source that remember which of them were read.
pub(super) struct NotedSidecars {
    sidecars: Box<dyn Sidecars>,
    folder: PathBuf,
    read: RefCell<Vec<PathBuf>>,
}

impl NotedSidecars {
    pub(super) fn of(source: &Source) -> Self {
        let folder = source.path().and_then(Path::parent).map(Path::to_owned);
        let (sidecars, folder) = (source.sidecars(), folder.unwrap_or_default());
        Self { sidecars, folder, read: RefCell::default() }
    }

    pub(super) fn into_paths(self) -> Vec<PathBuf> {
        self.read.into_inner()
    }
}

impl Sidecars for NotedSidecars {
    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let bytes = self.sidecars.read(name)?;
        self.read.borrow_mut().push(self.folder.join(name));
        Ok(bytes)
    }

    fn names(&self) -> Vec<String> {
        self.sidecars.names()
    }
}
