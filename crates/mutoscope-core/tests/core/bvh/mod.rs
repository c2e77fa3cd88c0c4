//! Tests of BVH: the values of Blender and three.js for files of Blender, the rules of the format,
//! and broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken;
mod expected;
mod rules;

use mutoscope_core::ReadOptions;
use mutoscope_core::clip::{Clip, NodeId, NodePose, Pose};

fn decode(bytes: &[u8]) -> Clip {
    mutoscope_core::decode(bytes, &ReadOptions::default()).unwrap()
}

fn pose(clip: &Clip, time: f64) -> Pose {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    pose
}

/// Panics unless exactly one node has this name.
fn node<'a>(clip: &Clip, pose: &'a Pose, name: &str) -> &'a NodePose {
    let named: Vec<_> =
        clip.nodes.iter().enumerate().filter(|(_, node)| node.name == name).collect();
    assert_eq!(named.len(), 1, "{name}");
    &pose[NodeId::new(named[0].0)]
}

/// Returns the codes of the diagnostics, in the order in which they were found.
fn codes(clip: &Clip) -> Vec<&'static str> {
    clip.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}
