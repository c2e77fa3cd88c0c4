//! Finds lost tracking or visibility.

use super::{
    Check, CheckFn, CheckInput,
    report::{KeySpan, Report},
    runs::runs,
};
use crate::{
    clip::{Clip, NodeVisibility, SignalKind, TrackId, Value},
    diagnostics::{Severity, Topic},
};

pub(super) const CHECK: Check = Check {
    topic: Topic::Untracked,
    severity: Severity::Info,
    rule: "Finds the time from a key that turns tracking off, or hides a node, to the key that \
           turns it on again, or to the end. Tracking must have been on before.",
    function: CheckFn::WholeClip(find_untracked_spans),
};

fn find_untracked_spans(input: &CheckInput<'_>, report: &mut Report<'_>) {
    let clip = input.clip;
    for (track, owner, loss) in visibility_switches(clip) {
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
                // Skip a switch that goes off at the very end, because nothing of the recording is
                // lost.
                continue;
            }
            report.add(KeySpan { track, key: keys.start, end: Some(end) }, || {
                let until = if keys.end < times.len() { "" } else { ", up to the end" };
                (owner.clone(), format!("{loss} for {}{until}", format_duration(end - start)))
            });
        }
    }
}

fn format_duration(seconds: f64) -> String {
    match seconds {
        0.005.. => format!("{seconds:.2} s"),
        _ => format!("{seconds:.1e} s"),
    }
}

fn visibility_switches(clip: &Clip) -> Vec<(TrackId, String, &'static str)> {
    let tracked = clip.signals.iter().filter(|signal| signal.kind == SignalKind::Tracked);
    let owner_name = |track: TrackId| clip.owner_name(clip.track(track).owner).to_owned();
    let mut switches: Vec<_> =
        tracked.map(|signal| (signal.track, owner_name(signal.track), "not tracked")).collect();
    for (_, node) in clip.nodes.with_ids() {
        if let NodeVisibility::While(track) = node.motion.visibility
            && switches.iter().all(|(known, ..)| *known != track)
        {
            switches.push((track, node.name.clone(), "not shown"));
        }
    }
    switches
}
