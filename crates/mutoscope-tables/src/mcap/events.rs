//! Converts events to log messages.

use super::messages::{Log, Timestamp};
use mutoscope_core::clip::{Clip, Event, Value};

pub(super) fn log_message(clip: &Clip, event: &Event, timestamp: Timestamp) -> Log {
    Log {
        timestamp: Some(timestamp),
        level: Log::INFO,
        message: describe_event(event),
        name: event.node_name(clip).to_owned(),
    }
}

fn describe_event(event: &Event) -> String {
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
        words.extend((!details.is_fired).then(|| "not played".to_owned()));
        text += &format!(" ({})", words.join(", "));
    }
    text
}
