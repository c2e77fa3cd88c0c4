//! Tests of BVH: the values of Blender and three.js for files of Blender, the rules of the format,
//! and broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod broken;
mod expected;
mod rules;

use mutoscope_core::{
    clip::{Clip, NodeId, NodePose, Pose},
    formats::{self, DecodeRequest},
};

fn decode(bytes: &[u8]) -> Clip {
    formats::decode(bytes, &DecodeRequest::default()).unwrap()
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

/// Formats each diagnostic as `severity at location: message`.
fn format_diagnostics(clip: &Clip) -> Vec<String> {
    clip.diagnostics
        .iter()
        .map(|diagnostic| {
            format!("{} at {}: {}", diagnostic.severity, diagnostic.location, diagnostic.message)
        })
        .collect()
}
