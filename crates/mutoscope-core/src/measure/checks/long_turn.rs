//! Rotations between keys that take the longer way round.

use glam::DVec4;

use super::{
    Check, Find,
    report::{KeySpan, Report},
    series::{Kind, Series},
    zero_quaternion::SHORTEST,
};
use crate::{
    clip::{Blend, RotationRule},
    diagnostics::{Severity, Topic},
};

/// Within this many degrees of a half turn, rounding decides which way round is the short one.
const UNDECIDED: f64 = 0.5;

pub(super) const CHECK: Check = Check {
    topic: Topic::LongTurn,
    severity: Severity::Info,
    rule: "more than half a turn from key to key: of angles as stored, of quaternions where the \
           next key has the other sign and the recording's own program goes by it; and half a turn, \
           give or take half a degree, which has no short way",
    find: Find::EachSeries(find),
};

fn find(series: &Series<'_>, report: &mut Report<'_>) {
    match series.kind {
        Kind::Angle(full_turn) => angles(series, full_turn, report),
        Kind::Rotation { faithful } => rotations(series, faithful, report),
        Kind::Vector | Kind::Heading(_) => {}
    }
}

fn angles(series: &Series<'_>, full_turn: f64, report: &mut Report<'_>) {
    let keys = series.times().len();
    for left in 1..keys {
        let turn = (series.key(left).x - series.key(left - 1).x).abs();
        if turn > full_turn / 2.0 && series.runs_after(left - 1) {
            report.add(KeySpan::of_gap(series.track(), left - 1, series.times()), || {
                let degrees = turn / full_turn * 360.0;
                (series.name(), format!("turns by {degrees:.0}° up to the next key"))
            });
        }
    }
}

fn rotations(series: &Series<'_>, faithful: Blend, report: &mut Report<'_>) {
    let times = series.times();
    let mut before = DVec4::ZERO;
    for right in 0..times.len() {
        let here = series.key(right);
        let left_key = std::mem::replace(&mut before, here);
        // The cosine of half the turn, if their lengths are 1: a cheap test that clears most keys.
        let dot = left_key.dot(here);
        if right == 0 || (dot > 0.1 && left_key.length_squared().max(here.length_squared()) < 4.0) {
            continue;
        }
        let left = right - 1;
        let Some(short) = short_turn(left_key, here) else { continue };
        let is_long = dot < 0.0 && faithful != Blend::ShortSlerp && series.is_straight_after(left);
        let is_undecided = short > 180.0 - UNDECIDED && series.runs_after(left);
        if !is_long && !is_undecided {
            continue;
        }
        report.add(KeySpan::of_gap(series.track(), left, times), || {
            let what = match (is_long, series.rotation_rule()) {
                (false, _) => format!(
                    "turns by {short:.1}° up to the next key: rounding decides which way round"
                ),
                (true, RotationRule::AsAuthored) => {
                    format!("turns by {:.0}° up to the next key, the long way round", 360.0 - short)
                }
                (true, RotationRule::Continuous) => format!(
                    "the next key has the other sign: as stored a turn by {:.0}°, played as one by \
                     {short:.0}°, the short way",
                    360.0 - short
                ),
            };
            (series.name(), what)
        });
    }
}

/// The angle from one quaternion to another the short way round, in degrees; `None` if one of them
/// is zero.
pub(super) fn short_turn(from: DVec4, to: DVec4) -> Option<f64> {
    let lengths = from.length() * to.length();
    if !(lengths.is_finite() && from.length() >= SHORTEST && to.length() >= SHORTEST) {
        return None;
    }
    let (from, to) = (from / from.length(), to / to.length());
    let to = if from.dot(to) < 0.0 { -to } else { to };
    // Exact for small turns and for large ones, other than the arc cosine.
    Some((4.0 * (from - to).length().atan2((from + to).length())).to_degrees())
}
