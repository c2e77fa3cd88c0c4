//! The sources of recordings: files, standard input and memory, with the files around them.

use std::{
    cell::RefCell,
    ffi::OsString,
    fmt,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::message::format_path;
use crate::{
    export::{InputFiles, OverwriteError},
    formats::{Format, ReadOptions},
    io::{
        bytes::{FileContent, FolderSidecars, LargeFile, MemorySidecars, NoSidecars, Sidecars},
        storage::{self, SharedBytes},
    },
};

/// The source of a recording. `Display` writes the name that messages use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard input, which the command line calls `-`.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Bytes in memory. Programs can pass them; the command line cannot.
    Memory(MemoryFile),
}

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    /// The name in messages. The extension decides between formats if the content may be of several
    /// formats.
    pub name: String,
    /// The whole content.
    pub bytes: SharedBytes,
    /// The files around it.
    pub sidecars: MemorySidecars,
}

impl Source {
    /// Reads the whole source.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if it does not end within the limit.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        self.read_if_accepted(|_| true)
    }

    /// Reads the whole source, unless the source is large and `is_worth` rejects its first bytes.
    /// In that case, this returns only the first bytes.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if it does not end within the limit.
    pub fn read_if_accepted(&self, is_worth: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        let reading = Reading { limits: LIMITS, is_worth: &is_worth, progress: None };
        match self {
            Self::File(path) => {
                let (mut file, size) = (storage::open(path)?, file_size(path)?);
                reading.read_rest(&mut file, Vec::new(), size)
            }
            Self::Stdin => reading.read_rest(&mut io::stdin().lock(), Vec::new(), None),
            Self::Memory(MemoryFile { bytes, .. }) => Ok(bytes.to_vec()),
        }
    }

    /// Opens the source. If the source is large and `is_worth` rejects its first bytes, only these
    /// bytes are read. If a large file can be decoded in pieces, only its start is loaded into memory.
    /// The rest is read from the file during decoding.
    ///
    /// # Errors
    /// Fails if the source cannot be read, or if it does not end within the limit.
    pub fn open(
        &self,
        options: &ReadOptions,
        is_worth: &dyn Fn(&[u8]) -> bool,
        progress: Option<Arc<ReadProgress>>,
    ) -> io::Result<FileContent> {
        let reading = Reading { limits: LIMITS, is_worth, progress: progress.as_deref() };
        let path = match self {
            Self::File(path) => path,
            Self::Stdin => {
                return Ok(reading.read_rest(&mut io::stdin().lock(), Vec::new(), None)?.into());
            }
            Self::Memory(MemoryFile { bytes, .. }) => {
                return Ok(FileContent::Memory(bytes.clone()));
            }
        };
        let (mut file, size) = (storage::open(path)?, file_size(path)?);
        let mut start = Vec::new();
        if let Some(size) = size.filter(|size| *size > LIMITS.head_bytes) {
            file.by_ref().take(LIMITS.head_bytes).read_to_end(&mut start)?;
            let extension = path.extension().and_then(|extension| extension.to_str());
            let format = options.registry.find_format(&start, extension, options.format);
            if is_worth(&start) && format.is_ok_and(Format::decodes_in_pieces) {
                let file = LargeFile::new(file, start)?;
                let file = match progress {
                    Some(report) => {
                        file.with_read_callback(move |read| report((read as u64).min(size), size))
                    }
                    None => file,
                };
                return Ok(FileContent::File(Arc::new(file)));
            }
        }
        match storage::in_memory(path) {
            Some(bytes) => Ok(FileContent::Memory(bytes)),
            None => Ok(reading.read_rest(&mut file, start, size)?.into()),
        }
    }

    /// Returns the files around the source: those in its folder or in memory. Standard input has
    /// none.
    pub fn sidecars(&self) -> Box<dyn Sidecars> {
        match self {
            Self::File(path) => Box::new(FolderSidecars::for_file(path)),
            Self::Stdin => Box::new(NoSidecars),
            Self::Memory(MemoryFile { sidecars, .. }) => Box::new(sidecars.clone()),
        }
    }

    /// Returns the path if the source is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin | Self::Memory(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// Adds the source to `files` as an input with the role `what`.
    pub fn add_to_inputs(&self, files: &mut InputFiles, what: &'static str) {
        // The path of standard input. If the stream is redirected, most Unix systems resolve the
        // path to the file that the stream comes from.
        files.add(self.path().unwrap_or(Path::new("/dev/stdin")), what);
    }

    /// Checks that the source may be overwritten by an output. Standard input stands for standard
    /// output here.
    ///
    /// # Errors
    /// Fails if it is one of the input `files`.
    pub fn check_output(&self, files: &InputFiles) -> Result<(), OverwriteError> {
        files.check_output(self.path().unwrap_or(Path::new("/dev/stdout")))
    }

    /// Returns the file name, or the name to use in messages if the source is not a file.
    pub fn file_name(&self) -> String {
        let name = self.path().and_then(Path::file_name);
        name.map_or_else(|| self.to_string(), |name| format_path(Path::new(name)))
    }
}

