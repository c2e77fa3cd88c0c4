//! Tests that the pages in `docs/formats` are enough to write a decoder. `tests/readers` has decoders
//! in Python, each written from its page alone, which must give the same numbers as the program. For
//! formats that no longer change, `tests/data` has the answers of such a decoder instead.
//!
//! Every file of the format below `tests/data` is compared if the program finds no error in it, so
//! that no file can be left out by hand. `tests/readers/data` has files for formulas of a page that
//! no other file covers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod blender;
mod compare;
mod exports;
mod program;
mod python;

use std::{collections::BTreeMap, path::Path};

use compare::{Difference, Tolerance};
use mutoscope_minecraft::scene::{ElementEdit, SceneDocument, SceneEdit};
use mutoscope_testing::{fixtures, needs};
use program::Recording;
use serde_json::{Value, json};

/// Compares the reader of a format with the program, file by file.
///
/// `min_counts` are the numbers of files, track values and node positions that must be compared.
/// Otherwise a change of a folder or a reader could leave the test empty.
fn assert_reader_agrees(
    format: &str,
    recordings: &[Recording],
    tolerance: Tolerance,
    min_counts: [usize; 3],
) {
    let answers = python::answers(format, recordings);
    let mut counts = [recordings.len(), 0, 0];
    let mut differences = Vec::new();
    for recording in recordings {
        let expected = recording.samples();
        let found = &answers[&recording.request()];
        assert_eq!(
            found.len(),
            expected.len(),
            "{}: expected an answer for each time",
            recording.path
        );
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
    let is_enough = counts.iter().zip(&min_counts).all(|(count, min_count)| count >= min_count);
    assert!(
        is_enough,
        "{format}: {counts:?} files, values and places, expected at least {min_counts:?}"
    );
}

#[needs(python3)]
#[test]
fn mrtk_reader_agrees() {
    let recordings = program::recordings("mrtk", &["bin"]);
    assert_reader_agrees("mrtk", &recordings, Tolerance::ROUNDING, [13, 40_000, 4_000]);
}

/// The reader was written from the page alone, so it also tests what the program writes.
#[needs(python3)]
#[test]
fn mrtk_reader_agrees_about_written_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    let path = |name: String| folder.path().join(name).to_str().unwrap().to_owned();
    let table = path("hands.csv".to_owned());
    program::convert("../assets/mrtk/two-hands.bin", &table, &[]);
    let sources = [
        "../assets/mrtk/two-hands.bin",
        "../assets/mrtk/two-hands-damaged.bin",
        "data/mrtk/ok/synth_v10_random.bin",
        &table,
    ];
    for (index, source) in sources.iter().enumerate() {
        for (version, range) in [("1.0", None), ("1.1", None), ("1.1", Some("0.3..0.9"))] {
            let output = path(format!("{index}-{version}-{}.bin", range.is_some()));
            let mut options = vec!["--mrtk-version", version];
            options.extend(range.iter().flat_map(|range| ["--range", range]));
            program::convert(source, &output, &options);
            paths.push(output);
        }
    }
    let recordings = program::recordings_at(&paths);
    assert_reader_agrees("mrtk", &recordings, Tolerance::ROUNDING, [12, 20_000, 2_000]);
}

#[needs(python3)]
#[test]
fn maya_reader_agrees() {
    let recordings = program::recordings("maya", &["anim"]);
    assert_reader_agrees("maya", &recordings, Tolerance::ROUNDING, [50, 3_500, 3_000]);
}

#[needs(python3)]
#[test]
fn animj_and_animx_reader_agrees() {
    let extensions = ["animj", "animx", "json"];
    let mut recordings = program::recordings("animj", &extensions);
    recordings.extend(program::recordings("animx", &extensions));
    assert_reader_agrees("animj", &recordings, Tolerance::ROUNDING, [26, 9_000, 900]);
}

#[needs(python3)]
#[test]
fn animx_reader_agrees_about_written_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    let sources = [
        "../assets/mrtk/two-hands.bin",
        "../assets/bvh/walk.bvh",
        "../assets/animj/arm-swing.animj",
        "data/animj/generated/all_types.animx",
        "data/animj/generated/coverage.animj",
    ];
    for (index, source) in sources.iter().enumerate() {
        for compression in ["none", "lz4", "lzma"] {
            let output = folder.path().join(format!("{index}-{compression}.animx"));
            let output = output.to_str().unwrap().to_owned();
            program::convert(source, &output, &["--compression", compression]);
            paths.push(output);
        }
    }
    let recordings = program::recordings_at(&paths);
    assert_reader_agrees("animj", &recordings, Tolerance::ROUNDING, [15, 7_500, 1_500]);
}

#[needs(python3)]
#[test]
fn prime_reader_agrees_about_written_files() {
    for (game, other) in [("mp1", "0"), ("mp2", "0"), ("mp1", "2"), ("mp2", "2")] {
        let folder = tempfile::tempdir().unwrap();
        let rig = format!("data/prime/rig_{game}.CINF");
        let mut paths = Vec::new();
        for source in ["walk", "long"] {
            let source = format!("data/prime/{source}_{game}_v2.ANIM");
            let output = folder.path().join(format!("{}.ANIM", paths.len()));
            let output = output.to_str().unwrap().to_owned();
            let options = ["--rig", &rig, "--prime-format", other, "--range", "0..0.9"];
            program::convert(&source, &output, &options);
            paths.push(output);
        }
        let recordings = program::recordings_at_on_rig(&paths, &rig);
        assert_reader_agrees("prime", &recordings, Tolerance::ROUNDING, [2, 300, 300]);
    }
}

