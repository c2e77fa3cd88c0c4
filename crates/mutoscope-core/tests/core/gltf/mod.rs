//! Tests of glTF recordings: the values of three.js and Blender for files of our own and of
//! Blender, the rules of the format, and broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken;
mod expected;
mod meshopt;
mod model;
mod morphs;
mod rules;

use std::path::Path;

use mutoscope_core::{
    ReadOptions, SourceFile,
    clip::{Clip, Pose},
    formats::Failure,
    io::bytes::FolderSidecars,
};

/// Three encodings of one document.
const SAMPLERS: [&str; 3] = ["samplers.glb", "samplers.gltf", "samplers_embedded.gltf"];

const WALKER: &[u8] = include_bytes!("../../../../../assets/gltf/walker.glb");

/// Decodes the named animation of a file in `folder`, or the first one.
fn decode_in(folder: &Path, bytes: &[u8], animation: Option<&str>) -> Result<Clip, Failure> {
    let sidecars = FolderSidecars::for_file(&folder.join("it"));
    let mut options = ReadOptions::default();
    if let Some(name) = animation {
        options = options.with_variant("animation", name);
    }
    mutoscope_core::decode(SourceFile::new("", bytes).with_sidecars(&sidecars), &options)
}

fn decode(bytes: &[u8], animation: Option<&str>) -> Clip {
    decode_in(&mutoscope_testing::fixtures::path("gltf"), bytes, animation).unwrap()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

/// Panics unless exactly one node has this name.
fn index(clip: &Clip, name: &str) -> usize {
    let named: Vec<_> =
        clip.nodes.iter().enumerate().filter(|(_, node)| node.name == name).collect();
    assert_eq!(named.len(), 1, "{name}");
    named[0].0
}

/// Returns the codes of the diagnostics, in the order in which they were found.
fn codes(clip: &Clip) -> Vec<&'static str> {
    clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}
