//! Sorts files that were given together into recordings, skeletons and footage.

use std::{
    collections::HashSet,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use crate::footage::{FootageKind, Input, recognise};
use mutoscope_core::{
    clip::FormatId,
    io::storage,
    read::{Purpose, detect_purpose},
};
use mutoscope_study::labels::{LabelFormat, sidecar_paths};

/// Is `false` in a browser, which has no ffmpeg.
const IS_FOOTAGE_SUPPORTED: bool = !cfg!(target_family = "wasm");

const RECOGNITION_BYTES: u64 = 4096;

/// Files sorted by purpose. Each list keeps the order in which the user gave the files.
#[derive(Debug, Default, PartialEq)]
pub(in crate::session) struct SortedFiles {
    /// Recordings and unrecognised files. Unrecognised files are included, because opening such a
    /// file shows the user what is wrong with it.
    pub(in crate::session) recordings: Vec<PathBuf>,
    pub(in crate::session) skeletons: Vec<PathBuf>,
    /// Videos and sound files to play with a recording. Images are footage only if all files are
    /// images.
    pub(in crate::session) footage: Vec<PathBuf>,
}

/// Separates `files` into recordings, skeletons and footage by their content. If `format` is given,
/// every recording has that format.
///
/// A model with animations is a recording. It is a skeleton only if `allows_pair` and there are two
/// files, because the user gave a recording and its character.
/// Label files of the given recordings are left out, because they are read with their recording.
pub(in crate::session) fn sort_by_purpose(
    mut files: Vec<PathBuf>,
    format: Option<FormatId>,
    allows_pair: bool,
) -> SortedFiles {
    let label_files = label_sidecar_paths(&files);
    files.retain(|path| !label_files.contains(path));
    let purposes: Vec<_> = files
        .iter()
        .map(|path| detect_file_purpose(path, format).unwrap_or((Purpose::Unknown, None)))
        .collect();
    let is_pair = allows_pair
        && purposes.len() == 2
        && purposes.iter().any(|(purpose, _)| *purpose == Purpose::Recording);
    // If there are other files too, the images are textures of a model.
    let are_all_images = purposes.iter().all(|(_, kind)| *kind == Some(FootageKind::Image));
    let mut sorted = SortedFiles::default();
    for (path, (purpose, kind)) in files.into_iter().zip(purposes) {
        match purpose {
            Purpose::Unknown if kind == Some(FootageKind::Media) || are_all_images => {
                sorted.footage.push(path);
            }
            Purpose::Skeleton => sorted.skeletons.push(path),
            Purpose::RecordingOrSkeleton if is_pair => sorted.skeletons.push(path),
            _ => sorted.recordings.push(path),
        }
    }
    sorted
}

fn label_sidecar_paths(files: &[PathBuf]) -> HashSet<PathBuf> {
    let is_other = |path: &&PathBuf| {
        !matches!(LabelFormat::from_path(path), Some(LabelFormat::Eaf | LabelFormat::TextGrid))
    };
    files.iter().filter(is_other).flat_map(|path| sidecar_paths(path)).collect()
}

/// Returns `true` if the name of the file is that of a label file. A CSV file must end in
/// `.labels.csv`, because any other CSV file may be a recording.
pub(in crate::session) fn is_label_file(path: &Path) -> bool {
    match LabelFormat::from_path(path) {
        Some(LabelFormat::Csv) => {
            path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".labels.csv"))
        }
        other => other.is_some(),
    }
}

