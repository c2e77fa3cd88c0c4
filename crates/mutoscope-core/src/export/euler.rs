//! Rotations as unwrapped Euler angles, without jumps by whole turns and without jumps in gimbal
//! lock.

use glam::{DQuat, DVec3};

use super::keyed_curve::{Interpolate as _, Key, KeyedCurve, SegmentKind};
use crate::clip::EulerOrder;

/// The maximum error of the rotation between two keys, in radians.
pub(super) const TOLERANCE: f64 = 1e-5;

const MAX_HALVINGS: u32 = 8;

/// The number of halvings for linear angles. Near gimbal lock, the angles change so fast that many
/// are needed, but only in the part of a gap that is next to the lock.
const MAX_LINEAR_HALVINGS: u32 = 14;

const MAX_ANGLES_PER_KEY: usize = 32;
const MAX_EXTRA_ANGLES: usize = 4096;

const GIMBAL_LOCK_COSINE: f64 = 1e-5;

/// The angles about X, Y and Z at one time, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EulerKey {
    pub(super) time: f64,
    pub(super) angles: DVec3,
    pub(super) in_slope: DVec3,
    /// The angular velocity after this key, in radians per second. `None` if the angles hold.
    pub(super) out_slope: Option<DVec3>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct EulerCurve {
    pub(super) keys: Vec<EulerKey>,
    /// The largest error in radians, in gaps where the cubic curves exceed the tolerance. 0 if
    /// there are none.
    pub(super) max_error: f64,
    pub(super) is_limited: bool,
}

pub(super) fn to_euler_angles(curve: &KeyedCurve<DQuat>, order: EulerOrder) -> EulerCurve {
    let keys = curve.keys();
    let mut tracer = EulerTracer::new(order, keys);
    for pair in keys.windows(2) {
        let [start, end] = [pair[0], pair[1]];
        if start.segment == SegmentKind::Linear {
            let [start, end] =
                [start, end].map(|key| RotationSample { time: key.time, rotation: key.value });
            tracer.trace_to(start, end, MAX_HALVINGS);
        } else {
            tracer.hold_until(end.time, end.value);
        }
    }
    tracer.curve
}

/// Angles about X, Y and Z in radians, with linear interpolation.
#[derive(Clone, Debug)]
pub(super) struct LinearAngles {
    pub(super) curve: KeyedCurve<DVec3>,
    /// The largest error in radians, in gaps where linear angles exceed the tolerance. 0 if there
    /// are none.
    pub(super) max_error: f64,
}

/// Converts a curve for a target that interpolates angles linearly. Keys are inserted wherever
/// linear angles differ from the rotation by more than `tolerance`, in radians.
pub(super) fn to_linear_angles(
    curve: &KeyedCurve<DQuat>,
    order: EulerOrder,
    tolerance: f64,
) -> LinearAngles {
    let own = curve.keys();
    let angles = nearest_angles(order, own[0].value, DVec3::ZERO);
    let first = Key { time: own[0].time, value: angles, segment: own[0].segment };
    let max_keys = MAX_ANGLES_PER_KEY.saturating_mul(own.len()) + MAX_EXTRA_ANGLES;
    let mut tracer = LinearTracer { order, tolerance, keys: vec![first], max_keys, max_error: 0.0 };
    for pair in own.windows(2) {
        match pair[0].segment {
            SegmentKind::Linear => tracer.trace_to(&pair[0], &pair[1], MAX_LINEAR_HALVINGS),
            SegmentKind::Hold | SegmentKind::Constant => {
                let value = nearest_angles(order, pair[1].value, tracer.last_angles());
                tracer.keys.push(Key { value, time: pair[1].time, segment: pair[1].segment });
            }
        }
    }
    LinearAngles { curve: KeyedCurve::new(tracer.keys), max_error: tracer.max_error }
}

struct LinearTracer {
    order: EulerOrder,
    tolerance: f64,
    keys: Vec<Key<DVec3>>,
    max_keys: usize,
    max_error: f64,
}

impl LinearTracer {
    fn last_angles(&self) -> DVec3 {
        self.keys[self.keys.len() - 1].value
    }

