//! A file that is read piece by piece instead of being held in memory.

use std::{
    fmt, io,
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::{
    diagnostics::{Error, SourceLocation},
    io::storage::{self, Stamp},
};

/// A file that is read piece by piece instead of being held in memory.
///
/// The file is read instead of mapped. A mapped file that becomes shorter would end the program
/// with a signal. If its bytes changed while they are borrowed, the behaviour would be undefined.
///
/// A read returns a copy, and fails if the size or the modification time is no longer the same as
/// when the file was opened. A file that was removed or replaced stays readable if the system keeps
/// the file for open handles.
pub struct LargeFile {
    file: storage::File,
    opened_stamp: Stamp,
    size: usize,
    start: Box<[u8]>,
    total_read: AtomicUsize,
    on_read: Option<OnRead>,
}

type OnRead = Box<dyn Fn(usize) + Send + Sync>;

impl LargeFile {
    /// Wraps an open file that begins with `start`.
    ///
    /// # Errors
    /// If the system does not provide the file's metadata, or the size exceeds the address space.
    pub fn new(file: storage::File, start: impl Into<Box<[u8]>>) -> io::Result<Self> {
        let opened = storage::file_stamp(&file)?;
        let size = usize::try_from(opened.size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let (start, read) = (start.into(), AtomicUsize::new(0));
        Ok(Self { file, opened_stamp: opened, size, start, total_read: read, on_read: None })
    }

    /// Calls `on_read` after each read with the total number of bytes read.
    pub fn with_read_callback(self, on_read: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self { on_read: Some(Box::new(on_read)), ..self }
    }

    /// Returns the size in bytes at the time of opening.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the first bytes, which are enough to recognise the format.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// Reads the bytes in `range`, which must lie within the size.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed since it was opened.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.read_into(range, &mut bytes)?;
        Ok(bytes)
    }

    /// Replaces the content of `bytes` by the bytes in `range`, like [`Self::read`]. A buffer that is
    /// used again is faster than new memory for each read.
    ///
    /// # Errors
    /// The same as for [`Self::read`]. `bytes` has no useful content then.
    pub fn read_into(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let location = SourceLocation::span(range.start, range.len());
        let length = range.len();
        self.try_read(range, bytes).map_err(|error| {
            Error::unreadable(location, format!("the file cannot be read: {error}"))
        })?;
        let read = self.total_read.fetch_add(length, Ordering::Relaxed) + length;
        if let Some(on_read) = &self.on_read {
            on_read(read);
        }
        Ok(())
    }

    fn try_read(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.try_reserve_exact(range.len().saturating_sub(bytes.len()))?;
        bytes.resize(range.len(), 0);
        let mut filled = 0;
        while filled < range.len() {
            let offset = (range.start + filled) as u64;
            match storage::read_at(&self.file, &mut bytes[filled..], offset) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        // Compare the stamps after reading. A change after the read cannot affect the bytes that
        // were read.
        let now = storage::file_stamp(&self.file)?;
        if now.size < self.opened_stamp.size || filled < range.len() {
            let (before, after) = (self.opened_stamp.size, now.size);
            return Err(io::Error::other(format!(
                "it has become shorter: it had {before} bytes when it was opened and has {after} now"
            )));
        }
        if now != self.opened_stamp {
            return Err(io::Error::other("it has changed since it was opened"));
        }
        Ok(())
    }
}

impl fmt::Debug for LargeFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LargeFile").field("opened", &self.opened_stamp).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, time::Duration};

    use super::*;
    use crate::diagnostics::ErrorKind;

    const CONTENT: &[u8] = b"a file of a few bytes";

    fn open_file(path: &Path) -> LargeFile {
        fs::write(path, CONTENT).unwrap();
        LargeFile::new(storage::open(path).unwrap(), &CONTENT[..6]).unwrap()
    }

    fn read_error(file: &LargeFile) -> String {
        let error = file.read(0..4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreadable);
        error.message().to_owned()
    }

    #[test]
    fn pieces_are_read_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = open_file(&folder.path().join("take.bin"));
        assert_eq!((file.size(), file.start()), (CONTENT.len(), &CONTENT[..6]));
        for range in [15..21, 0..21, 3..3, 2..9] {
            assert_eq!(file.read(range.clone()).unwrap(), &CONTENT[range]);
        }
    }

    #[test]
    fn shorter_and_changed_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = open_file(&path);
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2).unwrap();
        let (before, after) = (CONTENT.len(), 2);
        let shorter = format!(
            "the file cannot be read: it has become shorter: it had {before} bytes when it was opened \
             and has {after} now"
        );
        assert_eq!(read_error(&file), shorter);

        let file = open_file(&path);
        let written = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let later = written.metadata().unwrap().modified().unwrap() + Duration::from_secs(1);
        written.set_modified(later).unwrap();
        assert_eq!(
            read_error(&file),
            "the file cannot be read: it has changed since it was opened"
        );
    }

    #[cfg(windows)]
    #[test]
    fn removed_files_stay_readable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = open_file(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
    }

    #[cfg(unix)]
    #[test]
    fn replaced_and_removed_files_stay_readable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = open_file(&path);
        let other = folder.path().join("other.bin");
        fs::write(&other, "something else").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
        fs::remove_file(&path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
    }
}
