//! Plain words for the identifiers in files.

use std::borrow::Cow;

use super::{Scene, Slot, Take, short};
use mutoscope_core::clip::{Event, EventWords, NodeId, Owner, Track, Value};

/// The name of a kind, an item or a block as people say it: `oak log`. What mods name is as they
/// name it.
pub fn spoken(id: &str) -> Cow<'_, str> {
    let name = short(id);
    if name.contains(':') || !name.contains('_') {
        return name.into();
    }
    name.replace('_', " ").into()
}

/// The name of a property for people: `main hand`, `on ground`.
pub(super) fn property(property: &str) -> String {
    let slot = property.strip_prefix("item.").and_then(Slot::named);
    slot.map_or_else(|| property.replace('_', " "), |slot| slot.word().to_owned())
}

/// An event in plain words.
pub(super) fn event(scene: &Scene, event: &Event) -> EventWords {
    let text = match event.value.as_deref() {
        Some(Value::Text(text)) => Some(&**text),
        _ => None,
    };
    let thing = || text.map(|text| spoken(text).into_owned());
    let hand = || text.and_then(Slot::named).map(|slot| slot.word().to_owned());
    let (event_name, with) = match event.name.as_str() {
        "swing" => ("swings", hand()),
        "hurt" => ("hurt", None),
        "add" => ("added", None),
        "remove" => ("removed", None),
        "kill" => ("killed", None),
        "die" => ("dies", None),
        "respawn" => ("respawns", None),
        "mount" => ("mounts", vehicle(scene, event)),
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
    EventWords { event_name, with, sentence }
}

/// The word for a track's value, where that is not a number.
pub(super) fn value(scene: &Scene, track: &Track, value: &Value) -> Option<String> {
    match (track.property.as_str(), value) {
        ("vehicle", Value::Integer(id)) => entity(scene, track.owner, *id),
        ("pose", Value::Text(pose)) => Some(pose.to_lowercase().replace('_', " ")),
        (_, Value::Text(item)) => Some(spoken(item).into_owned()),
        _ => None,
    }
}

fn vehicle(scene: &Scene, event: &Event) -> Option<String> {
    match event.value.as_deref() {
        Some(Value::Integer(id)) => entity(scene, event.owner?, *id),
        _ => None,
    }
}

/// The entity with this number in the recording that has `owner`: `oak boat (entity/3)`.
fn entity(scene: &Scene, owner: Owner, id: i128) -> Option<String> {
    let Owner::Node(node) = owner else { return None };
    let take = take_of(scene, node)?;
    let entity = take.recording.entity(id.try_into().ok()?)?;
    let name = format!("{}entity/{id}", take.prefix());
    let kind = spoken(&entity.kind);
    Some(if kind.is_empty() { name } else { format!("{kind} ({name})") })
}

/// The recording that has a node.
pub(super) fn take_of(scene: &Scene, node: NodeId) -> Option<&Take> {
    let after = scene.takes.partition_point(|take| take.first_node <= node.index());
    scene.takes.get(after.checked_sub(1)?).map(|take| &**take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spoken_words() {
        let cases = [
            ("minecraft:oak_log[axis=y]", "oak log"),
            ("minecraft:cow", "cow"),
            ("#836", "#836"),
            ("create:copper_casing", "create:copper_casing"),
            ("", ""),
        ];
        for (id, expected) in cases {
            assert_eq!(spoken(id), expected);
        }
        let properties = ["item.MAINHAND", "on_ground", "item.else"].map(property);
        assert_eq!(properties, ["main hand", "on ground", "item.else"]);
    }
}
