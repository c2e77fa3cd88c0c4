//! Rotations as unwrapped Euler angles: without jumps of a whole turn, and without jumps in gimbal
//! lock.

use glam::{DQuat, DVec3};

use super::keyed_curve::{Interpolate as _, KeyedCurve, SegmentKind};
use crate::clip::EulerOrder;

/// How far angles may be from the rotations between keys, in radians.
const TOLERANCE: f64 = 1e-5;

/// How often a gap may be halved.
const DEEPEST: u32 = 8;

/// The maximum number of angles: for each key, and in addition.
const MOST: [usize; 2] = [32, 4096];

/// Below this cosine of the middle angle there is gimbal lock.
const LOCKED: f64 = 1e-5;

/// Angles about X, Y and Z, in radians, at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// Seconds.
    pub(super) time: f64,
    pub(super) angles: DVec3,
    /// How fast they turn before that, in radians a second.
    pub(super) in_slope: DVec3,
    /// How fast they turn after that; nothing if they hold.
    pub(super) out_slope: Option<DVec3>,
}

/// A rotation as angles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turns {
    pub(super) turns: Vec<Turn>,
    /// The largest error where cubics cannot follow the rotations, in radians.
    pub(super) farthest: f64,
    /// Whether the limit of their number is the reason for that.
    pub(super) is_cut_short: bool,
}

/// The Euler angles of the rotations of `curve`: keys at its keys, and more where a cubic between
/// them is not accurate enough, as near gimbal lock.
pub(super) fn turns(curve: &KeyedCurve<DQuat>, order: EulerOrder) -> Turns {
    let keys = curve.keys();
    let angles = nearest(order, keys[0].value, DVec3::ZERO);
    let most = MOST[0].saturating_mul(keys.len()) + MOST[1];
    let made = Vec::with_capacity(keys.len());
    let mut turns = Maker { order, made, most, farthest: 0.0, is_cut_short: false };
    turns.made.push(Turn { time: keys[0].time, angles, in_slope: DVec3::ZERO, out_slope: None });
    for pair in keys.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if from.segment == SegmentKind::Linear {
            turns.on((from.time, from.value), (to.time, to.value), DEEPEST);
        } else {
            turns.hold_until(to.time, to.value);
        }
    }
    let Maker { made, farthest, is_cut_short, .. } = turns;
    Turns { turns: made, farthest, is_cut_short }
}

struct Maker {
    order: EulerOrder,
    made: Vec<Turn>,
    /// The number from which gaps are no longer halved.
    most: usize,
    farthest: f64,
    is_cut_short: bool,
}

impl Maker {
    fn last(&mut self) -> &mut Turn {
        self.made.last_mut().expect("there is one from the start")
    }

    fn hold_until(&mut self, time: f64, rotation: DQuat) {
        let angles = nearest(self.order, rotation, self.last().angles);
        self.made.push(Turn { time, angles, in_slope: DVec3::ZERO, out_slope: None });
    }

    /// Continues the angles from one rotation to another.
    fn on(&mut self, (from, start): (f64, DQuat), (to, end): (f64, DQuat), depth: u32) {
        let duration = to - from;
        let here = self.last().angles;
        let way = |part: f64| start.between(end, part);
        let angles = nearest(self.order, end, here);
        let out_slope =
            slope([here, self.at(way(STEP), here), self.at(way(2.0 * STEP), here)], duration);
        let before =
            [angles, self.at(way(1.0 - STEP), angles), self.at(way(1.0 - 2.0 * STEP), angles)];
        let in_slope = -slope(before, duration);
        let off = [0.25, 0.5, 0.75].map(|part| {
            let angles = hermite([here, angles], [out_slope, in_slope], duration, part);
            self.order.rotation(angles).distance(way(part))
        });
        let off = off.into_iter().fold(0.0, f64::max);
        if off > TOLERANCE && depth > 0 && self.made.len() < self.most {
            let middle = (from + 0.5 * duration, way(0.5));
            self.on((from, start), middle, depth - 1);
            self.on(middle, (to, end), depth - 1);
            return;
        }
        if off > TOLERANCE {
            self.farthest = self.farthest.max(off);
            self.is_cut_short |= depth > 0;
        }
        self.last().out_slope = Some(out_slope);
        self.made.push(Turn { time: to, angles, in_slope, out_slope: None });
    }

    fn at(&self, rotation: DQuat, beside: DVec3) -> DVec3 {
        nearest(self.order, rotation, beside)
    }
}

/// The fraction of a gap over which slopes are measured.
const STEP: f64 = 1e-3;

/// How fast angles change at the first of three, in radians a second, these being a step of a gap of
/// this `duration` apart.
fn slope([first, second, third]: [DVec3; 3], duration: f64) -> DVec3 {
    (-3.0 * first + 4.0 * second - third) / (2.0 * STEP * duration)
}

fn hermite(values: [DVec3; 2], slopes: [DVec3; 2], duration: f64, part: f64) -> DVec3 {
    let (square, cube) = (part * part, part * part * part);
    (2.0 * cube - 3.0 * square + 1.0) * values[0]
        + (cube - 2.0 * square + part) * duration * slopes[0]
        + (3.0 * square - 2.0 * cube) * values[1]
        + (cube - square) * duration * slopes[1]
}