/// A callback that receives the number of bytes that were read and the total number of bytes. If
/// the total is unknown, both numbers are equal.
pub type ReadProgress = dyn Fn(u64, u64) + Send + Sync;

/// Returns the size of the file at `path`. `None` for a pipe or a device.
fn file_size(path: &Path) -> io::Result<Option<u64>> {
    let metadata = storage::metadata(path)?;
    Ok(metadata.is_file.then_some(metadata.size))
}

#[derive(Clone, Copy)]
struct Limits {
    /// The number of first bytes that are enough to recognise a format. It is also the number of
    /// bytes that are read between two progress reports.
    head_bytes: u64,
    small_file_bytes: u64,
    stream_bytes: u64,
}

const LIMITS: Limits =
    Limits { head_bytes: 1 << 20, small_file_bytes: 64 << 20, stream_bytes: 2 << 30 };

struct Reading<'a> {
    limits: Limits,
    is_worth: &'a dyn Fn(&[u8]) -> bool,
    progress: Option<&'a ReadProgress>,
}

impl Reading<'_> {
    fn read_rest(
        &self,
        from: &mut impl Read,
        mut bytes: Vec<u8>,
        size: Option<u64>,
    ) -> io::Result<Vec<u8>> {
        let Limits { head_bytes, small_file_bytes, stream_bytes } = self.limits;
        self.read_up_to(head_bytes, from, &mut bytes, size)?;
        if bytes.len() as u64 == head_bytes && !(self.is_worth)(&bytes) {
            if size.is_none_or(|size| size <= small_file_bytes) {
                self.read_up_to(small_file_bytes, from, &mut bytes, size)?;
            }
            if size.is_some_and(|size| size > small_file_bytes)
                || bytes.len() as u64 == small_file_bytes
            {
                bytes.truncate(head_bytes as usize);
            }
            return Ok(bytes);
        }
        // Reserve the whole size, because growing the buffer would take up to twice the memory. If
        // this fails, reading reports the error.
        let left = usize::try_from(size.unwrap_or_default()).unwrap_or_default();
        let _ = bytes.try_reserve_exact(left.saturating_sub(bytes.len()));
        self.read_up_to(
            if size.is_some() { u64::MAX } else { stream_bytes },
            from,
            &mut bytes,
            size,
        )?;
        if size.is_none() && bytes.len() as u64 >= stream_bytes {
            let read = match stream_bytes >> 30 {
                0 => format!("{stream_bytes} bytes"),
                gibibytes => format!("{gibibytes} GiB"),
            };
            let message = format!("it does not end within {read}; not read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(bytes)
    }

    fn read_up_to(
        &self,
        limit: u64,
        from: &mut impl Read,
        bytes: &mut Vec<u8>,
        size: Option<u64>,
    ) -> io::Result<()> {
        loop {
            let left = limit.saturating_sub(bytes.len() as u64);
            if from.take(left.min(self.limits.head_bytes)).read_to_end(bytes)? == 0 {
                return Ok(());
            }
            if let Some(report) = self.progress {
                let read = bytes.len() as u64;
                report(read, size.unwrap_or(read).max(read));
            }
        }
    }
}

/// `OsString` allows any file name of the system, including names that are not UTF-8.
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
            Self::File(path) => f.write_str(&format_path(path)),
        }
    }
}

