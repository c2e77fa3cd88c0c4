//! Curves whose keys are linear or held.

use glam::{DQuat, DVec3};

use super::TimeSteps;
use crate::clip::Blend;

/// The largest rotation between adjacent keys, in radians. Blender and MRTK interpolate the
/// components of quaternions. Up to this angle, the result is within 10⁻⁵ rad of a slerp.
pub(super) const MAX_TURN_RAD: f64 = 0.1;

/// The time from an extra key to the jump that follows it, in seconds. The extra key keeps the jump
/// steep in Blender. Blender merges keys that are closer than a hundredth of a frame, so the two
/// keys of the jump become one key.
const JUMP_LEAD_S: f64 = 1e-3;

/// A value that can be interpolated.
pub trait Interpolate: Copy + PartialEq {
    /// `true` for types without intermediate values. Such a value holds until it changes.
    const IS_STATE: bool = false;

    /// Interpolates linearly from this value to `next`. `part` is the fraction from 0 to 1. Export
    /// targets interpolate in the same way.
    fn interpolate(self, next: Self, part: f64) -> Self;

    /// Returns the distance to `other`. The unit is metres, radians or a factor, depending on the
    /// channel.
    fn distance(self, other: Self) -> f64;

    /// Returns the absolute value of the largest component. Rounding errors are proportional to
    /// this magnitude.
    fn magnitude(self) -> f64;

    /// Returns `true` if every component is finite.
    fn is_finite(self) -> bool;
}

impl Interpolate for DVec3 {
    fn interpolate(self, next: Self, part: f64) -> Self {
        self.lerp(next, part)
    }

    fn distance(self, other: Self) -> f64 {
        DVec3::distance(self, other)
    }

    fn magnitude(self) -> f64 {
        self.abs().max_element()
    }

    fn is_finite(self) -> bool {
        DVec3::is_finite(self)
    }
}

impl Interpolate for DQuat {
    fn interpolate(self, next: Self, part: f64) -> Self {
        Self::from_vec4(Blend::ShortSlerp.interpolate(self.into(), next.into(), part))
    }

    fn distance(self, other: Self) -> f64 {
        // Use asin of the chord, because acos of the dot product is not accurate for small angles.
        let apart = (self - other).length().min((self + other).length());
        4.0 * (0.5 * apart).min(1.0).asin()
    }

    fn magnitude(self) -> f64 {
        1.0
    }

    fn is_finite(self) -> bool {
        DQuat::is_finite(self)
    }
}

macro_rules! impl_interpolate_for_states {
    ($($state:ty),*) => {$(
        impl Interpolate for $state {
            const IS_STATE: bool = true;

            fn interpolate(self, _: Self, _: f64) -> Self {
                self
            }

            fn distance(self, other: Self) -> f64 {
                f64::from(u8::from(self != other))
            }

            fn magnitude(self) -> f64 {
                1.0
            }

            fn is_finite(self) -> bool {
                true
            }
        }
    )*};
}

// A signal is `None` where it has no value.
impl_interpolate_for_states!(bool, Option<bool>);

/// The interpolation from a key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// Linear interpolation.
    Linear,
    /// The value of the key holds until the next key.
    Hold,
    /// The value is the same at the next key. Linear interpolation and holding give the same
    /// result.
    Constant,
}

/// A key of a [`KeyedCurve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<T> {
    /// The time in seconds.
    pub time: f64,
    /// The value.
    pub value: T,
    /// The interpolation to the next key.
    pub segment: SegmentKind,
}

/// A curve of linear and held keys.
///
/// # Invariants
/// A curve has at least one key. Times ascend and are unique.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedCurve<T> {
    keys: Vec<Key<T>>,
}

impl<T: Interpolate> KeyedCurve<T> {
    /// Creates the curve through `keys`.
    ///
    /// # Panics
    /// Panics if `keys` is empty.
    pub fn new(keys: Vec<Key<T>>) -> Self {
        assert!(!keys.is_empty(), "a curve has keys");
        Self { keys }
    }

    /// Creates a constant curve.
    pub fn constant(value: T) -> Self {
        Self { keys: vec![Key { time: 0.0, value, segment: SegmentKind::Constant }] }
    }

    /// Returns the keys, in the order of time.
    pub fn keys(&self) -> &[Key<T>] {
        &self.keys
    }

    /// Returns the value of the first key.
    pub fn first_value(&self) -> T {
        self.keys[0].value
    }

