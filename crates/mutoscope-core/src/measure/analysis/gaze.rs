//! Samples the gaze ray of a node.

use glam::DVec3;

use crate::clip::{Clip, NodeId, Pose};

/// A gaze sample, in the viewer's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeSample {
    /// The time in seconds.
    pub time: f64,
    /// The ray, or `None` while the gaze is not tracked.
    pub ray: Option<Ray>,
}

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The origin, in metres.
    pub origin: DVec3,
    /// The direction, of length 1.
    pub direction: DVec3,
}

/// Samples the gaze of `node`, along its −Z axis, at `times`, which are in seconds and ascend.
pub fn sample_gaze(clip: &Clip, node: NodeId, times: &[f64]) -> Vec<GazeSample> {
    let mut pose = Pose::default();
    let sample = |&time: &f64| {
        clip.sample_motion(time, &mut pose);
        GazeSample { time, ray: Ray::from_node(&pose, node) }
    };
    times.iter().map(sample).collect()
}

impl Ray {
    pub(super) fn from_node(pose: &Pose, node: NodeId) -> Option<Self> {
        let node_pose = pose.nodes.get(node.index()).filter(|node_pose| node_pose.is_visible)?;
        let direction = (node_pose.world.rotation * DVec3::NEG_Z).try_normalize()?;
        Some(Self { origin: node_pose.world.translation, direction })
    }
}