    fn trace_to(&mut self, start: &Key<DQuat>, end: &Key<DQuat>, halvings_left: u32) {
        let start_angles = self.last_angles();
        let end_angles = nearest_angles(self.order, end.value, start_angles);
        let quarters = quarter_points(start.value, end.value);
        let angles_at = |part: f64| start_angles.lerp(end_angles, part);
        let error = max_error(self.order, angles_at, quarters);
        let time = start.time + 0.5 * (end.time - start.time);
        let can_insert = halvings_left > 0
            && self.keys.len() < self.max_keys
            && start.time < time
            && time < end.time;
        if error > self.tolerance && can_insert {
            let middle = Key { time, value: quarters[1], segment: SegmentKind::Linear };
            self.trace_to(start, &middle, halvings_left - 1);
            self.trace_to(&middle, end, halvings_left - 1);
            return;
        }
        if error > self.tolerance {
            self.max_error = self.max_error.max(error);
        }
        self.keys.push(Key { time: end.time, value: end_angles, segment: end.segment });
    }
}

#[derive(Clone, Copy)]
struct RotationSample {
    time: f64,
    rotation: DQuat,
}

struct EulerTracer {
    order: EulerOrder,
    curve: EulerCurve,
    max_keys: usize,
}

impl EulerTracer {
    fn new(order: EulerOrder, keys: &[Key<DQuat>]) -> Self {
        let angles = nearest_angles(order, keys[0].value, DVec3::ZERO);
        let mut euler_keys = Vec::with_capacity(keys.len());
        euler_keys.push(EulerKey {
            time: keys[0].time,
            angles,
            in_slope: DVec3::ZERO,
            out_slope: None,
        });
        let max_keys = MAX_ANGLES_PER_KEY.saturating_mul(keys.len()) + MAX_EXTRA_ANGLES;
        let curve = EulerCurve { keys: euler_keys, max_error: 0.0, is_limited: false };
        Self { order, curve, max_keys }
    }

    fn last(&mut self) -> &mut EulerKey {
        self.curve.keys.last_mut().expect("the first key was added by `new`")
    }

    fn hold_until(&mut self, time: f64, rotation: DQuat) {
        let angles = nearest_angles(self.order, rotation, self.last().angles);
        self.curve.keys.push(EulerKey { time, angles, in_slope: DVec3::ZERO, out_slope: None });
    }

    fn trace_to(&mut self, start: RotationSample, end: RotationSample, halvings_left: u32) {
        let duration = end.time - start.time;
        let start_angles = self.last().angles;
        let end_angles = nearest_angles(self.order, end.rotation, start_angles);
        let velocity = angular_velocity(start.rotation, end.rotation, duration);
        let [out_slope, in_slope] =
            [start_angles, end_angles].map(|angles| angle_slopes(self.order, angles, velocity));
        let quarters = quarter_points(start.rotation, end.rotation);
        let angles_at =
            |part: f64| hermite([start_angles, end_angles], [out_slope, in_slope], duration, part);
        let error = max_error(self.order, angles_at, quarters);
        if error > TOLERANCE && halvings_left > 0 && self.curve.keys.len() < self.max_keys {
            let middle =
                RotationSample { time: start.time + 0.5 * duration, rotation: quarters[1] };
            self.trace_to(start, middle, halvings_left - 1);
            self.trace_to(middle, end, halvings_left - 1);
            return;
        }
        if error > TOLERANCE {
            self.curve.max_error = self.curve.max_error.max(error);
            self.curve.is_limited |= halvings_left > 0;
        }
        self.last().out_slope = Some(out_slope);
        let key = EulerKey { time: end.time, angles: end_angles, in_slope, out_slope: None };
        self.curve.keys.push(key);
    }
}

/// Returns the rotations at a quarter, half and three quarters of the shorter way from `start` to
/// `end`. The middle of an arc is the normalised sum of its ends, which needs no sines.
fn quarter_points(start: DQuat, end: DQuat) -> [DQuat; 3] {
    let end = if start.dot(end) < 0.0 { -end } else { end };
    let middle = (start + end).normalize();
    [(start + middle).normalize(), middle, (middle + end).normalize()]
}

/// Returns the largest difference of the angles from the rotations at the quarters of a gap, in
/// radians.
fn max_error(order: EulerOrder, angles_at: impl Fn(f64) -> DVec3, quarters: [DQuat; 3]) -> f64 {
    let mut max_error = 0.0_f64;
    for (part, rotation) in [0.25, 0.5, 0.75].into_iter().zip(quarters) {
        let error = order.rotation_from_angles(angles_at(part)).distance(rotation);
        max_error = max_error.max(error);
    }
    max_error
}

