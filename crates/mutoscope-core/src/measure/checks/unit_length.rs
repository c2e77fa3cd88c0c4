//! Finds quaternions that do not have unit length.

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
    zero_quaternion::MIN_QUATERNION_LENGTH,
};
use crate::diagnostics::{Severity, Topic};

/// The tolerated deviation from length 1. Quaternions that are rounded to two digits stay within
/// this tolerance.
const TOLERANCE: f64 = 0.05;

pub(super) const CHECK: Check = Check {
    topic: Topic::UnitLength,
    severity: Severity::Warning,
    rule: "Finds quaternions whose length is more than 0.05 from 1. Consecutive keys are one \
           issue.",
    function: CheckFn::EachRotation(find_wrong_lengths),
};

fn find_wrong_lengths(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    for keys in runs(times.len(), |key| is_wrong_length(series, key)) {
        report.add(KeySpan::from_keys(series.track(), &keys, times), || {
            let by_error = |a: &usize, b: &usize| length_error(series, *a).total_cmp(&length_error(series, *b));
            let worst = keys.clone().max_by(by_error).unwrap_or(keys.start);
            let length = series.key(worst).length();
            let message = match keys.len() {
                1 => format!("a quaternion of length {length:.3} instead of 1"),
                many => format!(
                    "{many} consecutive quaternions do not have length 1; the worst has length {length:.3}"
                ),
            };
            (series.name(), message)
        });
    }
}

/// Returns `true` if the length of a key is too far from 1. The squared length is tested first,
/// because that needs no square root.
fn is_wrong_length(series: &Series<'_>, key: usize) -> bool {
    const VALID_SQUARED_LENGTHS: std::ops::Range<f64> =
        (1.0 - TOLERANCE) * (1.0 - TOLERANCE)..(1.0 + TOLERANCE) * (1.0 + TOLERANCE);
    !VALID_SQUARED_LENGTHS.contains(&series.key(key).length_squared())
        && length_error(series, key) > TOLERANCE
}

/// Returns the difference between a key's length and 1. Returns 0 if the quaternion is zero or not
/// finite, because another check reports such keys.
fn length_error(series: &Series<'_>, key: usize) -> f64 {
    let length = series.key(key).length();
    if length < MIN_QUATERNION_LENGTH || !length.is_finite() { 0.0 } else { (length - 1.0).abs() }
}
