//! Finds NaN and infinite values.

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
    runs::runs,
};
use crate::{
    clip::{AnyCurve, Track, TrackId, Value, Values},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::NonFinite,
    severity: Severity::Warning,
    rule: "Finds NaN and infinite values. Consecutive keys are one issue.",
    function: CheckFn::EachTrack(find_non_finite_values),
};

fn find_non_finite_values(id: TrackId, track: &Track, report: &mut Report<'_>) {
    let curve = &track.curve;
    if is_all_finite(curve) {
        return;
    }
    let times = curve.times().as_slice();
    for keys in runs(times.len(), |key| !is_finite(&curve.key_value(key))) {
        report.add_on_track(KeySpan::from_keys(id, &keys, times), || match keys.len() {
            1 => format!("the value of key {} is not finite", keys.end),
            many => format!("{many} consecutive values are not finite"),
        });
    }
}

/// A fast test without [`Value`]s, because almost all curves are finite.
fn is_all_finite(curve: &AnyCurve) -> bool {
    match curve {
        AnyCurve::Computed(curve) => {
            (0..curve.times().as_slice().len()).all(|key| is_finite(&curve.key_value(key)))
        }
        _ => curve.components().iter().all(|curve| match curve.values() {
            Values::F32(values) => values.iter().all(|value| value.is_finite()),
            Values::Packed(column) => column.is_finite(),
            Values::F64(values) => values.iter().all(|value| value.is_finite()),
            Values::Constant { value, count } => *count == 0 || value.is_finite(),
            Values::I64(_) | Values::U64(_) => true,
        }),
    }
}

fn is_finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_finite(),
        Value::Numbers(numbers) => numbers.iter().all(|number| number.is_finite()),
        _ => true,
    }
}