/// Sidecars that record which of them were read.
pub struct TrackedSidecars {
    sidecars: Box<dyn Sidecars>,
    folder: PathBuf,
    read: RefCell<Vec<PathBuf>>,
}

impl TrackedSidecars {
    /// Creates the sidecars of `source`.
    pub fn for_source(source: &Source) -> Self {
        let folder = source.path().and_then(Path::parent).map(Path::to_owned);
        let (sidecars, folder) = (source.sidecars(), folder.unwrap_or_default());
        Self { sidecars, folder, read: RefCell::default() }
    }

    /// Returns the paths of the sidecars that were read, in the order of reading.
    pub fn into_paths(self) -> Vec<PathBuf> {
        self.read.into_inner()
    }
}

impl Sidecars for TrackedSidecars {
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
        formats::{decode, mrtk},
    };

    const SHORT: Limits = Limits { head_bytes: 4, small_file_bytes: 16, stream_bytes: 64 };

    fn read_length(from: &mut impl Read, size: Option<u64>, is_worth: bool) -> io::Result<usize> {
        let reading = Reading { limits: SHORT, is_worth: &|_| is_worth, progress: None };
        reading.read_rest(from, Vec::new(), size).map(|bytes| bytes.len())
    }

    #[test]
    fn endless_recording_is_rejected() {
        assert_eq!(read_length(&mut io::repeat(7).take(63), None, true).unwrap(), 63);
        for mut endless in [io::repeat(7).take(64), io::repeat(7).take(1000)] {
            let error = read_length(&mut endless, None, true).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
            assert_eq!(error.to_string(), "it does not end within 64 bytes; not read");
        }
        // A file with a known size ends, so the limit does not apply.
        assert_eq!(read_length(&mut io::repeat(7).take(1000), Some(1000), true).unwrap(), 1000);
        assert_eq!(
            (LIMITS.head_bytes, LIMITS.small_file_bytes, LIMITS.stream_bytes),
            (1 << 20, 64 << 20, 2 << 30)
        );
    }

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

    #[test]
    fn large_recordings_are_decoded_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let bytes = camera(30_000);
        fs::write(&path, &bytes).unwrap();
        let options = ReadOptions::default();
        let open = || Source::File(path.clone()).open(&options, &|_| true, None).unwrap();
        let file = open();
        assert!(file.in_memory().is_none() && bytes.len() as u64 > LIMITS.head_bytes);
        let clips =
            [file.as_content(), (&bytes).into()].map(|content| decode(content, &options).unwrap());
        let [in_pieces, whole] = clips.each_ref().map(|clip| {
            let values = clip.tracks.iter().map(|track| track.curve.scalar().values());
            values.flat_map(|values| values.iter().map(f64::to_bits)).collect::<Vec<_>>()
        });
        assert_eq!(in_pieces.len(), 210_000);
        assert!(in_pieces == whole, "the same keys");

        let written = fs::OpenOptions::new().write(true).open(&path).unwrap();
        written.set_len(bytes.len() as u64 / 2).unwrap();
        let failure = decode(file.as_content(), &options).unwrap_err();
        assert_eq!(failure.error.kind(), ErrorKind::Unreadable);
        assert!(failure.to_string().contains("has become shorter"), "{failure}");
        let failure = decode(open().as_content(), &options).unwrap_err();
        assert_eq!(failure.error.kind(), ErrorKind::Truncated, "opened again");
    }

    #[test]
    fn unrecognised_input_is_read_only_partly() {
        for (size, expected) in [(3, 3), (4, 4), (10, 10), (15, 15), (17, 4), (1000, 4)] {
            let mut from = io::repeat(7).take(size);
            assert_eq!(read_length(&mut from, Some(size), false).unwrap(), expected, "{size}");
        }
        let mut endless = io::repeat(7);
        assert_eq!(read_length(&mut endless, None, false).unwrap(), 4);
    }
}
