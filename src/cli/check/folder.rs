//! Which files of a folder are checked, and how the others are reported.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use crate::{
    cli::tell,
    export::counted,
    formats::{self, FORMATS, FormatId, mrtk},
};

/// How much of a file tells whether it begins as a recording, in bytes.
const HEAD: u64 = 1 << 20;

/// What was done with the files of a folder.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub(super) checked: usize,
    unrecognised: usize,
    no_files: usize,
}

/// Why something in a folder is not checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Skipped {
    /// It is of no known format, or not of the one that is asked for.
    Unrecognised,
    /// It is not a regular file: a broken link, a link to a folder, a pipe, a device.
    NoFile,
}

impl Folder {
    pub(super) fn skip(&mut self, why: Skipped) {
        match why {
            Skipped::Unrecognised => self.unrecognised += 1,
            Skipped::NoFile => self.no_files += 1,
        }
    }

    /// Reports how many files of the folder at `path` were checked, if any were not.
    pub(super) fn report(&self, path: &str) {
        let Self { checked, unrecognised, no_files } = *self;
        let skipped = [(unrecognised, "not recognised"), (no_files, "no files")];
        let skipped: Vec<_> = skipped
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, why)| format!("{count} skipped ({why})"))
            .collect();
        if !skipped.is_empty() {
            let checked = counted(checked, "file");
            tell(format_args!("info: {path}: {checked} checked, {}", skipped.join(", ")));
        }
    }
}

/// What a file in a folder seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A recording by its name: it is checked whatever its content.
    Recording,
    /// Its content decides.
    Unknown,
}

/// What the file at `path` seems to be, if `format` is asked for or any.
pub(super) fn kind_of(path: &Path, format: Option<FormatId>) -> Kind {
    let Ok(head) = head(path) else { return Kind::Recording };
    match is_called_as_a_recording(path, &head, format) && !formats::is_recognised(&head, format) {
        true => Kind::Recording,
        false => Kind::Unknown,
    }
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a file has an extension of recordings. Some of these are ambiguous: such a file has to
/// be empty, or begin as a recording.
fn is_called_as_a_recording(path: &Path, head: &[u8], format: Option<FormatId>) -> bool {
    const OF_ANYTHING: [&str; 3] = ["bin", "json", "pak"];
    /// The first bytes of recordings whose extension is ambiguous.
    const MAGIC: [u8; 8] = mrtk::MAGIC.to_le_bytes();
    let Some(extension) = path.extension().and_then(|it| it.to_str()) else { return false };
    let wanted = FORMATS.iter().filter(|row| format.is_none_or(|format| row.id == format));
    let mut known = wanted.flat_map(|row| row.extensions);
    let is_known = known.any(|known| known.eq_ignore_ascii_case(extension));
    let means_anything = OF_ANYTHING.iter().any(|any| any.eq_ignore_ascii_case(extension));
    let begins = head.len() < MAGIC.len() && MAGIC.starts_with(head);
    is_known && (!means_anything || begins)
}
