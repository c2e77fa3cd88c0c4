//! The format of a report, and its files.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::{ReportArgs, Source};

/// The names of the tables besides the first, as parts of the names of their files.
const FURTHER_TABLES: [&str; 6] =
    ["areas", "movements", "pinches", "saccades", "fixations", "dwells"];

/// The words for the formats.
pub(crate) const TARGETS: [&str; 4] = ["html", "csv", "parquet", "json"];

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Html,
    Csv,
    Parquet,
    Json,
}

impl Target {
    const ALL: [Self; 4] = [Self::Html, Self::Csv, Self::Parquet, Self::Json];

    /// The target that the arguments ask for: by name, or else by the extension of the output.
    pub(super) fn of(args: &ReportArgs) -> Result<Self, String> {
        let words = TARGETS.join(", ");
        let of_word = |word: &str| {
            TARGETS.iter().position(|own| own.eq_ignore_ascii_case(word)).map(|it| Self::ALL[it])
        };
        if let Some(word) = &args.to {
            return of_word(word).ok_or_else(|| format!("--to takes one of {words}"));
        }
        let Some(path) = args.output.path() else {
            return Err(format!("-o - needs --to and one of {words}"));
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let found = extension.and_then(of_word);
        found.ok_or_else(|| format!("{}: its extension is none of {words}", args.output))
    }

    /// Whether it is tables, each in a file of its own.
    pub(super) fn has_tables(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }

    /// The files of a report at `output`: `report.csv`, `report.areas.csv` and so on.
    pub(super) fn files(self, output: &Path) -> Vec<PathBuf> {
        let mut files = vec![output.to_owned()];
        if self.has_tables() {
            files.extend(FURTHER_TABLES.iter().map(|name| table_path(output, name)));
        }
        files
    }
}

/// The file of a table beside `output`.
pub(super) fn table_path(output: &Path, name: &str) -> PathBuf {
    if name.is_empty() {
        return output.to_owned();
    }
    let mut file = OsString::from(output.file_stem().unwrap_or_default());
    file.push(".");
    file.push(name);
    if let Some(extension) = output.extension() {
        file.push(".");
        file.push(extension);
    }
    output.with_file_name(file)
}

/// Whether a report goes to standard output.
pub(super) fn is_stdout(output: &Source) -> bool {
    output.path().is_none()
}
