//! The text that `info` prints for a recording.

use crate::registry;
use std::io::{self, Write};

use mutoscope_core::{
    clip::{AttachedSkeleton, Clip, Convention, Event, FactOrigin, FieldBinding, Span},
    diagnostics::format_count,
    diagnostics::{Diagnostics, Severity, escape_control_chars, format_number},
};

const MAX_LISTED_EVENTS: usize = 10;

const MAX_LISTED_FIELDS: usize = 100;

/// Prints a few aligned lines about the clip. Prints only the number of diagnostics, because the
/// diagnostics themselves are on standard error.
pub(super) fn print(path: &str, clip: &Clip, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", escape_control_chars(path))?;
    let mut line =
        |label: &str, text: String| writeln!(out, "  {label:<11} {}", escape_control_chars(&text));
    let format = format!("{} {}", registry().format_name(clip.format), clip.version);
    line("format", format.trim_end().to_owned())?;
    if !clip.name.is_empty() {
        line("name", format!("{:?}", clip.name))?;
    }
    line("subject", clip.subject.clone())?;
    if let Some(attached) = clip.skeleton.attached() {
        line("skeleton", skeleton_text(attached))?;
    }
    line("time", time_text(clip))?;
    let nodes = format_count(clip.nodes.len(), "node");
    let tracks = format_count(clip.tracks.len(), "track");
    let keys = format_count(clip.key_count(), "key");
    line("contents", format!("{nodes}, {tracks}, {keys}"))?;
    for fact in clip.facts() {
        line(fact.label, fact.text)?;
    }
    line("convention", convention_text(&clip.convention))?;
    line("declared", fact_names_text(&clip.convention, FactOrigin::Declared))?;
    line("assumed", fact_names_text(&clip.convention, FactOrigin::Assumed))?;
    if let Some(bindings) = clip.bindings() {
        for (label, text) in field_lines(clip, &bindings.fields) {
            line(label, text)?;
        }
    }
    line("events", clip.events.len().to_string())?;
    for event in clip.events.iter().take(MAX_LISTED_EVENTS) {
        line("", event_text(clip, event))?;
    }
    if clip.events.len() > MAX_LISTED_EVENTS {
        line("", format!("and {} more", clip.events.len() - MAX_LISTED_EVENTS))?;
    }
    line("issues", severity_counts(&clip.diagnostics))
}

fn event_text(clip: &Clip, event: &Event) -> String {
    let owner = event.owner.map(|owner| format!("{}: ", clip.owner_name(owner)));
    let value = event.value.as_ref().and_then(|value| serde_json::to_string(value).ok());
    let value = value.map(|value| format!(" {value}"));
    let (owner, value) = (owner.unwrap_or_default(), value.unwrap_or_default());
    format!("{:8.3} s  {owner}{:?}{value}", event.time, event.name)
}

fn skeleton_text(attached: &AttachedSkeleton) -> String {
    let AttachedSkeleton { name, matched, missing, resting, .. } = attached;
    format!(
        "{name}: {} matched, {} only in the recording, {} only in the skeleton",
        matched.len(),
        missing.len(),
        resting.len()
    )
}

fn time_text(clip: &Clip) -> String {
    let span = clip.span;
    let rate = clip.rate_hz.map(|rate| format!(", {} Hz", format_number(rate))).unwrap_or_default();
    let looping = match clip.is_looping {
        Some(true) => ", loops",
        Some(false) => ", does not loop",
        None => "",
    };
    let Span { start, duration } = span;
    format!("{duration:.3} s, from {start:.3} s to {:.3} s{rate}{looping}", span.end())
}

fn convention_text(convention: &Convention) -> String {
    format!(
        "{}-handed, {} up, 1 unit = {} m",
        convention.handedness.value.as_str(),
        convention.up.value.as_str(),
        convention.metres_per_unit.value
    )
}

fn fact_names_text(convention: &Convention, origin: FactOrigin) -> String {
    let names = convention.fact_names(origin);
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn field_lines(clip: &Clip, bindings: &[FieldBinding]) -> Vec<(&'static str, String)> {
    let found = bindings.iter().filter(|binding| binding.is_found).count();
    let count = bindings.len();
    let mut lines = vec![("fields", format!("{found} of {count} tracks match a field by name"))];
    lines.extend(bindings.iter().take(MAX_LISTED_FIELDS).map(|binding| {
        let track = clip.track(binding.track);
        let (index, node) = (binding.track.index(), clip.owner_name(track.owner));
        ("", format!("track {index:<4} {node}.{}: {}", track.property, binding.text))
    }));
    if count > MAX_LISTED_FIELDS {
        lines.push(("", format!("and {} more", count - MAX_LISTED_FIELDS)));
    }
    lines
}

pub(super) fn severity_counts(diagnostics: &Diagnostics) -> String {
    let count_text = |severity: Severity| {
        let count = diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        let plural = if count > 1 && severity != Severity::Info { "s" } else { "" };
        (count > 0).then(|| format!("{count} {severity}{plural}"))
    };
    let counts: Vec<_> = [Severity::Error, Severity::Warning, Severity::Info]
        .into_iter()
        .filter_map(count_text)
        .collect();
    if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}
