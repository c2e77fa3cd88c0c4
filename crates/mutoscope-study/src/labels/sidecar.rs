//! The label files beside a recording.

use std::path::{Path, PathBuf};

use mutoscope_core::io::storage;

use super::LabelFormat;

/// The first of [`sidecar_paths`] at which a file is, and its format: the labels of the recording at `path`.
pub fn find_sidecar(path: &Path) -> Option<(PathBuf, LabelFormat)> {
    let is_file = |path: &Path| storage::about(path).is_ok_and(|about| about.is_file);
    let mut all = sidecar_paths(path).into_iter().zip(LabelFormat::ALL);
    all.find(|(path, _)| is_file(path))
}

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn first_sidecar_in_the_order_of_formats_is_found() {
        let folder =
            std::env::temp_dir().join(format!("mutoscope-sidecars-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for this test");
        let take = folder.join("take.bin");
        assert_eq!(find_sidecar(&take), None);
        for (name, format) in [
            ("take.TextGrid", LabelFormat::TextGrid),
            ("take.eaf", LabelFormat::Eaf),
            ("take.labels.csv", LabelFormat::Csv),
        ] {
            fs::write(folder.join(name), "").expect("a file of this test");
            assert_eq!(find_sidecar(&take), Some((folder.join(name), format)));
        }
        fs::remove_dir_all(&folder).expect("it is of this test");
    }
}
