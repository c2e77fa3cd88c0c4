//! Where recordings come from: a file, standard input or memory, and the files around it.

use std::{
    cell::RefCell,
    ffi::OsString,
    fmt,
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
        storage::{self, SharedBytes},
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
    pub bytes: SharedBytes,
    /// The files around it.
    pub sidecars: MemorySidecars,
}

impl Source {
    /// Everything in it.
    ///
    /// # Errors
    /// If it cannot be read, or never ends.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.read_if(|_| true)
    }

    /// All of it if `is_worth` accepts its first bytes; only the first bytes of a large source that
    /// it rejects.
    ///
    /// # Errors
    /// If it cannot be read, or never ends.
    pub fn read_if(&self, is_worth: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        let reading = Reading { limits: LIMITS, is_worth: &is_worth, progress: None };
        match self {
            Self::File(path) => {
                let (mut file, size) = (storage::open(path)?, size_of(path)?);
                reading.rest_of(&mut file, Vec::new(), size)
            }
            Self::Stdin => reading.rest_of(&mut io::stdin().lock(), Vec::new(), None),
            Self::Memory(MemoryFile { bytes, .. }) => Ok(bytes.to_vec()),
        }
    }

    /// Its content, of a large source whose first bytes are rejected only those. Of a large file that is
    /// decoded piece by piece only the start is in memory: the rest is read from the file when it is decoded.
    ///
    /// # Errors
    /// If it cannot be read, or never ends.
    pub fn open(&self, options: &OpenOptions<'_>) -> io::Result<FileContent> {
        let OpenOptions { format, is_worth, progress } = options;
        let reading = Reading { limits: LIMITS, is_worth, progress: progress.as_deref() };
        let path = match self {
            Self::File(path) => path,
            Self::Stdin => {
                return Ok(reading.rest_of(&mut io::stdin().lock(), Vec::new(), None)?.into());
            }
            Self::Memory(MemoryFile { bytes, .. }) => {
                return Ok(FileContent::Memory(bytes.clone()));
            }
        };
        let (mut file, size) = (storage::open(path)?, size_of(path)?);
        let mut start = Vec::new();
        if let Some(size) = size.filter(|size| *size > LIMITS.head) {
            file.by_ref().take(LIMITS.head).read_to_end(&mut start)?;
            if is_worth(&start) && formats::reads_pieces(&start, path, *format) {
                let file = LargeFile::new(file, start)?;
                let file = match progress.clone() {
                    Some(tell) => file.telling(move |read| tell((read as u64).min(size), size)),
                    None => file,
                };
                return Ok(FileContent::File(Arc::new(file)));
            }
        }
        match storage::in_memory(path) {
            Some(bytes) => Ok(FileContent::Memory(bytes)),
            None => Ok(reading.rest_of(&mut file, start, size)?.into()),
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

/// How a source is opened.
pub struct OpenOptions<'a> {
    /// The format that it is read as; `None` recognises it by content.
    pub format: Option<FormatId>,
    /// Whether the rest is read of a large source that has these first bytes.
    pub is_worth: &'a dyn Fn(&[u8]) -> bool,
    /// Receives how many bytes were read, and of how many as far as is known.
    pub progress: Option<Arc<ReadProgress>>,
}

/// Receives how many bytes were read, and of how many as far as is known.
pub type ReadProgress = dyn Fn(u64, u64) + Send + Sync;

/// The size of the file at `path`; none of a pipe or a device.
fn size_of(path: &Path) -> io::Result<Option<u64>> {
    let about = storage::about(path)?;
    Ok(about.is_file.then_some(about.size))
}

/// Limits on reading, in bytes.
#[derive(Clone, Copy)]
struct Limits {
    /// The first bytes of a file, to recognise it by, and what is read between two reports of progress.
    head: u64,
    /// A file up to this size is read whatever its first bytes are.
    small: u64,
    /// Of a source without a known size, such as a pipe.
    endless: u64,
}

const LIMITS: Limits = Limits { head: 1 << 20, small: 64 << 20, endless: 2 << 30 };

struct Reading<'a> {
    limits: Limits,
    is_worth: &'a dyn Fn(&[u8]) -> bool,
    progress: Option<&'a ReadProgress>,
}

impl Reading<'_> {
    /// Everything in `from`, of which `bytes` were read: all of it, or its first bytes if it is large and
    /// they are rejected.
    fn rest_of(
        &self,
        from: &mut impl Read,
        mut bytes: Vec<u8>,
        size: Option<u64>,
    ) -> io::Result<Vec<u8>> {
        let Limits { head, small, endless } = self.limits;
        self.read_up_to(head, from, &mut bytes, size)?;
        if bytes.len() as u64 == head && !(self.is_worth)(&bytes) {
            if size.is_none_or(|size| size <= small) {
                self.read_up_to(small, from, &mut bytes, size)?;
            }
            if size.is_some_and(|size| size > small) || bytes.len() as u64 == small {
                bytes.truncate(head as usize);
            }
            return Ok(bytes);
        }
        // Growing would take up to twice the memory. If this fails, reading reports it.
        let left = usize::try_from(size.unwrap_or_default()).unwrap_or_default();
        let _ = bytes.try_reserve_exact(left.saturating_sub(bytes.len()));
        self.read_up_to(if size.is_some() { u64::MAX } else { endless }, from, &mut bytes, size)?;
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

    /// Reads on until there are `limit` bytes, piece by piece, so that progress can be shown.
    fn read_up_to(
        &self,
        limit: u64,
        from: &mut impl Read,
        bytes: &mut Vec<u8>,
        size: Option<u64>,
    ) -> io::Result<()> {
        loop {
            let left = limit.saturating_sub(bytes.len() as u64);
            if from.take(left.min(self.limits.head)).read_to_end(bytes)? == 0 {
                return Ok(());
            }
            if let Some(tell) = self.progress {
                let read = bytes.len() as u64;
                tell(read, size.unwrap_or(read).max(read));
            }
        }
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
        let reading = Reading { limits: SHORT, is_worth: &|_| is_worth, progress: None };
        reading.rest_of(from, Vec::new(), size).map(|bytes| bytes.len())
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
        let options = OpenOptions { format: None, is_worth: &|_| true, progress: None };
        let open = || Source::File(path.clone()).open(&options).unwrap();
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
