//! Whether a file has changed.

use std::{fs, io, path::Path, time::UNIX_EPOCH};

use xxhash_rust::xxh3::Xxh3;

use mutoscope_core::io::bytes::Content;

/// The size, time and hash of a file, to see whether it has changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stamp {
    /// Its size in bytes.
    pub(super) size: u64,
    /// When it was modified, in seconds since 1970; `None` if the recording depends on other files.
    pub(super) modified: Option<f64>,
    /// The hash of its content (XXH3, 128 bits, as `xxh128sum` prints it), once it was read.
    pub(super) hash: Option<String>,
}

impl Stamp {
    /// The stamp of the file at `path`, without reading it.
    ///
    /// # Errors
    /// If there is no such file.
    pub(super) fn of_file(path: &Path) -> io::Result<Self> {
        let about = fs::metadata(path)?;
        let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since.map(|since| since.as_secs_f64());
        Ok(Self { size: about.len(), modified, hash: None })
    }

    /// The same for a recording that depends on other files: it may have changed at any time.
    pub(super) fn of_several(self) -> Self {
        Self { modified: None, ..self }
    }

    /// The same with the hash of the content; without if it cannot be read.
    pub(super) fn of_read(self, content: Content<'_>) -> Self {
        /// How much of a file is read at once.
        const PIECE: usize = 1 << 20;
        let mut hash = Xxh3::new();
        for start in (0..content.size()).step_by(PIECE) {
            match content.piece(start..start + PIECE) {
                Ok(piece) => hash.update(&piece),
                Err(_) => return self,
            }
        }
        Self { hash: Some(format!("{:032x}", hash.digest128())), ..self }
    }
}
