//! The curves of the properties of objects, take by take.

use std::collections::VecDeque;

use super::{
    document::{Array, Element, Properties, element},
    scene::{ObjectClass, ObjectId, Scene},
    ticks,
};
use crate::export::keyed_curve::{Interpolate, Key, KeyedCurve, SegmentKind};

const CURVE_NODE: ObjectClass = ObjectClass::new("AnimationCurveNode", "AnimCurveNode", "");
const CURVE: ObjectClass = ObjectClass::new("AnimationCurve", "AnimCurve", "");

/// The flags of keys, as Autodesk's programs write them: the interpolation to the next key, and
/// automatic tangents (0x100). For a held key, 0x100 would mean the value of the next key.
const LINEAR_FLAGS: i32 = 0x6104;
const HELD_FLAGS: i32 = 0x6002;

/// The tangents of a key: two slopes, two weights of a third each, packed into the bits of one f32,
/// and two velocities.
const TANGENTS: [f32; 4] = [0.0, 0.0, f32::from_bits(0x0d05_0d05), 0.0];

/// A property of an object that a curve animates.
pub(super) struct AnimatedProperty {
    pub(super) object: ObjectId,
    pub(super) name: &'static str,
    /// The name of the curve node, such as `T` for translations.
    pub(super) node_name: &'static str,
    pub(super) channels: &'static [&'static str],
}

impl AnimatedProperty {
    pub(super) fn translation(object: ObjectId) -> Self {
        Self { object, name: "Lcl Translation", node_name: "T", channels: &["d|X", "d|Y", "d|Z"] }
    }

    pub(super) fn rotation(object: ObjectId) -> Self {
        Self { name: "Lcl Rotation", node_name: "R", ..Self::translation(object) }
    }

    pub(super) fn scale(object: ObjectId) -> Self {
        Self { name: "Lcl Scaling", node_name: "S", ..Self::translation(object) }
    }

    pub(super) fn visibility(object: ObjectId) -> Self {
        let name = "Visibility";
        Self { object, name, node_name: name, channels: &["d|Visibility"] }
    }

    pub(super) fn deform_percent(object: ObjectId) -> Self {
        let name = "DeformPercent";
        Self { object, name, node_name: name, channels: &["d|DeformPercent"] }
    }
}

pub(super) struct Animation {
    pub(super) layer: ObjectId,
    /// The time of the recording that becomes time 0, in seconds.
    from: f64,
    /// The key times of the last curves with their arrays, because most curves share their times.
    recent_times: VecDeque<(Vec<i64>, Array)>,
    /// `true` if the take has curves.
    pub(super) has_curves: bool,
    /// The number of values that are too large for f32.
    pub(super) clamped_count: usize,
}

impl Animation {
    pub(super) fn new(layer: ObjectId, from: f64) -> Self {
        Self { layer, from, recent_times: VecDeque::new(), has_curves: false, clamped_count: 0 }
    }

    /// Begins another take, whose time 0 is the time `from` of its recording.
    pub(super) fn begin_take(&mut self, layer: ObjectId, from: f64) {
        (self.layer, self.from, self.has_curves) = (layer, from, false);
    }

    /// Animates a property. `numbers` returns one number for each channel.
    pub(super) fn add<T: Interpolate, const N: usize>(
        &mut self,
        property: &AnimatedProperty,
        curve: &KeyedCurve<T>,
        numbers: impl Fn(T) -> [f64; N],
        scene: &mut Scene,
    ) {
        let keys = self.keys_in_ticks(&curve.with_steep_jumps());
        let mut defaults = Properties::default();
        for (channel, number) in property.channels.iter().zip(numbers(curve.first_value())) {
            defaults.add(channel, ["Number", "", "A"], [number]);
        }
        let children = vec![defaults.into_element()];
        let node = scene.add(CURVE_NODE, property.node_name, children);
        scene.connect(node, self.layer);
        scene.connect_property(node, property.object, property.name);
        let values: Vec<[f64; N]> = keys.iter().map(|(_, key)| numbers(key.value)).collect();
        for (index, channel) in property.channels.iter().enumerate() {
            let values = values.iter().map(|numbers| self.round_number(numbers[index])).collect();
            let curve = self.curve_elements(&keys, values);
            let curve = scene.add(CURVE, "", curve);
            scene.connect_property(curve, node, channel);
        }
        self.has_curves = true;
    }

