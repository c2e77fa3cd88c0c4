//! The pages in `docs/formats` are enough to write a decoder from: beside this file there is one in
//! Python for each format, written from its page alone, and the program gives the same numbers.
//!
//! Held against each other is every file below `tests/data` of the format in which the program finds
//! no error. What is broken is told by the program itself, so no file can be left out by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod compare;
mod program;
mod python;

use compare::{Difference, Tolerance};
use program::Recording;

/// Holds the reader of a format against the program, file by file.
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
    let enough = counts.iter().zip(&least).all(|(count, least)| count >= least);
    assert!(enough, "{format}: {counts:?} files, values and places, expected at least {least:?}");
}

#[test]
fn mrtk() {
    let recordings = program::recordings("mrtk", &["bin"]);
    agree("mrtk", &recordings, Tolerance::ROUNDING, [13, 50_000, 5_000]);
}

#[test]
fn prime() {
    let of_metroid_prime = program::on_rig("prime", &["ANIM"], Some("prime/rig_mp1.CINF"));
    agree("prime", &of_metroid_prime, Tolerance::ROUNDING, [16, 5_000, 5_000]);
    let of_echoes = program::on_rig("prime", &["ANIM"], Some("prime/rig_mp2.CINF"));
    agree("prime", &of_echoes, Tolerance::ROUNDING, [16, 5_000, 5_000]);
}

#[test]
fn animj() {
    let extensions = ["animj", "animx", "json"];
    let mut recordings = program::recordings("animj", &extensions);
    recordings.extend(program::recordings("animx", &extensions));
    agree("animj", &recordings, Tolerance::ROUNDING, [21, 10_000, 500]);
}

#[test]
fn maya() {
    agree("maya", &program::recordings("maya", &["anim"]), Tolerance::ROUNDING, [46, 2_000, 2_000]);
}
