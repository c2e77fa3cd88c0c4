//! The motion of nodes, as channels.

use glam::{DQuat, DVec3};

use super::{
    buffer::{Chunk, Use},
    json::{Animation, Channel, ChannelTarget, Sampler},
};
use crate::export::keyed_curve::{Interpolate, KeyedCurve, SegmentKind};

impl Animation {
    pub(super) fn translate(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add(node, "translation", curve, from, |point| point.as_vec3().to_array(), chunk);
    }

    pub(super) fn rotate(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DQuat>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add(node, "rotation", curve, from, |turn| turn.as_quat().to_array(), chunk);
    }

    pub(super) fn scale(
        &mut self,
        node: usize,
        curve: &KeyedCurve<DVec3>,
        from: f64,
        chunk: &mut Chunk,
    ) {
        self.add(node, "scale", curve, from, |scale| scale.as_vec3().to_array(), chunk);
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
        let is_stepped = curve.is_stepped();
        let mut times: Vec<f32> = Vec::with_capacity(curve.keys().len());
        let mut values: Vec<[f32; N]> = Vec::with_capacity(curve.keys().len());
        let mut add = |time: f32, value: T| {
            // Of keys that single precision cannot distinguish the last one is used.
            if times.last().is_some_and(|&last| time <= last) {
                times.pop();
                values.pop();
            }
            times.push(time.max(times.last().map_or(0.0, |last: &f32| last.next_up())));
            values.push(numbers(value));
        };
        let keys = curve.keys();
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
        let input = chunk.times(&times);
        let output = chunk.vectors(&values, Use::Numbers);
        let interpolation = if is_stepped { "STEP" } else { "LINEAR" };
        self.samplers.push(Sampler { input, output, interpolation });
        let target = ChannelTarget { node, path };
        self.channels.push(Channel { sampler: self.samplers.len() - 1, target });
    }
}
