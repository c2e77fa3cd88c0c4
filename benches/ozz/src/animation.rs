//! A clip converted to an ozz animation that is ready to be sampled.

use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3};
use mutoscope_core::clip::{Clip, Node, Rotation, TrackId, Translation};
use ozz_animation_rs::{
    Animation, Archive, LocalToModelJobRef, SamplingContext, SamplingJobRef, Skeleton, SoaTransform,
};

use crate::archive::{self, Key};

/// A clip as an ozz animation, with the same joints and key times. The values are quantised as ozz
/// packs them. All nodes of the clip must have component curves whose components share their key
/// times.
///
/// Each ozz track has keys at the start and at the end, and the number of tracks is a multiple of
/// four, so tracks are padded.
pub struct OzzAnimation {
    animation: Animation,
    skeleton: Skeleton,
    context: SamplingContext,
    local: Vec<SoaTransform>,
    model: Vec<Mat4>,
    joints: usize,
    /// In seconds.
    duration: f64,
}

/// The keys of a node. Times are in seconds.
struct NodeKeys {
    positions: Vec<(f64, [f32; 3])>,
    rotations: Vec<(f64, [f32; 4])>,
}

impl OzzAnimation {
    /// Converts `clip`.
    ///
    /// # Panics
    ///
    /// If a node does not have component curves, has a key before 0 s, or if there are more than
    /// 65,536 key times.
    pub fn from_clip(clip: &Clip) -> Self {
        let nodes: Vec<NodeKeys> =
            clip.nodes.iter().map(|node| NodeKeys::from_node(clip, node)).collect();
        let duration = clip.span.duration;
        let bits = |seconds: &f64| seconds.to_bits();
        let mut times: BTreeSet<u64> = [0.0, duration].iter().map(bits).collect();
        for node in &nodes {
            times.extend(node.positions.iter().map(|key| bits(&key.0)));
            times.extend(node.rotations.iter().map(|key| bits(&key.0)));
        }
        let times: Vec<f64> = times.into_iter().map(f64::from_bits).collect();
        let index = |seconds: f64| {
            let found = times.binary_search_by(|time| time.total_cmp(&seconds));
            u16::try_from(found.expect("all key times are collected")).expect("at most 65,536 times")
        };
        let timepoints: Vec<f32> = times.iter().map(|time| (time / duration) as f32).collect();

        let constant = |value| vec![(0, value), (index(duration), value)];
        let mut translations: Vec<Vec<Key>> = nodes
            .iter()
            .map(|node| padded_keys(&node.positions, index(duration), index, archive::pack_vector))
            .collect();
        let mut rotations: Vec<Vec<Key>> = nodes
            .iter()
            .map(|node| padded_keys(&node.rotations, index(duration), index, archive::pack_rotation))
            .collect();
        let tracks = nodes.len().next_multiple_of(4);
        translations.resize(tracks, constant(archive::pack_vector([0.0; 3])));
        rotations.resize(tracks, constant(archive::pack_rotation([0.0, 0.0, 0.0, 1.0])));
        let scales = vec![constant(archive::pack_vector([1.0; 3])); tracks];

        let kinds = [&*translations, &*rotations, &*scales];
        let bytes = archive::encode_animation(duration as f32, &timepoints, kinds);
        let animation = Animation::from_archive(&mut Archive::from_slice(&bytes).unwrap()).unwrap();
        let bytes = archive::encode_skeleton(nodes.len());
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

    /// Samples all joints at `time`, in seconds. Returns their matrices in model space.
    pub fn sample(&mut self, time: f64) -> &[Mat4] {
        let mut sampling = SamplingJobRef::default();
        sampling.set_animation(&self.animation);
        sampling.set_context(&mut self.context);
        sampling.set_output(&mut self.local);
        sampling.set_ratio((time / self.duration) as f32);
        sampling.run().expect("the job is complete");
        let mut to_model = LocalToModelJobRef::default();
        to_model.set_skeleton(&self.skeleton);
        to_model.set_input(&self.local);
        to_model.set_output(&mut self.model);
        to_model.run().expect("the job is complete");
        &self.model[..self.joints]
    }
}

impl NodeKeys {
    fn from_node(clip: &Clip, node: &Node) -> Self {
        let (Translation::Components(vector), Rotation::Components(rotation)) =
            (&node.motion.translation, &node.motion.rotation)
        else {
            panic!("{} does not have component curves", node.name)
        };
        let mut rotations: Vec<(f64, [f32; 4])> = keys(clip, rotation.tracks());
        // ozz does not choose the shorter way between rotations, so flip signs until each rotation
        // is close to the previous one.
        for index in 1..rotations.len() {
            let [previous, current] =
                [index - 1, index].map(|key| Quat::from_array(rotations[key].1));
            if previous.dot(current) < 0.0 {
                rotations[index].1 = (-current).to_array();
            }
        }
        Self { positions: keys(clip, vector.tracks()), rotations }
    }
}

/// Returns the keys of curves that share their key times.
fn keys<const N: usize>(clip: &Clip, tracks: [TrackId; N]) -> Vec<(f64, [f32; N])> {
    let curves = tracks.map(|track| clip.track(track).curve.scalar());
    let times = curves[0].times().as_slice().iter().enumerate();
    times
        .map(|(key, &time)| (time, curves.map(|curve| curve.values().value_at(key) as f32)))
        .collect()
}

/// Packs the keys and adds keys at the first and the last time if they are missing.
fn padded_keys<const N: usize>(
    keys: &[(f64, [f32; N])],
    last: u16,
    index: impl Fn(f64) -> u16,
    pack: impl Fn([f32; N]) -> [u16; 3],
) -> Vec<Key> {
    let mut packed_keys: Vec<Key> =
        keys.iter().map(|&(time, value)| (index(time), pack(value))).collect();
    let ends = packed_keys.first().copied().zip(packed_keys.last().copied());
    let ((first, first_value), (end, last_value)) = ends.expect("every joint has keys");
    if first > 0 {
        packed_keys.insert(0, (0, first_value));
    }
    if end < last || packed_keys.len() < 2 {
        packed_keys.push((last, last_value));
    }
    packed_keys
}

/// Returns `true` if an ozz matrix equals `position` and `rotation` within the precision of ozz.
pub fn is_near(matrix: &Mat4, position: Vec3, rotation: Quat) -> bool {
    let (_, found_rotation, found_position) = matrix.to_scale_rotation_translation();
    found_position.abs_diff_eq(position, 1e-3) && found_rotation.dot(rotation).abs() > 1.0 - 1e-5
}
