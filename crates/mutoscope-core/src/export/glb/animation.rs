//! The motion of nodes, as animation channels.

use glam::{DQuat, DVec3};

use super::{
    buffer::{BufferUsage, Chunk},
    json::{Animation, Channel, ChannelTarget, Sampler},
};
use crate::export::{
    Job,
    keyed_curve::{Interpolate, KeyedCurve, MAX_TURN_RAD},
    linear_keys::ChannelKeys,
    tracer::MIN_INSERTED_GAP_S,
};

/// Converts a vector to f32, clamped to its range, because JSON and glTF cannot represent infinity.
pub(super) fn to_f32_clamped(vector: DVec3) -> [f32; 3] {
    let max = DVec3::splat(f32::MAX.into());
    vector.clamp(-max, max).as_vec3().to_array()
}

impl Animation {
    pub(super) fn add_translation(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add_channel(node, "translation", curve, from, to_f32_clamped, chunk);
    }

    pub(super) fn add_rotation(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DQuat>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        let curve = &curve.with_max_turn(MAX_TURN_RAD, MIN_INSERTED_GAP_S);
        self.add_channel(
            node,
            "rotation",
            curve,
            from,
            |rotation| rotation.as_quat().to_array(),
            chunk,
        );
    }

    pub(super) fn add_scale(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add_channel(node, "scale", curve, from, to_f32_clamped, chunk);
    }

    /// Appends the channels of `other`, whose keys are in `other_chunk`.
    pub(super) fn append(&mut self, other: Self, other_chunk: Chunk, chunk: &mut Chunk) {
        let accessors = chunk.append(other_chunk);
        let first_sampler = self.samplers.len();
        self.samplers.extend(other.samplers.into_iter().map(|sampler| Sampler {
            input: accessors[sampler.input],
            output: accessors[sampler.output],
            ..sampler
        }));
        self.channels.extend(
            other
                .channels
                .into_iter()
                .map(|channel| Channel { sampler: first_sampler + channel.sampler, ..channel }),
        );
    }

    /// Adds a channel that has the same value from the start to `duration`, in seconds.
    pub(super) fn hold_value<const N: usize>(
        &mut self,
        node: usize,
        path: &'static str,
        value: [f32; N],
        duration: f64,
        chunk: &mut Chunk,
    ) {
        let times = [0.0, duration as f32];
        let count = if times[1] > 0.0 { 2 } else { 1 };
        let input = chunk.add_times(&times[..count]);
        let output = chunk.add_vectors(&[value; 2][..count], BufferUsage::Numbers);
        self.push_channel(node, path, Sampler { input, output, interpolation: "STEP" });
    }

    fn push_channel(&mut self, node: usize, path: &'static str, sampler: Sampler) {
        self.samplers.push(sampler);
        let target = ChannelTarget { node, path };
        self.channels.push(Channel { sampler: self.samplers.len() - 1, target });
    }

    fn add_channel<T: Interpolate, const N: usize>(
        &mut self,
        node: usize,
        path: &'static str,
        curve: &KeyedCurve<T>,
        from: f64,
        numbers: impl Fn(T) -> [f32; N],
        chunk: &mut Chunk,
    ) {
        if !curve.is_constant() {
            let keys = channel_keys(curve, curve.is_stepped(), from);
            self.add_keys(node, path, keys, numbers, chunk);
        }
    }

    /// Adds a channel like [`Self::add_translation`] and [`Self::add_rotation`], even if the value
    /// never changes. A constant curve has a key at the start and a key at the end of the file.
    pub(super) fn add_complete_channel<T: Interpolate, const N: usize>(
        &mut self,
        node: usize,
        path: &'static str,
        curve: &KeyedCurve<T>,
        job: &Job<'_>,
        numbers: impl Fn(T) -> [f32; N],
        chunk: &mut Chunk,
    ) {
        let keys = match curve.is_constant() {
            true => {
                let mut times = vec![0.0, (job.to - job.from) as f32];
                times.dedup();
                let values = vec![curve.first_value(); times.len()];
                ChannelKeys { times, values, is_stepped: false }
            }
            false => channel_keys(curve, curve.is_stepped(), job.from),
        };
        self.add_keys(node, path, keys, numbers, chunk);
    }

    /// Adds a rotation like [`Self::add_rotation`], even if it never changes.
    pub(super) fn add_complete_rotation(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DQuat>,
        job: &Job<'_>,
        chunk: &mut Chunk,
    ) {
        let curve = &curve.with_max_turn(MAX_TURN_RAD, MIN_INSERTED_GAP_S);
        let numbers = |rotation: DQuat| rotation.as_quat().to_array();
        self.add_complete_channel(node, "rotation", curve, job, numbers, chunk);
    }

    fn add_keys<T, const N: usize>(
        &mut self,
        node: usize,
        path: &'static str,
        ChannelKeys { times, values, is_stepped }: ChannelKeys<T>,
        numbers: impl Fn(T) -> [f32; N],
        chunk: &mut Chunk,
    ) {
        let values: Vec<[f32; N]> = values.into_iter().map(numbers).collect();
        let input = chunk.add_times(&times);
        let output = chunk.add_vectors(&values, BufferUsage::Numbers);
        let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
        self.push_channel(node, path, Sampler { input, output, interpolation });
    }
}

/// Converts a curve to glTF's form. If `is_stepped` is `false`, the target interpolates linearly,
/// and a jump gets a key a millisecond before it, so that it stays steep in Blender.
pub(super) fn channel_keys<T: Interpolate>(
    curve: &KeyedCurve<T>,
    is_stepped: bool,
    from: f64,
) -> ChannelKeys<T> {
    match is_stepped {
        true => ChannelKeys::stepped(curve.keys(), from),
        false => ChannelKeys::linear(curve.with_steep_jumps().keys(), from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::keyed_curve::{Key, SegmentKind};

    #[test]
    fn value_before_a_jump_is_kept_if_f32_cannot_store_its_time() {
        let key = |time: f64, x: f64, segment| Key { time, value: DVec3::X * x, segment };
        // At 40,000 s, f32 has steps of 3.9 ms.
        let (start, gap) = (40_000.0, 1.0 / 64.0);
        let curve = KeyedCurve::new(vec![
            key(start, 1.0, SegmentKind::Linear),
            key(start + 0.95 * gap, 3.0, SegmentKind::Hold),
            key(start + gap, 7.0, SegmentKind::Linear),
            key(start + 2.0 * gap, 8.0, SegmentKind::Constant),
        ]);
        let keys = channel_keys(&curve, curve.is_stepped(), 0.0);
        assert!(keys.times.is_sorted_by(|a, b| a < b), "{:?}", keys.times);
        let before = (start + gap) as f32;
        assert_eq!(keys.value_at(before.next_down()).x, 3.0);
        assert_eq!(keys.value_at(before).x, 7.0);
    }
}