    /// Returns `true` if the value never changes.
    pub fn is_constant(&self) -> bool {
        self.keys.iter().all(|key| key.value == self.first_value())
    }

    /// Returns `true` if the value only changes in steps.
    pub fn is_stepped(&self) -> bool {
        let next = self.keys.iter().skip(1);
        let holds = |(key, next): (&Key<T>, &Key<T>)| {
            key.segment != SegmentKind::Linear || key.value == next.value
        };
        self.keys.iter().zip(next).all(holds)
    }

    /// Returns the value at `time`, in seconds.
    pub fn value_at(&self, time: f64) -> T {
        let after = self.keys.partition_point(|key| key.time <= time);
        let Some(left) = after.checked_sub(1).map(|left| self.keys[left]) else {
            return self.first_value();
        };
        match (left.segment, self.keys.get(after)) {
            (SegmentKind::Linear, Some(right)) => {
                let part = (time - left.time) / (right.time - left.time);
                if part == 0.0 { left.value } else { left.value.interpolate(right.value, part) }
            }
            _ => left.value,
        }
    }

    /// Removes the keys that are not needed to keep the error within `tolerance`. If no value
    /// differs from the first value by more than `tolerance`, the curve becomes constant.
    pub fn simplified(&self, tolerance: f64) -> Self {
        /// The maximum number of consecutive keys that are removed, so that the work grows linearly
        /// with the number of keys.
        const MAX_SKIPPED_KEYS: usize = 64;
        let is_near = |key: &Key<T>| key.value.distance(self.first_value()) <= tolerance;
        if self.keys.iter().all(is_near) {
            return Self::constant(self.first_value());
        }
        let mut keys = Vec::new();
        let mut at = 0;
        while let Some(&key) = self.keys.get(at) {
            // Find the last key that a straight line from this key can reach within the tolerance.
            let mut next = at + 1;
            while next + 1 < self.keys.len()
                && next - at < MAX_SKIPPED_KEYS
                && key.segment != SegmentKind::Hold
                && self.keys[next].segment != SegmentKind::Hold
                && self.is_straight(at, next + 1, tolerance)
            {
                next += 1;
            }
            let segment = if next > at + 1 { SegmentKind::Linear } else { key.segment };
            keys.push(Key { segment, ..key });
            at = next;
        }
        Self { keys }
    }

    fn is_straight(&self, from: usize, to: usize, tolerance: f64) -> bool {
        let (start, end) = (self.keys[from], self.keys[to]);
        self.keys[from + 1..to].iter().all(|key| {
            let part = (key.time - start.time) / (end.time - start.time);
            key.value.distance(start.value.interpolate(end.value, part)) <= tolerance
        })
    }

    /// Converts all values with `change`. Times and interpolation stay.
    pub fn map<U: Interpolate>(&self, change: impl Fn(T) -> U) -> KeyedCurve<U> {
        let key =
            |key: &Key<T>| Key { time: key.time, value: change(key.value), segment: key.segment };
        KeyedCurve { keys: self.keys.iter().map(key).collect() }
    }

    /// Inserts a key a millisecond before each jump, unless another key is shortly before the jump.
    /// Programs that ignore held keys then show a steep slope instead of a slow one.
    pub(super) fn with_steep_jumps(&self) -> Self {
        let own = &self.keys;
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
                    keys.insert(insert_at, Key { time, value: self.value_at(time), ..before });
                }
            }
            keys.push(key);
        }
        Self { keys }
    }
}

impl KeyedCurve<DQuat> {
    /// Negates quaternions so that each lies in the same hemisphere as its predecessor. The
    /// rotations do not change.
    pub fn with_continuous_signs(mut self) -> Self {
        let mut before = self.first_value();
        for key in &mut self.keys {
            if before.dot(key.value) < 0.0 {
                key.value = -key.value;
            }
            before = key.value;
        }
        self
    }
}

