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
use crate::{
    export::InputFiles,
    formats::{self, FormatId},
    io::{
        bytes::{FileContent, FolderSidecars, LargeFile, MemorySidecars, NoSidecars, Sidecars},
        storage,
    },
};

/// Where a recording comes from. Its text is its name in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input, which the command line calls `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Bytes in memory, given by a program. The command line has no word for it.
    Memory(MemoryFile),
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    /// Its name in messages; the extension breaks ties where the content may be of several formats.
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

    /// All of it if `is_worth` accepts its first bytes; only the first bytes of a large source that
    /// it rejects.
    ///
    /// # Errors
    /// If it cannot be read, or never ends.
    pub fn read_if(&self, is_worth: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        match self {
            Self::File(path) => {
                let file = File::open(path)?;
                let about = file.metadata()?;
                LIMITS.read_if(&mut &file, about.is_file().then_some(about.len()), is_worth)
            }
            Self::Stdin => LIMITS.read_if(&mut io::stdin().lock(), None, is_worth),
            Self::Memory(MemoryFile { bytes, .. }) => {
                LIMITS.read_if(&mut &bytes[..], Some(bytes.len() as u64), is_worth)
            }
        }
    }

    /// The same, of a large file that is decoded piece by piece, as `format` if one is given, no more than
    /// its start: the file itself is to be read from.
    ///
    /// # Errors
    /// If it cannot be read, or never ends.
    pub fn open_if(
        &self,
        format: Option<FormatId>,
        is_worth: impl Fn(&[u8]) -> bool,
    ) -> io::Result<FileContent> {
        if let Self::File(path) = self {
            let file = storage::open(path)?;
            let about = file.metadata()?;
            if about.is_file() && about.len() > LIMITS.head {
                let mut start = Vec::new();
                (&file).take(LIMITS.head).read_to_end(&mut start)?;
                if is_worth(&start) && formats::reads_pieces(&start, path, format) {
                    return Ok(FileContent::File(Arc::new(LargeFile::new(file, start)?)));
                }
            }
        }
        self.read_if(is_worth).map(FileContent::from)
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

    /// Notes that it is read as `what`.
    pub fn note_as(&self, files: &mut InputFiles, what: &'static str) {
        // The file behind a redirected stream is known where the system has a name for it.
        files.add(self.path().unwrap_or(Path::new("/dev/stdin")), what);
    }

    /// Whether it may be written, standard output in the place of standard input.
    ///
    /// # Errors
    /// If it is one of the `files` that are read: the message.
    pub fn allow_as_output(&self, files: &InputFiles) -> Result<(), String> {
        files.allow(self.path().unwrap_or(Path::new("/dev/stdout")))
    }

    /// The name of its file, or its text.
    pub fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map_or_else(|| self.to_string(), |name| path_text(Path::new(name)))
    }
}

/// Limits on reading, in bytes.
struct Limits {
    /// The first bytes of a file, to recognise it by.
    head: u64,
    /// A file up to this size is read whatever its first bytes are.
    small: u64,
    /// Of a source without a known size, such as a pipe.
    endless: u64,
}

const LIMITS: Limits = Limits { head: 1 << 20, small: 64 << 20, endless: 2 << 30 };

