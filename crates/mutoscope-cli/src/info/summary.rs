//! The content of a file, for people.

use std::io::{self, Write};

use mutoscope_core::{
    clip::{Attached, Clip, Convention, Event, FieldBinding, Origin, Span},
    diagnostics::{Notices, Severity, number_text, printable},
    formats,
};

/// The most events that are listed.
const EVENTS_LISTED: usize = 10;

/// The most tracks whose fields are listed.
const FIELDS_LISTED: usize = 100;

/// Prints a few aligned lines about the clip. Its notices are only counted: they go to standard
/// error, each in full.
pub(super) fn print(path: &str, clip: &Clip, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", printable(path))?;
    let mut line = |label: &str, text: String| writeln!(out, "  {label:<11} {}", printable(&text));
    let format = format!("{} {}", formats::name(clip.format), clip.version);
    line("format", format.trim_end().to_owned())?;
    if !clip.name.is_empty() {
        line("name", format!("{:?}", clip.name))?;
    }
    line("subject", clip.subject.clone())?;
    if let Some(attached) = clip.skeleton.attached() {
        line("skeleton", skeleton(attached))?;
    }
    line("time", time(clip))?;
    let (nodes, tracks, keys) = (clip.nodes.len(), clip.tracks.len(), clip.key_count());
    line("contents", format!("{nodes} nodes, {tracks} tracks, {keys} keys"))?;
    for fact in clip.facts() {
        line(fact.label, fact.text)?;
    }
    line("convention", convention(&clip.convention))?;
    line("declared", names(&clip.convention, Origin::Declared))?;
    line("assumed", names(&clip.convention, Origin::Assumed))?;
    if let Some(bindings) = clip.bindings() {
        for (label, text) in fields(clip, &bindings.fields) {
            line(label, text)?;
        }
    }
    line("events", clip.events.len().to_string())?;
    for event in clip.events.iter().take(EVENTS_LISTED) {
        line("", event_text(clip, event))?;
    }
    if clip.events.len() > EVENTS_LISTED {
        line("", format!("and {} more", clip.events.len() - EVENTS_LISTED))?;
    }
    line("notices", counts(&clip.notices))
}

/// Time, node, name and value of an event: `7.100 s  player: "place" "minecraft:oak_planks"`.
fn event_text(clip: &Clip, event: &Event) -> String {
    let owner = event.owner.map(|owner| format!("{}: ", clip.owner_name(owner)));
    let value = event.value.as_ref().and_then(|value| serde_json::to_string(value).ok());
    let value = value.map(|value| format!(" {value}"));
    let (owner, value) = (owner.unwrap_or_default(), value.unwrap_or_default());
    format!("{:8.3} s  {owner}{:?}{value}", event.time, event.name)
}

fn skeleton(attached: &Attached) -> String {
    let Attached { name, matched, missing, resting, .. } = attached;
    format!(
        "{name}: {} matched, {} only in the recording, {} only in the skeleton",
        matched.len(),
        missing.len(),
        resting.len()
    )
}

fn time(clip: &Clip) -> String {
    let span = clip.span;
    let rate = clip.rate_hz.map(|rate| format!(", {} Hz", number_text(rate))).unwrap_or_default();
    let looping = match clip.is_looping {
        Some(true) => ", meant to loop",
        Some(false) => ", not meant to loop",
        None => "",
    };
    let Span { start, duration } = span;
    format!("{duration:.3} s, from {start:.3} s to {:.3} s{rate}{looping}", span.end())
}

fn convention(convention: &Convention) -> String {
    format!(
        "{}-handed, {} up, 1 unit = {} m",
        convention.handedness.value.word(),
        convention.up.value.word(),
        convention.metres_per_unit.value
    )
}

fn names(convention: &Convention, origin: Origin) -> String {
    let names = convention.names_of(origin);
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// The fields that a tool would bind the tracks to, if it looks them up by their names.
fn fields(clip: &Clip, bindings: &[FieldBinding]) -> Vec<(&'static str, String)> {
    let found = bindings.iter().filter(|binding| binding.is_found).count();
    let count = bindings.len();
    let mut lines = vec![("fields", format!("{found} of {count} tracks find one by their names"))];
    lines.extend(bindings.iter().take(FIELDS_LISTED).map(|binding| {
        let track = clip.track(binding.track);
        let (index, node) = (binding.track.index(), clip.owner_name(track.owner));
        ("", format!("track {index:<4} {node}.{}: {}", track.property, binding.text))
    }));
    if count > FIELDS_LISTED {
        lines.push(("", format!("and {} more", count - FIELDS_LISTED)));
    }
    lines
}

/// How many notices there are of each severity, worst first: `1 warning, 2 info`.
pub(super) fn counts(notices: &Notices) -> String {
    let of = |severity: Severity| {
        let count = notices.iter().filter(|notice| notice.severity == severity).count();
        let plural = if count > 1 && severity != Severity::Info { "s" } else { "" };
        (count > 0).then(|| format!("{count} {severity}{plural}"))
    };
    let counts: Vec<_> =
        [Severity::Error, Severity::Warning, Severity::Info].into_iter().filter_map(of).collect();
    if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}
