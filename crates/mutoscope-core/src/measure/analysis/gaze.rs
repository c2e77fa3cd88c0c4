//! The gaze ray of a node at many times.

use glam::DVec3;

use crate::clip::{Clip, NodeId, Pose};

/// A gaze sample, in the viewer's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeSample {
    /// Seconds.
    pub time: f64,
    /// The ray; `None` while the gaze is not tracked.
    pub ray: Option<Ray>,
}

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Metres.
    pub origin: DVec3,
    /// Of length 1.
    pub direction: DVec3,
}

/// The gaze of `node`, along its −Z, at each of `times` (seconds, ascending).
pub fn gaze(clip: &Clip, node: NodeId, times: &[f64]) -> Vec<GazeSample> {
    let mut pose = Pose::default();
    let sample = |&time: &f64| {
        clip.sample_motion(time, &mut pose);
        GazeSample { time, ray: Ray::of(&pose, node) }
    };
    times.iter().map(sample).collect()
}

impl Ray {
    /// The ray of `node` in `pose`; `None` if it is hidden.
    pub(super) fn of(pose: &Pose, node: NodeId) -> Option<Self> {
        let stands = pose.nodes.get(node.index()).filter(|stands| stands.shown)?;
        let direction = (stands.world.rotation * DVec3::NEG_Z).try_normalize()?;
        Some(Self { origin: stands.world.translation, direction })
    }
}
