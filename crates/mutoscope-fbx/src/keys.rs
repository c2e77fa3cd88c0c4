//! Key times of nodes, and extra keys wherever the motion between two keys is not linear.

use std::collections::HashMap;

use glam::DVec3;
use mutoscope_core::{
    clip::{Span, Transform},
    diagnostics::{Diagnostics, SourceLocation, format_count},
};
use ufbx::{
    Anim, AnimCurve, AnimStack, BlendChannel, Element, ElementType, ExtrapolationMode,
    Interpolation, Node,
};

use crate::{
    codes,
    scene::transform,
    takes::{VISIBILITY, curves},
};

/// The largest error between keys: in metres for positions, in radians for rotations, as a fraction
/// of the scale for scales, and as a fraction of 1 for weights.
const TOLERANCE: f64 = 2e-5;

const MAX_HALVINGS: u32 = 8;

/// Keys that are closer than this, in seconds, come from motion that is recorded in every frame and
/// is almost linear between frames. Such a gap is halved once by [`TOLERANCE`], so that recordings
/// do not get several times as many keys. It is halved again only by [`SHORT_GAP_TOLERANCE`].
const SHORT_GAP_S: f64 = 0.05;

/// The tolerance after the first halving of a short gap, in the units of [`TOLERANCE`].
const SHORT_GAP_TOLERANCE: f64 = 1e-3;

/// The time that a jump takes, in seconds.
const JUMP_S: f64 = 1e-9;

/// The file may get this many added keys for each of its keys, plus a constant.
const MAX_ADDED_KEYS_PER_KEY: usize = 16;
const ADDED_KEYS_ALLOWANCE: usize = 1 << 16;

#[derive(Clone, Copy)]
struct KeyTime {
    time: f64,
    may_jump: bool,
}

/// The key times of a take, by the element that they animate.
pub(crate) struct KeyedTimes {
    by_element: HashMap<u32, Vec<KeyTime>>,
    visibility_by_node: HashMap<u32, Vec<KeyTime>>,
    layer_times: Vec<KeyTime>,
    /// The limits of the file that are left after the times were collected.
    pub(crate) limits: Limits,
    /// What was used while the times were collected.
    pub(crate) usage: Usage,
}

/// Limits of the work for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The number of keys that may be added between the keys of the file.
    added_keys: usize,
    /// The number of key times of repeated curves, layers and other elements that may be used.
    /// Without this limit, the work would not be bounded by the file size, because the keys of one
    /// element may move many nodes.
    shared_times: usize,
}

/// What sampling has used of the [`Limits`], and what it has lost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    added_keys: usize,
    shared_times: usize,
    is_limited: bool,
    invalid_keys: usize,
}

impl Limits {
    /// Returns `true` if sampling with these limits gives the same keys as the sampling that had
    /// this usage.
    pub(crate) fn allow(&self, usage: &Usage) -> bool {
        !usage.is_limited
            && usage.added_keys <= self.added_keys
            && usage.shared_times <= self.shared_times
    }

    pub(crate) fn without(&self, usage: &Usage) -> Self {
        Self {
            added_keys: self.added_keys.saturating_sub(usage.added_keys),
            shared_times: self.shared_times.saturating_sub(usage.shared_times),
        }
    }
}

impl Usage {
    pub(crate) fn add(&mut self, other: &Self) {
        self.added_keys += other.added_keys;
        self.shared_times += other.shared_times;
        self.is_limited |= other.is_limited;
        self.invalid_keys += other.invalid_keys;
    }

    /// Uses `count` shared key times. Returns `false` if the limit does not allow it.
    fn use_shared_times(&mut self, count: usize, limits: &Limits) -> bool {
        let used = self.shared_times.saturating_add(count.max(1));
        let is_allowed = used <= limits.shared_times;
        if is_allowed {
            self.shared_times = used;
        }
        self.is_limited |= !is_allowed;
        is_allowed
    }

    /// Reports key times that were left out, and values that are not finite.
    pub(crate) fn report_problems(&self, diagnostics: &mut Diagnostics) {
        if self.is_limited {
            let message = "the motion needs too many keys, or the keys of repeated curves, layers, \
                           scales and blend shapes are used too often; some motion between keys \
                           and some weights are skipped";
            diagnostics.warning(codes::MOTION_SKIPPED, SourceLocation::File, message);
        }
        if self.invalid_keys > 0 {
            let message = format!(
                "{} not finite; the value of the key before is held",
                match self.invalid_keys {
                    1 => "the value of 1 key is".to_owned(),
                    count => format!("the values of {} are", format_count(count, "key")),
                }
            );
            diagnostics
                .warning(codes::INVALID_KEY, SourceLocation::File, message)
                .with("count", self.invalid_keys);
        }
    }
}

