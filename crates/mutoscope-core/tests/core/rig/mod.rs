//! Skeletons from glTF, and recordings on them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attach;
mod broken;
mod gltf;
mod model;

use std::fs;

use mutoscope_core::{formats, io::bytes::NoSidecars, skeleton_file::LoadedSkeleton};

/// The bytes of an arm of three bones that Blender has exported.
fn arm_bytes() -> Vec<u8> {
    fs::read(mutoscope_testing::fixtures::path("rig/arm.glb")).unwrap()
}

fn arm() -> LoadedSkeleton {
    formats::decode_skeleton(&arm_bytes(), "arm.glb", &NoSidecars).unwrap()
}

/// A skeleton from glTF text with these nodes, and perhaps more members after them.
fn rig_of(nodes: &str) -> LoadedSkeleton {
    let text = format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": {nodes}}}"#);
    formats::decode_skeleton(text.as_bytes(), "some.gltf", &NoSidecars).unwrap()
}
