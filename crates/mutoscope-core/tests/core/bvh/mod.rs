//! BVH: files of Blender and what Blender and three.js make of them; rules; broken files.
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

/// The node of this name; there is one.
fn node<'a>(clip: &Clip, pose: &'a Pose, name: &str) -> &'a NodePose {
    let named: Vec<_> =
        clip.nodes.iter().enumerate().filter(|(_, node)| node.name == name).collect();
    assert_eq!(named.len(), 1, "{name}");
    &pose.nodes[NodeId::new(named[0].0).index()]
}

/// All notices, as `severity: message`.
fn said(clip: &Clip) -> Vec<String> {
    clip.diagnostics
        .iter()
        .map(|notice| format!("{} at {}: {}", notice.severity, notice.location, notice.message))
        .collect()
}