impl KeyedTimes {
    pub(crate) fn from_take(stack: &AnimStack, span: Span) -> Self {
        let props = || stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
        let count: usize = props().flat_map(curves).map(|curve| curve.keyframes.len()).sum();
        let max_keys =
            count.saturating_mul(MAX_ADDED_KEYS_PER_KEY).saturating_add(ADDED_KEYS_ALLOWANCE);
        let limits = Limits { added_keys: max_keys, shared_times: max_keys };
        let mut keyed = Self {
            by_element: HashMap::new(),
            visibility_by_node: HashMap::new(),
            layer_times: Vec::new(),
            limits,
            usage: Usage::default(),
        };
        for prop in props() {
            let mut times = Vec::new();
            for curve in curves(prop) {
                add_own_times(curve, span, &mut times);
                add_repeated_times(curve, span, &limits, &mut keyed.usage, &mut times);
                // The curves of a node often have the same times, so keep them only once.
                sort_and_merge(&mut times);
            }
            let id = prop.element.element_id;
            let known = match prop.element.type_ {
                ElementType::AnimLayer => &mut keyed.layer_times,
                ElementType::Node if *prop.prop_name == *VISIBILITY => {
                    keyed.visibility_by_node.entry(id).or_default()
                }
                _ => keyed.by_element.entry(id).or_default(),
            };
            known.extend(times);
            sort_and_merge(known);
        }
        keyed.limits = limits.without(&keyed.usage);
        keyed
    }
}

/// Samples the motion of a take at its key times, and between them where it is not linear.
pub(crate) struct KeySampler<'a> {
    pub(crate) keyed: &'a KeyedTimes,
    pub(crate) anim: &'a Anim,
    pub(crate) span: Span,
    pub(crate) limits: Limits,
    pub(crate) usage: Usage,
}

