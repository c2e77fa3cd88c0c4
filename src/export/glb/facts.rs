//! What of a recording has no place of its own in glTF: kept as `extras`.

use serde_json::{Value, json};

use crate::{
    clip::{Handedness, Origin, Up},
    export::Job,
};

/// What there is to know about the recording, for the node that holds all others.
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
            "handedness": match convention.handedness.value {
                Handedness::Left => "left",
                Handedness::Right => "right",
            },
            "up": match convention.up.value {
                Up::Y => "Y",
                Up::Z => "Z",
            },
            "metres_per_unit": convention.metres_per_unit.value,
            "declared": convention.names_of(Origin::Declared),
        },
    })
}

/// The recording's events, for its animation; times are those of the animation.
pub(super) fn events(job: &Job<'_>) -> Option<Value> {
    let events: Vec<_> = job
        .clip
        .events
        .iter()
        .filter(|event| (job.from..=job.to).contains(&event.time))
        .map(|event| {
            let node = event.owner.map_or("", |owner| job.clip.owner_name(owner));
            let value = event.value.as_deref();
            json!({"time": event.time - job.from, "node": node, "name": event.name, "value": value})
        })
        .collect();
    (!events.is_empty()).then(|| json!({ "events": events }))
}

/// For nodes that there is nothing to see of.
pub(super) fn never_shown() -> Value {
    json!({ "shown": false })
}
