//! Finds zero quaternions.

use glam::DVec4;

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
};
use crate::diagnostics::{Severity, Topic};

/// Shorter quaternions have no meaningful direction.
pub(super) const MIN_QUATERNION_LENGTH: f64 = 1e-6;

pub(super) const CHECK: Check = Check {
    topic: Topic::ZeroQuaternion,
    severity: Severity::Warning,
    rule: "Finds quaternions shorter than a millionth, which have no direction. Consecutive \
           keys are one issue.",
    function: CheckFn::EachRotation(find_zero_quaternions),
};

fn find_zero_quaternions(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    let is_zero = |key: DVec4| key.length_squared() < MIN_QUATERNION_LENGTH * MIN_QUATERNION_LENGTH;
    let mut all_keys = series.keys();
    for keys in runs(times.len(), |_| all_keys.next().is_some_and(is_zero)) {
        report.add(KeySpan::from_keys(series.track(), &keys, times), || {
            let message = match keys.len() {
                1 => "a zero quaternion".to_owned(),
                many => format!("{many} consecutive keys are zero quaternions"),
            };
            (series.name(), message)
        });
    }
}
