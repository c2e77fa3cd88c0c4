//! Quaternions that are not of unit length.

use super::{
    Check, Find,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
    zero_quaternion::SHORTEST,
};
use crate::diagnostics::{Severity, Topic};

/// How far from 1 a length may be. Rounded to two digits a quaternion stays within.
const TOLERANCE: f64 = 0.05;

pub(super) const CHECK: Check = Check {
    topic: Topic::UnitLength,
    severity: Severity::Warning,
    rule: "quaternions whose length is more than 0.05 from 1; keys in a row are one issue",
    find: Find::EachRotation(find),
};

fn find(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    for keys in runs(times.len(), |key| is_off(series, key)) {
        report.add(KeySpan::of_keys(series.track(), &keys, times), || {
            let by_error = |a: &usize, b: &usize| error(series, *a).total_cmp(&error(series, *b));
            let worst = keys.clone().max_by(by_error).unwrap_or(keys.start);
            let length = series.key(worst).length();
            let what = match keys.len() {
                1 => format!("a quaternion of length {length:.3} instead of 1"),
                many => format!(
                    "{many} quaternions in a row that are not of length 1, the worst of \
                         {length:.3}"
                ),
            };
            (series.name(), what)
        });
    }
}

/// Whether the length of a key is too far from 1: without a square root.
fn is_off(series: &Series<'_>, key: usize) -> bool {
    const SOUND: std::ops::Range<f64> =
        (1.0 - TOLERANCE) * (1.0 - TOLERANCE)..(1.0 + TOLERANCE) * (1.0 + TOLERANCE);
    !SOUND.contains(&series.key(key).length_squared()) && error(series, key) > TOLERANCE
}

/// How far from 1 the length of a key is; 0 for a zero quaternion, which another check reports.
fn error(series: &Series<'_>, key: usize) -> f64 {
    let length = series.key(key).length();
    if length < SHORTEST || !length.is_finite() { 0.0 } else { (length - 1.0).abs() }
}
