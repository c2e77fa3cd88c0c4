//! Recognises the format of a file by its content.

use super::{Failure, Format, Registry, foreign_formats};
use crate::{
    clip::FormatId,
    diagnostics::{Diagnostics, Error, SourceLocation},
};

/// The certainty that some bytes belong to a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recognition {
    /// The bytes do not belong to the format.
    No,
    /// The bytes may belong to the format, but have no signature to confirm it.
    Plausible,
    /// The bytes have the signature of the format.
    Certain,
}

impl Registry {
    /// Returns the format that recognises `bytes`, the first bytes of a file, with the greatest
    /// certainty. If several are equally certain, the format with this `extension` is preferred.
    ///
    /// # Errors
    /// If no format recognises the bytes. The message names the likely kind of file.
    pub fn recognise(
        &self,
        bytes: &[u8],
        extension: Option<&str>,
    ) -> Result<&'static Format, Error> {
        most_certain(self.encodings(), bytes, extension)
            .ok_or_else(|| self.unrecognised_error(bytes))
    }

    /// Returns `true` if `format` recognises `bytes`, or, if `format` is `None`, if any format does.
    pub fn is_recognised(&self, bytes: &[u8], format: Option<FormatId>) -> bool {
        let mut candidates = self.encodings().filter(|row| format.is_none_or(|id| row.id == id));
        candidates.any(|row| (row.recognise)(bytes) > Recognition::No)
    }

    /// Returns the format with this `id`. If `id` is `None`, returns the format that recognises
    /// `bytes`: see [`Self::recognise`].
    ///
    /// # Errors
    /// If the format is not known, or no format recognises the bytes.
    pub fn find_format(
        &self,
        bytes: &[u8],
        extension: Option<&str>,
        id: Option<FormatId>,
    ) -> Result<&'static Format, Failure> {
        let format = match id {
            None => self.recognise(bytes, extension),
            Some(id) => {
                let rows = self.encodings().filter(|row| row.id == id);
                most_certain(rows.clone(), bytes, extension)
                    .or_else(|| rows.clone().find(|row| row.explain(bytes).is_some()))
                    .or_else(|| rows.clone().next())
                    .ok_or_else(|| unknown_format_error(id))
            }
        };
        format.map_err(|error| Failure { format: None, error, diagnostics: Diagnostics::new() })
    }

    fn unrecognised_error(&self, bytes: &[u8]) -> Error {
        if bytes.is_empty() {
            return Error::unrecognised("the file is empty");
        }
        let known: Vec<_> = self.formats().map(|format| format.name).collect();
        let found = foreign_formats::describe_foreign_format(bytes)
            .map(str::to_owned)
            .or_else(|| self.encodings().find_map(|format| format.explain(bytes)))
            .or_else(|| foreign_formats::describe_encoding(bytes).map(str::to_owned))
            .unwrap_or_else(|| describe_start(bytes));
        Error::unrecognised(format!(
            "expected a recording of a known format ({}), found {found}",
            known.join(", ")
        ))
    }
}

fn most_certain(
    formats: impl Iterator<Item = &'static Format>,
    bytes: &[u8],
    extension: Option<&str>,
) -> Option<&'static Format> {
    let has_extension = |format: &Format| {
        extension.is_some_and(|given| {
            format.extensions.iter().any(|known| known.eq_ignore_ascii_case(given))
        })
    };
    formats
        .map(|format| ((format.recognise)(bytes), has_extension(format), format))
        .filter(|(recognition, ..)| *recognition > Recognition::No)
        .max_by_key(|(recognition, has_extension, _)| (*recognition, *has_extension))
        .map(|(.., format)| format)
}

fn unknown_format_error(id: FormatId) -> Error {
    Error::unsupported(
        SourceLocation::File,
        format!("expected a known format, found {:?}", id.as_str()),
    )
}

fn describe_start(bytes: &[u8]) -> String {
    const MAX_SHOWN_CHARS: usize = 40;
    // The last character may be cut off, so allow an error at the end.
    let start = &bytes[..bytes.len().min(4 * MAX_SHOWN_CHARS)];
    let text = match str::from_utf8(start) {
        Ok(text) => Some(text),
        Err(error) => match error.error_len() {
            None => str::from_utf8(&start[..error.valid_up_to()]).ok(),
            Some(_) => None,
        },
    };
    let is_text_char = |char: char| !char.is_control() || char.is_whitespace();
    match text.map(str::trim_start).filter(|text| text.chars().all(is_text_char)) {
        Some(text) if !text.is_empty() => {
            let line = text.lines().next().unwrap_or_default();
            let shown: String = line.chars().take(MAX_SHOWN_CHARS).collect();
            format!("text that begins with {shown:?}")
        }
        _ => {
            let start: Vec<_> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            format!("a file that starts with {}", start.join(" "))
        }
    }
}
