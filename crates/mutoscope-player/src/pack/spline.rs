//! Fits cubic splines through some of a curve's keys.
//!
//! A spline has the same slope and the same bend (second derivative) on both sides of a knot, except at corners, where
//! the slope may jump. In the first and the last segment between two corners the bend is constant, so two corners next
//! to each other are joined by a straight line. The knots alone determine the curve, and the player computes the bends
//! again.

use glam::{DQuat, DVec3, DVec4};
use mutoscope_core::export::traced::{Interpolate, Key, SegmentKind};

use super::quantise::{Quantise, Stored};

/// A value whose components follow cubic polynomials between knots.
pub(super) trait Smooth: Interpolate {
    fn to_vector(self) -> DVec4;

    fn from_vector(vector: DVec4) -> Self;

    /// Returns the limit of [`Self::is_near`] for values that are at most `distance` apart.
    fn limit(distance: f64) -> f64;

    /// Returns the length of the difference of the vectors of two values that are `distance` apart.
    fn vector_length(distance: f64) -> f64;

    /// Returns `true` if the value of `vector` is near `other`, the vector of a value.
    fn is_near(vector: DVec4, other: DVec4, limit: f64) -> bool;
}

impl Smooth for DVec3 {
    fn to_vector(self) -> DVec4 {
        self.extend(0.0)
    }

    fn from_vector(vector: DVec4) -> Self {
        vector.truncate()
    }

    /// Returns the square of `distance`, so that comparing takes no square root.
    fn limit(distance: f64) -> f64 {
        distance * distance
    }

    fn vector_length(distance: f64) -> f64 {
        distance
    }

    fn is_near(vector: DVec4, other: DVec4, limit: f64) -> bool {
        vector.distance_squared(other) <= limit
    }
}

impl Smooth for DQuat {
    fn to_vector(self) -> DVec4 {
        self.into()
    }

    fn from_vector(vector: DVec4) -> Self {
        Self::from_vec4(vector).normalize()
    }

    /// Returns the squared cosine of half of the angle, so that comparing takes no square root.
    fn limit(distance: f64) -> f64 {
        (0.5 * distance).cos().powi(2)
    }

    fn vector_length(angle: f64) -> f64 {
        0.5 * angle
    }

    fn is_near(vector: DVec4, other: DVec4, limit: f64) -> bool {
        vector.dot(other).powi(2) >= limit * vector.length_squared()
    }
}

/// A spline through knots. Its values are those that the player will compute.
#[derive(Clone, Debug)]
pub(super) struct Spline<T> {
    pub(super) times: Vec<f64>,
    values: Vec<T>,
    /// The second derivative at the start and at the end of each segment.
    bends: Vec<[DVec4; 2]>,
}

impl<T: Smooth> Spline<T> {
    /// Creates the spline through `values` at `times`, which ascend. `corners` has the indices of
    /// the knots at which the slope may jump, in ascending order.
    pub(super) fn new(times: Vec<f64>, values: Vec<T>, corners: &[usize]) -> Self {
        let last = times.len() - 1;
        let mut bends = vec![[DVec4::ZERO; 2]; last];
        let mut from = 0;
        for &corner in corners.iter().chain([&last]) {
            if corner > from + 1 {
                set_bends(&times[from..=corner], &values[from..=corner], &mut bends[from..corner]);
            }
            from = corner;
        }
        Self { times, values, bends }
    }

    pub(super) fn value_at(&self, time: f64) -> T {
        let after = self.times.partition_point(|known| *known <= time);
        let Some(segment) = after.checked_sub(1) else { return self.values[0] };
        match segment == self.bends.len() {
            true => self.values[segment],
            false => self.segment_value(segment, time),
        }
    }

    fn segment_value(&self, segment: usize, time: f64) -> T {
        match self.is_straight(segment) {
            true => self.line_value(segment, time),
            false => T::from_vector(self.cubic(segment).evaluate(time)),
        }
    }

    fn is_straight(&self, segment: usize) -> bool {
        self.bends[segment] == [DVec4::ZERO; 2]
    }

    fn line_value(&self, segment: usize, time: f64) -> T {
        let length = self.times[segment + 1] - self.times[segment];
        let part = (time - self.times[segment]) / length;
        self.values[segment].interpolate(self.values[segment + 1], part)
    }