impl Limits {
    fn read_if(
        &self,
        from: &mut impl Read,
        size: Option<u64>,
        is_worth: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Vec<u8>> {
        let Self { head, small, endless } = *self;
        let mut bytes = Vec::new();
        from.by_ref().take(head).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == head && !is_worth(&bytes) {
            if size.is_none_or(|size| size <= small) {
                from.by_ref().take(small - head).read_to_end(&mut bytes)?;
            }
            if size.is_some_and(|size| size > small) || bytes.len() as u64 == small {
                bytes.truncate(head as usize);
            }
            return Ok(bytes);
        }
        match size {
            Some(_) => from.read_to_end(&mut bytes)?,
            None => from.by_ref().take(endless - head).read_to_end(&mut bytes)?,
        };
        if size.is_none() && bytes.len() as u64 >= endless {
            let read = match endless >> 30 {
                0 => format!("{endless} bytes"),
                gibibytes => format!("{gibibytes} GiB"),
            };
            let message = format!("it does not end within {read}; not read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }
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
pub struct NotedSidecars {
    sidecars: Box<dyn Sidecars>,
    folder: PathBuf,
    read: RefCell<Vec<PathBuf>>,
}

impl NotedSidecars {
    /// The files around `source`, of which none was read yet.
    pub fn of(source: &Source) -> Self {
        let folder = source.path().and_then(Path::parent).map(Path::to_owned);
        let (sidecars, folder) = (source.sidecars(), folder.unwrap_or_default());
        Self { sidecars, folder, read: RefCell::default() }
    }

    /// The paths of those that were read, in the order in which they were.
    pub fn into_paths(self) -> Vec<PathBuf> {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{
        diagnostics::ErrorKind,
        formats::{DecodeRequest, mrtk},
    };

    const SHORT: Limits = Limits { head: 4, small: 16, endless: 64 };

    fn length(from: &mut impl Read, size: Option<u64>, is_worth: bool) -> io::Result<usize> {
        SHORT.read_if(from, size, |_| is_worth).map(|bytes| bytes.len())
    }

    /// A recording that comes by a pipe is read up to the limit, and refused from there on.
    #[test]
    fn endless_recording_is_rejected() {
        assert_eq!(length(&mut io::repeat(7).take(63), None, true).unwrap(), 63);
        for mut endless in [io::repeat(7).take(64), io::repeat(7).take(1000)] {
            let error = length(&mut endless, None, true).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
            assert_eq!(error.to_string(), "it does not end within 64 bytes; not read");
        }
        // A file that states its size has an end.
        assert_eq!(length(&mut io::repeat(7).take(1000), Some(1000), true).unwrap(), 1000);
        assert_eq!((LIMITS.head, LIMITS.small, LIMITS.endless), (1 << 20, 64 << 20, 2 << 30));
    }

    /// A camera of MRTK with this many keys, of eight bytes each.
    fn camera(keys: u32) -> Vec<u8> {
        let mut bytes = mrtk::MAGIC.to_le_bytes().to_vec();
        bytes.extend([1_i32, 1].iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend([1, 0, 0]);
        for curve in 0..7 {
            bytes.extend([8, 8, keys as i32].iter().flat_map(|number| number.to_le_bytes()));
            let key = |key: u32| [key as f32 / 60.0, ((key + 40 * curve) as f32 / 100.0).sin()];
            bytes.extend((0..keys).flat_map(key).flat_map(f32::to_le_bytes));
        }
        bytes.extend(0_i32.to_le_bytes());
        bytes
    }

    /// Decoding a large file piece by piece gives the same as decoding it as a whole; a file that has become
    /// shorter meanwhile is an error.
    #[test]
    fn large_recordings_are_decoded_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let bytes = camera(30_000);
        fs::write(&path, &bytes).unwrap();
        let open = || Source::File(path.clone()).open_if(None, |_| true).unwrap();
        let (file, request) = (open(), DecodeRequest::default());
        assert!(file.in_memory().is_none() && bytes.len() as u64 > LIMITS.head);
        let clips = [file.content(), (&bytes).into()]
            .map(|content| formats::decode(content, &request).unwrap());
        let [in_pieces, whole] = clips.each_ref().map(|clip| {
            let values = clip.tracks.iter().map(|track| track.curve.scalar().values());
            values.flat_map(|values| values.iter().map(f64::to_bits)).collect::<Vec<_>>()
        });
        assert_eq!(in_pieces.len(), 210_000);
        assert!(in_pieces == whole, "the same keys");

        let written = fs::OpenOptions::new().write(true).open(&path).unwrap();
        written.set_len(bytes.len() as u64 / 2).unwrap();
        let failure = formats::decode(file.content(), &request).unwrap_err();
        assert_eq!(failure.error.kind(), ErrorKind::Unreadable);
        assert!(failure.to_string().contains("has become shorter"), "{failure}");
        let failure = formats::decode(open().content(), &request).unwrap_err();
        assert_eq!(failure.error.kind(), ErrorKind::Truncated, "opened again");
    }

    /// Only the bytes needed to recognise a format are read of unrecognised input.
    #[test]
    fn unrecognised_input_is_read_only_partly() {
        for (size, expected) in [(3, 3), (4, 4), (10, 10), (15, 15), (17, 4), (1000, 4)] {
            let mut from = io::repeat(7).take(size);
            assert_eq!(length(&mut from, Some(size), false).unwrap(), expected, "{size}");
        }
        let mut endless = io::repeat(7);
        assert_eq!(length(&mut endless, None, false).unwrap(), 4);
    }
}
