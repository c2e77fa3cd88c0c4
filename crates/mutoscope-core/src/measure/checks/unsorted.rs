//! Keys that the file has in another order than that of time.

use super::{
    Check, Find,
    report::{KeySpan, Report},
};
use crate::{
    clip::{AnyCurve, Track, TrackId},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::Unsorted,
    severity: Severity::Warning,
    rule: "keys that the file has before an earlier one; played in the order of time",
    find: Find::EachTrack(find),
};

fn find(id: TrackId, track: &Track, report: &mut Report<'_>) {
    // Computed curves follow the order of the file, some of it several times.
    if matches!(track.curve, AnyCurve::Computed(_)) {
        return;
    }
    for key in track.source.out_of_order() {
        report.add_on_track(KeySpan { track: id, key, end: None }, || {
            let what = "the file has it before an earlier key; sorted by time";
            format!("key {} {what}", key + 1)
        });
    }
}
