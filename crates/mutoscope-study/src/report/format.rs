//! The formats of reports, and the files of each format.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use strum::VariantNames as _;

const NAMED_TABLES: [&str; 6] =
    ["areas", "movements", "pinches", "saccades", "fixations", "dwells"];

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum ReportFormat {
    /// A single HTML page.
    Html,
    /// Tables as CSV, each in a file of its own.
    Csv,
    /// Tables as Parquet, each in a file of its own.
    Parquet,
    /// A single JSON object with everything.
    Json,
}

impl ReportFormat {
    /// The names of the formats, which are also their file extensions.
    pub const NAMES: &[&str] = Self::VARIANTS;

    /// Returns the format of this name, ignoring case. `None` if there is no such format.
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the format for the extension of `path`. `None` if no format has this extension.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_name(path.extension()?.to_str()?)
    }

    /// Returns `true` if the format writes each table to a file of its own.
    pub fn has_tables(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }

    /// Returns the files of a report at `output`: `report.csv`, `report.areas.csv` and so on.
    pub fn files(self, output: &Path) -> Vec<PathBuf> {
        let mut files = vec![output.to_owned()];
        if self.has_tables() {
            files.extend(NAMED_TABLES.iter().map(|name| table_path(output, name)));
        }
        files
    }
}

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
