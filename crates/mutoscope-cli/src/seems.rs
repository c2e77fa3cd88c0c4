//! Whether a file in a folder looks like a recording.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use serde::de::IgnoredAny;

use super::{Input, Reader, Source};
use mutoscope_core::{
    formats::{self, FormatId, mrtk},
    io::bytes::{FileContent, NoSidecars},
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

/// The kind of a file, by its content.
pub(super) enum Opened {
    /// A recording, or what should be one.
    Recording(Box<Input>),
    /// A model or a skeleton that brings no animations: recordings may be put on it.
    WithoutAnimations,
    /// Something else.
    Unrecognised,
}

impl Seems {
    /// Opens `source`, which was read.
    pub(super) fn open(
        self,
        reader: &Reader,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> Opened {
        if file.as_ref().is_ok_and(|file| is_without_animations(source, file)) {
            return Opened::WithoutAnimations;
        }
        let input = match self {
            Self::Recording => Some(reader.open_read(source, file)),
            Self::Unknown => reader.open_read_if_recognised(source, file),
        };
        input.map_or(Opened::Unrecognised, |input| Opened::Recording(Box::new(input)))
    }
}

/// Whether it is called as recordings are, and is a sound skeleton and no recording. What is broken may
/// have been one.
fn is_without_animations(source: &Source, file: &FileContent) -> bool {
    let extension = source.path().and_then(Path::extension).and_then(|it| it.to_str());
    let mut known = formats::all().flat_map(|row| row.extensions);
    let bytes = file.content().start();
    extension.is_some_and(|extension| known.any(|known| known.eq_ignore_ascii_case(extension)))
        && !formats::is_recognised(bytes, None)
        && formats::recognise_skeleton(bytes).is_some()
        && formats::decode_skeleton(bytes, &source.file_name(), &NoSidecars).is_ok()
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
    const OF_ANYTHING: [&str; 10] =
        ["bin", "pak", "csv", "tsv", "txt", "jsonl", "ndjson", "parquet", "arrow", "feather"];
    /// How the recordings begin whose extension may mean anything.
    const MAGIC: [u8; 8] = mrtk::MAGIC.to_le_bytes();
    let Some(extension) = path.extension().and_then(|it| it.to_str()) else { return false };
    if extension.eq_ignore_ascii_case("json") {
        return format.is_none_or(|format| format == FormatId::ANIMJ) && is_cut_off_json(head);
    }
    let wanted = formats::all().filter(|row| format.is_none_or(|format| row.id == format));
    let mut known = wanted.flat_map(|row| row.extensions);
    let is_known = known.any(|known| known.eq_ignore_ascii_case(extension));
    let means_anything = OF_ANYTHING.iter().any(|any| any.eq_ignore_ascii_case(extension));
    let begins = head.len() < MAGIC.len() && MAGIC.starts_with(head);
    is_known && (!means_anything || begins)
}

/// Whether a file, of which `head` is the beginning, is nothing, or an object of JSON that breaks off: an
/// AnimJ may begin with anything, so that it cannot be told from others.
fn is_cut_off_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let is_whole = (head.len() as u64) < HEAD;
    let breaks_off =
        || serde_json::from_slice::<IgnoredAny>(text).is_err_and(|error| error.is_eof());
    text.is_empty() || text.starts_with(b"{") && is_whole && breaks_off()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_breaks_off_counts_as_a_recording() {
        let long = format!("{{\"a\":\"{}", "x".repeat(HEAD as usize));
        let cases: [(&str, bool); 9] = [
            ("", true),
            ("\n ", true),
            ("{", true),
            ("\u{feff}{ \"name\": \"arm\", \"tra", true),
            ("{}", false),
            ("{\"name\": \"package\"}", false),
            ("[1, 2", false),
            ("{broken", false),
            // Only its beginning was read.
            (&long[..HEAD as usize], false),
        ];
        for (text, expected) in cases {
            let path = Path::new("a.JSON");
            let begins = &text[..text.len().min(30)];
            assert_eq!(is_called_as_a_recording(path, text.as_bytes(), None), expected, "{begins}");
        }
        assert!(!is_called_as_a_recording(Path::new("a.json"), b"", Some(FormatId::MRTK)));
        assert!(is_called_as_a_recording(Path::new("a.json"), b"", Some(FormatId::ANIMJ)));
    }
}
