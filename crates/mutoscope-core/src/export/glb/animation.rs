//! The motion of nodes, as animation channels.

use glam::{DQuat, DVec3};

use super::{
    buffer::{BufferUsage, Chunk},
    json::{Animation, Channel, ChannelTarget, Sampler},
};
use crate::export::{
    Job,
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
    linear_keys::ChannelKeys,
    tracer::MIN_INSERTED_GAP_S,
};

/// The largest rotation between adjacent keys, in radians. Blender interpolates the components of
/// quaternions. Up to this angle, the result is within 10⁻⁵ rad of glTF's slerp.
const MAX_TURN_RAD: f64 = 0.1;

/// The time from an extra key to the jump that follows it, in seconds. The extra key keeps the jump
/// steep in Blender. Blender merges keys that are closer than a hundredth of a frame, so the two
/// keys of the jump become one key.
const JUMP_LEAD_S: f64 = 1e-3;

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
        false => ChannelKeys::linear(&with_steep_jumps(curve), from),
    }
}

fn with_steep_jumps<T: Interpolate>(curve: &KeyedCurve<T>) -> Vec<Key<T>> {
    let own = curve.keys();
    let mut keys: Vec<Key<T>> = Vec::with_capacity(own.len());
    for (index, &key) in own.iter().enumerate() {
        if let Some(last) = index.checked_sub(1).map(|index| own[index])
            && last.value != key.value
            && (last.segment == SegmentKind::Hold || key.time - last.time < JUMP_LEAD_S)
        {
            let time = key.time - JUMP_LEAD_S;
            let insert_at = keys.partition_point(|key| key.time <= time);
            // Insert no key if another key is shortly before the jump.
            if let Some(&before) = insert_at.checked_sub(1).map(|index| &keys[index])
                && before.time < time - JUMP_LEAD_S
            {
                keys.insert(insert_at, Key { time, value: curve.value_at(time), ..before });
            }
        }
        keys.push(key);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn jumps_have_a_key_a_millisecond_before_them() {
        let key = |time: f64, x: f64, segment| Key { time, value: DVec3::X * x, segment };
        let (linear, hold) = (SegmentKind::Linear, SegmentKind::Hold);
        let curve = KeyedCurve::new(vec![
            key(0.0, 0.0, linear),
            // The tracer leaves keys like these at a jump that it finds between keys.
            key(0.9996, 1.0, linear),
            key(0.999_999, 1.0, hold),
            key(0.999_999_5, 8.0, linear),
            key(1.0, 8.0, hold),
            key(2.0, 9.0, linear),
            key(2.9985, 10.0, linear),
            key(3.0, 11.0, hold),
            key(3.000_000_2, 4.0, linear),
        ]);
        let keys = with_steep_jumps(&curve);
        let added: Vec<f64> = keys
            .iter()
            .map(|key| key.time)
            .filter(|time| curve.keys().iter().all(|key| key.time != *time))
            .collect();
        let expected = [0.999_999_5 - 1e-3, 2.0 - 1e-3];
        assert_eq!(added, expected, "the last jump has a key 1.5 ms before it");
        let steep = KeyedCurve::new(keys);
        for step in 0..3000 {
            let time = f64::from(step) * 1e-3;
            assert!(steep.value_at(time).distance(curve.value_at(time)) < 1e-9, "{time}");
        }
    }
}
