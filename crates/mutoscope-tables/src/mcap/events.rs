//! Events as log messages.

use super::messages::{Log, Timestamp};
use mutoscope_core::clip::{Clip, Event, Value};

/// The message of an event.
pub(super) fn message(clip: &Clip, event: &Event, timestamp: Timestamp) -> Log {
    Log {
        timestamp: Some(timestamp),
        level: Log::INFO,
        message: text(event),
        name: event.node_name(clip).to_owned(),
    }
}

/// Its name, its value, and its details in brackets.
fn text(event: &Event) -> String {
    let mut text = event.name.clone();
    let value = match event.value.as_deref() {
        None | Some(Value::Null) => None,
        Some(Value::Text(words)) => Some(words.to_string()),
        Some(other) => serde_json::to_string(other).ok(),
    };
    if let Some(value) = value {
        text += &format!(": {value}");
    }
    if let Some(details) = event.details.as_deref() {
        let mut words = vec![details.kind.to_owned()];
        words.extend(details.effect.map(str::to_owned));
        words.extend((details.duration > 0.0).then(|| format!("{} s", details.duration)));
        words.extend((!details.fires).then(|| "not played".to_owned()));
        text += &format!(" ({})", words.join(", "));
    }
    text
}
