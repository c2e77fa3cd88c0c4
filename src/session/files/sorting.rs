//! Distinguishing recordings from skeletons, among files that were given together.

use std::{
    collections::HashSet,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use crate::footage::{Kind, recognise};
use crate::session::compare::footage::OFFERED;
use mutoscope_core::{
    clip::FormatId,
    formats::{is_recognised, recognise_skeleton},
    io::storage,
    read::{Purpose, purpose},
};
use mutoscope_study::labels::{LabelFormat, sidecar_paths};

/// How much of a file is read to tell whether it is a recording.
const BYTES_TO_RECOGNISE: u64 = 4096;

/// Files by what they are for; in either list in the order in which they were given.
#[derive(Debug, Default, PartialEq)]
pub(in crate::session) struct Sorted {
    /// Recordings, and what is neither: opening it says what is wrong with it.
    pub(in crate::session) recordings: Vec<PathBuf>,
    pub(in crate::session) skeletons: Vec<PathBuf>,
    /// Videos and sound to play with a recording; images, if nothing else was given.
    pub(in crate::session) footage: Vec<PathBuf>,
}

/// Sorts `files` by their content; every recording is one of `format`, if one is given. A model that
/// brings animations is a skeleton if there are recordings that are nothing else, and else one to
/// play. The label files of recordings are read with these.
pub(in crate::session) fn sort(mut files: Vec<PathBuf>, format: Option<FormatId>) -> Sorted {
    let of_others = label_files(&files);
    files.retain(|path| !of_others.contains(path));
    let purposes: Vec<_> = files
        .iter()
        .map(|path| purpose_of(path, format).unwrap_or((Purpose::Unknown, None)))
        .collect();
    let has_recordings = purposes.iter().any(|(purpose, _)| *purpose == Purpose::Recording);
    // Else they are textures.
    let are_all_images = purposes.iter().all(|(_, kind)| *kind == Some(Kind::Image));
    let mut sorted = Sorted::default();
    for (path, (purpose, kind)) in files.into_iter().zip(purposes) {
        match purpose {
            Purpose::Unknown if kind == Some(Kind::Media) || are_all_images => {
                sorted.footage.push(path);
            }
            Purpose::Skeleton => sorted.skeletons.push(path),
            Purpose::RecordingOrSkeleton if has_recordings => sorted.skeletons.push(path),
            _ => sorted.recordings.push(path),
        }
    }
    sorted
}

/// Where the labels of each of `files` may be.
fn label_files(files: &[PathBuf]) -> HashSet<PathBuf> {
    let is_other = |path: &&PathBuf| {
        !matches!(LabelFormat::of_path(path), Some(LabelFormat::Eaf | LabelFormat::TextGrid))
    };
    files.iter().filter(is_other).flat_map(|path| sidecar_paths(path)).collect()
}

/// Whether a file holds labels, by its name.
pub(in crate::session) fn is_label_file(path: &Path) -> bool {
    match LabelFormat::of_path(path) {
        Some(LabelFormat::Csv) => {
            path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".labels.csv"))
        }
        other => other.is_some(),
    }
}

/// The purpose of a file, and its kind of footage if it is neither a recording nor a skeleton.
fn purpose_of(path: &Path, format: Option<FormatId>) -> io::Result<(Purpose, Option<Kind>)> {
    if path.as_os_str() == "-" {
        // Standard input can be read only once; a skeleton on it is asked for with --rig.
        return Ok((Purpose::Recording, None));
    }
    let mut start = Vec::new();
    storage::open(path)?.take(BYTES_TO_RECOGNISE).read_to_end(&mut start)?;
    let kind = recognise(&start).filter(|_| OFFERED);
    // A video is recognised by its start, and not read whole.
    let purpose = purpose(&start, format, || match kind {
        Some(_) => None,
        None => whole(path, &start),
    });
    Ok((purpose, kind.filter(|_| purpose == Purpose::Unknown)))
}

/// All of the file at `path`, which begins with `start`; nothing if it cannot be read, never ends,
/// or is large and begins as nothing that is read here.
pub(in crate::session) fn whole(path: &Path, start: &[u8]) -> Option<Vec<u8>> {
    /// Up to this size, in bytes, a file is read whatever its start is.
    const SMALL: u64 = 64 << 20;
    let about = storage::about(path).ok()?;
    let is_known = || is_recognised(start, None) || recognise_skeleton(start).is_some();
    let is_worth = about.is_file && (about.size <= SMALL || is_known());
    if is_worth { storage::read(path).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_sorted_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let copied = |from: &str, name: &str| {
            let path = folder.path().join(name);
            fs::copy(data.join(from), &path).unwrap();
            path
        };
        let maya = copied("maya/spec_example_4joints.anim", "a.glb");
        let gltf = copied("rig/arm.glb", "b.anim");
        let cinf = copied("prime/rig_mp2.CINF", "c.json");
        let text = folder.path().join("d.cinf");
        fs::write(&text, "no motion at all").unwrap();
        let missing = folder.path().join("missing");
        let files = vec![maya.clone(), gltf.clone(), text.clone(), cinf.clone(), missing.clone()];
        let expected = Sorted {
            recordings: vec![maya.clone(), text, missing],
            skeletons: vec![gltf, cinf],
            footage: Vec::new(),
        };
        assert_eq!(sort(files, None), expected);
        let written = |name: &str, start: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, start).unwrap();
            path
        };
        let video = written("e.bin", b"\0\0\0\x20ftypisom\0\0");
        let image = written("f.anim", b"\x89PNG\r\n\x1a\n");
        let sorted = |files: &[&PathBuf]| sort(files.iter().copied().cloned().collect(), None);
        let beside = sorted(&[&video, &maya, &image]);
        assert_eq!((beside.footage, beside.recordings), (vec![video], vec![maya, image.clone()]));
        assert_eq!(sorted(&[&image]).footage, [image]);
    }

    #[test]
    fn label_files_are_not_among_the_recordings() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let files = ["take.bin", "take.labels.csv", "take.eaf", "take.csv", "other.TextGrid"];
        let sorted = sort(paths(&files), None);
        assert_eq!(sorted.recordings, paths(&["take.bin", "take.csv", "other.TextGrid"]));
        let labels = files.map(|name| is_label_file(Path::new(name)));
        assert_eq!(labels, [false, true, true, false, true]);
    }
}
