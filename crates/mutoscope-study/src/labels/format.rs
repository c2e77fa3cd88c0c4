//! The formats of label files and their extensions.

use std::{io, path::Path};

use super::{Label, Labels, Result, csv, eaf, text_grid};

/// A format of label files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelFormat {
    /// A table with the columns `start_s`, `end_s`, `label` and optionally `tier`.
    Csv,
    /// ELAN annotations.
    Eaf,
    /// A Praat TextGrid.
    TextGrid,
}

impl LabelFormat {
    /// All formats, in the order in which label files next to a recording are tried.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Eaf, Self::TextGrid];

    /// Returns the file extension, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Eaf => "eaf",
            Self::TextGrid => "TextGrid",
        }
    }

    /// Returns the format for the extension of `path`, ignoring case. `None` if no format has this
    /// extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }
}

/// Reads the labels in the bytes of a file.
///
/// # Errors
/// Returns an error with a location if the content does not match the format, or if a label ends
/// before it starts.
pub fn read(bytes: &[u8], format: LabelFormat) -> Result<Labels> {
    match format {
        LabelFormat::Csv => csv::read(bytes),
        LabelFormat::Eaf => eaf::read(bytes),
        LabelFormat::TextGrid => text_grid::read(bytes),
    }
}

/// Writes labels in a format. Returns a message for each kind of information that the format cannot
/// hold.
///
/// # Errors
/// Returns an error if writing to `out` fails, or [`io::ErrorKind::InvalidData`] if the format
/// cannot represent a label at all.
pub fn write(
    labels: &[Label],
    format: LabelFormat,
    out: &mut dyn io::Write,
) -> io::Result<Vec<String>> {
    if let Some(invalid) = labels.iter().find(|label| {
        !(label.start.is_finite() && label.end >= label.start && label.end.is_finite())
    }) {
        let Label { start, end, label, .. } = invalid;
        return Err(invalid_data(format!(
            "label {label:?} from {start} s to {end} s is not a range"
        )));
    }
    match format {
        LabelFormat::Csv => csv::write(labels, out).map(|()| Vec::new()),
        LabelFormat::Eaf => eaf::write(labels, out),
        LabelFormat::TextGrid => text_grid::write(labels, out),
    }
}

pub(super) fn invalid_data(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
