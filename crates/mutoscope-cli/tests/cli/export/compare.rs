//! Compares poses of exported nodes with those of the recording.

use glam::{DMat4, DQuat, DVec3};
use mutoscope_core::clip::{Clip, NodePose, Pose, Transform};

use crate::export::times;

/// The largest errors of any node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PoseErrors {
    /// In metres, or relative to the distance from the origin if that is more than 1 m.
    pub(crate) off: f64,
    /// In radians.
    pub(crate) turned: f64,
    /// The number of compared poses.
    pub(crate) compared: usize,
}

/// Compares the world pose of every node of `clip`, at its own times and between them, with the
/// pose that follows from `locals`. `locals` returns the local transform of each node at a clip
/// time.
///
/// Times next to a jump are skipped, because targets may store times in single precision.
pub(crate) fn largest_pose_errors(
    name: &str,
    clip: &Clip,
    mut locals: impl FnMut(f64) -> Vec<Transform>,
) -> PoseErrors {
    let mut errors = PoseErrors::default();
    let mut pose = Pose::default();
    for time in times(clip, 400) {
        clip.sample(time, &mut pose);
        let mut neighbours = NeighbourPoses::new(clip, time);
        let worlds = world_poses(clip, &locals(time));
        for (index, stands) in pose.nodes.iter().enumerate().filter(|(_, stands)| stands.is_visible)
        {
            let (position, rotation) = worlds[index];
            let off = position.distance(stands.world.translation) / distance_scale(stands);
            let turned = angle(rotation, stands.world.rotation);
            // Looking for a jump samples two more poses, so do that only if the node is off.
            let is_near = off < JUMP_CHECK_THRESHOLD.0 && turned < JUMP_CHECK_THRESHOLD.1;
            if !is_near && neighbours.is_jumping(index, stands) {
                continue;
            }
            errors.compared += 1;
            assert!(off.is_finite() && turned.is_finite(), "{name} at {time}: node {index}");
            errors.off = errors.off.max(off);
            errors.turned = errors.turned.max(turned);
        }
    }
    errors
}

/// In metres and radians, far below the tolerance of every test.
const JUMP_CHECK_THRESHOLD: (f64, f64) = (5e-6, 1e-5);

/// In metres, at least 1.
fn distance_scale(stands: &NodePose) -> f64 {
    stands.world.translation.abs().max_element().max(1.0)
}

/// The poses right before and after `time`, sampled on demand.
struct NeighbourPoses<'a> {
    clip: &'a Clip,
    time: f64,
    poses: Option<[Pose; 2]>,
}

impl<'a> NeighbourPoses<'a> {
    fn new(clip: &'a Clip, time: f64) -> Self {
        Self { clip, time, poses: None }
    }

    fn is_jumping(&mut self, index: usize, stands: &NodePose) -> bool {
        let poses = self.poses.get_or_insert_with(|| {
            let moment = 2e-6 * self.time.abs().max(1.0);
            [self.time - moment, self.time + moment].map(|time| {
                let mut pose = Pose::default();
                self.clip.sample(time, &mut pose);
                pose
            })
        });
        poses.iter().any(|pose| {
            let other = &pose.nodes[index];
            other.is_visible != stands.is_visible
                || other.world.translation.distance(stands.world.translation)
                    > 3e-6 * distance_scale(stands)
                || angle(other.world.rotation, stands.world.rotation) > 1e-5
        })
    }
}

/// Multiplies matrices, so that the result does not depend on the clip's own code.
fn world_poses(clip: &Clip, locals: &[Transform]) -> Vec<(DVec3, DQuat)> {
    let mut worlds = vec![(DMat4::IDENTITY, DQuat::IDENTITY); clip.nodes.len()];
    for &id in clip.nodes.parents_first() {
        let Transform { translation, rotation, scale } = locals[id.index()];
        let (parent, turn) = match clip.nodes[id].parent {
            Some(parent) => worlds[parent.index()],
            None => (DMat4::IDENTITY, DQuat::IDENTITY),
        };
        let matrix = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        worlds[id.index()] = (parent * matrix, (turn * rotation).normalize());
    }
    worlds.into_iter().map(|(matrix, turn)| (matrix.w_axis.truncate(), turn)).collect()
}

/// Unlike the arc cosine of the dot product, this formula is accurate for small angles.
pub(crate) fn angle(one: DQuat, other: DQuat) -> f64 {
    2.0 * (one - other).length().min((one + other).length())
}
