//! Key times of nodes, and extra keys wherever the motion between two keys is not linear.

use std::collections::HashMap;

use mutoscope_core::clip::{Span, Transform};
use ufbx::{Anim, AnimCurve, AnimStack, BlendChannel, ElementType, Node};

use crate::scene::transform;

/// The largest error between keys: in metres for positions, in radians for rotations, and as a
/// fraction of 1 for scales and weights.
const TOLERANCE: f64 = 2e-5;

const MAX_HALVINGS: u32 = 8;

/// A gap between keys that is shorter than this, in seconds, is halved only once. Keys this close
/// come from motion that is recorded in every frame, which is almost linear between frames.
const SHORT_GAP_S: f64 = 0.05;

/// The file may get this many added keys for each of its keys, plus a constant.
const MAX_ADDED_KEYS_PER_KEY: usize = 16;
const ADDED_KEYS_ALLOWANCE: usize = 1 << 16;

pub(crate) struct KeyedTimes {
    by_element: HashMap<u32, Vec<f64>>,
    layer_times: Vec<f64>,
    keys_left: usize,
    /// The number of keys of blend channels that may still be evaluated. Without this limit, the
    /// work would not be bounded by the file size, because many nodes may share one channel.
    shared_left: usize,
    pub(crate) has_skipped_weights: bool,
}

impl KeyedTimes {
    pub(crate) fn from_take(stack: &AnimStack, span: Span) -> Self {
        let mut by_element: HashMap<u32, Vec<f64>> = HashMap::new();
        let (mut layer_times, mut count) = (Vec::new(), 0usize);
        for layer in stack.layers.iter() {
            for prop in layer.anim_props.iter() {
                let times = match prop.element.type_ {
                    ElementType::AnimLayer => &mut layer_times,
                    _ => by_element.entry(prop.element.element_id).or_default(),
                };
                for curve in prop.anim_value.curves.iter().flatten() {
                    count = count.saturating_add(curve.keyframes.len());
                    times.extend(
                        key_times(curve).filter(|time| span.start < *time && *time < span.end()),
                    );
                }
            }
        }
        let limit =
            count.saturating_mul(MAX_ADDED_KEYS_PER_KEY).saturating_add(ADDED_KEYS_ALLOWANCE);
        Self {
            by_element,
            layer_times,
            keys_left: limit,
            shared_left: limit,
            has_skipped_weights: false,
        }
    }

    pub(crate) fn is_still(&self, node: &Node) -> bool {
        self.node_times(node).is_none()
    }

    fn node_times(&self, node: &Node) -> Option<Vec<f64>> {
        let mut times = self.by_element.get(&node.element.element_id).cloned();
        // ufbx inserts helper nodes between a node and its children. A helper node moves whenever
        // its parent moves, so add the times of the parent's keys.
        let is_helper = node.is_scale_helper
            || node.is_geometry_transform_helper
            || node.is_scale_compensate_parent;
        if let Some(parent) = node.parent.as_ref().filter(|_| is_helper) {
            let parent_times = self.by_element.get(&parent.element.element_id);
            times = match (times, parent_times) {
                (Some(mut times), Some(parent_times)) => {
                    times.extend(parent_times);
                    Some(times)
                }
                (times, parent_times) => times.or_else(|| parent_times.cloned()),
            };
        }
        times
    }

    pub(crate) fn node_keys(
        &mut self,
        anim: &Anim,
        node: &Node,
        span: Span,
    ) -> Vec<(f64, Transform)> {
        let times = self.node_times(node).unwrap_or_default();
        let at = |time: f64| transform(&ufbx::evaluate_transform(anim, node, time));
        self.sample_keys(times, span, &at)
    }

