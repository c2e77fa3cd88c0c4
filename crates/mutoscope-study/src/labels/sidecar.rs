//! The label files beside a recording.

use std::path::{Path, PathBuf};

use super::LabelFormat;

/// The paths at which the labels of the recording at `path` may be, in the order in which they are tried:
/// `take.labels.csv`, `take.eaf`, `take.TextGrid` beside `take.bin`.
pub fn sidecar_paths(path: &Path) -> [PathBuf; 3] {
    LabelFormat::ALL.map(|format| {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        if format == LabelFormat::Csv {
            name.push(".labels");
        }
        name.push(".");
        name.push(format.extension());
        path.with_file_name(name)
    })
}
