//! Decides which files in a folder are read as recordings.

use crate::registry;
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use serde::de::IgnoredAny;

use super::{Input, ReadOptions, Source};
use mutoscope_core::{
    formats::{FormatId, mrtk},
    io::bytes::{FileContent, NoSidecars},
};

const MAX_HEAD_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordingHint {
    /// A file whose name says that it is a recording. If the content is not recognised, the file is
    /// still read as a recording, so that the error is reported.
    Recording,
    /// A file that may be a recording. Only the content of the file decides.
    Unknown,
}

pub(super) enum OpenedFile {
    /// A recording, or the error of a file that should be one.
    Recording(Box<Input>),
    /// A model or skeleton without animations.
    WithoutAnimations,
    /// Any other file.
    Unrecognised,
}

impl RecordingHint {
    pub(super) fn open(
        self,
        read_options: &ReadOptions,
        source: &Source,
        file: io::Result<FileContent>,
    ) -> OpenedFile {
        if file.as_ref().is_ok_and(|file| is_skeleton_only(source, file)) {
            return OpenedFile::WithoutAnimations;
        }
        let input = match self {
            Self::Recording => Some(Input::open_content(source, file, read_options)),
            Self::Unknown => open_if_recognised(source, file, read_options),
        };
        input.map_or(OpenedFile::Unrecognised, |input| OpenedFile::Recording(Box::new(input)))
    }
}

/// Decodes a file that the user did not name. Returns `None` if the file was read but its format is
/// not known or not the requested one. The skeleton is ignored if the format does not support it.
pub(super) fn open_if_recognised(
    source: &Source,
    file: io::Result<FileContent>,
    read_options: &ReadOptions,
) -> Option<Input> {
    let is_foreign = file.as_ref().is_ok_and(|file| {
        !registry().is_recognised(file.as_content().start(), read_options.format)
    });
    let read_options = ReadOptions { skips_unsupported_skeleton: true, ..read_options.clone() };
    (!is_foreign).then(|| Input::open_content(source, file, &read_options))
}

/// Returns `true` if the file has the extension of a recording but contains a valid skeleton and no
/// recording. Returns `false` for a broken skeleton, because the file may be a broken recording.
fn is_skeleton_only(source: &Source, file: &FileContent) -> bool {
    let extension = source.path().and_then(Path::extension).and_then(OsStr::to_str);
    let mut known = registry().formats().flat_map(|row| row.extensions);
    let bytes = file.as_content().start();
    extension.is_some_and(|extension| known.any(|known| known.eq_ignore_ascii_case(extension)))
        && !registry().is_recognised(bytes, None)
        && registry().recognise_skeleton(bytes).is_some()
        && registry().decode_skeleton(bytes, &source.file_name(), &NoSidecars).is_ok()
}

pub(super) fn hint_for_path(path: &Path, format: Option<FormatId>) -> RecordingHint {
    // Ignore the error here, because it is reported again when the file is opened.
    let Ok(head) = read_head(path) else { return RecordingHint::Recording };
    match has_recording_extension(path, &head, format) && !registry().is_recognised(&head, format) {
        true => RecordingHint::Recording,
        false => RecordingHint::Unknown,
    }
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(MAX_HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns `true` if the file has the extension of a recording. If many programs use that
/// extension, the file must also be empty or cut off within the signature of MRTK.
fn has_recording_extension(path: &Path, head: &[u8], format: Option<FormatId>) -> bool {
    const GENERIC_EXTENSIONS: [&str; 11] = [
        "bin", "pak", "csv", "tsv", "txt", "jsonl", "ndjson", "dtype", "parquet", "arrow",
        "feather",
    ];
    /// The signature of MRTK, whose extension `.bin` is used by many programs.
    const MRTK_MAGIC: [u8; 8] = mrtk::MAGIC.to_le_bytes();
    let Some(extension) = path.extension().and_then(OsStr::to_str) else { return false };
    if extension.eq_ignore_ascii_case("json") {
        return format.is_none_or(|format| format == FormatId::ANIMJ) && is_truncated_json(head);
    }
    let allowed = registry().formats().filter(|row| format.is_none_or(|format| row.id == format));
    let mut known = allowed.flat_map(|row| row.extensions);
    let is_known = known.any(|known| known.eq_ignore_ascii_case(extension));
    let is_generic =
        GENERIC_EXTENSIONS.iter().any(|generic| generic.eq_ignore_ascii_case(extension));
    let is_cut_off = head.len() < MRTK_MAGIC.len() && MRTK_MAGIC.starts_with(head);
    is_known && (!is_generic || is_cut_off)
}

/// Returns `true` if the file is empty or an incomplete JSON object. Any incomplete object may be
/// an AnimJ recording, because the members of AnimJ may come in any order.
fn is_truncated_json(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let is_whole = (head.len() as u64) < MAX_HEAD_BYTES;
    let is_incomplete =
        || serde_json::from_slice::<IgnoredAny>(text).is_err_and(|error| error.is_eof());
    text.is_empty() || text.starts_with(b"{") && is_whole && is_incomplete()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_json_may_be_a_recording() {
        let long = format!("{{\"a\":\"{}", "x".repeat(MAX_HEAD_BYTES as usize));
        let cases: [(&str, bool); 9] = [
            ("", true),
            ("\n ", true),
            ("{", true),
            ("\u{feff}{ \"name\": \"arm\", \"tra", true),
            ("{}", false),
            ("{\"name\": \"package\"}", false),
            ("[1, 2", false),
            ("{broken", false),
            // Only the start of this file was read.
            (&long[..MAX_HEAD_BYTES as usize], false),
        ];
        for (text, expected) in cases {
            let path = Path::new("a.JSON");
            let begins = &text[..text.len().min(30)];
            assert_eq!(has_recording_extension(path, text.as_bytes(), None), expected, "{begins}");
        }
        assert!(!has_recording_extension(Path::new("a.json"), b"", Some(FormatId::MRTK)));
        assert!(has_recording_extension(Path::new("a.json"), b"", Some(FormatId::ANIMJ)));
    }
}
