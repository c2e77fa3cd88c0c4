//! When nodes are keyed, and keys between where they do not move straight from one to the next.

use std::collections::HashMap;

use mutoscope_core::clip::{Span, Transform};
use ufbx::{Anim, AnimCurve, AnimStack, BlendChannel, ElementType, Node};

use crate::scene::transform;

/// Between keys, positions are this exact, in metres, and rotations, in radians; scales and weights as fractions of 1.
const TOLERANCE: f64 = 2e-5;

/// How often a gap between two keys is halved at most.
const MOST_HALVINGS: u32 = 8;

/// Gaps that are shorter, in seconds, are halved once: what is recorded in every frame bends little in between.
const SHORT: f64 = 0.05;

/// How many keys a take may have that are not in the file: for each that is, and for any.
const KEYS_PER_KEY: usize = 16;
const KEYS_OF_ANY: usize = 1 << 16;

/// The times at which nodes are keyed in a take, by the ids of their elements.
pub(crate) struct KeyedTimes {
    by_element: HashMap<u32, Vec<f64>>,
    /// The keys that move all nodes: the weights of layers.
    of_layers: Vec<f64>,
    /// How many keys may still be added.
    left: usize,
    /// How many keys of weights may still be used.
    shared: usize,
    /// Whether there were more.
    pub(crate) has_refused: bool,
}

impl KeyedTimes {
    /// The times within `span`.
    pub(crate) fn of(stack: &AnimStack, span: Span) -> Self {
        let mut by_element: HashMap<u32, Vec<f64>> = HashMap::new();
        let (mut of_layers, mut count) = (Vec::new(), 0usize);
        for layer in stack.layers.iter() {
            for prop in layer.anim_props.iter() {
                let times = match prop.element.type_ {
                    ElementType::AnimLayer => &mut of_layers,
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
        let left = count.saturating_mul(KEYS_PER_KEY).saturating_add(KEYS_OF_ANY);
        Self { by_element, of_layers, left, shared: left, has_refused: false }
    }

    /// Whether nothing moves the node.
    pub(crate) fn is_still(&self, node: &Node) -> bool {
        self.of_node(node).is_none()
    }

    fn of_node(&self, node: &Node) -> Option<Vec<f64>> {
        let mut times = self.by_element.get(&node.element.element_id).cloned();
        // What stands between a node and its children follows from its keys.
        let is_helper = node.is_scale_helper
            || node.is_geometry_transform_helper
            || node.is_scale_compensate_parent;
        if let Some(parent) = node.parent.as_ref().filter(|_| is_helper) {
            let of_parent = self.by_element.get(&parent.element.element_id);
            times = match (times, of_parent) {
                (Some(mut times), Some(of_parent)) => {
                    times.extend(of_parent);
                    Some(times)
                }
                (times, of_parent) => times.or_else(|| of_parent.cloned()),
            };
        }
        times
    }

    /// The keys of a node: at the times at which it is keyed, and as many between as it takes.
    pub(crate) fn keys(&mut self, anim: &Anim, node: &Node, span: Span) -> Vec<(f64, Transform)> {
        let times = self.of_node(node).unwrap_or_default();
        let at = |time: f64| transform(&ufbx::evaluate_transform(anim, node, time));
        self.keyed(times, span, &at)
    }

    /// The keys of a number that follows by `of` from the weight of a blend channel, of which 1 is all; none if
    /// nothing moves it, or if there are too many of such keys, which many nodes may share.
    pub(crate) fn weights(
        &mut self,
        anim: &Anim,
        channel: &BlendChannel,
        span: Span,
        of: &dyn Fn(f64) -> f64,
    ) -> Vec<(f64, f64)> {
        let Some(times) = self.by_element.get(&channel.element.element_id) else {
            return Vec::new();
        };
        let times = times.clone();
        match self.shared.checked_sub(times.len()) {
            Some(left) => self.shared = left,
            None => {
                self.has_refused = true;
                return Vec::new();
            }
        }
        self.keyed(times, span, &|time| of(ufbx::evaluate_blend_weight(anim, channel, time)))
    }

    /// Keys at these times, at those of all, and as many between as it takes.
    fn keyed<T: Keyed>(
        &mut self,
        mut times: Vec<f64>,
        span: Span,
        at: &dyn Fn(f64) -> T,
    ) -> Vec<(f64, T)> {
        times.extend(&self.of_layers);
        times.extend([span.start, span.end()]);
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        let at = |time: f64| (time, at(time));
        let mut keys: Vec<(f64, T)> = Vec::with_capacity(times.len());
        for time in times {
            let key = at(time);
            if let Some(&before) = keys.last() {
                let is_short = key.0 - before.0 < SHORT;
                let halvings = if is_short { 1 } else { MOST_HALVINGS };
                self.between(before, key, halvings, &at, &mut keys);
            }
            keys.push(key);
        }
        keys
    }

    /// Adds keys between two where the way is not straight.
    fn between<T: Keyed>(
        &mut self,
        left: (f64, T),
        right: (f64, T),
        halvings: u32,
        at: &dyn Fn(f64) -> (f64, T),
        keys: &mut Vec<(f64, T)>,
    ) {
        let is_off = |part: f64| {
            let time = left.0 + (right.0 - left.0) * part;
            at(time).1.distance(&left.1.blend(&right.1, part)) > TOLERANCE
        };
        if halvings == 0 || self.left == 0 || ![0.25, 0.5, 0.75].into_iter().any(is_off) {
            return;
        }
        let holds =
            |part: f64| at(left.0 + (right.0 - left.0) * part).1.distance(&left.1) <= TOLERANCE;
        if [0.25, 0.5, 0.75, 0.999].into_iter().all(holds) {
            // A step: the value holds until the next key.
            self.left -= 1;
            keys.push((right.0.next_down(), left.1));
            return;
        }
        let middle = at((left.0 + right.0) / 2.0);
        if !(left.0 < middle.0 && middle.0 < right.0) {
            return;
        }
        self.left -= 1;
        self.between(left, middle, halvings - 1, at, keys);
        keys.push(middle);
        self.between(middle, right, halvings - 1, at, keys);
    }
}

/// A value of keys.
trait Keyed: Copy {
    /// The way that curves take between keys.
    fn blend(&self, right: &Self, part: f64) -> Self;

    /// How far two are apart, whatever differs most.
    fn distance(&self, other: &Self) -> f64;
}

impl Keyed for Transform {
    fn blend(&self, right: &Self, part: f64) -> Self {
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

impl Keyed for f64 {
    fn blend(&self, right: &Self, part: f64) -> Self {
        self + (right - self) * part
    }

    fn distance(&self, other: &Self) -> f64 {
        (self - other).abs()
    }
}

fn key_times(curve: &AnimCurve) -> impl Iterator<Item = f64> + '_ {
    curve.keyframes.iter().map(|key| key.time)
}