    /// Returns `true` if all `samples` are near a segment. Begins in the middle, where a segment is
    /// most likely too far from the samples.
    fn is_near(&self, segment: usize, samples: &[(f64, DVec4)], limit: f64) -> bool {
        let is_straight = self.is_straight(segment);
        let cubic = self.cubic(segment);
        let (before, after) = samples.split_at(samples.len() / 2);
        for half in [after, before] {
            for &(time, sample) in half {
                let value = match is_straight {
                    true => self.line_value(segment, time).to_vector(),
                    false => cubic.evaluate(time),
                };
                if !T::is_near(value, sample, limit) {
                    return false;
                }
            }
        }
        true
    }

    fn cubic(&self, segment: usize) -> Cubic {
        let length = self.times[segment + 1] - self.times[segment];
        let [start_bend, end_bend] = self.bends[segment];
        Cubic {
            from: self.times[segment],
            inverse_length: 1.0 / length,
            start: self.values[segment].to_vector(),
            end: self.values[segment + 1].to_vector(),
            start_bend: start_bend * (length * length / 6.0),
            end_bend: end_bend * (length * length / 6.0),
        }
    }
}

/// A segment of a spline. The bends are multiplied by a sixth of the squared length.
struct Cubic {
    from: f64,
    inverse_length: f64,
    start: DVec4,
    end: DVec4,
    start_bend: DVec4,
    end_bend: DVec4,
}

impl Cubic {
    fn evaluate(&self, time: f64) -> DVec4 {
        let part = (time - self.from) * self.inverse_length;
        let rest = 1.0 - part;
        self.start * rest
            + self.end * part
            + self.start_bend * (rest * rest * rest - rest)
            + self.end_bend * (part * part * part - part)
    }
}

/// Computes the bends of a part without corners. It has at least three knots.
///
/// The slopes on both sides of each inner knot are equal, which gives a tridiagonal system. It is
/// solved by elimination.
fn set_bends<T: Smooth>(times: &[f64], values: &[T], bends: &mut [[DVec4; 2]]) {
    let last = times.len() - 1;
    let length = |segment: usize| times[segment + 1] - times[segment];
    // Multiply vectors by reciprocals, because divisions are slow.
    let slope = |segment: usize| {
        (values[segment + 1].to_vector() - values[segment].to_vector()) * length(segment).recip()
    };
    let mut knot_bends = vec![DVec4::ZERO; last + 1];
    let mut factors = vec![0.0; last + 1];
    let mut slope_before = slope(0);
    for knot in 1..last {
        let [before, after] = [length(knot - 1), length(knot)];
        let slope_after = slope(knot);
        let mut diagonal = 2.0 * (before + after);
        // The bend of the first and of the last segment is constant.
        diagonal += if knot == 1 { before } else { -before * factors[knot - 1] };
        diagonal += if knot == last - 1 { after } else { 0.0 };
        let reciprocal = diagonal.recip();
        factors[knot] = after * reciprocal;
        let eliminated = if knot == 1 { DVec4::ZERO } else { knot_bends[knot - 1] * before };
        knot_bends[knot] = (6.0 * (slope_after - slope_before) - eliminated) * reciprocal;
        slope_before = slope_after;
    }
    for knot in (1..last - 1).rev() {
        let next = knot_bends[knot + 1];
        knot_bends[knot] -= next * factors[knot];
    }
    knot_bends[0] = knot_bends[1];
    knot_bends[last] = knot_bends[last - 1];
    bends.iter_mut().enumerate().for_each(|(segment, bends)| {
        *bends = [knot_bends[segment], knot_bends[segment + 1]];
    });
}

/// A spline through some keys of a curve, as it is stored.
#[derive(Debug)]
pub(super) struct Fit<T> {
    pub(super) spline: Spline<T>,
    /// The indices of corners among the knots.
    pub(super) corners: Vec<usize>,
    /// The values of the knots, rounded as the page stores them.
    pub(super) knots: Vec<Stored<T>>,
}

/// Points of the original curve, with which a spline is compared. There are several between two keys.
struct Samples {
    /// The index of the sample at each key.
    at_keys: Vec<usize>,
    values: Vec<(f64, DVec4)>,
}

