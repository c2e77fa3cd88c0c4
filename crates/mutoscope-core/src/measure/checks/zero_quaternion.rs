//! Zero quaternions.

use super::{
    Check, Find,
    report::{KeySpan, Report},
    runs::runs,
    series::Series,
};
use crate::diagnostics::{Severity, Topic};

/// The least length of a quaternion whose direction is meaningful.
pub(super) const SHORTEST: f64 = 1e-6;

pub(super) const CHECK: Check = Check {
    topic: Topic::ZeroQuaternion,
    severity: Severity::Warning,
    rule: "quaternions shorter than a millionth, which have no direction; keys in a row are one issue",
    find: Find::EachRotation(find),
};

fn find(series: &Series<'_>, report: &mut Report<'_>) {
    let times = series.times();
    for keys in runs(times.len(), |key| series.key(key).length_squared() < SHORTEST * SHORTEST) {
        report.add(KeySpan::of_keys(series.track(), &keys, times), || {
            let what = match keys.len() {
                1 => "a zero quaternion".to_owned(),
                many => format!("{many} keys that are zero quaternions"),
            };
            (series.name(), what)
        });
    }
}
