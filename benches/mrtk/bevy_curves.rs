//! The same keys in Bevy's own curves: one `Vec3` curve and one `Quat` curve for each node.

use std::hint::black_box;

use bevy::{
    animation::prelude::AnimatableKeyframeCurve,
    math::{Curve as _, Quat, Vec3},
};
use mutoscope_core::clip::{Clip, Node, Rotation, TrackId, Translation};

/// A position curve and a rotation curve for each node.
pub(crate) struct Curves(Vec<(AnimatableKeyframeCurve<Vec3>, AnimatableKeyframeCurve<Quat>)>);

impl Curves {
    /// Copies the keys of `clip`. Panics if a node does not have component curves whose components
    /// share their key times.
    pub(crate) fn from_clip(clip: &Clip) -> Self {
        let node_curves = |node: &Node| {
            let (Translation::Components(vector), Rotation::Components(rotation)) =
                (&node.motion.translation, &node.motion.rotation)
            else {
                panic!("{} does not have component curves", node.name)
            };
            let positions = keys(clip, vector.tracks()).map(|(t, key)| (t, Vec3::from_array(key)));
            let rotations =
                keys(clip, rotation.tracks()).map(|(t, key)| (t, Quat::from_array(key)));
            (
                AnimatableKeyframeCurve::new(positions).unwrap(),
                AnimatableKeyframeCurve::new(rotations).unwrap(),
            )
        };
        Self(clip.nodes.iter().map(node_curves).collect())
    }

    /// Evaluates every curve at each of `times`, in seconds.
    pub(crate) fn sample_all(&self, times: &[f64]) {
        let mut pose = vec![(Vec3::ZERO, Quat::IDENTITY); self.0.len()];
        for &time in times {
            let time = black_box(time) as f32;
            for ((position, rotation), sample) in self.0.iter().zip(&mut pose) {
                *sample = (position.sample_clamped(time), rotation.sample_clamped(time));
            }
            black_box(&pose);
        }
    }
}

/// Returns the keys of curves that share their key times.
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
