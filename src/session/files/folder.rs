//! Lists the recordings in a folder.

use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use alphanumeric_sort::compare_path;

use super::{
    FileFailure,
    open_job::display_name,
    sorting::{is_image_folder, read_if_recognisable},
};
use mutoscope_core::{clip::FormatId, io::storage, read};

const RECOGNITION_BYTES: u64 = 4096;

/// Returns the recordings in `folder`, in natural order of their names (`take 2` before `take 10`).
/// If `format` is given, only recordings of that format are returned.
///
/// # Errors
/// If the folder cannot be read.
pub fn recordings_in(folder: &Path, format: Option<FormatId>) -> io::Result<Vec<PathBuf>> {
    let mut files = files_in(folder)?;
    files.retain(|path| is_recording(path, format));
    Ok(files)
}

#[derive(Default)]
pub(in crate::session) struct ExpandedFiles {
    pub(in crate::session) files: Vec<PathBuf>,
    /// `true` if some files were found in a folder.
    pub(in crate::session) has_listed: bool,
    pub(in crate::session) failure: Option<FileFailure>,
    pub(in crate::session) footage: Option<PathBuf>,
}

pub(in crate::session) fn expand_folders(
    files: Vec<PathBuf>,
    format: Option<FormatId>,
) -> ExpandedFiles {
    let mut expanded = ExpandedFiles::default();
    for path in files {
        if !storage::is_dir(&path) {
            expanded.files.push(path);
            continue;
        }
        let message = match recordings_in(&path, format) {
            Ok(found) if found.is_empty() && is_image_folder(&path) => {
                expanded.footage.get_or_insert(path);
                continue;
            }
            Ok(found) if found.is_empty() => "the folder has no recordings".to_owned(),
            Ok(found) => {
                expanded.files.extend(found);
                expanded.has_listed = true;
                continue;
            }
            Err(error) => format!("cannot be read: {error}"),
        };
        expanded.failure.get_or_insert(FileFailure { name: display_name(&path), message });
    }
    expanded
}

pub(in crate::session) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

pub(in crate::session) fn files_with_format_extension(id: FormatId, folder: &Path) -> Vec<PathBuf> {
    let mut files = files_in(folder).unwrap_or_default();
    let extensions = crate::registry().format(id).map_or(&[][..], |format| format.extensions);
    files.retain(|path| has_extension(path, extensions));
    files
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| extensions.iter().any(|other| own.eq_ignore_ascii_case(other)))
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = storage::files_in(folder)?;
    files.sort_by(|a, b| compare_path(a, b));
    Ok(files)
}

/// Returns `true` if the file at `path` begins like a recording of `format`, or of any format if
/// `format` is `None`.
pub(in crate::session) fn is_recording(path: &Path, format: Option<FormatId>) -> bool {
    let mut start = Vec::new();
    let read =
        storage::open(path).and_then(|file| file.take(RECOGNITION_BYTES).read_to_end(&mut start));
    read.is_ok()
        && read::is_recording(crate::registry(), &start, format, || {
            read_if_recognisable(path, &start)
        })
}

#[cfg(test)]
pub(in crate::session) mod tests {
    use std::fs;

    use super::*;

    pub(in crate::session) fn copy(from: &str, to: &Path) {
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(from), to).unwrap();
    }

    const WALK: &str = "assets/prime/walk.ANIM";
    const RIG: &str = "assets/prime/walk.CINF";

    #[test]
    fn recordings_are_in_natural_name_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["take 10.ANIM", "take 9.anim", "Take 1.bin"] {
            copy(WALK, &folder.path().join(name));
        }
        copy(RIG, &folder.path().join("rig.CINF"));
        fs::write(folder.path().join("take 2.ANIM"), "no animation at all").unwrap();
        fs::create_dir(folder.path().join("more.ANIM")).unwrap();
        let names = |paths: Vec<PathBuf>| -> Vec<String> {
            let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            paths.iter().map(name).collect()
        };
        let found = recordings_in(folder.path(), None).unwrap();
        assert_eq!(names(found), ["Take 1.bin", "take 9.anim", "take 10.ANIM"]);
        let found = files_with_format_extension(FormatId::PRIME, folder.path());
        assert_eq!(names(found), ["take 2.ANIM", "take 9.anim", "take 10.ANIM"]);
        assert!(recordings_in(&folder.path().join("missing"), None).is_err());
    }

    #[test]
    fn bare_file_names_are_in_the_current_folder() {
        assert_eq!(folder_of(Path::new("walk.ANIM")), Path::new("."));
        assert_eq!(folder_of(Path::new("takes/walk.ANIM")), Path::new("takes"));
        let here = files_in(folder_of(Path::new("Cargo.toml"))).unwrap();
        assert!(here.contains(&"Cargo.toml".into()), "{here:?}");
    }
}
