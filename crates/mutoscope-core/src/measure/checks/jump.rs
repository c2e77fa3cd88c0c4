//! Finds motion that is much faster than the motion before and after it, such as a sensor that lost
//! its position, or a misplaced key.

use std::mem;

use glam::DVec4;

use super::{
    Check, CheckFn,
    long_turn::shortest_turn_deg,
    report::{KeySpan, Report},
    runs::runs,
    series::{Series, SeriesKind},
    zero_quaternion::MIN_QUATERNION_LENGTH,
};
use crate::{
    clip::{Hint, Unit},
    diagnostics::{Severity, Topic},
};

/// The minimum number of gaps in which the track moves. Tracks with fewer moving gaps have no
/// reliable median speed.
const MIN_MOVING_GAPS: usize = 32;
/// The minimum difference between the speed and the median speed, in estimated standard deviations.
const MIN_DEVIATIONS: f64 = 15.0;
const MIN_MEDIAN_RATIO: f64 = 8.0;
/// The maximum number of fast gaps in a row. A misplaced key has a fast gap on either side. A
/// longer run of fast gaps is fast motion.
const MAX_JUMP_GAPS: usize = 2;
const NEIGHBOUR_GAPS: usize = 4;
const MIN_NEIGHBOUR_RATIO: f64 = 4.0;
const MIN_EXTENT_SHARE: f64 = 0.05;

pub(super) const CHECK: Check = Check {
    topic: Topic::Jump,
    severity: Severity::Info,
    rule: "Finds one or two intervals between keys in which the speed is above 8 times the \
           track's median, and above the median plus 15 deviations (1.4826 × the median \
           absolute deviation, without intervals that hold). The speed must also be 4 times \
           that of any of the 4 intervals on either side, and the distance a twentieth of the \
           track's extent. The track needs at least 32 intervals with motion.",
    function: CheckFn::EachSeries(find_jumps),
};

fn find_jumps(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    if times.len() <= MIN_MOVING_GAPS {
        return;
    }
    let speeds = gap_speeds(series);
    let Some((limit, median)) = speed_limit(&speeds) else { return };
    // Compute the extent on demand, because most series never need it.
    let mut extent = None;
    let mut hint = Hint::default();
    for gaps in runs(speeds.len(), |gap| speeds[gap] > limit) {
        let fastest = speeds[gaps.clone()].iter().copied().fold(0.0, f64::max);
        let before = &speeds[gaps.start.saturating_sub(NEIGHBOUR_GAPS)..gaps.start];
        let after = &speeds[gaps.end..(gaps.end + NEIGHBOUR_GAPS).min(speeds.len())];
        let around = before.iter().chain(after).copied().fold(0.0, f64::max);
        let ends = [gaps.start, gaps.start + 1].map(|key| series.key(key));
        let distance = key_distance(series.kind, ends);
        let is_jump = gaps.len() <= MAX_JUMP_GAPS
            && fastest > MIN_NEIGHBOUR_RATIO * around
            && distance > MIN_EXTENT_SHARE * *extent.get_or_insert_with(|| key_extent(series))
            && [gaps.start, gaps.end]
                .iter()
                .all(|&key| series.is_visible_at(times[key], &mut hint));
        if is_jump {
            let span = KeySpan {
                end: Some(times[gaps.end]),
                ..KeySpan::from_gap(series.track(), gaps.start, times)
            };
            report.add(span, || {
                let seconds = times[gaps.start + 1] - times[gaps.start];
                let message = describe_jump(series, ends, distance);
                let factor = fastest / median;
                let message =
                    format!("{message} within {seconds:.3} s, {factor:.0} times as fast as usual");
                (series.name(), message)
            });
        }
    }
}

/// Returns the distance between two keys, in the unit of the series, or in degrees for rotations.
/// Returns 0 if the distance is not finite.
fn key_distance(kind: SeriesKind, [from, to]: [DVec4; 2]) -> f64 {
    let distance = match kind {
        SeriesKind::Rotation { .. } => approximate_turn_deg(from, to),
        SeriesKind::Vector | SeriesKind::Angle(_) => to.distance(from),
        SeriesKind::Heading(full_turn) => heading_distance(full_turn, from, to),
    };
    or_zero(distance)
}

