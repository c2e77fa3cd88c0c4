//! Plain-English labels for the identifiers in files.

use std::borrow::Cow;

use super::{Scene, Slot, Take, short_name};
use mutoscope_core::clip::{Event, EventDescription, NodeId, Owner, Track, Value};

/// Returns the display name of a kind, an item or a block: `oak log`. Ids of mods are returned
/// unchanged.
pub fn display_name(id: &str) -> Cow<'_, str> {
    let name = short_name(id);
    if name.contains(':') || !name.contains('_') {
        return name.into();
    }
    name.replace('_', " ").into()
}

pub(super) fn property_label(property: &str) -> String {
    let slot = property.strip_prefix("item.").and_then(Slot::from_name);
    slot.map_or_else(|| property.replace('_', " "), |slot| slot.label().to_owned())
}

pub(super) fn describe_event(scene: &Scene, event: &Event) -> EventDescription {
    let text = match event.value.as_deref() {
        Some(Value::Text(text)) => Some(&**text),
        _ => None,
    };
    let thing = || text.map(|text| display_name(text).into_owned());
    let hand = || text.and_then(Slot::from_name).map(|slot| slot.label().to_owned());
    let (event_name, with) = match event.name.as_str() {
        "swing" => ("swings", hand()),
        "hurt" => ("hurt", None),
        "add" => ("added", None),
        "remove" => ("removed", None),
        "kill" => ("killed", None),
        "die" => ("dies", None),
        "respawn" => ("respawns", None),
        "mount" => ("mounts", vehicle_label(scene, event)),
        "dismount" => ("dismounts", None),
        "break" => ("breaks", thing()),
        "place" => ("places", thing()),
        "crack" => ("cracks a block", None),
        "use" => ("right-clicks", hand().map(|hand| format!("with the {hand}"))),
        "chat" => ("chat", text.map(str::to_owned)),
        "close" => ("closes what was open", None),
        _ => ("extension", text.map(str::to_owned)),
    };
    let sentence = match (&with, event_name) {
        (Some(words), "chat") => words.clone(),
        (Some(with), _) => format!("{event_name} {with}"),
        (None, _) => event_name.to_owned(),
    };
    EventDescription { verb: event_name, object: with, sentence }
}

pub(super) fn value_label(scene: &Scene, track: &Track, value: &Value) -> Option<String> {
    match (track.property.as_str(), value) {
        ("vehicle", Value::Integer(id)) => entity_label(scene, track.owner, *id),
        ("pose", Value::Text(pose)) => Some(pose.to_lowercase().replace('_', " ")),
        (_, Value::Text(item)) => Some(display_name(item).into_owned()),
        _ => None,
    }
}

fn vehicle_label(scene: &Scene, event: &Event) -> Option<String> {
    match event.value.as_deref() {
        Some(Value::Integer(id)) => entity_label(scene, event.owner?, *id),
        _ => None,
    }
}

/// Returns the label of an entity in the recording that contains `owner`: `oak boat (entity/3)`.
fn entity_label(scene: &Scene, owner: Owner, id: i128) -> Option<String> {
    let Owner::Node(node) = owner else { return None };
    let take = take_of_node(scene, node)?;
    let entity = take.recording.entity(id.try_into().ok()?)?;
    let name = format!("{}entity/{id}", take.prefix());
    let kind = display_name(&entity.kind);
    Some(if kind.is_empty() { name } else { format!("{kind} ({name})") })
}

pub(super) fn take_of_node(scene: &Scene, node: NodeId) -> Option<&Take> {
    let after = scene.takes.partition_point(|take| take.first_node <= node.index());
    scene.takes.get(after.checked_sub(1)?).map(|take| &**take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_display_names() {
        let cases = [
            ("minecraft:oak_log[axis=y]", "oak log"),
            ("minecraft:cow", "cow"),
            ("#836", "#836"),
            ("create:copper_casing", "create:copper_casing"),
            ("", ""),
        ];
        for (id, expected) in cases {
            assert_eq!(display_name(id), expected);
        }
        let properties = ["item.MAINHAND", "on_ground", "item.else"].map(property_label);
        assert_eq!(properties, ["main hand", "on ground", "item.else"]);
    }
}
