//! Tests of studies of recordings with known measures, of label files, and of hostile input.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod expected;
mod hostile;
mod labels;
mod planted;
mod report;
mod verdict;

use mutoscope_core::{ReadOptions, SourceFile, clip::Clip, decode};
use mutoscope_testing::fixtures;

fn read_fixture(name: &str) -> Vec<u8> {
    let path = fixtures::path("study").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn clip(bytes: &[u8], name: &str) -> Clip {
    decode(SourceFile::new(name, bytes), &ReadOptions::default()).unwrap()
}

fn recording(name: &str) -> Clip {
    clip(&read_fixture(name), name)
}