/// Returns the constant velocity with which a rotation turns from `start` to `end` on the shorter
/// way, about axes in the space of the parent. The length is in radians per second.
fn angular_velocity(start: DQuat, end: DQuat, duration: f64) -> DVec3 {
    let turn = end * start.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let angles = turn.to_scaled_axis();
    // Replace rounding errors by 0, so that an angle that does not change has the slope 0.
    const MAX_ROUNDING_ERROR: f64 = 8.0 * f64::EPSILON;
    let is_rounding = angles.abs().cmplt(DVec3::splat(MAX_ROUNDING_ERROR));
    DVec3::select(is_rounding, DVec3::ZERO, angles) / duration
}

/// Returns how fast the angles change, in radians per second, if the rotation turns with `velocity`
/// about axes in the space of the parent.
///
/// The rotation is L M F, where F turns by the angle α about the first axis f, M by β about the
/// middle axis m, and L by γ about the last axis l. Its velocity is α' L M f + β' L m + γ' l. This is
/// solved for α', β' and γ'. In gimbal lock, α stays the same, as in [`angles_in_gimbal_lock`].
fn angle_slopes(order: EulerOrder, angles: DVec3, velocity: DVec3) -> DVec3 {
    let [first, middle, last] = axis_order(order);
    // f × m is l for X, Y, Z and for its cyclic permutations, and −l for the other orders.
    let handedness = if (first + 1) % 3 == middle { 1.0 } else { -1.0 };
    let (sin_last, cos_last) = angles[last].sin_cos();
    let (sin_middle, cos_middle) = angles[middle].sin_cos();
    let sin_last = handedness * sin_last;
    let mut slopes = DVec3::ZERO;
    if cos_middle.abs() >= GIMBAL_LOCK_COSINE {
        let turned = cos_last * velocity[first] + sin_last * velocity[middle];
        slopes[first] = turned / cos_middle;
    }
    slopes[middle] = cos_last * velocity[middle] - sin_last * velocity[first];
    slopes[last] = velocity[last] + handedness * sin_middle * slopes[first];
    slopes
}

fn hermite(values: [DVec3; 2], slopes: [DVec3; 2], duration: f64, part: f64) -> DVec3 {
    let (square, cube) = (part * part, part * part * part);
    (2.0 * cube - 3.0 * square + 1.0) * values[0]
        + (cube - 2.0 * square + part) * duration * slopes[0]
        + (3.0 * square - 2.0 * cube) * values[1]
        + (cube - square) * duration * slopes[1]
}

pub(super) fn nearest_angles(order: EulerOrder, rotation: DQuat, before: DVec3) -> DVec3 {
    let angles = order.angles_from_rotation(rotation);
    let [first, middle, last] = axis_order(order);
    let unwrap = |angles: DVec3| {
        DVec3::from_array(std::array::from_fn(|axis| nearest_angle(angles[axis], before[axis])))
    };
    if angles[middle].cos().abs() < GIMBAL_LOCK_COSINE {
        return unwrap(angles_in_gimbal_lock(order, rotation, angles, before));
    }
    // (a + π, π − b, c + π) is the same rotation as (a, b, c).
    let mut turned = angles;
    turned[first] += std::f64::consts::PI;
    turned[middle] = std::f64::consts::PI - angles[middle];
    turned[last] += std::f64::consts::PI;
    let (direct, flipped) = (unwrap(angles), unwrap(turned));
    let difference = direct.distance_squared(before) - flipped.distance_squared(before);
    // Both solutions are equally near if the rotation makes a half turn in one step. Choose the
    // solution with the smaller angles, because otherwise rounding would decide.
    let is_flipped_better = match difference.abs() < TIE_TOLERANCE {
        true => flipped.length_squared() < direct.length_squared() - TIE_TOLERANCE,
        false => difference > 0.0,
    };
    if is_flipped_better { flipped } else { direct }
}

/// The largest difference of squared angles that may come from rounding. Such a difference must not
/// decide between two solutions.
const TIE_TOLERANCE: f64 = 1e-9;

