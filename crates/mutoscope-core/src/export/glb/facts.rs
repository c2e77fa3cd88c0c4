//! Data of a recording without an equivalent in glTF: kept as `extras`.

use serde_json::{Value, json};

use crate::{
    clip::{CompositionPart, Event, Origin},
    export::Job,
};

/// Facts about the recording, for the root node.
pub(super) fn of(job: &Job<'_>) -> Value {
    let clip = job.clip;
    let convention = &clip.convention;
    json!({
        "format": clip.format.word(),
        "version": clip.version,
        "name": clip.name,
        "subject": clip.subject,
        "start": job.from,
        "duration": job.to - job.from,
        "rate_hz": job.rate.or(clip.rate_hz),
        "source_convention": {
            "handedness": convention.handedness.value.word(),
            "up": convention.up.value.word(),
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.names_of(Origin::Declared),
        },
    })
}

/// Data of the animation besides keys: the recording's events, at times of the animation.
pub(super) fn of_animation(job: &Job<'_>) -> Option<Value> {
    let in_range = |event: &&Event| (job.from..=job.to).contains(&event.time);
    let events: Vec<_> =
        job.clip.events.iter().filter(in_range).map(|event| self::event(job, event)).collect();
    let composition: Vec<_> = job.clip.composition.iter().map(part).collect();
    let mut extras = serde_json::Map::new();
    for (name, list) in [("events", events), ("composition", composition)] {
        if !list.is_empty() {
            extras.insert(name.to_owned(), list.into());
        }
    }
    (!extras.is_empty()).then(|| extras.into())
}

/// As `info --json` has it.
fn event(job: &Job<'_>, event: &Event) -> Value {
    let details = event.details.as_deref();
    let (node, value) = (event.node_name(job.clip), event.value.as_deref());
    let mut object =
        json!({"time": event.time - job.from, "node": node, "name": event.name, "value": value});
    if let Some(details) = details {
        object["kind"] = details.kind.into();
        object["fires"] = details.fires.into();
        if let Some(effect) = details.effect {
            object["effect"] = effect.into();
        }
        if details.duration > 0.0 {
            object["duration"] = details.duration.into();
        }
    }
    object
}

/// A part of a composed animation; the list is the tree, parents before children.
fn part(part: &CompositionPart) -> Value {
    json!({
        "depth": part.depth,
        "kind": part.kind.word(),
        "name": part.name,
        "source": part.source,
        "share": part.share,
        "start": part.start,
        "shown": part.is_shown,
    })
}

/// For nodes that are never visible.
pub(super) fn never_shown() -> Value {
    json!({ "shown": false })
}
