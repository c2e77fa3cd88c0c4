//! The same keys in Bevy's own curves: one of `Vec3` and one of `Quat` for each node.

use std::hint::black_box;

use bevy::{
    animation::prelude::AnimatableKeyframeCurve,
    math::{Curve as _, Quat, Vec3},
};
use mutoscope_core::clip::{Clip, Node, Rotation, TrackId, Translation};

/// The curves of each node.
pub(crate) struct Curves(Vec<(AnimatableKeyframeCurve<Vec3>, AnimatableKeyframeCurve<Quat>)>);

impl Curves {
    /// The keys of `clip`, whose nodes must all move by components that are keyed alike.
    pub(crate) fn of(clip: &Clip) -> Self {
        let of_node = |node: &Node| {
            let (Translation::Components(vector), Rotation::Components(rotation)) =
                (&node.motion.translation, &node.motion.rotation)
            else {
                panic!("{} does not move by components", node.name)
            };
            let positions = keys(clip, vector.tracks()).map(|(t, key)| (t, Vec3::from_array(key)));
            let rotations =
                keys(clip, rotation.tracks()).map(|(t, key)| (t, Quat::from_array(key)));
            (
                AnimatableKeyframeCurve::new(positions).unwrap(),
                AnimatableKeyframeCurve::new(rotations).unwrap(),
            )
        };
        Self(clip.nodes.iter().map(of_node).collect())
    }

    /// Evaluates every curve at each of `times`, in seconds.
    pub(crate) fn sample_all(&self, times: &[f64]) {
        let mut pose = vec![(Vec3::ZERO, Quat::IDENTITY); self.0.len()];
        for &time in times {
            let time = black_box(time) as f32;
            for ((position, rotation), stands) in self.0.iter().zip(&mut pose) {
                *stands = (position.sample_clamped(time), rotation.sample_clamped(time));
            }
            black_box(&pose);
        }
    }
}

/// The keys of curves that share their times.
fn keys<const N: usize>(
    clip: &Clip,
    tracks: [TrackId; N],
) -> impl Iterator<Item = (f32, [f32; N])> {
    let curves = tracks.map(|track| clip.track(track).curve.scalar());
    let times = curves[0].times().as_slice().iter();
    times.enumerate().map(move |(index, &time)| {
        (time as f32, curves.map(|curve| curve.values().value_at(index) as f32))
    })
}