    /// Returns the keys of a shape's weight. `weight_of_shape` computes this weight from the
    /// channel's weight, where 1 is the full weight. The result is empty if nothing animates the
    /// channel, or if too many keys of shared channels were already used.
    pub(crate) fn weight_keys(
        &mut self,
        anim: &Anim,
        channel: &BlendChannel,
        span: Span,
        weight_of_shape: &dyn Fn(f64) -> f64,
    ) -> Vec<(f64, f64)> {
        let Some(times) = self.by_element.get(&channel.element.element_id) else {
            return Vec::new();
        };
        let times = times.clone();
        match self.shared_left.checked_sub(times.len()) {
            Some(left) => self.shared_left = left,
            None => {
                self.has_skipped_weights = true;
                return Vec::new();
            }
        }
        self.sample_keys(times, span, &|time| {
            weight_of_shape(ufbx::evaluate_blend_weight(anim, channel, time))
        })
    }

    fn sample_keys<T: KeyValue>(
        &mut self,
        mut times: Vec<f64>,
        span: Span,
        at: &dyn Fn(f64) -> T,
    ) -> Vec<(f64, T)> {
        times.extend(&self.layer_times);
        times.extend([span.start, span.end()]);
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        let at = |time: f64| (time, at(time));
        let mut keys: Vec<(f64, T)> = Vec::with_capacity(times.len());
        for time in times {
            let key = at(time);
            if let Some(&before) = keys.last() {
                let is_short = key.0 - before.0 < SHORT_GAP_S;
                let halvings = if is_short { 1 } else { MAX_HALVINGS };
                self.add_keys_between(before, key, halvings, &at, &mut keys);
            }
            keys.push(key);
        }
        keys
    }

    fn add_keys_between<T: KeyValue>(
        &mut self,
        left: (f64, T),
        right: (f64, T),
        halvings: u32,
        at: &dyn Fn(f64) -> (f64, T),
        keys: &mut Vec<(f64, T)>,
    ) {
        let is_off = |part: f64| {
            let time = left.0 + (right.0 - left.0) * part;
            at(time).1.distance(&left.1.interpolate(&right.1, part)) > TOLERANCE
        };
        if halvings == 0 || self.keys_left == 0 || ![0.25, 0.5, 0.75].into_iter().any(is_off) {
            return;
        }
        let holds =
            |part: f64| at(left.0 + (right.0 - left.0) * part).1.distance(&left.1) <= TOLERANCE;
        if [0.25, 0.5, 0.75, 0.999].into_iter().all(holds) {
            // The value is a step. Add a key just before the right key, so that the left value
            // holds until then.
            self.keys_left -= 1;
            keys.push((right.0.next_down(), left.1));
            return;
        }
        let middle = at((left.0 + right.0) / 2.0);
        if !(left.0 < middle.0 && middle.0 < right.0) {
            return;
        }
        self.keys_left -= 1;
        self.add_keys_between(left, middle, halvings - 1, at, keys);
        keys.push(middle);
        self.add_keys_between(middle, right, halvings - 1, at, keys);
    }
}

trait KeyValue: Copy {
    fn interpolate(&self, right: &Self, part: f64) -> Self;

    fn distance(&self, other: &Self) -> f64;
}

impl KeyValue for Transform {
    fn interpolate(&self, right: &Self, part: f64) -> Self {
        Self {
            translation: self.translation.lerp(right.translation, part),
            rotation: self.rotation.slerp(right.rotation, part),
            scale: self.scale.lerp(right.scale, part),
        }
    }

    fn distance(&self, other: &Self) -> f64 {
        let turn = self.rotation.conjugate() * other.rotation;
        let angle = 2.0 * turn.xyz().length().min(1.0).asin();
        (self.translation.distance(other.translation))
            .max(angle)
            .max((self.scale - other.scale).abs().max_element())
    }
}

impl KeyValue for f64 {
    fn interpolate(&self, right: &Self, part: f64) -> Self {
        self + (right - self) * part
    }

    fn distance(&self, other: &Self) -> f64 {
        (self - other).abs()
    }
}

fn key_times(curve: &AnimCurve) -> impl Iterator<Item = f64> + '_ {
    curve.keyframes.iter().map(|key| key.time)
}
