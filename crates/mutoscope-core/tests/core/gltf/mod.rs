//! glTF as recordings: files of our own and of Blender, what three.js and Blender make of them;
//! rules; broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken;
mod expected;
mod meshopt;
mod model;
mod morphs;
mod rules;

use std::path::Path;

use mutoscope_core::{
    clip::{Clip, Pose, VariantChoice},
    formats::{self, DecodeRequest, Failure},
    io::bytes::FolderSidecars,
};

/// The files of one document, by name.
const SAMPLERS: [&str; 3] = ["samplers.glb", "samplers.gltf", "samplers_embedded.gltf"];

const WALKER: &[u8] = include_bytes!("../../../../../assets/gltf/walker.glb");

/// One animation of a file in the folder `folder`, or the first.
fn decode_in(folder: &Path, bytes: &[u8], animation: Option<&str>) -> Result<Clip, Failure> {
    let choice = animation
        .map(|name| VariantChoice { label: "animation".to_owned(), name: name.to_owned() });
    let sidecars = FolderSidecars::for_file(&folder.join("it"));
    let variants: Vec<_> = choice.into_iter().collect();
    let request = DecodeRequest::default().sidecars(&sidecars).variants(&variants);
    formats::decode(bytes, &request)
}

fn decode(bytes: &[u8], animation: Option<&str>) -> Clip {
    decode_in(&mutoscope_testing::fixtures::path("gltf"), bytes, animation).unwrap()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

/// The index of the node of this name; there is one.
fn index(clip: &Clip, name: &str) -> usize {
    let named: Vec<_> =
        clip.nodes.iter().enumerate().filter(|(_, node)| node.name == name).collect();
    assert_eq!(named.len(), 1, "{name}");
    named[0].0
}

/// Everything that was noticed.
fn said(clip: &Clip) -> Vec<String> {
    let said = |notice: &mutoscope_core::diagnostics::Diagnostic| {
        format!("{} at {}: {}", notice.severity, notice.location, notice.message)
    };
    clip.diagnostics.iter().map(said).collect()
}
