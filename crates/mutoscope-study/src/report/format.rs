//! The formats of reports, and their files.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The names of the tables besides the first, as parts of the names of their files.
const FURTHER_TABLES: [&str; 6] =
    ["areas", "movements", "pinches", "saccades", "fixations", "dwells"];

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// One page.
    Html,
    /// Tables as text, each in a file.
    Csv,
    /// Tables of Parquet, each in a file.
    Parquet,
    /// All of it as JSON.
    Json,
}

impl ReportFormat {
    const ALL: [Self; 4] = [Self::Html, Self::Csv, Self::Parquet, Self::Json];

    /// The words for them, which are the extensions of their files, too.
    pub const WORDS: [&str; 4] = ["html", "csv", "parquet", "json"];

    /// The format of this word, in any case.
    pub fn of_word(word: &str) -> Option<Self> {
        let at = Self::WORDS.iter().position(|own| own.eq_ignore_ascii_case(word))?;
        Some(Self::ALL[at])
    }

    /// The format of the extension of `path`.
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of_word(path.extension()?.to_str()?)
    }

    /// Whether it is tables, each in a file of its own.
    pub fn has_tables(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }

    /// The files of a report at `output`: `report.csv`, `report.areas.csv` and so on.
    pub fn files(self, output: &Path) -> Vec<PathBuf> {
        let mut files = vec![output.to_owned()];
        if self.has_tables() {
            files.extend(FURTHER_TABLES.iter().map(|name| table_path(output, name)));
        }
        files
    }
}

/// The file of a table beside `output`; of the table without a name, `output` itself.
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
