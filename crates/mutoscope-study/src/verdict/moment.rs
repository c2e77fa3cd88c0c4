//! The state of a recording at one sampled time, with the time before it.

use std::collections::VecDeque;

use glam::DVec3;
use mutoscope_core::clip::{NodeId, Pose};

use super::{scene::Scene, subject::Hand};

/// The length of [`Moment::recent`], in seconds.
pub(super) const RECENT_S: f64 = 2.0;

/// The largest number of samples in [`Moment::recent`].
pub(super) const MAX_RECENT: usize = 1024;

/// Two consecutive samples of a recording.
pub(super) struct Moment<'a> {
    pub(super) index: usize,
    pub(super) time: f64,
    /// The time since the previous sample, in seconds. 0 for the first sample.
    pub(super) elapsed_s: f64,
    pub(super) pose: &'a Pose,
    pub(super) previous: &'a Pose,
    pub(super) recent: &'a VecDeque<RecentSample>,
}

/// A sample of the last [`RECENT_S`] seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentSample {
    pub(super) time: f64,
    /// The wrists, in the order of [`Scene::hands`]. `None` while a hand is not tracked.
    pub(super) wrists: [Option<DVec3>; 2],
    /// The left and the right foot.
    pub(super) feet: [Option<DVec3>; 2],
    /// The direction of the gaze relative to the head.
    pub(super) gaze_in_head: Option<DVec3>,
}

pub(super) fn visible_position(pose: &Pose, node: NodeId) -> Option<DVec3> {
    let node = &pose[node];
    node.is_visible.then_some(node.world.translation)
}

impl Moment<'_> {
    pub(super) fn position(&self, node: NodeId) -> Option<DVec3> {
        visible_position(self.pose, node)
    }

    /// Returns the previous and the current position of a node that is visible at both times.
    pub(super) fn step(&self, node: NodeId) -> Option<[DVec3; 2]> {
        Some([visible_position(self.previous, node)?, self.position(node)?])
    }

    /// Returns the speed of a node since the previous sample, in metres per second.
    pub(super) fn speed(&self, node: NodeId) -> Option<f64> {
        let [from, to] = self.step(node)?;
        (self.elapsed_s > 0.0).then(|| from.distance(to) / self.elapsed_s)
    }
}

impl RecentSample {
    pub(super) fn new(scene: &Scene<'_>, time: f64, pose: &Pose) -> Self {
        let wrist = |hand: &Hand| visible_position(pose, hand.wrist);
        let gaze_in_head = scene.gaze.zip(scene.head).and_then(|(gaze, head)| {
            let (gaze, head) = (&pose[gaze], &pose[head]);
            let is_visible = gaze.is_visible && head.is_visible;
            let direction = gaze.world.rotation * DVec3::NEG_Z;
            is_visible.then(|| head.world.rotation.inverse() * direction)
        });
        let feet = scene.body.as_ref().map_or([None; 2], |body| body.feet);
        Self {
            time,
            feet: feet.map(|foot| visible_position(pose, foot?.foot)),
            wrists: scene.hands.each_ref().map(|hand| hand.as_ref().and_then(wrist)),
            gaze_in_head,
        }
    }
}

/// Appends `sample`, and removes the samples that are too old.
pub(super) fn push_recent(recent: &mut VecDeque<RecentSample>, sample: RecentSample) {
    let is_old = |first: &RecentSample| sample.time - first.time > RECENT_S;
    while recent.front().is_some_and(is_old) || recent.len() >= MAX_RECENT {
        recent.pop_front();
    }
    recent.push_back(sample);
}