impl KeyedCurve<DQuat> {
    /// Inserts keys wherever adjacent keys differ by more than `max_turn` radians. Inserted keys
    /// are at least `min_gap` seconds apart.
    pub fn with_max_turn(&self, max_turn: f64, min_gap: f64) -> Self {
        let mut keys = Vec::with_capacity(self.keys.len());
        // Rotations that differ by α have quaternions with a chord of 2 sin(α / 4). Most keys are
        // much closer, so that they need no arc sine.
        let near_chord = 1.9 * (0.25 * max_turn).sin();
        let is_near =
            |from: DQuat, to: DQuat| (to - from).length_squared() < near_chord * near_chord;
        for (index, key) in self.keys.iter().enumerate() {
            keys.push(*key);
            let Some(next) = self.keys.get(index + 1) else { continue };
            if key.segment != SegmentKind::Linear || is_near(key.value, next.value) {
                continue;
            }
            // The number of parts is small, because adjacent keys differ by at most half a turn.
            let parts = (key.value.distance(next.value) / max_turn).ceil();
            let parts = parts.min((next.time - key.time) / min_gap).max(1.0) as u32;
            keys.extend((1..parts).map(|step| {
                let part = f64::from(step) / f64::from(parts);
                let time = key.time + (next.time - key.time) * part;
                Key { time, value: key.value.interpolate(next.value, part), segment: key.segment }
            }));
        }
        Self { keys }.with_continuous_signs()
    }
}

