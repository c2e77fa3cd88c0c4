//! Keys that end before the recording does: a file that was cut off, tracks that were.

use super::{
    Check, Find, Subject,
    report::{KeySpan, Report},
    series::Series,
};
use crate::{
    clip::{Clip, Hint},
    diagnostics::{Severity, Topic},
};

/// A track with fewer keys has no rate at which more would be expected.
const ENOUGH: usize = 32;
/// At least this many of its usual gaps are between its last key and the end.
const GAPS: f64 = 10.0;
/// And at least this many seconds.
const LONG: f64 = 0.25;

pub(super) const CHECK: Check = Check {
    topic: Topic::EarlyEnd,
    severity: Severity::Info,
    rule: "tracks of 32 keys or more that move up to their last one, a quarter of a second and 10 times \
           their usual gap between keys before the last key of all; and no key at all for that long \
           before the end of the recording",
    find: Find::WholeClip(find),
};

fn find(subject: &Subject<'_>, report: &mut Report<'_>) {
    let clip = subject.clip;
    // Computed curves have keys only where they change.
    let dense = || {
        let keyed = subject.series.iter().filter(|series| series.is_keyed());
        keyed.filter(|series| series.times().len() >= ENOUGH)
    };
    let last = |series: &Series<'_>| series.times().last().copied().unwrap_or_default();
    let latest_of_all = latest_key(clip);
    let mut hint = Hint::default();
    for series in dense() {
        let times = series.times();
        let (key, time) = (times.len() - 1, last(series));
        let gap = (time - times[0]) / key as f64;
        let missing = latest_of_all - time;
        let moves = series.key(key) != series.key(key - 1);
        if moves
            && missing >= LONG
            && missing > GAPS * gap
            && series.is_shown_at(latest_of_all, &mut hint)
        {
            report.add(KeySpan { track: series.track(), key, end: Some(latest_of_all) }, || {
                (
                    series.name(),
                    format!("its last key is {missing:.2} s before the last keys of other tracks"),
                )
            });
        }
    }
    let longest_gap = dense().map(|series| {
        let times = series.times();
        (last(series) - times[0]) / (times.len() - 1) as f64
    });
    let Some(gap) = longest_gap.reduce(f64::max) else { return };
    let missing = clip.span.end() - latest_of_all;
    if missing >= LONG && missing > GAPS * gap {
        let Some(series) = dense().max_by(|a, b| last(a).total_cmp(&last(b))) else { return };
        let key = series.times().len() - 1;
        report.add(KeySpan { track: series.track(), key, end: Some(clip.span.end()) }, || {
            let length = clip.span.duration;
            let what = format!("no track has a key in the last {missing:.2} s of {length:.2} s");
            (series.name(), what)
        });
    }
}

/// The time of the last key of any track, in seconds.
fn latest_key(clip: &Clip) -> f64 {
    let ends = clip.tracks.iter().filter_map(|track| track.curve.key_times().last().copied());
    ends.fold(f64::NEG_INFINITY, f64::max)
}
