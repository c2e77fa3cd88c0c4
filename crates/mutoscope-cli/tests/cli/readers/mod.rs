//! The pages in `docs/formats` are enough to write a decoder from: next to this file there is one
//! in Python for each format, written from its page alone, and the program gives the same numbers.
//!
//! Every file of the format below `tests/data` in which the program finds no error is compared.
//! The program itself finds the broken ones, so no file can be left out by hand. Cases that a page
//! has a formula for, but no file there covers, are in `data` next to this file.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod blender;
mod compare;
mod exports;
mod program;
mod python;

use std::path::Path;

use compare::{Difference, Tolerance};
use mutoscope_minecraft::scene::{ElementEdit, SceneDocument, SceneEdit};
use program::Recording;

/// Compares the reader of a format with the program, file by file.
///
/// `least` is how many files, values of tracks and places of nodes there must have been, so that no
/// change of a folder or a reader makes the test an empty one.
fn agree(format: &str, recordings: &[Recording], tolerance: Tolerance, least: [usize; 3]) {
    let Some(answers) = python::answers(format, recordings) else {
        return;
    };
    let mut counts = [recordings.len(), 0, 0];
    let mut differences = Vec::new();
    for recording in recordings {
        let expected = recording.samples();
        let found = &answers[&recording.request()];
        assert_eq!(found.len(), expected.len(), "{}: an answer for each time", recording.path);
        for (found, expected) in found.iter().zip(&expected) {
            match compare::compare(found, expected, tolerance) {
                Ok([values, places]) => {
                    counts[1] += values;
                    counts[2] += places;
                }
                Err(Difference(text)) => differences.push(format!("{}: {text}", recording.path)),
            }
        }
    }
    let shown = differences.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} differences:\n{shown}", differences.len());
    println!("{format}: {counts:?} files, values and places");
    let enough = counts.iter().zip(&least).all(|(count, least)| count >= least);
    assert!(enough, "{format}: {counts:?} files, values and places, expected at least {least:?}");
}

#[test]
fn mrtk() {
    let recordings = program::recordings("mrtk", &["bin"]);
    agree("mrtk", &recordings, Tolerance::ROUNDING, [13, 40_000, 4_000]);
}

#[test]
fn maya() {
    let recordings = program::recordings("maya", &["anim"]);
    agree("maya", &recordings, Tolerance::ROUNDING, [50, 3_500, 3_000]);
}

#[test]
fn animj_and_animx() {
    let extensions = ["animj", "animx", "json"];
    let mut recordings = program::recordings("animj", &extensions);
    recordings.extend(program::recordings("animx", &extensions));
    agree("animj", &recordings, Tolerance::ROUNDING, [26, 9_000, 900]);
}

#[test]
fn prime() {
    for rig in ["data/prime/rig_mp1.CINF", "data/prime/rig_mp2.CINF"] {
        let recordings = program::on_rig("prime", &["ANIM"], rig);
        agree("prime", &recordings, Tolerance::ROUNDING, [16, 3_500, 5_000]);
    }
}

#[test]
fn mcmocap() {
    let recordings = program::recordings("mcmocap", &["mcmocap_rec"]);
    agree("mcmocap", &recordings, Tolerance::ROUNDING, [37, 60_000, 15_000]);
    let scenes = program::recordings("mcmocap", &["mcmocap_scene"]);
    agree("mcmocap_scene", &scenes, Tolerance::ROUNDING, [39, 100_000, 4_000]);
}

/// Scenes of every version as version 4, with each element edited.
#[test]
fn edited_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(program::TESTS).join("data/mcmocap-more");
    let mut written = Vec::new();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        if path.extension().is_none_or(|extension| extension != "mcmocap_scene") {
            continue;
        }
        let mut document = SceneDocument::read(&std::fs::read(&path).unwrap()).unwrap();
        for index in 0..document.len() {
            let number = index as f64;
            for edit in [
                ElementEdit::StartDelay(0.15 + 0.1 * number),
                ElementEdit::WaitOnStart(0.02 * number),
                ElementEdit::Offset([1.5 - number, 0.25, -3.0].into()),
                ElementEdit::Rotation(30.0 * number - 45.0),
                ElementEdit::Loops(index % 3 == 2),
            ] {
                let change = SceneEdit::Change(index, edit).plan(&document).unwrap();
                document.apply(&change);
            }
        }
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let to = folder.path().join(format!("{stem}-edited.mcmocap_scene"));
        std::fs::write(&to, document.to_json_text()).unwrap();
        written.push(to.to_str().unwrap().to_owned());
    }
    written.sort();
    let scenes = program::recordings_at(&written);
    agree("mcmocap_scene", &scenes, Tolerance::ROUNDING, [39, 100_000, 4_000]);
}

#[test]
fn bvh() {
    let recordings = program::recordings("bvh", &["bvh"]);
    agree("bvh", &recordings, Tolerance::ROUNDING, [7, 1_800, 700]);
}

/// Poses at rest are in single precision in the program. The reader knows no meshopt: files that it compressed are compared with what
/// they were compressed from by `gltf/meshopt.rs` of the core.
#[test]
fn gltf() {
    let mut recordings = program::animations("gltf", &["gltf", "glb"]);
    let all = recordings.len();
    recordings.retain(|recording| !is_compressed(&recording.path));
    assert_eq!(all - recordings.len(), 2);
    agree("gltf", &recordings, Tolerance::SINGLE, [17, 1_000, 1_000]);
}

/// Whether the JSON of a file names the compression.
fn is_compressed(path: &str) -> bool {
    let bytes = std::fs::read(std::path::Path::new(program::TESTS).join(path)).unwrap();
    bytes.windows(19).any(|word| word == b"meshopt_compression")
}

/// Archives and sets of characters: what they hold is the same. The reader knows no LZO, so of some it
/// only tells the table.
#[test]
fn prime_characters() {
    let infos = program::sound_infos(&["pak", "ANCS"]);
    let requests: String = infos.iter().map(|info| format!("{}\n", path(info))).collect();
    let Some(answers) = python::lines("prime_characters", &requests) else {
        return;
    };
    assert_eq!(answers.len(), infos.len());
    let mut whole = 0;
    for (found, expected) in answers.iter().zip(&infos) {
        let is_told = |name: &&str| !found[*name].is_null();
        let told = ["path", "resources", "characters", "animations"].into_iter().filter(is_told);
        for name in told.inspect(|name| whole += usize::from(*name == "animations")) {
            assert_eq!(found[name], expected[name], "{}: {name}", path(expected));
        }
    }
    assert!(whole >= 8 && infos.len() >= 12, "{whole} of {} files", infos.len());
}

fn path(info: &serde_json::Value) -> &str {
    info["path"].as_str().unwrap()
}
