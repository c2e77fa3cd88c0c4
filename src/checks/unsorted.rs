//! Keys that the file has in another order than that of time.

use super::{
    Check, Subject,
    report::{KeySpan, Report},
};
use crate::{
    clip::{AnyCurve, Track},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::Unsorted,
    severity: Severity::Warning,
    rule: "keys that the file has before an earlier one; played in the order of time",
    find,
};

fn find(subject: &Subject<'_>, report: &mut Report<'_>) {
    let clip = subject.clip;
    // Computed curves follow the order of the file, some of it several times.
    let is_followed = |track: &Track| matches!(track.curve, AnyCurve::Computed(_));
    for (track, source) in clip.tracks_with_ids().filter(|(_, track)| !is_followed(track)) {
        for key in source.source.out_of_order() {
            report.add(KeySpan { track, key, end: None }, || {
                let what = "the file has it before an earlier key; sorted by time";
                (clip.track_name(track), format!("key {} {what}", key + 1))
            });
        }
    }
}