/// Adds whole turns to `angle` so that it is nearest to `before`. If two angles are equally near,
/// the one with fewer turns is returned.
fn nearest_angle(angle: f64, before: f64) -> f64 {
    use std::f64::consts::TAU;
    let turns = (before - angle) / TAU;
    let [below, above] = [turns.floor(), turns.ceil()].map(|turns| angle + TAU * turns);
    if ((turns - turns.floor()) - 0.5).abs() < TIE_TOLERANCE {
        if below.abs() < above.abs() - TIE_TOLERANCE { below } else { above }
    } else {
        angle + TAU * turns.round()
    }
}

/// Returns the angles in gimbal lock, where the axes of the first and the last angle coincide. The
/// first angle stays the same as in `before`. The last angle gets the rest of the rotation.
fn angles_in_gimbal_lock(
    order: EulerOrder,
    rotation: DQuat,
    angles: DVec3,
    before: DVec3,
) -> DVec3 {
    let [first, middle, last] = axis_order(order);
    let mut solution = DVec3::ZERO;
    solution[first] = before[first];
    solution[middle] = angles[middle];
    let remaining = rotation * order.rotation_from_angles(solution).conjugate();
    solution[last] = 2.0 * remaining.xyz()[last].atan2(remaining.w);
    solution
}

