//! Bytes that are written to a file later, after bytes that depend on them.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use super::atomic_file;

/// Bytes that wait until they are written. If they are many, most of them wait in a temporary file,
/// because a long recording would otherwise take as much memory again.
#[derive(Debug, Default)]
pub(crate) struct SpooledBytes {
    /// A path in the folder of the temporary file. `None` keeps all bytes in memory.
    path: Option<PathBuf>,
    file: Option<File>,
    file_len: usize,
    /// The last bytes, which are not in the file yet.
    memory: Vec<u8>,
}

impl SpooledBytes {
    const MAX_BYTES_IN_MEMORY: usize = 1 << 20;

    /// Creates an empty buffer, whose temporary file is in the folder of `path`. The system removes
    /// the file when the program ends, even if it is killed. Without a path, all bytes stay in memory.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        Self { path: path.map(Path::to_owned), ..Self::default() }
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.file_len + self.memory.len()
    }

    /// Returns `true` if all bytes stay in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.path.is_none()
    }

    /// Writes the bytes of `range` to `out`.
    ///
    /// # Errors
    /// Fails if the temporary file cannot be read, if `out` cannot be written, or if `range` is not
    /// within the bytes.
    pub(crate) fn write_range(
        &mut self,
        range: Range<usize>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let [from, to] = [range.start, range.end].map(|offset| offset.min(self.file_len));
        if let Some(file) = self.file.as_mut().filter(|_| from < to) {
            file.seek(SeekFrom::Start(from as u64))?;
            let expected = (to - from) as u64;
            if io::copy(&mut file.take(expected), out)? != expected {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let [from, to] =
            [range.start, range.end].map(|offset| offset.saturating_sub(self.file_len));
        out.write_all(self.memory.get(from..to).ok_or(io::ErrorKind::UnexpectedEof)?)
    }

    /// Writes all bytes to `out`.
    ///
    /// # Errors
    /// Fails if the temporary file cannot be read, or if `out` cannot be written.
    pub(crate) fn write_to(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write_range(0..self.len(), out)
    }
}

impl Write for SpooledBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(path) = &self.path
            && self.memory.len() + bytes.len() > Self::MAX_BYTES_IN_MEMORY
        {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(atomic_file::temporary_file(path)?),
            };
            file.seek(SeekFrom::Start(self.file_len as u64))?;
            for bytes in [&self.memory, bytes] {
                file.write_all(bytes)?;
                self.file_len += bytes.len();
            }
            self.memory.clear();
        } else {
            self.memory.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 2_000_000;

    fn byte(index: usize) -> u8 {
        (index / 100) as u8
    }

    fn filled(path: Option<&Path>) -> SpooledBytes {
        let mut spooled = SpooledBytes::new(path);
        let bytes: Vec<u8> = (0..LEN).map(byte).collect();
        for part in bytes.chunks(300_001) {
            spooled.write_all(part).expect("written");
        }
        assert_eq!(spooled.len(), LEN);
        spooled
    }

    #[test]
    fn bytes_in_a_file_and_in_memory_are_written_in_order() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("take.glb");
        for path in [None, Some(&*path)] {
            let mut spooled = filled(path);
            let border = spooled.file_len;
            assert_eq!(path.is_some(), border > 0 && border < LEN);
            for range in [0..5, border.max(2) - 2..border + 2, LEN - 3..LEN, 7..7, LEN..LEN] {
                let mut written = Vec::new();
                spooled.write_range(range.clone(), &mut written).expect("written");
                assert_eq!(written, range.map(byte).collect::<Vec<_>>());
            }
            assert!(spooled.write_range(LEN - 1..LEN + 1, &mut io::sink()).is_err());
            let mut written = Vec::new();
            spooled.write_to(&mut written).expect("written");
            assert!(written.iter().copied().eq((0..LEN).map(byte)));
        }
    }

    #[test]
    fn bytes_can_be_added_after_others_were_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut spooled = filled(Some(&dir.path().join("take.glb")));
        spooled.write_range(10..20, &mut io::sink()).expect("written");
        spooled.write_all(&vec![7; LEN]).expect("added");
        let mut written = Vec::new();
        spooled.write_to(&mut written).expect("written");
        let expected = (0..LEN).map(byte).chain(std::iter::repeat_n(7, LEN));
        assert!(written.into_iter().eq(expected));
    }

    #[test]
    fn missing_folder_is_an_error() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut spooled = SpooledBytes::new(Some(&dir.path().join("missing/take.glb")));
        let error = spooled.write_all(&vec![0; LEN]).expect_err("no folder");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