impl Samples {
    /// Samples the curve through `keys`, whose stored times are `times`. `unit` is the length of
    /// their unit in seconds.
    fn new<T: Smooth>(keys: &[Key<T>], times: &[f64], unit: f64) -> Self {
        /// The largest gap between two samples, in seconds. Each segment has at least two samples,
        /// because a spline differs most from a short line in its middle.
        const MAX_GAP_S: f64 = 0.033;
        const MAX_SAMPLES_PER_SEGMENT: f64 = 16.0;
        let mut at_keys = Vec::with_capacity(keys.len());
        let mut values = Vec::with_capacity(2 * keys.len());
        for (index, key) in keys.iter().enumerate() {
            at_keys.push(values.len());
            values.push((times[index], key.value.to_vector()));
            let Some(next) = keys.get(index + 1) else { break };
            let length = times[index + 1] - times[index];
            let parts = (length * unit / MAX_GAP_S).ceil().clamp(2.0, MAX_SAMPLES_PER_SEGMENT);
            // The middle of an arc needs no sine, which saves most of the time of dense keys.
            if parts == 2.0 {
                let middle = T::from_vector(0.5 * (key.value.to_vector() + next.value.to_vector()));
                values.push((times[index] + 0.5 * length, middle.to_vector()));
                continue;
            }
            for step in 1..parts as u32 {
                let part = f64::from(step) / parts;
                let value = key.value.interpolate(next.value, part).to_vector();
                values.push((times[index] + length * part, value));
            }
        }
        Self { at_keys, values }
    }

    fn between(&self, from: usize, to: usize) -> &[(f64, DVec4)] {
        &self.values[self.at_keys[from]..self.at_keys[to]]
    }
}

/// Finds the ends of the segments from which a smooth curve through the same keys would differ by
/// more than `tolerance`.
fn find_corners<T: Smooth>(keys: &[Key<T>], times: &[f64], tolerance: f64) -> Vec<bool> {
    let mut is_corner = vec![false; keys.len()];
    let length = |segment: usize| times[segment + 1] - times[segment];
    let slope = |segment: usize| {
        (keys[segment + 1].value.to_vector() - keys[segment].value.to_vector()) / length(segment)
    };
    let limit = 8.0 * T::vector_length(tolerance);
    let mut before = slope(0);
    for key in 1..keys.len() - 1 {
        let after = slope(key);
        let bend = 2.0 * (after - before).length() / (length(key - 1) + length(key));
        // A parabola is furthest from its chord in the middle: bend · length² / 8.
        for segment in [key - 1, key] {
            if bend * length(segment).powi(2) > limit {
                is_corner[segment] = true;
                is_corner[segment + 1] = true;
            }
        }
        before = after;
    }
    is_corner
}

/// Chooses the knots of a spline that is within `tolerance` of the curve through `keys`.
///
/// `times` has the stored times of the keys, and `unit` the length of their unit in seconds. Values
/// are rounded to multiples of `step`. At first a few keys are knots. Where the spline is too far from
/// the curve, the key in the middle of the segment becomes a knot.
/// Two adjacent keys become corners.
///
/// Returns `None` if the curve has steps, if the keys are too few, or if a spline needs more than
/// `max_knots`.
pub(super) fn fit<T: Smooth + Quantise>(
    keys: &[Key<T>],
    times: &[f64],
    unit: f64,
    tolerance: f64,
    max_knots: usize,
    step: f64,
) -> Option<Fit<T>> {
    const MIN_KEYS: usize = 8;
    const FIRST_STRIDE: usize = 32;
    /// The share of the tolerance that [`find_corners`] gets. The rest is for rounding the values.
    const CORNER_SHARE: f64 = 0.8;
    const MAX_ROUNDS: usize = 24;
    let has_steps = keys.iter().any(|key| key.segment == SegmentKind::Hold);
    let ascends = times.windows(2).all(|pair| pair[0] < pair[1]);
    if has_steps || !ascends || keys.len() < MIN_KEYS || max_knots < MIN_KEYS / 2 {
        return None;
    }
    let samples = Samples::new(keys, times, unit);
    let is_corner = find_corners(keys, times, CORNER_SHARE * tolerance);
    let is_near = vec![false; keys.len()];
    let mut refinement = Refinement { samples, is_corner, is_near };
    let limit = T::limit(tolerance);
    let first_knots = (0..keys.len()).filter(|key| {
        key % FIRST_STRIDE == 0 || key + 1 == keys.len() || refinement.is_corner[*key]
    });
    // Refine each part between two corners on its own, one after the other, because the stored value
    // of a knot may depend on those before it.
    let mut parts: Vec<_> =
        refinement.split_at_corners(first_knots).into_iter().map(|part| (part, 0)).collect();
    let mut indices = vec![0];
    let mut knots = vec![keys[0].value.quantise(None, step)];
    while let Some((part, round)) = parts.pop() {
        let first = knots.len() - 1;
        for &index in &part[1..] {
            knots.push(keys[index].value.quantise(knots.last(), step));
        }
        let values = knots[first..].iter().map(|knot| knot.read).collect();
        let part_times = part.iter().map(|&index| times[index]).collect();
        let spline = Spline::new(part_times, values, &[]);
        match refinement.refine(&spline, &part, limit) {
            None => indices.extend_from_slice(&part[1..]),
            Some(refined) if round < MAX_ROUNDS => {
                knots.truncate(first + 1);
                let refined = refinement.split_at_corners(refined.into_iter());
                parts.extend(refined.into_iter().map(|part| (part, round + 1)));
            }
            Some(_) => return None,
        }
        if knots.len() > max_knots {
            return None;
        }
    }
    let is_corner = |knot: &usize| refinement.is_corner[indices[*knot]];
    let corners: Vec<usize> = (0..indices.len()).filter(is_corner).collect();
    let knot_times = indices.iter().map(|&index| times[index]).collect();
    let values = knots.iter().map(|knot| knot.read).collect();
    Some(Fit { spline: Spline::new(knot_times, values, &corners), corners, knots })
}

