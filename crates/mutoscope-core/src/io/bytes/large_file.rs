//! A file that is not held in memory.

use std::{
    fmt,
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    diagnostics::{Error, SourceLocation},
    io::storage::{self, Stamp},
};

/// A file that is not held in memory: pieces of it are read where they are asked for.
///
/// It is read and not mapped: a page of a mapped file that has become shorter ends the program by
/// a signal, and bytes that change while they are borrowed break what Rust builds on. What is read
/// is a copy, and each reading finds out whether the file is still the one that was opened: of the
/// same size, not modified since. A file that was removed or replaced by another stays readable
/// where the system keeps it for those who have it open.
pub struct LargeFile {
    file: Mutex<storage::File>,
    opened: Stamp,
    size: usize,
    start: Box<[u8]>,
    /// How much was read of it in all, which may be more than once.
    read: AtomicUsize,
    on_read: Option<OnRead>,
}

/// A function that is called with the total number of bytes read.
type OnRead = Box<dyn Fn(usize) + Send + Sync>;

impl LargeFile {
    /// The file, which begins with `start`.
    ///
    /// # Errors
    /// If the system does not tell its size.
    pub fn new(file: storage::File, start: impl Into<Box<[u8]>>) -> io::Result<Self> {
        let opened = storage::stamp(&file)?;
        let size = usize::try_from(opened.size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let (start, read) = (start.into(), AtomicUsize::new(0));
        Ok(Self { file: Mutex::new(file), opened, size, start, read, on_read: None })
    }

    /// The same, telling `on_read` after each reading how many bytes were read in all.
    pub fn telling(self, on_read: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self { on_read: Some(Box::new(on_read)), ..self }
    }

    /// Its size in bytes, when it was opened.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Its first bytes, by which its format is recognised.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The bytes of `range`, which are within its size.
    ///
    /// # Errors
    /// If it cannot be read, or is no longer as it was when it was opened.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<u8>, Error> {
        let place = SourceLocation::span(range.start, range.len());
        let length = range.len();
        let bytes = self.try_read(range).map_err(|error| {
            Error::unreadable(place, format!("the file cannot be read: {error}"))
        })?;
        let read = self.read.fetch_add(length, Ordering::Relaxed) + length;
        if let Some(on_read) = &self.on_read {
            on_read(read);
        }
        Ok(bytes)
    }

    fn try_read(&self, range: Range<usize>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(range.len())?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(range.start as u64))?;
        file.by_ref().take(range.len() as u64).read_to_end(&mut bytes)?;
        // After reading: what was read before a change is sound.
        let now = storage::stamp(&file)?;
        if now.size < self.opened.size || bytes.len() < range.len() {
            let (before, after) = (self.opened.size, now.size);
            return Err(io::Error::other(format!(
                "it has become shorter: it had {before} bytes when it was opened and has {after} now"
            )));
        }
        if now != self.opened {
            return Err(io::Error::other("it has changed since it was opened"));
        }
        Ok(bytes)
    }
}

impl fmt::Debug for LargeFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LargeFile").field("opened", &self.opened).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, time::Duration};

    use super::*;
    use crate::diagnostics::ErrorKind;

    const CONTENT: &[u8] = b"a file of a few bytes";

    fn opened(path: &Path) -> LargeFile {
        fs::write(path, CONTENT).unwrap();
        LargeFile::new(storage::open(path).unwrap(), &CONTENT[..6]).unwrap()
    }

    /// The message of reading it.
    fn refusal(file: &LargeFile) -> String {
        let error = file.read(0..4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreadable);
        error.message().to_owned()
    }

    #[test]
    fn pieces_are_read_in_any_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = opened(&folder.path().join("take.bin"));
        assert_eq!((file.size(), file.start()), (CONTENT.len(), &CONTENT[..6]));
        for range in [15..21, 0..21, 3..3, 2..9] {
            assert_eq!(file.read(range.clone()).unwrap(), &CONTENT[range]);
        }
    }

    #[test]
    fn shorter_and_changed_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = opened(&path);
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(2).unwrap();
        let (before, after) = (CONTENT.len(), 2);
        let shorter = format!(
            "the file cannot be read: it has become shorter: it had {before} bytes when it was opened \
             and has {after} now"
        );
        assert_eq!(refusal(&file), shorter);

        let file = opened(&path);
        let written = fs::OpenOptions::new().write(true).open(&path).unwrap();
        let later = written.metadata().unwrap().modified().unwrap() + Duration::from_secs(1);
        written.set_modified(later).unwrap();
        assert_eq!(refusal(&file), "the file cannot be read: it has changed since it was opened");
    }

    /// Windows, too, keeps a removed file for those who have it open.
    #[cfg(windows)]
    #[test]
    fn removed_files_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = opened(&path);
        fs::remove_file(&path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
    }

    /// Whoever has it open keeps a file that was removed, or that another took the place of.
    #[cfg(unix)]
    #[test]
    fn replaced_and_removed_files_stay_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("take.bin");
        let file = opened(&path);
        let other = folder.path().join("other.bin");
        fs::write(&other, "something else").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
        fs::remove_file(&path).unwrap();
        assert_eq!(file.read(2..6).unwrap(), b"file");
    }
}