fn detect_file_purpose(
    path: &Path,
    format: Option<FormatId>,
) -> io::Result<(Purpose, Option<FootageKind>)> {
    if path.as_os_str() == "-" {
        // Assume a recording. Standard input can be read only once, so we cannot check the content.
        // The user can pass a skeleton on standard input with `--rig`.
        return Ok((Purpose::Recording, None));
    }
    let mut start = Vec::new();
    storage::open(path)?.take(RECOGNITION_BYTES).read_to_end(&mut start)?;
    let kind = recognise(&start).filter(|_| IS_FOOTAGE_SUPPORTED);
    // Do not read a video to its end, because its first bytes are enough to recognise it.
    let purpose = detect_purpose(crate::registry(), &start, format, || match kind {
        Some(_) => None,
        None => read_if_recognisable(path, &start),
    });
    Ok((purpose, kind.filter(|_| purpose == Purpose::Unknown)))
}

/// Returns the whole content of the file at `path`, which begins with `start`. Returns `None` if
/// the file cannot be read or is not a regular file, or if it is large and `start` is not
/// recognised.
pub(in crate::session) fn read_if_recognisable(path: &Path, start: &[u8]) -> Option<Vec<u8>> {
    /// In bytes. Larger files are read only if their first bytes are recognised.
    const MAX_UNRECOGNISED_BYTES: u64 = 64 << 20;
    let metadata = storage::metadata(path).ok()?;
    let registry = crate::registry();
    let is_known =
        || registry.is_recognised(start, None) || registry.recognise_skeleton(start).is_some();
    let is_worth = metadata.is_file && (metadata.size <= MAX_UNRECOGNISED_BYTES || is_known());
    if is_worth { storage::read(path).ok() } else { None }
}

pub(in crate::session) fn is_image_folder(path: &Path) -> bool {
    IS_FOOTAGE_SUPPORTED && Input::from_path(path).is_ok_and(|input| input.is_images())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_sorted_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let copy_data = |from: &str, name: &str| {
            let path = folder.path().join(name);
            fs::copy(data.join(from), &path).unwrap();
            path
        };
        let maya = copy_data("maya/spec_example_4joints.anim", "a.glb");
        let gltf = copy_data("rig/arm.glb", "b.anim");
        let cinf = copy_data("prime/rig_mp2.CINF", "c.json");
        let text = folder.path().join("d.cinf");
        fs::write(&text, "no motion at all").unwrap();
        let missing = folder.path().join("missing");
        let files = vec![maya.clone(), gltf.clone(), text.clone(), cinf.clone(), missing.clone()];
        let expected = SortedFiles {
            recordings: vec![maya.clone(), gltf.clone(), text, missing],
            skeletons: vec![cinf],
            footage: Vec::new(),
        };
        assert_eq!(sort_by_purpose(files, None, true), expected);
        let pair = vec![gltf.clone(), maya.clone()];
        let sorted = sort_by_purpose(pair.clone(), None, true);
        assert_eq!((sorted.recordings, sorted.skeletons), (vec![maya.clone()], vec![gltf]));
        assert_eq!(sort_by_purpose(pair.clone(), None, false).recordings, pair);
        let write_file = |name: &str, start: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, start).unwrap();
            path
        };
        let video = write_file("e.bin", b"\0\0\0\x20ftypisom\0\0");
        let image = write_file("f.anim", b"\x89PNG\r\n\x1a\n");
        let sorted = |files: &[&PathBuf]| {
            sort_by_purpose(files.iter().copied().cloned().collect(), None, true)
        };
        let sorted_with_recording = sorted(&[&video, &maya, &image]);
        assert_eq!(
            (sorted_with_recording.footage, sorted_with_recording.recordings),
            (vec![video], vec![maya, image.clone()])
        );
        assert_eq!(sorted(&[&image]).footage, [image]);
    }

    #[test]
    fn label_files_are_not_among_the_recordings() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let files = ["take.bin", "take.labels.csv", "take.eaf", "take.csv", "other.TextGrid"];
        let sorted = sort_by_purpose(paths(&files), None, true);
        assert_eq!(sorted.recordings, paths(&["take.bin", "take.csv", "other.TextGrid"]));
        let labels = files.map(|name| is_label_file(Path::new(name)));
        assert_eq!(labels, [false, true, true, false, true]);
    }
}