struct Refinement {
    samples: Samples,
    is_corner: Vec<bool>,
    /// Whether the segment that starts at a key was near the curve, and hardly changed since.
    is_near: Vec<bool>,
}

impl Refinement {
    /// Adds a knot in each segment of `spline` that is too far from the curve. The ends of a segment
    /// between adjacent keys become corners instead. Returns `None` if no segment is too far.
    fn refine<T: Smooth>(
        &mut self,
        spline: &Spline<T>,
        knots: &[usize],
        limit: f64,
    ) -> Option<Vec<usize>> {
        /// The number of segments on each side that a new knot changes. Its effect falls by a factor
        /// of about 0.27 from segment to segment.
        const CHANGED_SEGMENTS: usize = 3;
        let (unchanged, changed): (Vec<usize>, Vec<usize>) =
            (0..knots.len() - 1).partition(|segment| self.is_near[knots[*segment]]);
        let mut far = self.find_far(spline, knots, changed, limit);
        if far.is_empty() {
            // Check the other segments again, because rounding and distant new knots moved them
            // slightly since they were near.
            far = self.find_far(spline, knots, unchanged, limit);
        }
        if far.is_empty() {
            return None;
        }
        let mut refined = knots.to_vec();
        for &segment in &far {
            let [from, to] = [knots[segment], knots[segment + 1]];
            match to - from {
                1 => [from, to].into_iter().for_each(|key| self.is_corner[key] = true),
                _ => refined.push(from.midpoint(to)),
            }
            let first = segment.saturating_sub(CHANGED_SEGMENTS);
            for &knot in knots.iter().take(segment + CHANGED_SEGMENTS + 1).skip(first) {
                self.is_near[knot] = false;
            }
        }
        refined.sort_unstable();
        Some(refined)
    }

    /// Returns those of `segments` that are too far from the curve.
    fn find_far<T: Smooth>(
        &mut self,
        spline: &Spline<T>,
        knots: &[usize],
        mut segments: Vec<usize>,
        limit: f64,
    ) -> Vec<usize> {
        segments.retain(|&segment| {
            let [from, to] = [knots[segment], knots[segment + 1]];
            // Between two adjacent keys that are corners, the spline is the curve's own line.
            let is_near = to - from == 1 && self.is_corner[from] && self.is_corner[to]
                || spline.is_near(segment, self.samples.between(from, to), limit);
            self.is_near[from] = is_near;
            !is_near
        });
        segments
    }

