//! Finds rotations between keys that do not take the shortest path.

use glam::DVec4;

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
    series::{Series, SeriesKind},
    zero_quaternion::MIN_QUATERNION_LENGTH,
};
use crate::{
    clip::{Blend, RotationRule},
    diagnostics::{Severity, Topic},
};

/// Within this number of degrees of half a turn, rounding decides which direction is shorter.
const AMBIGUITY_DEG: f64 = 0.5;

pub(super) const CHECK: Check = Check {
    topic: Topic::LongTurn,
    severity: Severity::Info,
    rule: "Finds more than half a turn from key to key: of angles as stored, and of quaternions \
           if the next key has the opposite sign and the recording's own program interpolates \
           accordingly. Also finds half turns, give or take half a degree, because they have no \
           shortest direction.",
    function: CheckFn::EachSeries(find_long_turns),
};

fn find_long_turns(series: &Series<'_>, report: &mut Report<'_>) {
    match series.kind {
        SeriesKind::Angle(full_turn) => find_in_angles(series, full_turn, report),
        SeriesKind::Rotation { authored_blend } => {
            find_in_rotations(series, authored_blend, report)
        }
        SeriesKind::Vector | SeriesKind::Heading(_) => {}
    }
}

fn find_in_angles(series: &Series<'_>, full_turn: f64, report: &mut Report<'_>) {
    let mut keys = series.keys();
    let Some(mut before) = keys.next() else { return };
    for (left, here) in keys.enumerate() {
        let turn = (here.x - before.x).abs();
        before = here;
        if turn > full_turn / 2.0 && series.interpolates_after(left) {
            report.add(KeySpan::from_gap(series.track(), left, series.times()), || {
                let degrees = turn / full_turn * 360.0;
                (series.name(), format!("turns by {degrees:.0}° up to the next key"))
            });
        }
    }
}

fn find_in_rotations(series: &Series<'_>, authored_blend: Blend, report: &mut Report<'_>) {
    let times = series.times();
    let mut before = DVec4::ZERO;
    for (right, here) in series.keys().enumerate() {
        let left_key = std::mem::replace(&mut before, here);
        // For unit quaternions, the dot product is the cosine of half the turn. This cheap test
        // lets us skip most keys.
        let dot = left_key.dot(here);
        if right == 0 || (dot > 0.1 && left_key.length_squared().max(here.length_squared()) < 4.0) {
            continue;
        }
        let left = right - 1;
        let Some(short) = shortest_turn_deg(left_key, here) else { continue };
        let is_long =
            dot < 0.0 && authored_blend != Blend::ShortSlerp && series.is_linear_after(left);
        let is_ambiguous = short > 180.0 - AMBIGUITY_DEG && series.interpolates_after(left);
        if !is_long && !is_ambiguous {
            continue;
        }
        report.add(KeySpan::from_gap(series.track(), left, times), || {
            let message = match (is_long, series.rotation_rule()) {
                (false, _) => format!(
                    "turns by {short:.1}° up to the next key; rounding decides the direction"
                ),
                (true, RotationRule::AsAuthored) => {
                    format!("turns by {:.0}° up to the next key, the long way round", 360.0 - short)
                }
                (true, RotationRule::Continuous) => format!(
                    "the next key has the opposite sign: stored as a turn by {:.0}°, but played as a \
                     turn by {short:.0}°",
                    360.0 - short
                ),
            };
            (series.name(), message)
        });
    }
}

pub(super) fn shortest_turn_deg(from: DVec4, to: DVec4) -> Option<f64> {
    let lengths = from.length() * to.length();
    if !(lengths.is_finite()
        && from.length() >= MIN_QUATERNION_LENGTH
        && to.length() >= MIN_QUATERNION_LENGTH)
    {
        return None;
    }
    let (from, to) = (from / from.length(), to / to.length());
    let to = if from.dot(to) < 0.0 { -to } else { to };
    // Use atan2, because acos of the dot product is inaccurate for small turns.
    Some((4.0 * (from - to).length().atan2((from + to).length())).to_degrees())
}
