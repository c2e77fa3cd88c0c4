//! Tests of MRTK: the values of an independent double-precision reader for the same files,
//! byte-exact rewriting, and broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod anatomy;
mod broken;
mod curves;
mod expected;
mod lost_w;
mod mutated;
mod rewrite;
mod write;

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, NodeId, Pose},
    decode,
    formats::FormatId,
};

fn clip(bytes: &[u8]) -> Clip {
    decode(SourceFile::new("x.bin", bytes), &ReadOptions::default().with_format(FormatId::MRTK))
        .unwrap()
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