    fn round_number(&mut self, number: f64) -> f32 {
        let max = f64::from(f32::MAX);
        self.clamped_count += usize::from(!(-max..=max).contains(&number));
        if number.is_nan() { 0.0 } else { number.clamp(-max, max) as f32 }
    }

    fn curve_elements<T>(&mut self, keys: &[(i64, Key<T>)], values: Vec<f32>) -> Vec<Element> {
        let is_constant = values.iter().all(|value| *value == values[0]);
        let count = if is_constant { 1 } else { keys.len() };
        let ticks: Vec<i64> = keys[..count].iter().map(|(ticks, _)| *ticks).collect();
        let flags = keys[..count].iter().map(|(_, key)| match key.segment {
            SegmentKind::Hold => HELD_FLAGS,
            SegmentKind::Linear | SegmentKind::Constant => LINEAR_FLAGS,
        });
        // Flags are stored once for consecutive keys with the same flags.
        let mut runs: Vec<(i32, i32)> = Vec::new();
        for flags in flags {
            match runs.last_mut() {
                Some((known, count)) if *known == flags => *count += 1,
                _ => runs.push((flags, 1)),
            }
        }
        let (flags, counts): (Vec<i32>, Vec<i32>) = runs.into_iter().unzip();
        let tangents: Vec<f32> = flags.iter().flat_map(|_| TANGENTS).collect();
        vec![
            element("Default", f64::from(values[0])),
            element("KeyVer", 4009),
            element("KeyTime", self.time_array(ticks)),
            element("KeyValueFloat", Array::of_f32(&values[..count])),
            element("KeyAttrFlags", Array::of_i32(&flags)),
            element("KeyAttrDataFloat", Array::of_f32(&tangents)),
            element("KeyAttrRefCount", Array::of_i32(&counts)),
        ]
    }

    fn time_array(&mut self, ticks: Vec<i64>) -> Array {
        /// Enough for the translations of all nodes, and for the properties of one node.
        const MAX_RECENT: usize = 4;
        let index = self.recent_times.iter().position(|(known, _)| *known == ticks);
        let (ticks, array) =
            index.and_then(|index| self.recent_times.remove(index)).unwrap_or_else(|| {
                let array = Array::of_i64(&ticks);
                (ticks, array)
            });
        self.recent_times.truncate(MAX_RECENT - 1);
        self.recent_times.push_front((ticks, array.clone()));
        array
    }

    /// Converts the times of keys. If two keys have the same time in ticks, the earlier key moves
    /// back by a tick if it holds the value before a jump. Otherwise the later key replaces it.
    fn keys_in_ticks<T: Interpolate>(&self, curve: &KeyedCurve<T>) -> Vec<(i64, Key<T>)> {
        let mut keys: Vec<(i64, Key<T>)> = Vec::with_capacity(curve.keys().len());
        for &key in curve.keys() {
            let time = ticks(key.time - self.from);
            let before_last = keys.len().checked_sub(2).map(|index| keys[index].0);
            if let Some(last) = keys.last_mut().filter(|last| last.0 >= time) {
                let has_room = before_last.is_none_or(|before| before < time - 1) && time > 0;
                if has_room && last.1.segment == SegmentKind::Hold {
                    last.0 = time - 1;
                } else {
                    keys.pop();
                }
            }
            keys.push((time, key));
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_within_a_tick_keep_the_value_before_a_jump() {
        let key = |time: f64, value: f64, segment| Key { time, value, segment };
        let curve = KeyedCurve::new(vec![
            key(10.0, 0.0, SegmentKind::Linear),
            key(11.0, 1.0, SegmentKind::Hold),
            key(11.0 + 1e-12, 5.0, SegmentKind::Linear),
            key(11.0 + 2e-12, 6.0, SegmentKind::Linear),
            key(12.0, 7.0, SegmentKind::Constant),
        ]);
        let keys = Animation::new(0, 10.0).keys_in_ticks(&curve);
        let second = 46_186_158_000;
        let found: Vec<_> = keys.iter().map(|(time, key)| (*time, key.value)).collect();
        assert_eq!(found, [(0, 0.0), (second - 1, 1.0), (second, 6.0), (2 * second, 7.0)]);
    }
}
