//! Where nodes are, held against where they should be.

use glam::{DMat4, DQuat, DVec3};
use mutoscope::clip::{Clip, Pose, Transform};

use crate::times;

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

/// Compares every node of `clip`, at its own times and between them, with where `locals` puts it,
/// which tells for a time of the clip where each node stands relative to its parent.
///
/// Not right beside a leap: targets may have times in single precision.
pub(crate) fn farthest(
    name: &str,
    clip: &Clip,
    mut locals: impl FnMut(f64) -> Vec<Transform>,
) -> Farthest {
    let mut farthest = Farthest::default();
    let [mut pose, mut earlier, mut later] = [(); 3].map(|()| Pose::default());
    for time in times(clip, 400) {
        clip.sample(time, &mut pose);
        let moment = 2e-6 * time.abs().max(1.0);
        clip.sample(time - moment, &mut earlier);
        clip.sample(time + moment, &mut later);
        let worlds = worlds(clip, &locals(time));
        for (index, stands) in pose.nodes.iter().enumerate() {
            let far = stands.world.translation.abs().max_element().max(1.0);
            let is_leaping = |other: &Pose| {
                let other = &other.nodes[index];
                other.shown != stands.shown
                    || other.world.translation.distance(stands.world.translation) > 3e-6 * far
                    || angle(other.world.rotation, stands.world.rotation) > 1e-5
            };
            if !stands.shown || is_leaping(&earlier) || is_leaping(&later) {
                continue;
            }
            let (place, turn) = worlds[index];
            farthest.compared += 1;
            let off = place.distance(stands.world.translation) / far;
            let turned = angle(turn, stands.world.rotation);
            assert!(off.is_finite() && turned.is_finite(), "{name} at {time}: node {index}");
            farthest.off = farthest.off.max(off);
            farthest.turned = farthest.turned.max(turned);
        }
    }
    farthest
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
