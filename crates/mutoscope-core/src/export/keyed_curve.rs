//! Curves of keys that are linear or held.

use glam::{DQuat, DVec3};

use crate::clip::Blend;

/// A value that can be interpolated.
pub trait Interpolate: Copy + PartialEq {
    /// Whether there is nothing between two of its values: it holds until it is another.
    const IS_STATE: bool = false;

    /// `part` of the way from here to `next`, as targets interpolate.
    fn between(self, next: Self, part: f64) -> Self;

    /// How far `other` is: metres, radians, or a factor.
    fn distance(self, other: Self) -> f64;

    /// Its largest absolute value, which rounding errors are relative to.
    fn magnitude(self) -> f64;

    /// Whether every number in it is finite.
    fn is_finite(self) -> bool;
}

impl Interpolate for DVec3 {
    fn between(self, next: Self, part: f64) -> Self {
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
    /// Along the shortest way, at even speed.
    fn between(self, next: Self, part: f64) -> Self {
        Self::from_vec4(Blend::ShortSlerp.between(self.into(), next.into(), part))
    }

    fn distance(self, other: Self) -> f64 {
        // Exact for small angles, other than the arc cosine of the product.
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

impl Interpolate for bool {
    const IS_STATE: bool = true;

    fn between(self, _: Self, _: f64) -> Self {
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

/// The interpolation from a key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// In a straight line.
    Linear,
    /// It holds.
    Hold,
    /// The next has the same value, so both are equal.
    Constant,
}

/// A key of a [`KeyedCurve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<T> {
    /// Seconds.
    pub time: f64,
    /// Its value.
    pub value: T,
    /// Its interpolation to the next.
    pub segment: SegmentKind,
}

/// A curve of keys.
///
/// # Invariants
/// At least one key; times ascend, and none comes twice.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedCurve<T> {
    keys: Vec<Key<T>>,
}

impl<T: Interpolate> KeyedCurve<T> {
    /// The curve through these keys.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(keys: Vec<Key<T>>) -> Self {
        assert!(!keys.is_empty(), "a curve has keys");
        Self { keys }
    }

    /// A constant curve.
    pub fn still(value: T) -> Self {
        Self { keys: vec![Key { time: 0.0, value, segment: SegmentKind::Constant }] }
    }

    /// Its keys, in the order of time.
    pub fn keys(&self) -> &[Key<T>] {
        &self.keys
    }

    /// The value of its first key.
    pub fn first(&self) -> T {
        self.keys[0].value
    }

    /// Whether it never changes.
    pub fn is_still(&self) -> bool {
        self.keys.iter().all(|key| key.value == self.first())
    }

    /// Whether it only changes in steps.
    pub fn is_stepped(&self) -> bool {
        let next = self.keys.iter().skip(1);
        let holds = |(key, next): (&Key<T>, &Key<T>)| {
            key.segment != SegmentKind::Linear || key.value == next.value
        };
        self.keys.iter().zip(next).all(holds)
    }

    /// Where it is at `time`, in seconds.
    pub fn at(&self, time: f64) -> T {
        let after = self.keys.partition_point(|key| key.time <= time);
        let Some(left) = after.checked_sub(1).map(|left| self.keys[left]) else {
            return self.first();
        };
        match (left.segment, self.keys.get(after)) {
            (SegmentKind::Linear, Some(right)) => {
                let part = (time - left.time) / (right.time - left.time);
                if part == 0.0 { left.value } else { left.value.between(right.value, part) }
            }
            _ => left.value,
        }
    }

    /// The same within `tolerance`, without the keys that it does not take: one that never leaves its
    /// first value by more is constant.
    pub fn simplified(&self, tolerance: f64) -> Self {
        /// The most keys that are skipped in a row, so that the work grows with their number only.
        const MOST: usize = 64;
        let is_near = |key: &Key<T>| key.value.distance(self.first()) <= tolerance;
        if self.keys.iter().all(is_near) {
            return Self::still(self.first());
        }
        let mut keys = Vec::new();
        let mut at = 0;
        while let Some(&key) = self.keys.get(at) {
            // How far a straight line can go from here.
            let mut next = at + 1;
            while next + 1 < self.keys.len()
                && next - at < MOST
                && self.keys[at..=next].iter().all(|key| key.segment != SegmentKind::Hold)
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

    /// Whether all keys between two are within `tolerance` of the line between these.
    fn is_straight(&self, from: usize, to: usize, tolerance: f64) -> bool {
        let (start, end) = (self.keys[from], self.keys[to]);
        self.keys[from + 1..to].iter().all(|key| {
            let part = (key.time - start.time) / (end.time - start.time);
            key.value.distance(start.value.between(end.value, part)) <= tolerance
        })
    }

    /// The same with other values.
    pub fn map<U: Interpolate>(&self, change: impl Fn(T) -> U) -> KeyedCurve<U> {
        let key =
            |key: &Key<T>| Key { time: key.time, value: change(key.value), segment: key.segment };
        KeyedCurve { keys: self.keys.iter().map(key).collect() }
    }
}

impl KeyedCurve<DQuat> {
    /// The same rotations, none of the other sign than the one before it.
    pub fn continuous(mut self) -> Self {
        let mut before = self.first();
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
    /// The same rotations, with keys in between where it turns by more than `most` radians from one
    /// key to the next, at least `shortest` seconds apart.
    pub fn with_turns_of(&self, most: f64, shortest: f64) -> Self {
        let mut keys = Vec::with_capacity(self.keys.len());
        for (index, key) in self.keys.iter().enumerate() {
            keys.push(*key);
            let Some(next) = self.keys.get(index + 1) else { continue };
            if key.segment != SegmentKind::Linear {
                continue;
            }
            // Never more than half a turn has.
            let parts = (key.value.distance(next.value) / most).ceil();
            let parts = parts.min((next.time - key.time) / shortest).max(1.0) as u32;
            keys.extend((1..parts).map(|step| {
                let part = f64::from(step) / f64::from(parts);
                let time = key.time + (next.time - key.time) * part;
                Key { time, value: key.value.between(next.value, part), segment: key.segment }
            }));
        }
        Self { keys }.continuous()
    }
}

impl KeyedCurve<DVec3> {
    /// The same, but zero while `shown` is false: how sizes hide what they belong to.
    pub fn hidden_unless(&self, shown: &KeyedCurve<bool>) -> Self {
        if shown.is_still() && shown.first() {
            return self.clone();
        }
        let mut times: Vec<f64> = self.keys.iter().map(|key| key.time).collect();
        times.extend(shown.keys.iter().map(|key| key.time));
        times.sort_by(f64::total_cmp);
        times.dedup();
        let mut keys = Vec::with_capacity(times.len());
        for (index, &time) in times.iter().enumerate() {
            let is_shown = shown.at(time);
            let value = if is_shown { self.at(time) } else { DVec3::ZERO };
            let left = self.keys.partition_point(|key| key.time <= time).saturating_sub(1);
            let goes_on =
                is_shown && self.keys[left].segment == SegmentKind::Linear && !self.is_still();
            keys.push(Key {
                time,
                value,
                segment: if goes_on { SegmentKind::Linear } else { SegmentKind::Hold },
            });
            let Some(&next) = times.get(index + 1) else { continue };
            let last = next - moment(next);
            if goes_on && !shown.at(next) && last > time {
                keys.push(Key { time: last, value: self.at(last), segment: SegmentKind::Hold });
            }
        }
        Self { keys }
    }
}

/// The shortest time that counts at `time`, in seconds: what single precision can tell apart.
pub(super) fn moment(time: f64) -> f64 {
    f64::from(f32::EPSILON) * time.abs().max(1.0)
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
            assert_eq!(curve.at(time), x(expected), "{time}");
        }
        assert!(!curve.is_stepped() && !curve.is_still());
    }

    #[test]
    fn turns_are_divided_evenly() {
        let turned = DQuat::from_rotation_y;
        let curve = KeyedCurve::new(vec![
            key(0.0, turned(0.0), SegmentKind::Linear),
            key(1.0, turned(0.95), SegmentKind::Hold),
            key(2.0, turned(2.5), SegmentKind::Linear),
            key(3.0, turned(2.55), SegmentKind::Constant),
        ]);
        assert_eq!(curve.with_turns_of(0.1, 0.3).keys().len(), 4 + 2);
        let divided = curve.with_turns_of(0.1, 1e-3);
        assert_eq!(divided.keys().len(), 4 + 9);
        for step in 0..300 {
            let time = f64::from(step) * 0.01;
            assert!(divided.at(time).distance(curve.at(time)) < 1e-9, "{time}");
        }
        // Interpolated number by number, as Blender has it, nothing is off by more than 10⁻⁵ rad.
        for pair in divided.keys().windows(2).filter(|pair| pair[0].segment == SegmentKind::Linear)
        {
            for part in [0.2, 0.4, 0.8] {
                let (from, to) = (pair[0].value, pair[1].value);
                let blended = (from * (1.0 - part) + to * part).normalize();
                assert!(blended.distance(from.between(to, part)) < 1e-5);
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
        // A jump that holds is kept as it is.
        keys[100].segment = SegmentKind::Hold;
        let curve = KeyedCurve::new(keys);
        let simple = curve.simplified(1e-2);
        assert!(simple.keys().len() < 60, "{}", simple.keys().len());
        let steps = (0..4000).map(|step| f64::from(step) * 0.005);
        let off = steps.map(|time| simple.at(time).distance(curve.at(time))).fold(0.0, f64::max);
        assert!(off > 1e-3 && off < 1.001e-2, "{off}");
        assert_eq!(simple.at(5.04), curve.at(5.0), "it holds");
        assert_eq!(simple.keys().last(), curve.keys().last());
        assert!(curve.simplified(2.0).is_still());
    }

    #[test]
    fn rotations_between_others_turn_evenly_the_short_way() {
        let turned = DQuat::from_rotation_y;
        for angle in [0.0, 1e-12, 1e-6, 0.1, 1.0, 3.0] {
            for end in [turned(0.5 + angle), -turned(0.5 + angle)] {
                let between = turned(0.5).between(end, 0.25);
                let expected = turned(0.5 + 0.25 * angle);
                assert!(between.abs_diff_eq(expected, 1e-14), "{angle}: {between}, {expected}");
            }
        }
    }

    #[test]
    fn distances_of_rotations_are_angles() {
        for angle in [0.0, 1e-9, 0.1, 1.0, 3.0] {
            let turned = DQuat::from_rotation_y(angle);
            assert!((DQuat::IDENTITY.distance(turned) - angle).abs() < 1e-12, "{angle}");
            assert!((DQuat::IDENTITY.distance(-turned) - angle).abs() < 1e-12, "{angle}");
        }
    }

    #[test]
    fn hidden_nodes_have_zero_scale() {
        let still = KeyedCurve::still(DVec3::ONE);
        let shown = KeyedCurve::new(vec![
            key(0.0, false, SegmentKind::Hold),
            key(1.0, true, SegmentKind::Hold),
            key(2.0, false, SegmentKind::Hold),
        ]);
        let hidden = still.hidden_unless(&shown);
        let at = |time| hidden.at(time).x;
        assert_eq!([0.0, 0.9, 1.0, 1.9, 2.0].map(at), [0.0, 0.0, 1.0, 1.0, 0.0]);
        assert!(hidden.is_stepped());
        let growing = KeyedCurve::new(vec![
            key(0.0, DVec3::ONE, SegmentKind::Linear),
            key(4.0, DVec3::splat(5.0), SegmentKind::Constant),
        ]);
        let at = |time| growing.hidden_unless(&shown).at(time).x;
        assert_eq!([0.5, 1.0, 2.0, 3.0].map(at), [0.0, 2.0, 0.0, 0.0]);
        assert!((at(1.75) - 2.75).abs() < 1e-5);
    }
}
