//! Finds keys that the file does not store in the order of time.

use super::{
    Check, CheckFn,
    report::{KeySpan, Report},
};
use crate::{
    clip::{AnyCurve, Track, TrackId},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::Unsorted,
    severity: Severity::Warning,
    rule: "Finds keys that the file stores before an earlier key. They are played in the order \
           of time.",
    function: CheckFn::EachTrack(find_unsorted_keys),
};

fn find_unsorted_keys(id: TrackId, track: &Track, report: &mut Report<'_>) {
    // Skip computed curves, because such a curve may use the same file key several times.
    if matches!(track.curve, AnyCurve::Computed(_)) {
        return;
    }
    for key in track.source.out_of_order_keys() {
        report.add_on_track(KeySpan { track: id, key, end: None }, || {
            format!("the file stores key {} before an earlier key; sorted by time", key + 1)
        });
    }
}
