//! Finds several keys of one track at the same time.

use super::{
    Check, CheckFn, CheckInput,
    report::{KeySpan, Report},
};
use crate::{
    clip::{AnyCurve, KeyTimes},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::SameTime,
    severity: Severity::Warning,
    rule: "Finds keys at the same time as the key before them. The last of them applies from \
           then on.",
    function: CheckFn::WholeClip(find_keys_at_same_time),
};

fn find_keys_at_same_time(input: &CheckInput<'_>, report: &mut Report<'_>) {
    let clip = input.clip;
    // Tracks that were keyed together share their times. Skip a track that shares the times of the
    // previous track, if those had no duplicates.
    let mut unique_times: Option<&KeyTimes> = None;
    for (track, source) in clip.tracks_with_ids() {
        if has_no_key_times(&source.curve) {
            continue;
        }
        let key_times = source.curve.times();
        if unique_times.is_some_and(|unique_times| unique_times.is_shared_with(key_times)) {
            continue;
        }
        let times = source.curve.key_times();
        if times.windows(2).all(|pair| pair[0] != pair[1]) {
            unique_times = Some(key_times);
            continue;
        }
        let mut first = 0;
        for run in times.chunk_by(|key, next| key == next) {
            if run.len() > 1 {
                report.add_on_track(KeySpan { track, key: first, end: None }, || {
                    format!("{} keys at the same time; the last of them applies", run.len())
                });
            }
            first += run.len();
        }
    }
}

fn has_no_key_times(curve: &AnyCurve) -> bool {
    match curve {
        AnyCurve::Typed(curve) => curve.is_frozen(),
        AnyCurve::Text(curve) => curve.is_frozen(),
        AnyCurve::Computed(_) => true,
        AnyCurve::Number(_) | AnyCurve::Switch(_) | AnyCurve::Driven(_) => false,
    }
}