fn axis_order(order: EulerOrder) -> [usize; 3] {
    match order {
        EulerOrder::Xyz => [0, 1, 2],
        EulerOrder::Yzx => [1, 2, 0],
        EulerOrder::Zxy => [2, 0, 1],
        EulerOrder::Xzy => [0, 2, 1],
        EulerOrder::Yxz => [1, 0, 2],
        EulerOrder::Zyx => [2, 1, 0],
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, TAU};

    use super::*;

    const ORDERS: [EulerOrder; 6] = [
        EulerOrder::Xyz,
        EulerOrder::Yzx,
        EulerOrder::Zxy,
        EulerOrder::Xzy,
        EulerOrder::Yxz,
        EulerOrder::Zyx,
    ];

    #[test]
    fn unwrapped_angles_reproduce_the_rotation() {
        for order in ORDERS {
            let mut before = DVec3::ZERO;
            for step in 0..2000 {
                let part = f64::from(step) / 2000.0;
                // Turn 2.5 times, through both gimbal locks.
                let rotation = order.rotation_from_angles(DVec3::splat(part * 2.5 * TAU));
                let angles = nearest_angles(order, rotation, before);
                assert!(
                    order.rotation_from_angles(angles).distance(rotation) < 3e-5,
                    "{order:?} at {part}"
                );
                let jump = (angles - before).abs().max_element();
                assert!(jump < 0.05, "{order:?} at {part}: {jump}");
                before = angles;
            }
        }
    }

    /// A half turn must end at the angle with fewer turns, whether rounding makes it slightly longer
    /// or shorter.
    #[test]
    fn half_turn_does_not_depend_on_rounding() {
        use std::f64::consts::PI;
        for (before, angle, expected) in
            [(PI, 0.0, 0.0), (-PI, 0.0, 0.0), (0.0, PI, PI), (3.0 * PI, 0.0, TAU)]
        {
            for off in [-1e-15, 0.0, 1e-15] {
                let found = nearest_angle(angle + off, before);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "from {before} to {angle} + {off}: {found}"
                );
            }
            let [one, other] = [-1e-15, 1e-15].map(|off| {
                let rotation = DQuat::from_rotation_y(angle + off);
                nearest_angles(EulerOrder::Zxy, rotation, DVec3::new(0.0, before, 0.0))
            });
            assert!(one.distance(other) < 1e-9, "{one} and {other}");
        }
    }

    #[test]
    fn gimbal_lock_keeps_the_first_angle() {
        for order in ORDERS {
            let [first, middle, _] = axis_order(order);
            let mut angles = DVec3::splat(0.4);
            angles[middle] = FRAC_PI_2;
            let found = nearest_angles(order, order.rotation_from_angles(angles), angles);
            assert!((found[first] - 0.4).abs() < 1e-12, "{order:?}");
            assert!(
                order.rotation_from_angles(found).distance(order.rotation_from_angles(angles))
                    < 1e-5,
                "{order:?}"
            );
        }
    }

    #[test]
    fn slopes_are_the_derivatives_of_the_angles() {
        const STEP: f64 = 1e-6;
        let start = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(-0.9);
        let end = DQuat::from_rotation_z(1.1) * DQuat::from_rotation_x(0.5);
        for order in ORDERS {
            // The opposite quaternion is the same rotation.
            for end in [end, -end] {
                let velocity = angular_velocity(start, end, 2.0);
                for part in [0.1, 0.5, 0.9] {
                    let angles_at = |part: f64| {
                        nearest_angles(order, start.interpolate(end, part), DVec3::ZERO)
                    };
                    let difference = angles_at(part + STEP) - angles_at(part - STEP);
                    let expected = difference / (2.0 * STEP * 2.0);
                    let found = angle_slopes(order, angles_at(part), velocity);
                    assert!(found.distance(expected) < 1e-7, "{order:?}: {found}, {expected}");
                }
            }
        }
    }

    #[test]
    fn cubics_follow_the_rotations_between_keys() {
        let rotations = [
            DQuat::IDENTITY,
            DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(0.2),
            DQuat::from_rotation_y(1.0) * DQuat::from_rotation_x(-0.4),
            DQuat::from_rotation_y(1.6),
            DQuat::from_rotation_y(2.4) * DQuat::from_rotation_z(1.0),
        ];
        let keys = rotations.iter().enumerate().map(|(index, &value)| Key {
            time: index as f64 * 0.1,
            value,
            segment: SegmentKind::Linear,
        });
        let curve = KeyedCurve::new(keys.collect());
        for order in ORDERS {
            let EulerCurve { keys, is_limited, .. } = to_euler_angles(&curve, order);
            assert!(!is_limited, "{order:?}");
            assert!(keys.len() < 200, "{order:?}: {} keys", keys.len());
            for pair in keys.windows(2) {
                let duration = pair[1].time - pair[0].time;
                let slopes = [pair[0].out_slope.unwrap(), pair[1].in_slope];
                for part in [0.1, 0.4, 0.9] {
                    let values = [pair[0].angles, pair[1].angles];
                    let angles = hermite(values, slopes, duration, part);
                    let expected = curve.value_at(pair[0].time + part * duration);
                    let error = order.rotation_from_angles(angles).distance(expected);
                    assert!(error < 5e-5, "{order:?} at {}: {error}", pair[0].time);
                }
            }
        }
    }

    #[test]
    fn linear_angles_follow_the_rotations_between_keys() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut number = || rng.f64() - 0.5;
        let keys = (0..10).map(|index| Key {
            time: f64::from(index) * 0.1,
            value: DQuat::from_xyzw(number(), number(), number(), number()).normalize(),
            segment: if index % 7 == 3 { SegmentKind::Hold } else { SegmentKind::Linear },
        });
        let curve = KeyedCurve::new(keys.collect()).with_continuous_signs();
        for order in ORDERS {
            let angles = to_linear_angles(&curve, order, TOLERANCE).curve;
            let is_wrong = |step: &u32| {
                let time = f64::from(*step) * 1e-3;
                let found = order.rotation_from_angles(angles.value_at(time));
                found.distance(curve.value_at(time)) > 2e-5
            };
            // Near gimbal lock, angles change faster than keys can be inserted.
            let wrong = (0..1000).filter(is_wrong).count();
            assert!(wrong <= 1, "{order:?}: {wrong} of 1000 times");
        }
    }

    #[test]
    fn inserted_angles_are_limited_by_keys() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut number = || rng.f64() - 0.5;
        let mut rotation = || DQuat::from_xyzw(number(), number(), number(), number()).normalize();
        for count in [10, 3000] {
            let keys = (0..count).map(|index| Key {
                time: f64::from(index),
                value: rotation(),
                segment: SegmentKind::Linear,
            });
            let keys: Vec<_> = keys.collect();
            // When the limit is reached, each of the remaining keys still gets its own angles.
            let limit =
                (MAX_ANGLES_PER_KEY + 1) * keys.len() + MAX_EXTRA_ANGLES + (1 << MAX_HALVINGS);
            for order in ORDERS {
                let found = to_euler_angles(&KeyedCurve::new(keys.clone()), order).keys.len();
                assert!(found > keys.len() && found < limit, "{order:?}: {found} for {count}");
            }
        }
    }
}
