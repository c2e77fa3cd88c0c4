//! Finds quaternions that do not have unit length.

use glam::DVec4;

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
    let mut all_keys = series.keys();
    for keys in runs(times.len(), |_| all_keys.next().is_some_and(is_wrong_length)) {
        report.add(KeySpan::from_keys(series.track(), &keys, times), || {
            let worst = (series.keys_in(keys.clone()))
                .max_by(|a, b| length_error(*a).total_cmp(&length_error(*b)));
            let length = worst.map_or(0.0, DVec4::length);
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
fn is_wrong_length(key: DVec4) -> bool {
    const VALID_SQUARED_LENGTHS: std::ops::Range<f64> =
        (1.0 - TOLERANCE) * (1.0 - TOLERANCE)..(1.0 + TOLERANCE) * (1.0 + TOLERANCE);
    !VALID_SQUARED_LENGTHS.contains(&key.length_squared()) && length_error(key) > TOLERANCE
}

/// Returns the difference between a key's length and 1. Returns 0 if the quaternion is zero or not
/// finite, because another check reports such keys.
fn length_error(key: DVec4) -> f64 {
    let length = key.length();
    if length < MIN_QUATERNION_LENGTH || !length.is_finite() { 0.0 } else { (length - 1.0).abs() }
}
