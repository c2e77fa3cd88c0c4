//! Motion that is far faster than what comes before and after: a sensor that lost its position, a
//! key out of place.

use glam::DVec4;

use super::{
    Check, Find,
    long_turn::short_turn,
    report::{KeySpan, Report},
    runs::runs,
    series::{Kind, Series},
    zero_quaternion::SHORTEST,
};
use crate::{
    clip::{Hint, Unit},
    diagnostics::{Severity, Topic},
};

/// At least this many gaps between keys move, or there is no usual speed.
const ENOUGH: usize = 32;
/// How many times as far from the median as speeds usually are.
const DEVIATIONS: f64 = 15.0;
/// How many times the median at least.
const TIMES_THE_MEDIAN: f64 = 8.0;
/// A key out of place makes two fast gaps. More in a row are a fast motion.
const LONGEST: usize = 2;
/// How many gaps on either side are looked at.
const NEIGHBOURS: usize = 4;
/// How many times as fast as any of these.
const TIMES_THE_NEIGHBOURS: f64 = 4.0;
/// How much of all that it ever moves, at least.
const PART_OF_EXTENT: f64 = 0.05;

pub(super) const CHECK: Check = Check {
    topic: Topic::Jump,
    severity: Severity::Info,
    rule: "one or two gaps between keys in which the speed is above 8 times the track's median and \
           farther from it than 15 times the usual (1.4826 × the median absolute deviation, gaps \
           without motion skipped), 4 times as fast as any of the 4 gaps on either side, and a \
           twentieth at least of all that it ever moves; on tracks of at least 32 moving gaps",
    find: Find::EachSeries(find),
};

fn find(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    if times.len() <= ENOUGH {
        return;
    }
    let speeds: Vec<f64> = (1..times.len()).map(|right| speed(series, right - 1)).collect();
    let Some((limit, median)) = limit(&speeds) else { return };
    // Most series have no gap for which it is asked.
    let mut extent = None;
    let mut hint = Hint::default();
    for gaps in runs(speeds.len(), |gap| speeds[gap] > limit) {
        let fastest = speeds[gaps.clone()].iter().copied().fold(0.0, f64::max);
        let before = &speeds[gaps.start.saturating_sub(NEIGHBOURS)..gaps.start];
        let after = &speeds[gaps.end..(gaps.end + NEIGHBOURS).min(speeds.len())];
        let around = before.iter().chain(after).copied().fold(0.0, f64::max);
        let way = distance(series, gaps.start);
        let is_jump = gaps.len() <= LONGEST
            && fastest > TIMES_THE_NEIGHBOURS * around
            && way > PART_OF_EXTENT * *extent.get_or_insert_with(|| self::extent(series))
            && [gaps.start, gaps.end].iter().all(|&key| series.is_shown_at(times[key], &mut hint));
        if is_jump {
            let span = KeySpan {
                end: Some(times[gaps.end]),
                ..KeySpan::of_gap(series.track(), gaps.start, times)
            };
            report.add(span, || {
                let seconds = times[gaps.start + 1] - times[gaps.start];
                let what = way_text(series, gaps.start, way);
                let factor = fastest / median;
                let what =
                    format!("{what} within {seconds:.3} s, {factor:.0} times as fast as usual");
                (series.name(), what)
            });
        }
    }
}

/// The distance from the key at `left` to the next: in its own unit, of rotations in degrees; 0
/// where that is unknown.
fn distance(series: &Series<'_>, left: usize) -> f64 {
    let (from, to) = (series.key(left), series.key(left + 1));
    let distance = match series.kind {
        Kind::Rotation { .. } => quick_turn(from, to),
        Kind::Vector | Kind::Angle(_) => (to - from).length(),
        Kind::Heading(full_turn) => {
            let turn = (to.x - from.x).abs() % full_turn;
            turn.min(full_turn - turn)
        }
    };
    if distance.is_finite() { distance } else { 0.0 }
}

/// The approximate angle between two rotations, in degrees: a chord for its arc, which is a tenth
/// too short at half a turn.
fn quick_turn(from: DVec4, to: DVec4) -> f64 {
    let lengths = from.length_squared() * to.length_squared();
    if !lengths.is_finite() || lengths < SHORTEST * SHORTEST {
        return 0.0;
    }
    // The chord between unit quaternions, from the cosine of the angle between them.
    let cosine = from.dot(to).abs() / lengths.sqrt();
    (2.0 * (2.0 - 2.0 * cosine).max(0.0).sqrt()).to_degrees()
}

/// The speed of that, per second; 0 where the value holds.
fn speed(series: &Series<'_>, left: usize) -> f64 {
    let times = series.times();
    let seconds = times[left + 1] - times[left];
    if seconds > 0.0 && series.runs_after(left) { distance(series, left) / seconds } else { 0.0 }
}

/// The speed above which a gap may be a jump, and the median of those that move; nothing if they are
/// too few.
fn limit(speeds: &[f64]) -> Option<(f64, f64)> {
    let mut moving: Vec<f64> = speeds.iter().copied().filter(|&speed| speed > 0.0).collect();
    if moving.len() < ENOUGH {
        return None;
    }
    let median = median(&mut moving);
    moving.iter_mut().for_each(|speed| *speed = (*speed - median).abs());
    let deviation = 1.4826 * self::median(&mut moving);
    Some(((TIMES_THE_MEDIAN * median).max(median + DEVIATIONS * deviation), median))
}

/// The middle one of `numbers`, of which there are some; their order changes.
fn median(numbers: &mut [f64]) -> f64 {
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The largest distance between its keys, as `distance` measures it.
fn extent(series: &Series<'_>) -> f64 {
    if matches!(series.kind, Kind::Rotation { .. }) {
        return 180.0;
    }
    let mut low = series.key(0);
    let mut high = low;
    for key in (0..series.times().len()).map(|key| series.key(key)).filter(|key| key.is_finite()) {
        (low, high) = (low.min(key), high.max(key));
    }
    let extent = (high - low).length();
    if extent.is_finite() { extent } else { 0.0 }
}

fn way_text(series: &Series<'_>, left: usize, way: f64) -> String {
    match (series.kind, series.unit()) {
        (Kind::Rotation { .. }, _) => {
            let turn = short_turn(series.key(left), series.key(left + 1)).unwrap_or(way);
            format!("turns by {turn:.0}°")
        }
        (_, Unit::None) => format!("jumps by {way:.4}"),
        (_, Unit::Degrees) => format!("jumps by {way:.1}°"),
        (_, unit) => format!("jumps by {way:.3} {}", unit.symbol()),
    }
}