/// The angles that make `rotation` and are nearest to those `before`, in radians.
pub(super) fn nearest(order: EulerOrder, rotation: DQuat, before: DVec3) -> DVec3 {
    let angles = order.angles(rotation);
    let [first, middle, last] = axes(order);
    let unrolled = |angles: DVec3| {
        DVec3::from_array(std::array::from_fn(|axis| near(angles[axis], before[axis])))
    };
    if angles[middle].cos().abs() < LOCKED {
        return unrolled(unlocked(order, rotation, angles, before));
    }
    let mut turned = angles;
    turned[first] += std::f64::consts::PI;
    turned[middle] = std::f64::consts::PI - angles[middle];
    turned[last] += std::f64::consts::PI;
    let (one, other) = (unrolled(angles), unrolled(turned));
    let nearer = one.distance_squared(before) - other.distance_squared(before);
    // By half a turn in one step, both are as far: not the last bit of a sine is to decide.
    let is_other = match nearer.abs() < TIE {
        true => other.length_squared() < one.length_squared() - TIE,
        false => nearer > 0.0,
    };
    if is_other { other } else { one }
}

/// Differences that rounding makes, which must not decide between two ways to turn.
const TIE: f64 = 1e-9;

/// The angle with whole turns added that is nearest to the one `before`; of two that are as near, the one of
/// fewer turns.
fn near(angle: f64, before: f64) -> f64 {
    use std::f64::consts::TAU;
    let turns = (before - angle) / TAU;
    let [below, above] = [turns.floor(), turns.ceil()].map(|turns| angle + TAU * turns);
    if ((turns - turns.floor()) - 0.5).abs() < TIE {
        if below.abs() < above.abs() - TIE { below } else { above }
    } else {
        angle + TAU * turns.round()
    }
}

/// Where two of the axes are one: the first angle as `before`, the last takes what is left.
fn unlocked(order: EulerOrder, rotation: DQuat, angles: DVec3, before: DVec3) -> DVec3 {
    let [first, middle, last] = axes(order);
    let mut made = DVec3::ZERO;
    made[first] = before[first];
    made[middle] = angles[middle];
    let left = rotation * order.rotation(made).conjugate();
    made[last] = 2.0 * left.xyz()[last].atan2(left.w);
    made
}

/// The axes in the order in which they are applied.
fn axes(order: EulerOrder) -> [usize; 3] {
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
    use crate::export::keyed_curve::Key;

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
                // Two turns and a half, through both locks.
                let rotation = order.rotation(DVec3::splat(part * 2.5 * TAU));
                let angles = nearest(order, rotation, before);
                assert!(order.rotation(angles).distance(rotation) < 3e-5, "{order:?} at {part}");
                let jump = (angles - before).abs().max_element();
                assert!(jump < 0.05, "{order:?} at {part}: {jump}");
                before = angles;
            }
        }
    }

    /// Rounded up or down, half a turn goes the same way, which is back if it came from there.
    #[test]
    fn half_a_turn_does_not_depend_on_rounding() {
        use std::f64::consts::PI;
        for (before, angle, expected) in
            [(PI, 0.0, 0.0), (-PI, 0.0, 0.0), (0.0, PI, PI), (3.0 * PI, 0.0, TAU)]
        {
            for off in [-1e-15, 0.0, 1e-15] {
                let near = near(angle + off, before);
                assert!((near - expected).abs() < 1e-9, "from {before} to {angle} + {off}: {near}");
            }
            let [one, other] = [-1e-15, 1e-15].map(|off| {
                let rotation = DQuat::from_rotation_y(angle + off);
                nearest(EulerOrder::Zxy, rotation, DVec3::new(0.0, before, 0.0))
            });
            assert!(one.distance(other) < 1e-9, "{one} and {other}");
        }
    }

    #[test]
    fn free_angle_is_kept_in_gimbal_lock() {
        for order in ORDERS {
            let [first, middle, _] = axes(order);
            let mut angles = DVec3::splat(0.4);
            angles[middle] = FRAC_PI_2;
            let found = nearest(order, order.rotation(angles), angles);
            assert!((found[first] - 0.4).abs() < 1e-12, "{order:?}");
            assert!(order.rotation(found).distance(order.rotation(angles)) < 1e-5, "{order:?}");
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
            let Turns { turns, is_cut_short, .. } = turns(&curve, order);
            assert!(!is_cut_short, "{order:?}");
            assert!(turns.len() < 200, "{order:?}: {} keys", turns.len());
            for pair in turns.windows(2) {
                let duration = pair[1].time - pair[0].time;
                let slopes = [pair[0].out_slope.unwrap(), pair[1].in_slope];
                for part in [0.1, 0.4, 0.9] {
                    let values = [pair[0].angles, pair[1].angles];
                    let angles = hermite(values, slopes, duration, part);
                    let expected = curve.at(pair[0].time + part * duration);
                    let off = order.rotation(angles).distance(expected);
                    assert!(off < 5e-5, "{order:?} at {}: {off}", pair[0].time);
                }
            }
        }
    }

    /// Unrelated random rotations.
    #[test]
    fn inserted_angles_are_limited_by_keys() {
        let mut dice = fastrand::Rng::with_seed(3);
        let mut number = || dice.f64() - 0.5;
        let mut rotation = || DQuat::from_xyzw(number(), number(), number(), number()).normalize();
        for count in [10, 3000] {
            let keys = (0..count).map(|index| Key {
                time: f64::from(index),
                value: rotation(),
                segment: SegmentKind::Linear,
            });
            let keys: Vec<_> = keys.collect();
            // When that is reached, each of the other keys still has its own.
            let most = (MOST[0] + 1) * keys.len() + MOST[1] + (1 << DEEPEST);
            for order in ORDERS {
                let made = turns(&KeyedCurve::new(keys.clone()), order).turns.len();
                assert!(made > keys.len() && made < most, "{order:?}: {made} of {count}");
            }
        }
    }
}
