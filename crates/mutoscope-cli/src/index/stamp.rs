//! Detects changed files.

use std::{fs, io, path::Path, time::UNIX_EPOCH};

use xxhash_rust::xxh3::Xxh3;

use mutoscope_core::io::bytes::Content;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    /// The modification time, in seconds since 1970. `None` if the recording also depends on other
    /// files.
    pub(super) modified: Option<f64>,
    /// The hash of the content (XXH3, 128 bits, as `xxh128sum` prints it). `None` until the content
    /// is read.
    pub(super) hash: Option<String>,
}

impl Stamp {
    pub(super) fn from_path(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        let since_epoch =
            metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since_epoch.map(|duration| duration.as_secs_f64());
        Ok(Self { size: metadata.len(), modified, hash: None })
    }

    /// Removes the modification time, so that the recording is always read again. Call this if the
    /// recording depends on other files, because those may have changed.
    pub(super) fn without_modified(self) -> Self {
        Self { modified: None, ..self }
    }

    pub(super) fn with_hash(self, content: Content<'_>) -> Self {
        const CHUNK_BYTES: usize = 1 << 20;
        let mut hash = Xxh3::new();
        for start in (0..content.size()).step_by(CHUNK_BYTES) {
            match content.read_range(start..start + CHUNK_BYTES) {
                Ok(chunk) => hash.update(&chunk),
                Err(_) => return self,
            }
        }
        Self { hash: Some(format!("{:032x}", hash.digest128())), ..self }
    }
}