    /// Splits knots at corners, and returns the last part first. Adjacent parts share the corner
    /// between them.
    fn split_at_corners(&self, knots: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        for knot in knots {
            part.push(knot);
            if self.is_corner[knot] && part.len() > 1 {
                parts.push(std::mem::replace(&mut part, vec![knot]));
            }
        }
        if part.len() > 1 {
            parts.push(part);
        }
        parts.reverse();
        parts
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use glam::EulerRot;
    use mutoscope_core::export::traced::KeyedCurve;

    use super::*;

    fn keys(count: u32, value: impl Fn(f64) -> DVec3) -> (Vec<Key<DVec3>>, Vec<f64>) {
        let times: Vec<f64> = (0..count).map(|index| f64::from(index) / 60.0).collect();
        let key = |&time: &f64| Key { time, value: value(time), segment: SegmentKind::Linear };
        (times.iter().map(key).collect(), times)
    }

    fn fit_points(keys: &[Key<DVec3>], times: &[f64], tolerance: f64) -> Option<Fit<DVec3>> {
        fit(keys, times, 1.0, tolerance, keys.len() / 2, 1e-9)
    }

    #[test]
    fn bends_solve_the_equations_of_equal_slopes() {
        // The bends m₁ and m₂ of the second and third knot follow from 5 m₁ + m₂ = 0 and
        // m₁ + 5 m₂ = −12.
        let values = [0.0, 1.0, 2.0, 1.0, -1.0].map(|value| DVec3::X * value).to_vec();
        let spline = Spline::new(vec![0.0, 1.0, 2.0, 3.0, 4.0], values, &[3]);
        let bends: Vec<_> = spline.bends.iter().map(|bends| bends.map(|bend| bend.x)).collect();
        let expected = [[0.5, 0.5], [0.5, -2.5], [-2.5, -2.5], [0.0, 0.0]];
        for (bends, expected) in bends.iter().flatten().zip(expected.iter().flatten()) {
            assert!((bends - expected).abs() < 1e-12, "{bends} instead of {expected}");
        }
        assert!((spline.value_at(1.5).x - (1.5 + 0.375 * 2.0 / 6.0)).abs() < 1e-12);
        assert_eq!(
            [spline.value_at(-1.0).x, spline.value_at(3.5).x, spline.value_at(9.0).x],
            [0.0, 0.0, -1.0]
        );
    }

    #[test]
    fn smooth_motion_needs_few_knots_and_stays_within_the_tolerance() {
        let wave = |time: f64| DVec3::new((2.0 * time).sin(), time * time, 0.3);
        let (keys, times) = keys(1200, wave);
        let fit = fit_points(&keys, &times, 1e-3).expect("a spline must save keys");
        assert!(fit.spline.times.len() < 1200 / 12 && fit.corners.is_empty(), "{fit:?}");
        for step in 0..10_000 {
            let time = times[1199] * f64::from(step) / 1e4;
            let error = fit.spline.value_at(time).distance(wave(time));
            // Between keys, the curve itself is up to 0.07 mm from the wave.
            assert!(error < 1.1e-3, "{error} at {time}");
        }
    }

    #[test]
    fn rounded_rotations_stay_within_the_tolerance() {
        const TOLERANCE: f64 = 1e-3;
        let mut random = fastrand::Rng::with_seed(3);
        let mut angle = |time: f64, speed: f64| (speed * time).sin() + 2e-4 * random.f64();
        let key = |index: u32| {
            let time = f64::from(index) / 60.0;
            let [x, y, z] = [1.0, 1.7, 2.3].map(|speed| angle(time, speed));
            let value = DQuat::from_euler(EulerRot::XYZ, x, y, z);
            Key { time, value, segment: SegmentKind::Linear }
        };
        let keys: Vec<Key<DQuat>> = (0..1200).map(key).collect();
        let times: Vec<f64> = keys.iter().map(|key| key.time).collect();
        let step = DQuat::grid_step(iter::empty(), 0.6 * TOLERANCE);
        let fit = fit(&keys, &times, 1.0, TOLERANCE, 900, step).expect("a spline must save keys");
        assert!(fit.knots.len() > 50 && fit.knots.len() < 600, "{}", fit.knots.len());
        let curve = KeyedCurve::new(keys);
        let mut largest_error = 0.0_f64;
        for sample in 0..10_000 {
            let time = times[1199] * f64::from(sample) / 1e4;
            let expected = curve.value_at(time);
            largest_error = largest_error.max(fit.spline.value_at(time).distance(expected));
        }
        // The curve is compared at its keys and in the middle between them.
        assert!(
            largest_error > 0.5 * TOLERANCE && largest_error < 1.01 * TOLERANCE,
            "{largest_error}"
        );
        for (knot, time) in fit.knots.iter().zip(&fit.spline.times) {
            assert!(knot.read.distance(fit.spline.value_at(*time)) < 1e-12, "{time}");
        }
    }

    #[test]
    fn sudden_turn_becomes_a_corner() {
        let (keys, times) = keys(600, |time| DVec3::X * (time - 5.0).abs());
        let fit = fit_points(&keys, &times, 1e-3).expect("a spline must save keys");
        let mut corners = fit.corners.iter().map(|&corner| fit.spline.times[corner]);
        assert!(corners.any(|time| time == times[300]), "{fit:?}");
        assert!(fit.spline.times.len() < 60, "{fit:?}");
    }

    #[test]
    fn noise_and_steps_are_refused() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut keys, times) = keys(600, |time| DVec3::X * time);
        keys.iter_mut().for_each(|key| key.value.y = random.f64());
        assert!(fit_points(&keys, &times, 1e-3).is_none());
        keys.iter_mut().for_each(|key| key.value.y = 0.0);
        assert!(fit_points(&keys, &times, 1e-3).is_some());
        keys[300].segment = SegmentKind::Hold;
        assert!(fit_points(&keys, &times, 1e-3).is_none());
    }
}