impl KeyedCurve<DVec3> {
    /// Sets the value to zero while `shown` is false, for targets that can hide a node by its scale
    /// only.
    pub(super) fn zero_while_hidden(&self, shown: &KeyedCurve<bool>, steps: TimeSteps) -> Self {
        if shown.is_constant() && shown.first_value() {
            return self.clone();
        }
        let mut times: Vec<f64> = self.keys.iter().map(|key| key.time).collect();
        times.extend(shown.keys.iter().map(|key| key.time));
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut keys = Vec::with_capacity(times.len());
        for (index, &time) in times.iter().enumerate() {
            let is_shown = shown.value_at(time);
            let value = if is_shown { self.value_at(time) } else { DVec3::ZERO };
            let left = self.keys.partition_point(|key| key.time <= time).saturating_sub(1);
            let is_linear =
                is_shown && self.keys[left].segment == SegmentKind::Linear && !self.is_constant();
            keys.push(Key {
                time,
                value,
                segment: if is_linear { SegmentKind::Linear } else { SegmentKind::Hold },
            });
            let Some(&next) = times.get(index + 1) else { continue };
            let last = next - steps.step_within(time, next);
            if is_linear && !shown.value_at(next) && last > time {
                keys.push(Key {
                    time: last,
                    value: self.value_at(last),
                    segment: SegmentKind::Hold,
                });
            }
        }
        Self { keys }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<T>(time: f64, value: T, segment: SegmentKind) -> Key<T> {
        Key { time, value, segment }
    }

    #[test]
    fn keyed_curve_is_linear_or_stepped() {
        let x = |x: f64| DVec3::X * x;
        let curve = KeyedCurve::new(vec![
            key(1.0, x(0.0), SegmentKind::Linear),
            key(2.0, x(4.0), SegmentKind::Hold),
            key(3.0, x(9.0), SegmentKind::Constant),
        ]);
        let cases = [(0.0, 0.0), (1.0, 0.0), (1.25, 1.0), (2.0, 4.0), (2.9, 4.0), (3.5, 9.0)];
        for (time, expected) in cases {
            assert_eq!(curve.value_at(time), x(expected), "{time}");
        }
        assert!(!curve.is_stepped() && !curve.is_constant());
    }

    #[test]
    fn turns_are_divided_evenly() {
        let rotation = DQuat::from_rotation_y;
        let curve = KeyedCurve::new(vec![
            key(0.0, rotation(0.0), SegmentKind::Linear),
            key(1.0, rotation(0.95), SegmentKind::Hold),
            key(2.0, rotation(2.5), SegmentKind::Linear),
            key(3.0, rotation(2.55), SegmentKind::Constant),
        ]);
        assert_eq!(curve.with_max_turn(0.1, 0.3).keys().len(), 4 + 2);
        let divided = curve.with_max_turn(0.1, 1e-3);
        assert_eq!(divided.keys().len(), 4 + 9);
        for step in 0..300 {
            let time = f64::from(step) * 0.01;
            assert!(divided.value_at(time).distance(curve.value_at(time)) < 1e-9, "{time}");
        }
        // Blender interpolates quaternions component by component. The error of that must stay
        // below 10⁻⁵ rad.
        for pair in divided.keys().windows(2).filter(|pair| pair[0].segment == SegmentKind::Linear)
        {
            for part in [0.2, 0.4, 0.8] {
                let (from, to) = (pair[0].value, pair[1].value);
                let blended = (from * (1.0 - part) + to * part).normalize();
                assert!(blended.distance(from.interpolate(to, part)) < 1e-5);
            }
        }
    }

    #[test]
    fn simplified_curves_stay_within_the_tolerance() {
        let mut keys: Vec<_> = (0..400)
            .map(|index| {
                let time = f64::from(index) * 0.05;
                key(time, DVec3::X * time.sin(), SegmentKind::Linear)
            })
            .collect();
        // Hold one key, to check that the jump after it is kept.
        keys[100].segment = SegmentKind::Hold;
        let curve = KeyedCurve::new(keys);
        let simple = curve.simplified(1e-2);
        assert!(simple.keys().len() < 60, "{}", simple.keys().len());
        let steps = (0..4000).map(|step| f64::from(step) * 0.005);
        let off = steps
            .map(|time| simple.value_at(time).distance(curve.value_at(time)))
            .fold(0.0, f64::max);
        assert!(off > 1e-3 && off < 1.001e-2, "{off}");
        assert_eq!(simple.value_at(5.04), curve.value_at(5.0), "it holds");
        assert_eq!(simple.keys().last(), curve.keys().last());
        assert!(curve.simplified(2.0).is_constant());
    }

    #[test]
    fn line_over_removed_keys_replaces_a_constant_segment() {
        let x = |x: f64| DVec3::X * x;
        let curve = KeyedCurve::new(vec![
            key(0.0, x(0.0), SegmentKind::Constant),
            key(1.0, x(0.0), SegmentKind::Linear),
            key(2.0, x(0.006), SegmentKind::Linear),
            key(3.0, x(1.0), SegmentKind::Constant),
        ]);
        let simple = curve.simplified(0.01);
        let times: Vec<f64> = simple.keys().iter().map(|key| key.time).collect();
        assert_eq!(times, [0.0, 2.0, 3.0]);
        assert_eq!(simple.value_at(1.0), x(0.003));
    }

    #[test]
    fn rotations_between_others_turn_evenly_the_short_way() {
        let rotation = DQuat::from_rotation_y;
        for angle in [0.0, 1e-12, 1e-6, 0.1, 1.0, 3.0] {
            for end in [rotation(0.5 + angle), -rotation(0.5 + angle)] {
                let between = rotation(0.5).interpolate(end, 0.25);
                let expected = rotation(0.5 + 0.25 * angle);
                assert!(between.abs_diff_eq(expected, 1e-14), "{angle}: {between}, {expected}");
            }
        }
    }

    #[test]
    fn distances_of_rotations_are_angles() {
        for angle in [0.0, 1e-9, 0.1, 1.0, 3.0] {
            let rotation = DQuat::from_rotation_y(angle);
            assert!((DQuat::IDENTITY.distance(rotation) - angle).abs() < 1e-12, "{angle}");
            assert!((DQuat::IDENTITY.distance(-rotation) - angle).abs() < 1e-12, "{angle}");
        }
    }

    #[test]
    fn hidden_nodes_have_zero_scale() {
        let still = KeyedCurve::constant(DVec3::ONE);
        let shown = KeyedCurve::new(vec![
            key(0.0, false, SegmentKind::Hold),
            key(1.0, true, SegmentKind::Hold),
            key(2.0, false, SegmentKind::Hold),
        ]);
        let hidden = still.zero_while_hidden(&shown, TimeSteps::single_precision(0.0));
        let at = |time| hidden.value_at(time).x;
        assert_eq!([0.0, 0.9, 1.0, 1.9, 2.0].map(at), [0.0, 0.0, 1.0, 1.0, 0.0]);
        assert!(hidden.is_stepped());
        let growing = KeyedCurve::new(vec![
            key(0.0, DVec3::ONE, SegmentKind::Linear),
            key(4.0, DVec3::splat(5.0), SegmentKind::Constant),
        ]);
        let hidden = growing.zero_while_hidden(&shown, TimeSteps::single_precision(0.0));
        let at = |time| hidden.value_at(time).x;
        assert_eq!([0.5, 1.0, 2.0, 3.0].map(at), [0.0, 2.0, 0.0, 0.0]);
        assert!((at(1.75) - 2.75).abs() < 1e-5);
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
        let steep = curve.with_steep_jumps();
        let added: Vec<f64> = steep
            .keys()
            .iter()
            .map(|key| key.time)
            .filter(|time| curve.keys().iter().all(|key| key.time != *time))
            .collect();
        let expected = [0.999_999_5 - 1e-3, 2.0 - 1e-3];
        assert_eq!(added, expected, "the last jump has a key 1.5 ms before it");
        for step in 0..3000 {
            let time = f64::from(step) * 1e-3;
            assert!(steep.value_at(time).distance(curve.value_at(time)) < 1e-9, "{time}");
        }
    }
}
