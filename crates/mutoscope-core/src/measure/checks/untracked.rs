//! Tracking or visibility that is lost.

use super::{
    Check, Find, Subject,
    report::{KeySpan, Report},
    runs::runs,
};
use crate::{
    clip::{Clip, Shown, SignalKind, TrackId, Value},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::Untracked,
    severity: Severity::Info,
    rule: "from a key that turns tracking off, or hides a node, after it was on, to the key that turns \
           it on again or to the end",
    find: Find::WholeClip(find),
};

fn find(subject: &Subject<'_>, report: &mut Report<'_>) {
    let clip = subject.clip;
    for (track, whose, what) in switches(clip) {
        let curve = &clip.track(track).curve;
        let times = curve.key_times();
        let is_on = |key: usize| match curve.key_value(key) {
            Value::Number(number) => number > 0.5,
            value => value.is_true(),
        };
        let Some(first_on) = (0..times.len()).find(|&key| is_on(key)) else { continue };
        for keys in runs(times.len(), |key| key > first_on && !is_on(key)) {
            let start = times[keys.start];
            let end = times.get(keys.end).copied().unwrap_or(clip.span.end()).max(start);
            if end == start {
                // Off at the very end: nothing of the recording is lost.
                continue;
            }
            report.add(KeySpan { track, key: keys.start, end: Some(end) }, || {
                let until = if keys.end < times.len() { "" } else { ", up to the end" };
                (whose.clone(), format!("{what} for {}{until}", duration(end - start)))
            });
        }
    }
}

/// A duration in words; a short one is not rounded to none.
fn duration(seconds: f64) -> String {
    match seconds {
        0.005.. => format!("{seconds:.2} s"),
        _ => format!("{seconds:.1e} s"),
    }
}

/// The curves of tracking and visibility, their owners, and the word for what is lost.
fn switches(clip: &Clip) -> Vec<(TrackId, String, &'static str)> {
    let tracked = clip.signals.iter().filter(|signal| signal.kind == SignalKind::Tracked);
    let owner = |track: TrackId| clip.owner_name(clip.track(track).owner).to_owned();
    let mut switches: Vec<_> =
        tracked.map(|signal| (signal.track, owner(signal.track), "not tracked")).collect();
    for (_, node) in clip.nodes.with_ids() {
        if let Shown::While(track) = node.motion.shown
            && switches.iter().all(|(known, ..)| *known != track)
        {
            switches.push((track, node.name.clone(), "not shown"));
        }
    }
    switches
}