impl KeySampler<'_> {
    fn use_shared_times(&mut self, count: usize) -> bool {
        self.usage.use_shared_times(count, &self.limits)
    }

    /// Returns the times at which an element is keyed, or an element that drives a property of it.
    fn element_times(&mut self, element: &Element) -> Option<Vec<KeyTime>> {
        let mut times = self.keyed.by_element.get(&element.element_id).cloned();
        for connection in element.connections_dst.iter() {
            if !connection.src_prop.is_empty() && !connection.dst_prop.is_empty() {
                self.add_shared_times(connection.src.element_id, &mut times);
            }
        }
        times
    }

    fn add_shared_times(&mut self, element_id: u32, times: &mut Option<Vec<KeyTime>>) {
        let Some(shared) = self.keyed.by_element.get(&element_id) else { return };
        let count = shared.len();
        if self.use_shared_times(count) {
            times.get_or_insert_default().extend(&self.keyed.by_element[&element_id]);
        }
    }

    fn node_times(&mut self, node: &Node) -> Option<Vec<KeyTime>> {
        let mut times = self.element_times(&node.element);
        let Some(parent) = &node.parent else { return times };
        let own = parent.scale_helper.as_deref().filter(|_| !node.is_scale_helper);
        let inherited =
            inherited_scale_helpers(parent).filter(|_| own.is_some() || node.is_scale_helper);
        for helper in own.into_iter().chain(inherited) {
            self.add_shared_times(helper.element.element_id, &mut times);
            // Even if nothing is keyed, the static transform that ufbx computes differs from the
            // evaluated one if the node has pivots.
            times.get_or_insert_default();
        }
        times
    }

    /// Returns the keys of a node. The result is `None` if nothing animates the node.
    pub(crate) fn node_keys(&mut self, node: &Node) -> Option<Vec<(f64, Transform)>> {
        let times = self.node_times(node)?;
        let anim = self.anim;
        Some(self.sample_keys(times, &|time| evaluate_transform(anim, node, time)))
    }

    /// Returns the keys of a shape's weight. `weight_of_shape` computes this weight from the
    /// channel's weight, where 1 is the full weight. The result is empty if nothing animates the
    /// channel, or if too many keys of shared channels were already used.
    pub(crate) fn weight_keys(
        &mut self,
        channel: &BlendChannel,
        weight_of_shape: &dyn Fn(f64) -> f64,
    ) -> Vec<(f64, f64)> {
        let Some(times) = self.element_times(&channel.element) else { return Vec::new() };
        if !self.use_shared_times(times.len()) {
            return Vec::new();
        }
        let anim = self.anim;
        self.sample_keys(times, &|time| {
            weight_of_shape(ufbx::evaluate_blend_weight(anim, channel, time))
        })
    }

    /// Returns the times at which a node is shown or hidden, in steps. The result is empty if the
    /// node is always shown, or if the take does not animate its visibility.
    pub(crate) fn visibility_keys(&mut self, node: &Node) -> Vec<(f64, bool)> {
        let times = self.keyed.visibility_by_node.get(&node.element.element_id);
        let Some(mut times) = times.cloned() else { return Vec::new() };
        // A visibility that passes through all values between two keys changes right at a key.
        for time in &mut times {
            time.may_jump = true;
        }
        // A node is visible if the integer part of the value is not 0. A cubic curve that is always
        // 1 may round to less.
        const MAX_ROUNDING_ERROR: f64 = 1e-6;
        let anim = self.anim;
        let at = |time: f64| {
            let visibility = ufbx::evaluate_prop(anim, &node.element, VISIBILITY, time);
            if visibility.value_vec4.x.abs() < 1.0 - MAX_ROUNDING_ERROR { 0.0 } else { 1.0 }
        };
        let keys = self.sample_keys(times, &at);
        let mut steps: Vec<(f64, bool)> = keys.iter().map(|&(time, on)| (time, on > 0.5)).collect();
        steps.dedup_by_key(|step| step.1);
        if steps.iter().all(|step| step.1) { Vec::new() } else { steps }
    }

    fn sample_keys<T: KeyValue>(
        &mut self,
        mut times: Vec<KeyTime>,
        at: &dyn Fn(f64) -> T,
    ) -> Vec<(f64, T)> {
        let span = self.span;
        if !self.keyed.layer_times.is_empty() && self.use_shared_times(self.keyed.layer_times.len())
        {
            times.extend(&self.keyed.layer_times);
        }
        times.extend([span.start, span.end()].map(|time| KeyTime { time, may_jump: false }));
        times.retain(|key| span.start <= key.time && key.time <= span.end());
        sort_and_merge(&mut times);
        let at = |time: f64| (time, at(time));
        let mut keys: Vec<(f64, T)> = Vec::with_capacity(times.len());
        for (index, &KeyTime { time, may_jump }) in times.iter().enumerate() {
            let key = at(time);
            let jump = jump_duration(time);
            if may_jump && keys.last().is_some_and(|last| last.0 < time - jump) {
                let before = at(time - jump);
                if before.1.distance(&key.1) > TOLERANCE {
                    self.add_key(before, &at, &mut keys);
                }
            }
            self.add_key(key, &at, &mut keys);
            if may_jump && times.get(index + 1).is_some_and(|next| time + jump < next.time) {
                let after = at(time + jump);
                if after.1.distance(&key.1) > TOLERANCE {
                    self.add_key(after, &at, &mut keys);
                }
            }
        }
        self.usage.invalid_keys += replace_invalid_keys(&mut keys);
        keys
    }

    /// Appends `key`, and keys between the last key and `key`.
    fn add_key<T: KeyValue>(
        &mut self,
        key: (f64, T),
        at: &dyn Fn(f64) -> (f64, T),
        keys: &mut Vec<(f64, T)>,
    ) {
        if let Some(&before) = keys.last() {
            let gap = key.0 - before.0;
            // The value jumps if the gap is shorter, so no key is needed between.
            if gap > 2.0 * jump_duration(key.0) {
                let tolerances = match gap < SHORT_GAP_S {
                    true => [TOLERANCE, SHORT_GAP_TOLERANCE],
                    false => [TOLERANCE; 2],
                };
                self.add_keys_between(before, key, MAX_HALVINGS, tolerances, at, keys);
            }
        }
        keys.push(key);
    }

    fn add_keys_between<T: KeyValue>(
        &mut self,
        left: (f64, T),
        right: (f64, T),
        halvings: u32,
        [tolerance, next_tolerance]: [f64; 2],
        at: &dyn Fn(f64) -> (f64, T),
        keys: &mut Vec<(f64, T)>,
    ) {
        let is_off = |part: f64| {
            let time = left.0 + (right.0 - left.0) * part;
            at(time).1.distance(&left.1.interpolate(&right.1, part)) > tolerance
        };
        if halvings == 0 || ![0.25, 0.5, 0.75].into_iter().any(is_off) {
            return;
        }
        if self.usage.added_keys >= self.limits.added_keys {
            self.usage.is_limited = true;
            return;
        }
        let middle = at((left.0 + right.0) / 2.0);
        if !(left.0 < middle.0 && middle.0 < right.0) {
            return;
        }
        self.usage.added_keys += 1;
        let tolerances = [next_tolerance; 2];
        self.add_keys_between(left, middle, halvings - 1, tolerances, at, keys);
        keys.push(middle);
        self.add_keys_between(middle, right, halvings - 1, tolerances, at, keys);
    }
}

