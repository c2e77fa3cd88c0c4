//! Data of a recording that glTF has no place for: kept as `extras`.

use serde_json::{Value, json};

use crate::{
    clip::{CompositionPart, Event, FactOrigin},
    export::Job,
};

pub(super) fn root_extras(job: &Job<'_>) -> Value {
    let clip = job.clip;
    let convention = &clip.convention;
    json!({
        "format": clip.format.as_str(),
        "version": clip.version,
        "name": clip.name,
        "subject": clip.subject,
        "start": job.from,
        "duration": job.to - job.from,
        "rate_hz": job.rate.or(clip.rate_hz),
        "source_convention": {
            "handedness": convention.handedness.value.as_str(),
            "up": convention.up.value.as_str(),
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.fact_names(FactOrigin::Declared),
        },
    })
}

pub(super) fn animation_extras(job: &Job<'_>) -> Option<Value> {
    let events: Vec<_> =
        job.events().map(|(time, event)| event_to_json(job, time, event)).collect();
    let composition: Vec<_> = job.clip.composition.iter().map(composition_part_to_json).collect();
    let mut extras = serde_json::Map::new();
    for (name, list) in [("events", events), ("composition", composition)] {
        if !list.is_empty() {
            extras.insert(name.to_owned(), list.into());
        }
    }
    (!extras.is_empty()).then(|| extras.into())
}

/// Converts an event to the same JSON as `info --json`.
fn event_to_json(job: &Job<'_>, time: f64, event: &Event) -> Value {
    let details = event.details.as_deref();
    let (node, value) = (event.node_name(job.clip), event.value.as_deref());
    let mut object =
        json!({"time": time - job.from, "node": node, "name": event.name, "value": value});
    if let Some(details) = details {
        object["kind"] = details.kind.into();
        object["fires"] = details.is_fired.into();
        if let Some(effect) = details.effect {
            object["effect"] = effect.into();
        }
        if details.duration > 0.0 {
            object["duration"] = details.duration.into();
        }
    }
    object
}

fn composition_part_to_json(part: &CompositionPart) -> Value {
    json!({
        "depth": part.depth,
        "kind": part.kind.as_str(),
        "name": part.name,
        "source": part.source,
        "share": part.share,
        "start": part.start,
        "shown": part.is_current,
    })
}

pub(super) fn hidden_extras() -> Value {
    json!({ "shown": false })
}
