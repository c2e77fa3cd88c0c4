//! Tests of skeletons from glTF, and of recordings on them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attach;
mod broken;
mod gltf;
mod model;

use std::fs;

use mutoscope_core::{io::bytes::NoSidecars, skeleton_file::LoadedSkeleton};

/// Returns a file with an arm of three bones, exported by Blender.
fn arm_bytes() -> Vec<u8> {
    fs::read(mutoscope_testing::fixtures::path("rig/arm.glb")).unwrap()
}

fn arm() -> LoadedSkeleton {
    mutoscope_core::Registry::default()
        .decode_skeleton(&arm_bytes(), "arm.glb", &NoSidecars)
        .unwrap()
}

/// Builds a skeleton from glTF text. `nodes` is the array of nodes, optionally followed by further
/// members.
fn rig_from_nodes(nodes: &str) -> LoadedSkeleton {
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}}}"#);
    mutoscope_core::Registry::default()
        .decode_skeleton(text.as_bytes(), "some.gltf", &NoSidecars)
        .unwrap()
}
