//! Finds keys that end before the recording does, because a file or a track was cut off.

use super::{
    Check, CheckFn, CheckInput,
    report::{KeySpan, Report},
    series::Series,
};
use crate::{
    clip::{Clip, Hint},
    diagnostics::{Severity, Topic},
};

/// The minimum number of keys of a track. With fewer keys, the usual interval is not reliable
/// enough to expect more keys.
const MIN_KEYS: usize = 32;
/// The minimum time from the last key of the track to the last key of all tracks, as a multiple of
/// the track's usual interval.
const MIN_MISSING_GAPS: f64 = 10.0;
const MIN_MISSING_S: f64 = 0.25;

pub(super) const CHECK: Check = Check {
    topic: Topic::EarlyEnd,
    severity: Severity::Info,
    rule: "Finds tracks of at least 32 keys that still move at their last key, if this is a \
           quarter of a second and 10 of their usual intervals before the last key of all \
           tracks. Also finds recordings without any key for that long before their end.",
    function: CheckFn::WholeClip(find_early_ends),
};

fn find_early_ends(input: &CheckInput<'_>, report: &mut Report<'_>) {
    let clip = input.clip;
    // Skip computed curves, because a computed curve has a key only where its value changes.
    let dense = || {
        let keyed = input.series.iter().filter(|series| series.has_file_keys());
        keyed.filter(|series| series.times().len() >= MIN_KEYS)
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
            && missing >= MIN_MISSING_S
            && missing > MIN_MISSING_GAPS * gap
            && series.is_visible_at(latest_of_all, &mut hint)
        {
            report.add(KeySpan { track: series.track(), key, end: Some(latest_of_all) }, || {
                (
                    series.name(),
                    format!("the last key is {missing:.2} s before the last keys of other tracks"),
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
    if missing >= MIN_MISSING_S && missing > MIN_MISSING_GAPS * gap {
        let Some(series) = dense().max_by(|a, b| last(a).total_cmp(&last(b))) else { return };
        let key = series.times().len() - 1;
        report.add(KeySpan { track: series.track(), key, end: Some(clip.span.end()) }, || {
            let length = clip.span.duration;
            let message = format!("no track has a key in the last {missing:.2} s of {length:.2} s");
            (series.name(), message)
        });
    }
}

fn latest_key(clip: &Clip) -> f64 {
    let ends = clip.tracks.iter().filter_map(|track| track.curve.key_times().last().copied());
    ends.fold(f64::NEG_INFINITY, f64::max)
}