#[needs(python3)]
#[test]
fn prime_reader_agrees() {
    for rig in ["data/prime/rig_mp1.CINF", "data/prime/rig_mp2.CINF"] {
        let recordings = program::recordings_on_rig("prime", &["ANIM"], rig);
        assert_reader_agrees("prime", &recordings, Tolerance::ROUNDING, [16, 3_500, 5_000]);
    }
}

/// The answers for a recording by a reader that was written from the page alone.
#[derive(serde::Deserialize)]
struct Answers {
    times: Vec<f64>,
    /// The node, the property, and a value for each time, or one value for all times.
    tracks: Vec<(String, String, Vec<Value>)>,
    /// The name, and for each time whether the node is shown, its position and its rotation.
    nodes: Vec<(String, Vec<Value>)>,
}

impl Answers {
    /// Returns the answer at a time in the form of `mutoscope sample`.
    fn at(&self, time: usize) -> Value {
        let tracks = self.tracks.iter().enumerate().map(|(index, (node, property, values))| {
            let value = values.get(time).unwrap_or(&values[0]);
            json!({"index": index, "node": node, "property": property, "value": value})
        });
        let nodes = self.nodes.iter().map(|(name, poses)| {
            let pose = poses.get(time).unwrap_or(&poses[0]);
            let world = json!({"translation": pose[1], "rotation": pose[2]});
            json!({"name": name, "shown": pose[0], "world": world})
        });
        json!({"tracks": tracks.collect::<Vec<_>>(), "nodes": nodes.collect::<Vec<_>>()})
    }
}

/// Compares the files below `folder` with a file of `tests/data/mcmocap-answers`.
fn assert_answers_match(answers: &str, folder: &Path) {
    let answers = std::fs::read(fixtures::path("mcmocap-answers").join(answers)).unwrap();
    let answers: BTreeMap<String, Answers> = serde_json::from_slice(&answers).unwrap();
    for (path, answers) in &answers {
        let path = folder.join(path).to_str().unwrap().to_owned();
        let samples = program::samples(&path, &answers.times);
        assert_eq!(samples.len(), answers.times.len(), "{path}");
        for (time, expected) in samples.iter().enumerate() {
            let found = answers.at(time);
            let differs = compare::compare(&found, expected, Tolerance::SINGLE).err();
            assert!(differs.is_none(), "{path}: {differs:?}");
        }
    }
}

#[test]
fn minecraft_files_match_the_answers_of_an_independent_reader() {
    let folder = Path::new(program::TESTS_FOLDER);
    assert_answers_match("recordings.json", folder);
    assert_answers_match("scenes.json", folder);
}

/// The scenes have every version, and are written as version 4.
#[test]
fn edited_scenes_match_the_answers_of_an_independent_reader() {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(program::TESTS_FOLDER).join("data/mcmocap-more");
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
                SceneEdit::Change(index, edit).apply_to(&mut document).unwrap();
            }
        }
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let to = folder.path().join(format!("{stem}-edited.mcmocap_scene"));
        std::fs::write(&to, document.to_json_text()).unwrap();
    }
    assert_answers_match("edited-scenes.json", folder.path());
}

#[needs(python3)]
#[test]
fn bvh_reader_agrees() {
    let recordings = program::recordings("bvh", &["bvh"]);
    assert_reader_agrees("bvh", &recordings, Tolerance::ROUNDING, [7, 1_800, 700]);
}

/// The program stores rest poses in single precision. The reader cannot decompress meshopt, so
/// `gltf/meshopt.rs` of the core compares compressed files with their sources.
#[needs(python3)]
#[test]
fn gltf_reader_agrees() {
    let mut recordings = program::recordings_of_all_animations("gltf", &["gltf", "glb"]);
    let all = recordings.len();
    recordings.retain(|recording| !is_compressed(&recording.path));
    assert_eq!(all - recordings.len(), 2);
    assert_reader_agrees("gltf", &recordings, Tolerance::SINGLE, [17, 1_000, 1_000]);
}

fn is_compressed(path: &str) -> bool {
    let bytes = std::fs::read(std::path::Path::new(program::TESTS_FOLDER).join(path)).unwrap();
    bytes.windows(19).any(|word| word == b"meshopt_compression")
}

/// `listings.json` has the answers of a reader in Python. The reader could not decompress LZO, so some
/// archives only have a table of resources.
#[test]
fn characters_match_the_listings_of_an_independent_reader() {
    let listings = std::fs::read(fixtures::path("prime-characters/listings.json")).unwrap();
    let listings: Value = serde_json::from_slice(&listings).unwrap();
    let infos = program::infos_without_errors(&["pak", "ANCS"]);
    let mut complete_files = 0;
    for info in &infos {
        let expected = listings[path(info)].as_object().unwrap_or_else(|| panic!("{}", path(info)));
        complete_files += usize::from(expected.contains_key("animations"));
        for (name, expected) in expected {
            assert_eq!(info[name], *expected, "{}: {name}", path(info));
        }
    }
    assert!(complete_files >= 8 && infos.len() >= 12, "{complete_files} of {} files", infos.len());
}

fn path(info: &Value) -> &str {
    info["path"].as_str().unwrap()
}
