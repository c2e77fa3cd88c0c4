//! Whether a file in a folder looks like a recording.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use super::{Input, Reader, Source};
use mutoscope_core::{
    formats::{self, FormatId, mrtk},
    io::bytes::FileContent,
};

/// The bytes at the start of a file by which a recording is recognised.
const HEAD: u64 = 1 << 20;

/// Whether a file in a folder looks like a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seems {
    /// A recording by its name: it counts as one whatever its content.
    Recording,
    /// Its content decides.
    Unknown,
}

impl Seems {
    /// Opens `source`, which was read; `None` if it is no recording.
    pub(super) fn open(
        self,
        reader: &Reader,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> Option<Input> {
        match self {
            Self::Recording => Some(reader.open_read(source, file)),
            Self::Unknown => reader.open_read_if_recognised(source, file),
        }
    }
}

/// Whether the file at `path` looks like a recording of `format`, or of any.
pub(super) fn of(path: &Path, format: Option<FormatId>) -> Seems {
    let Ok(head) = head(path) else { return Seems::Recording };
    match is_called_as_a_recording(path, &head, format) && !formats::is_recognised(&head, format) {
        true => Seems::Recording,
        false => Seems::Unknown,
    }
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a file has an extension that recordings have. Some of these mean anything: of such a file
/// there has to be nothing, or the beginning of a recording.
fn is_called_as_a_recording(path: &Path, head: &[u8], format: Option<FormatId>) -> bool {
    const OF_ANYTHING: [&str; 3] = ["bin", "json", "pak"];
    /// How the recordings begin whose extension may mean anything.
    const MAGIC: [u8; 8] = mrtk::MAGIC.to_le_bytes();
    let Some(extension) = path.extension().and_then(|it| it.to_str()) else { return false };
    let wanted = formats::all().filter(|row| format.is_none_or(|format| row.id == format));
    let mut known = wanted.flat_map(|row| row.extensions);
    let is_known = known.any(|known| known.eq_ignore_ascii_case(extension));
    let means_anything = OF_ANYTHING.iter().any(|any| any.eq_ignore_ascii_case(extension));
    let begins = head.len() < MAGIC.len() && MAGIC.starts_with(head);
    is_known && (!means_anything || begins)
}
