//! The formats of label files, by extension.

use std::{io, path::Path};

use super::{Label, Labels, Result, csv, eaf, text_grid};

/// A format of label files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelFormat {
    /// A table with the columns `start_s`, `end_s`, `label` and perhaps `tier`.
    Csv,
    /// Annotations of ELAN.
    Eaf,
    /// A TextGrid of Praat.
    TextGrid,
}

impl LabelFormat {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Eaf, Self::TextGrid];

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Eaf => "eaf",
            Self::TextGrid => "TextGrid",
        }
    }

    /// The format of the extension of `path`, in any case.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|one| one.extension().eq_ignore_ascii_case(extension))
    }
}

/// The labels in the bytes of a file.
///
/// # Errors
/// If they are not of this format, or a label ends before it starts: the place, what was expected and
/// what was found.
pub fn read(bytes: &[u8], format: LabelFormat) -> Result<Labels> {
    match format {
        LabelFormat::Csv => csv::read(bytes),
        LabelFormat::Eaf => eaf::read(bytes),
        LabelFormat::TextGrid => text_grid::read(bytes),
    }
}

/// Writes labels as a file of this format, and returns what the format cannot hold, a sentence each.
///
/// # Errors
/// If `out` cannot be written to, or the format has no way to hold a label: [`io::ErrorKind::InvalidData`].
pub fn write(
    labels: &[Label],
    format: LabelFormat,
    out: &mut dyn io::Write,
) -> io::Result<Vec<String>> {
    if let Some(wrong) = labels
        .iter()
        .find(|one| !(one.start.is_finite() && one.end >= one.start && one.end.is_finite()))
    {
        let Label { start, end, label, .. } = wrong;
        return Err(invalid(format!("label {label:?} from {start} s to {end} s is not a range")));
    }
    match format {
        LabelFormat::Csv => csv::write(labels, out).map(|()| Vec::new()),
        LabelFormat::Eaf => eaf::write(labels, out),
        LabelFormat::TextGrid => text_grid::write(labels, out),
    }
}

pub(super) fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