/// Sorts key times, and keeps one of each. The value may jump at a time if any of them says so.
fn sort_and_merge(times: &mut Vec<KeyTime>) {
    times.sort_by(|one, other| one.time.total_cmp(&other.time));
    times.dedup_by(|next, kept| {
        let is_same = next.time == kept.time;
        kept.may_jump |= next.may_jump && is_same;
        is_same
    });
}

/// Returns how long a jump at `time` takes, in seconds.
fn jump_duration(time: f64) -> f64 {
    // At large times, `f64` does not resolve nanoseconds.
    JUMP_S.max(4.0 * f64::EPSILON * time.abs())
}

trait KeyValue: Copy {
    fn interpolate(&self, right: &Self, part: f64) -> Self;

    fn distance(&self, other: &Self) -> f64;

    fn is_finite(&self) -> bool;

    /// Replaces the values of a property if none of them is finite.
    const DEFAULT: Self;
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
        // Relative to the scale, because ufbx scales whole scenes, for example by 0.01.
        let size = self.scale.abs().max(other.scale.abs()).max_element().max(1e-6);
        (self.translation.distance(other.translation))
            .max(angle)
            .max((self.scale - other.scale).abs().max_element() / size)
    }

    fn is_finite(&self) -> bool {
        self.is_finite()
    }

    const DEFAULT: Self = Self::IDENTITY;
}

impl KeyValue for f64 {
    fn interpolate(&self, right: &Self, part: f64) -> Self {
        self + (right - self) * part
    }

    fn distance(&self, other: &Self) -> f64 {
        (self - other).abs()
    }

    fn is_finite(&self) -> bool {
        // Weights are stored as `f32` in models.
        (*self as f32).is_finite()
    }

    const DEFAULT: Self = 0.0;
}

/// Replaces values that are infinite or NaN by the value before, or else by the first finite value.
/// Returns the number of them.
fn replace_invalid_keys<T: KeyValue>(keys: &mut [(f64, T)]) -> usize {
    let first = keys.iter().map(|key| key.1).find(|value| value.is_finite());
    let mut last = first.unwrap_or(T::DEFAULT);
    let mut count = 0;
    for (_, value) in keys {
        if value.is_finite() {
            last = *value;
        } else {
            *value = last;
            count += 1;
        }
    }
    count
}

/// Evaluates the local transform of a node.
///
/// If children do not inherit the scale of a node, ufbx moves the scale to a helper node next to
/// them. The offset of each child is multiplied by the scale of that helper. The scales of helpers
/// multiply each other if children inherit them component by component. We multiply here, because
/// ufbx multiplies by 0 if a helper has no scale property, and does not multiply pivots.
fn evaluate_transform(anim: &Anim, node: &Node, time: f64) -> Transform {
    // UFBX_TRANSFORM_FLAG_IGNORE_SCALE_HELPER and UFBX_TRANSFORM_FLAG_IGNORE_COMPONENTWISE_SCALE.
    // ufbx::TransformFlags has these constants, but does not convert to a number.
    const IGNORE_HELPERS: u32 = 1 | 2;
    let own = ufbx::evaluate_transform_flags(anim, node, time, IGNORE_HELPERS);
    let mut transform = transform(&own);
    let Some(parent) = &node.parent else { return transform };
    let inherited = || -> DVec3 {
        inherited_scale_helpers(parent).map(|helper| evaluate_scale(anim, helper, time)).product()
    };
    if node.is_scale_helper {
        transform.scale *= inherited();
    } else if let Some(helper) = &parent.scale_helper {
        transform.translation *= evaluate_scale(anim, helper, time) * inherited();
    }
    transform
}

