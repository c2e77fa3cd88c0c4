//! Comparing positions of nodes with expected ones.

use glam::{DMat4, DQuat, DVec3};
use mutoscope_core::clip::{Clip, NodePose, Pose, Transform};

use crate::export::times;

/// The farthest that any node is from where it should be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Farthest {
    /// In metres, or over how far away it is.
    pub(crate) off: f64,
    /// In radians.
    pub(crate) turned: f64,
    /// How many places were compared.
    pub(crate) compared: usize,
}

/// Compares the world position of every node of `clip`, at its own times and between them, with
/// that from `locals`, which returns the local transform of each node at a time of the clip.
///
/// Times right next to a jump are left out: targets may have times in single precision.
pub(crate) fn farthest(
    name: &str,
    clip: &Clip,
    mut locals: impl FnMut(f64) -> Vec<Transform>,
) -> Farthest {
    let mut farthest = Farthest::default();
    let mut pose = Pose::default();
    for time in times(clip, 400) {
        clip.sample(time, &mut pose);
        let mut beside = Beside::new(clip, time);
        let worlds = worlds(clip, &locals(time));
        for (index, stands) in pose.nodes.iter().enumerate().filter(|(_, stands)| stands.is_visible)
        {
            let (place, turn) = worlds[index];
            let off = place.distance(stands.world.translation) / far(stands);
            let turned = angle(turn, stands.world.rotation);
            // A node near its expected place needs no check for a jump.
            let is_near = off < NEAR.0 && turned < NEAR.1;
            if !is_near && beside.is_leaping(index, stands) {
                continue;
            }
            farthest.compared += 1;
            assert!(off.is_finite() && turned.is_finite(), "{name} at {time}: node {index}");
            farthest.off = farthest.off.max(off);
            farthest.turned = farthest.turned.max(turned);
        }
    }
    farthest
}

/// The tolerance in position and rotation, well within what is promised.
const NEAR: (f64, f64) = (5e-6, 1e-5);

/// How far away a node is, in metres: one at least.
fn far(stands: &NodePose) -> f64 {
    stands.world.translation.abs().max_element().max(1.0)
}

/// The poses right before and right after a time, sampled on demand.
struct Beside<'a> {
    clip: &'a Clip,
    time: f64,
    poses: Option<[Pose; 2]>,
}

impl<'a> Beside<'a> {
    fn new(clip: &'a Clip, time: f64) -> Self {
        Self { clip, time, poses: None }
    }

    /// Whether a node jumps at the time.
    fn is_leaping(&mut self, index: usize, stands: &NodePose) -> bool {
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
                || other.world.translation.distance(stands.world.translation) > 3e-6 * far(stands)
                || angle(other.world.rotation, stands.world.rotation) > 1e-5
        })
    }
}

/// Where the products of matrices put the nodes, and how they are turned.
fn worlds(clip: &Clip, locals: &[Transform]) -> Vec<(DVec3, DQuat)> {
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

/// The angle between two rotations, also if it is small.
pub(crate) fn angle(one: DQuat, other: DQuat) -> f64 {
    2.0 * (one - other).length().min((one + other).length())
}
