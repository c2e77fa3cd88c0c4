//! NaN and infinite values.

use super::{
    Check, Find,
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
    rule: "NaN and infinite values; keys in a row are one issue",
    find: Find::EachTrack(find),
};

fn find(id: TrackId, track: &Track, report: &mut Report<'_>) {
    let curve = &track.curve;
    if is_all_finite(curve) {
        return;
    }
    let times = curve.times().as_slice();
    for keys in runs(times.len(), |key| !is_finite(&curve.key_value(key))) {
        report.add_on_track(KeySpan::of_keys(id, &keys, times), || match keys.len() {
            1 => format!("the value of key {} is not finite", keys.end),
            many => format!("{many} values in a row that are not finite"),
        });
    }
}

/// Whether all its values are finite: a fast test, as they almost always are.
fn is_all_finite(curve: &AnyCurve) -> bool {
    match curve {
        AnyCurve::Computed(curve) => {
            (0..curve.times().as_slice().len()).all(|key| is_finite(&curve.key_value(key)))
        }
        _ => curve.components().iter().all(|curve| match curve.values() {
            Values::Single(values) => values.iter().all(|value| value.is_finite()),
            Values::Packed(column) => (0..column.len()).all(|key| column.at(key).is_finite()),
            Values::Double(values) => values.iter().all(|value| value.is_finite()),
            Values::Same { value, count } => *count == 0 || value.is_finite(),
            Values::Signed(_) | Values::Unsigned(_) => true,
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