fn evaluate_scale(anim: &Anim, helper: &Node, time: f64) -> DVec3 {
    const SCALE: &str = "Lcl Scaling";
    let has_scale = ufbx::find_prop(&helper.element.props, SCALE).is_some();
    let scale = ufbx::evaluate_prop(anim, &helper.element, SCALE, time).value_vec4;
    if has_scale { DVec3::new(scale.x, scale.y, scale.z) } else { DVec3::ONE }
}

/// Returns the helper nodes whose scales a node inherits component by component.
fn inherited_scale_helpers(node: &Node) -> impl Iterator<Item = &Node> {
    let ancestors = std::iter::successors(node.inherit_scale_node.as_deref(), |ancestor| {
        ancestor.inherit_scale_node.as_deref()
    });
    ancestors.map_while(|ancestor| ancestor.scale_helper.as_deref())
}

fn add_own_times(curve: &AnimCurve, span: Span, times: &mut Vec<KeyTime>) {
    let is_in_span = |time: f64| span.start <= time && time <= span.end();
    // A curve that repeats may jump from its last key to its first.
    let repeats = [&curve.pre_extrapolation, &curve.post_extrapolation]
        .map(|extrapolation| extrapolation.mode == ExtrapolationMode::Repeat);
    let last = curve.keyframes.len().saturating_sub(1);
    for (index, key) in curve.keyframes.iter().enumerate() {
        if is_in_span(key.time) {
            let is_repeated_end = index == 0 && repeats[0] || index == last && repeats[1];
            let may_jump = is_repeated_end || may_jump_at(curve, index);
            times.push(KeyTime { time: key.time, may_jump });
        }
    }
}

/// Adds the times of the keys that the curve repeats before its first key or after its last
/// key.
fn add_repeated_times(
    curve: &AnimCurve,
    span: Span,
    limits: &Limits,
    usage: &mut Usage,
    times: &mut Vec<KeyTime>,
) {
    let (first, last) = (curve.min_time, curve.max_time);
    let period = last - first;
    for (extrapolation, is_after) in
        [(&curve.pre_extrapolation, false), (&curve.post_extrapolation, true)]
    {
        let repeats = matches!(
            extrapolation.mode,
            ExtrapolationMode::Repeat
                | ExtrapolationMode::Mirror
                | ExtrapolationMode::RepeatRelative
        );
        if !(repeats && period > 0.0 && period.is_finite()) {
            continue;
        }
        // Count the repetitions away from the keys, so that repetition 0 is next to the keys.
        let (distance_to_span, distance_past_span) = match is_after {
            true => (span.start - last, span.end() - last),
            false => (first - span.end(), first - span.start),
        };
        let from = (distance_to_span / period).floor().max(0.0);
        let count = extrapolation.repeat_count;
        let count = if count < 0 { f64::INFINITY } else { f64::from(count) };
        let until = ((distance_past_span / period).floor() + 1.0).min(count);
        let mut repetition = from;
        while repetition < until {
            if !usage.use_shared_times(curve.keyframes.len(), limits) {
                return;
            }
            let mirrors =
                extrapolation.mode == ExtrapolationMode::Mirror && repetition % 2.0 == 0.0;
            let shift = (repetition + 1.0) * if is_after { period } else { -period };
            let from_source = |time: f64| match mirrors {
                true => first + last - time + shift,
                false => time + shift,
            };
            for (index, key) in curve.keyframes.iter().enumerate() {
                let is_end = index == 0 || index + 1 == curve.keyframes.len();
                let may_jump = is_end || may_jump_at(curve, index);
                times.push(KeyTime { time: from_source(key.time), may_jump });
            }
            repetition += 1.0;
        }
    }
}

/// Returns `true` if the value may jump at a key: next to a constant segment, and at two keys with
/// the same time.
fn may_jump_at(curve: &AnimCurve, index: usize) -> bool {
    let keys = &curve.keyframes;
    let is_constant = |index: usize| {
        let constant = [Interpolation::ConstantPrev, Interpolation::ConstantNext];
        keys.get(index).is_some_and(|key| constant.contains(&key.interpolation))
    };
    let is_same_time =
        |other: usize| keys.get(other).is_some_and(|key| key.time == keys[index].time);
    let before = index.checked_sub(1);
    is_constant(index)
        || is_same_time(index + 1)
        || before.is_some_and(|before| is_constant(before) || is_same_time(before))
}