fn heading_distance(full_turn: f64, from: DVec4, to: DVec4) -> f64 {
    let turn = (to.x - from.x).abs() % full_turn;
    turn.min(full_turn - turn)
}

fn or_zero(distance: f64) -> f64 {
    if distance.is_finite() { distance } else { 0.0 }
}

/// Returns the approximate angle between two rotations, in degrees. The angle is computed from the
/// chord instead of the arc, so a half turn comes out a tenth too small.
fn approximate_turn_deg(from: DVec4, to: DVec4) -> f64 {
    let lengths = from.length_squared() * to.length_squared();
    if !lengths.is_finite() || lengths < MIN_QUATERNION_LENGTH * MIN_QUATERNION_LENGTH {
        return 0.0;
    }
    // The chord between unit quaternions follows from the cosine of the angle between them.
    let cosine = from.dot(to).abs() / lengths.sqrt();
    (2.0 * (2.0 - 2.0 * cosine).max(0.0).sqrt()).to_degrees()
}

fn gap_speeds(series: &Series<'_>) -> Vec<f64> {
    // Match once and not for each key, so that the compiler can optimise each loop.
    match series.kind {
        SeriesKind::Rotation { .. } => gap_speeds_by(series, approximate_turn_deg),
        SeriesKind::Vector | SeriesKind::Angle(_) => gap_speeds_by(series, DVec4::distance),
        SeriesKind::Heading(full_turn) => {
            gap_speeds_by(series, |from, to| heading_distance(full_turn, from, to))
        }
    }
}

fn gap_speeds_by(series: &Series<'_>, distance: impl Fn(DVec4, DVec4) -> f64) -> Vec<f64> {
    let times = series.times();
    let mut speeds = Vec::with_capacity(times.len());
    let mut from = DVec4::ZERO;
    for (right, to) in series.keys().enumerate() {
        let from = mem::replace(&mut from, to);
        if right == 0 {
            continue;
        }
        let seconds = times[right] - times[right - 1];
        speeds.push(match seconds > 0.0 && series.interpolates_after(right - 1) {
            true => or_zero(distance(from, to)) / seconds,
            false => 0.0,
        });
    }
    speeds
}

/// Returns the speed above which a gap may be a jump, and the median speed. `None` if no gap is
/// faster.
fn speed_limit(speeds: &[f64]) -> Option<(f64, f64)> {
    let mut moving: Vec<f64> = speeds.iter().copied().filter(|&speed| speed > 0.0).collect();
    if moving.len() < MIN_MOVING_GAPS {
        return None;
    }
    // If half of the speeds reach an eighth of the largest speed, the median reaches it too. No speed
    // is then above 8 times the median. Counting is much faster than finding a median.
    let fastest = moving.iter().copied().fold(0.0, f64::max);
    let near = moving.iter().filter(|&&speed| speed >= fastest / MIN_MEDIAN_RATIO).count();
    if near >= moving.len().div_ceil(2) {
        return None;
    }
    let median = median(&mut moving);
    moving.iter_mut().for_each(|speed| *speed = (*speed - median).abs());
    let deviation = 1.4826 * self::median(&mut moving);
    Some(((MIN_MEDIAN_RATIO * median).max(median + MIN_DEVIATIONS * deviation), median))
}

/// Returns the median of `values`, which must not be empty, and reorders them.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn key_extent(series: &Series<'_>) -> f64 {
    if matches!(series.kind, SeriesKind::Rotation { .. }) {
        return 180.0;
    }
    let (mut low, mut high) = (DVec4::INFINITY, DVec4::NEG_INFINITY);
    for key in series.keys().filter(|key| key.is_finite()) {
        (low, high) = (low.min(key), high.max(key));
    }
    let extent = (high - low).length();
    if extent.is_finite() { extent } else { 0.0 }
}

fn describe_jump(series: &Series<'_>, [from, to]: [DVec4; 2], distance: f64) -> String {
    match (series.kind, series.unit()) {
        (SeriesKind::Rotation { .. }, _) => {
            let turn = shortest_turn_deg(from, to).unwrap_or(distance);
            format!("turns by {turn:.0}°")
        }
        (_, Unit::None) => format!("jumps by {distance:.4}"),
        (_, Unit::Degrees) => format!("jumps by {distance:.1}°"),
        (_, unit) => format!("jumps by {distance:.3} {}", unit.symbol()),
    }
}
