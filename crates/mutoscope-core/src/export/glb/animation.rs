//! The motion of nodes, as channels.

use glam::{DQuat, DVec3};

use super::{
    buffer::{Chunk, Use},
    json::{Animation, Channel, ChannelTarget, Sampler},
};
use crate::export::{
    keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind},
    tracer::SHORTEST,
};

/// By how much a rotation turns from one key to the next, in radians: Blender interpolates its numbers
/// one by one, which is within 10⁻⁵ rad of glTF's rule up to here.
const MOST_TURNED: f64 = 0.1;

/// How long before a jump there is a key that keeps it steep, in seconds: Blender makes one of keys
/// that are closer than a hundredth of a frame, so that the two of the jump itself are one there.
const BEFORE_JUMP: f64 = 1e-3;

/// A vector in single precision, within its range: JSON and glTF have no infinite numbers.
pub(super) fn single(vector: DVec3) -> [f32; 3] {
    let most = DVec3::splat(f32::MAX.into());
    vector.clamp(-most, most).as_vec3().to_array()
}

impl Animation {
    pub(super) fn translate(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add(node, "translation", curve, from, single, chunk);
    }

    pub(super) fn rotate(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DQuat>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        let curve = &curve.with_turns_of(MOST_TURNED, SHORTEST);
        self.add(node, "rotation", curve, from, |turn| turn.as_quat().to_array(), chunk);
    }

    pub(super) fn scale(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add(node, "scale", curve, from, single, chunk);
    }

    /// A channel for what moves; its time 0 is `from`, in seconds.
    fn add<T: Interpolate, const N: usize>(
        &mut self,
        node: usize,
        path: &'static str,
        curve: &KeyedCurve<T>,
        from: f64,
        numbers: impl Fn(T) -> [f32; N],
        chunk: &mut Chunk,
    ) {
        if curve.is_still() {
            return;
        }
        let Points { times, values, is_stepped } = points(curve, from);
        let values: Vec<[f32; N]> = values.into_iter().map(numbers).collect();
        let input = chunk.times(&times);
        let output = chunk.vectors(&values, Use::Numbers);
        let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
        self.samplers.push(Sampler { input, output, interpolation });
        let target = ChannelTarget { node, path };
        self.channels.push(Channel { sampler: self.samplers.len() - 1, target });
    }
}

/// The keys of a curve as glTF has them, in seconds from the start of the file.
pub(super) struct Points<T> {
    /// Ascending, none twice.
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<T>,
    /// Whether each holds until the next; else they go straight from one to the next.
    pub(super) is_stepped: bool,
}

impl<T: Interpolate> Points<T> {
    /// The value at a time.
    pub(super) fn at(&self, time: f32) -> T {
        let next = self.times.partition_point(|known| *known <= time);
        let Some(before) = next.checked_sub(1) else { return self.values[0] };
        let Some(&after) = self.values.get(next).filter(|_| !self.is_stepped) else {
            return self.values[before];
        };
        let length = f64::from(self.times[next]) - f64::from(self.times[before]);
        let part = (f64::from(time) - f64::from(self.times[before])) / length;
        self.values[before].between(after, part)
    }
}

/// The keys of a curve; its time 0 is `from`, in seconds.
pub(super) fn points<T: Interpolate>(curve: &KeyedCurve<T>, from: f64) -> Points<T> {
    let is_stepped = curve.is_stepped();
    let mut times: Vec<f32> = Vec::with_capacity(curve.keys().len());
    let mut values: Vec<T> = Vec::with_capacity(curve.keys().len());
    let mut add = |time: f32, value: T| {
        // Of keys that single precision cannot distinguish the last one is used.
        if times.last().is_some_and(|&last| time <= last) {
            times.pop();
            values.pop();
        }
        times.push(time.max(times.last().map_or(0.0, |last: &f32| last.next_up())));
        values.push(value);
    };
    let keys = if is_stepped { curve.keys().to_vec() } else { with_steep_jumps(curve) };
    for (index, key) in keys.iter().enumerate() {
        add((key.time - from) as f32, key.value);
        if let (SegmentKind::Hold, false, Some(next)) =
            (key.segment, is_stepped, keys.get(index + 1))
        {
            let (here, next) = ((key.time - from) as f32, (next.time - from) as f32);
            if next.next_down() > here {
                add(next.next_down(), key.value);
            }
        }
    }
    Points { times, values, is_stepped }
}

/// The keys of a curve, with one shortly before each jump where there is none.
fn with_steep_jumps<T: Interpolate>(curve: &KeyedCurve<T>) -> Vec<Key<T>> {
    let own = curve.keys();
    let mut keys: Vec<Key<T>> = Vec::with_capacity(own.len());
    for (index, &key) in own.iter().enumerate() {
        if let Some(last) = index.checked_sub(1).map(|index| own[index])
            && last.value != key.value
            && (last.segment == SegmentKind::Hold || key.time - last.time < BEFORE_JUMP)
        {
            let time = key.time - BEFORE_JUMP;
            let place = keys.partition_point(|key| key.time <= time);
            // One that is there already does, if it is not much earlier.
            if let Some(&before) = place.checked_sub(1).map(|place| &keys[place])
                && before.time < time - BEFORE_JUMP
            {
                keys.insert(place, Key { time, value: curve.at(time), ..before });
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
    fn jumps_have_a_key_a_millisecond_before_them() {
        let key = |time: f64, x: f64, segment| Key { time, value: DVec3::X * x, segment };
        let (linear, hold) = (SegmentKind::Linear, SegmentKind::Hold);
        let curve = KeyedCurve::new(vec![
            key(0.0, 0.0, linear),
            // As the tracer finds a jump between keys.
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
            assert!(steep.at(time).distance(curve.at(time)) < 1e-9, "{time}");
        }
    }
}
