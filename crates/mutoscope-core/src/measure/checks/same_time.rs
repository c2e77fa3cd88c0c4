//! Several keys of one track at one time.

use super::{
    Check, Find, Subject,
    report::{KeySpan, Report},
};
use crate::{
    clip::{AnyCurve, KeyTimes},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::SameTime,
    severity: Severity::Warning,
    rule: "keys at the time of the key before them; the last of them is used from there on",
    find: Find::WholeClip(find),
};

fn find(subject: &Subject<'_>, report: &mut Report<'_>) {
    let clip = subject.clip;
    // Tracks that were keyed together have the same times.
    let mut sound: Option<&KeyTimes> = None;
    for (track, source) in clip.tracks_with_ids() {
        if is_for_no_time(&source.curve) {
            continue;
        }
        let key_times = source.curve.times();
        if sound.is_some_and(|sound| sound.is_shared_with(key_times)) {
            continue;
        }
        let times = source.curve.key_times();
        if times.windows(2).all(|pair| pair[0] != pair[1]) {
            sound = Some(key_times);
            continue;
        }
        let mut first = 0;
        for run in times.chunk_by(|one, next| one == next) {
            if run.len() > 1 {
                report.add_on_track(KeySpan { track, key: first, end: None }, || {
                    format!("{} keys at one time: a jump at best", run.len())
                });
            }
            first += run.len();
        }
    }
}

/// Whether its keys have no times of their own.
fn is_for_no_time(curve: &AnyCurve) -> bool {
    match curve {
        AnyCurve::Typed(curve) => curve.is_frozen(),
        AnyCurve::Text(curve) => curve.is_frozen(),
        AnyCurve::Computed(_) => true,
        AnyCurve::Number(_) | AnyCurve::Switch(_) | AnyCurve::Driven(_) => false,
    }
}
