//! Finds the label file next to a recording.

use std::path::{Path, PathBuf};

use mutoscope_core::io::storage;

use super::LabelFormat;

/// Returns the first of [`sidecar_paths`] that is a file, and its format. `None` if the recording
/// at `path` has no label file.
pub fn find_sidecar(path: &Path) -> Option<(PathBuf, LabelFormat)> {
    let is_file = |path: &Path| storage::metadata(path).is_ok_and(|metadata| metadata.is_file);
    let mut all = sidecar_paths(path).into_iter().zip(LabelFormat::ALL);
    all.find(|(path, _)| is_file(path))
}

/// Returns the paths at which the labels of the recording at `path` may be, in the order in which
/// they are tried. For `take.bin` these are `take.labels.csv`, `take.eaf` and `take.TextGrid`.
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
    fn first_sidecar_in_format_order_is_found() {
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
        fs::remove_dir_all(&folder).expect("the folder belongs to this test");
    }
}
