//! A clip as an animation of ozz, ready to be sampled.

use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3};
use mutoscope_core::clip::{Clip, Node, Rotation, TrackId, Translation};
use ozz_animation_rs::{
    Animation, Archive, LocalToModelJobRef, SamplingContext, SamplingJobRef, Skeleton, SoaTransform,
};

use crate::archive::{self, Key};

/// A clip whose nodes all move by components that are keyed alike, as an animation of ozz: the same joints and
/// the same key times, values as ozz packs them.
///
/// A track of ozz begins with the animation and ends with it, and there are a multiple of four: tracks are
/// padded so.
pub struct Take {
    animation: Animation,
    skeleton: Skeleton,
    context: SamplingContext,
    local: Vec<SoaTransform>,
    model: Vec<Mat4>,
    joints: usize,
    /// In seconds.
    duration: f64,
}

/// The keys of a node: times in seconds with positions, and with rotations.
struct Moves {
    positions: Vec<(f64, [f32; 3])>,
    rotations: Vec<(f64, [f32; 4])>,
}

impl Take {
    /// The animation of `clip`.
    ///
    /// # Panics
    /// If a node moves in another way, before second 0 or at more times than ozz can tell apart.
    pub fn of(clip: &Clip) -> Self {
        let nodes: Vec<Moves> = clip.nodes.iter().map(|node| Moves::of(clip, node)).collect();
        let duration = clip.span.duration;
        let bits = |seconds: &f64| seconds.to_bits();
        let mut known: BTreeSet<u64> = [0.0, duration].iter().map(bits).collect();
        for node in &nodes {
            known.extend(node.positions.iter().map(|key| bits(&key.0)));
            known.extend(node.rotations.iter().map(|key| bits(&key.0)));
        }
        let known: Vec<f64> = known.into_iter().map(f64::from_bits).collect();
        let index = |seconds: f64| {
            let found = known.binary_search_by(|known| known.total_cmp(&seconds));
            u16::try_from(found.expect("each is known")).expect("65 536 times at most")
        };
        let timepoints: Vec<f32> = known.iter().map(|time| (time / duration) as f32).collect();

        let still = |value| vec![(0, value), (index(duration), value)];
        let mut translations: Vec<Vec<Key>> = nodes
            .iter()
            .map(|node| padded(&node.positions, index(duration), index, archive::vector))
            .collect();
        let mut rotations: Vec<Vec<Key>> = nodes
            .iter()
            .map(|node| padded(&node.rotations, index(duration), index, archive::rotation))
            .collect();
        let tracks = nodes.len().next_multiple_of(4);
        translations.resize(tracks, still(archive::vector([0.0; 3])));
        rotations.resize(tracks, still(archive::rotation([0.0, 0.0, 0.0, 1.0])));
        let scales = vec![still(archive::vector([1.0; 3])); tracks];

        let kinds = [&*translations, &*rotations, &*scales];
        let bytes = archive::animation(duration as f32, &timepoints, kinds);
        let animation = Animation::from_archive(&mut Archive::from_slice(&bytes).unwrap()).unwrap();
        let bytes = archive::skeleton(nodes.len());
        let skeleton = Skeleton::from_archive(&mut Archive::from_slice(&bytes).unwrap()).unwrap();
        Self {
            context: SamplingContext::new(tracks),
            local: vec![SoaTransform::default(); tracks / 4],
            model: vec![Mat4::IDENTITY; tracks],
            animation,
            skeleton,
            joints: nodes.len(),
            duration,
        }
    }

    /// Samples all joints at `time`, in seconds, and places them in the world: their matrices.
    pub fn sample(&mut self, time: f64) -> &[Mat4] {
        let mut sampling = SamplingJobRef::default();
        sampling.set_animation(&self.animation);
        sampling.set_context(&mut self.context);
        sampling.set_output(&mut self.local);
        sampling.set_ratio((time / self.duration) as f32);
        sampling.run().expect("it is set up");
        let mut placing = LocalToModelJobRef::default();
        placing.set_skeleton(&self.skeleton);
        placing.set_input(&self.local);
        placing.set_output(&mut self.model);
        placing.run().expect("it is set up");
        &self.model[..self.joints]
    }
}

impl Moves {
    fn of(clip: &Clip, node: &Node) -> Self {
        let (Translation::Components(vector), Rotation::Components(rotation)) =
            (&node.motion.translation, &node.motion.rotation)
        else {
            panic!("{} does not move by components", node.name)
        };
        let mut rotations: Vec<(f64, [f32; 4])> = keys(clip, rotation.tracks());
        // ozz takes rotations as they are, so each turns the short way from the one before.
        for index in 1..rotations.len() {
            let [before, here] = [index - 1, index].map(|at| Quat::from_array(rotations[at].1));
            if before.dot(here) < 0.0 {
                rotations[index].1 = (-here).to_array();
            }
        }
        Self { positions: keys(clip, vector.tracks()), rotations }
    }
}

/// The keys of curves that share their times.
fn keys<const N: usize>(clip: &Clip, tracks: [TrackId; N]) -> Vec<(f64, [f32; N])> {
    let curves = tracks.map(|track| clip.track(track).curve.scalar());
    let times = curves[0].times().as_slice().iter().enumerate();
    times.map(|(key, &time)| (time, curves.map(|curve| curve.values().at(key) as f32))).collect()
}

/// Packed keys, with one at the first time and one at the last.
fn padded<const N: usize>(
    keys: &[(f64, [f32; N])],
    last: u16,
    index: impl Fn(f64) -> u16,
    packed: impl Fn([f32; N]) -> [u16; 3],
) -> Vec<Key> {
    let mut made: Vec<Key> =
        keys.iter().map(|&(time, value)| (index(time), packed(value))).collect();
    let ends = made.first().copied().zip(made.last().copied());
    let ((first, first_value), (end, last_value)) = ends.expect("every joint is keyed");
    if first > 0 {
        made.insert(0, (0, first_value));
    }
    if end < last || made.len() < 2 {
        made.push((last, last_value));
    }
    made
}

/// Whether a matrix of ozz is where `position` and `rotation` say, within what ozz packs away.
pub fn is_near(matrix: &Mat4, position: Vec3, rotation: Quat) -> bool {
    let (_, turned, place) = matrix.to_scale_rotation_translation();
    place.abs_diff_eq(position, 1e-3) && turned.dot(rotation).abs() > 1.0 - 1e-5
}
