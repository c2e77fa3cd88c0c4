//! Tests of animations and skeletons of Metroid Prime: the values of an independent
//! double-precision reader for the same files, broken files, and the rules of the format.
//!
//! No file comes from the games: all were made for the project.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken_characters;
mod characters;
mod golden;
mod keys;
mod layouts;
mod mutilated;
mod skeletons;
mod walk;
mod write;

use mutoscope_core::{
    ReadOptions,
    clip::{Clip, NodeId, Pose},
    decode,
    diagnostics::{Diagnostic, Diagnostics},
    formats::FormatId,
    io::bytes::NoSidecars,
};
use mutoscope_testing::fixtures;

/// Decodes an animation without a skeleton.
fn clip(bytes: &[u8]) -> Clip {
    decode(bytes, &ReadOptions::default().with_format(FormatId::PRIME)).unwrap()
}

/// Decodes a fixture with the skeleton of its game.
fn decode_fixture_on_rig(name: &str) -> Clip {
    let rig = if name.contains("mp2") { "rig_mp2.CINF" } else { "rig_mp1.CINF" };
    decode_on_rig(&fixtures::prime_file(name), &fixtures::prime_file(rig))
}

fn decode_on_rig(bytes: &[u8], rig: &[u8]) -> Clip {
    let rig = mutoscope_core::Registry::default().decode_skeleton(rig, "rig", &NoSidecars).unwrap();
    let options = ReadOptions::default().with_format(FormatId::PRIME).with_skeleton(rig);
    decode(bytes, &ReadOptions { allows_unmatched_skeleton: true, ..options }).unwrap()
}

fn find_diagnostic<'a>(diagnostics: &'a Diagnostics, code: &str) -> Option<&'a Diagnostic> {
    diagnostics.iter().find(|diagnostic| diagnostic.code.as_str() == code)
}

fn node(clip: &Clip, name: &str) -> NodeId {
    let has_name = |found: &(NodeId, &mutoscope_core::clip::Node)| found.1.name == name;
    clip.nodes.with_ids().find(has_name).unwrap_or_else(|| panic!("no node {name}")).0
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}
