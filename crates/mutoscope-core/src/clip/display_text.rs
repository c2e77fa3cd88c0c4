//! Text for people: values, events, owners and captions.

use super::{AnyCurve, Clip, Event, EventDetails, Owner, Pose, Value};

/// Formats `value` with at most `decimals` decimals, without trailing zeros.
pub fn format_decimal(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Value {
    /// Formats the value as short text. Numbers are rounded to three decimals; [`Value::Null`]
    /// becomes a dash.
    pub fn to_text(&self) -> String {
        let numbers = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.map(|number| format_decimal(number, 3)).collect::<Vec<_>>().join(", ")
        };
        match self {
            Value::Null => "–".to_owned(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::Integer(integer) => integer.to_string(),
            Value::Number(number) => format_decimal(*number, 3),
            Value::Text(text) => text.to_string(),
            Value::Bools(bools) => {
                let labels = bools.iter().map(|&value| if value { "yes" } else { "no" });
                labels.collect::<Vec<_>>().join(", ")
            }
            Value::Integers(integers) => {
                integers.iter().map(i128::to_string).collect::<Vec<_>>().join(", ")
            }
            Value::Numbers(values) => numbers(&mut values.iter().copied()),
        }
    }
}

const EVENT_CAPTION_S: f64 = 1.5;

const MAX_SUBTITLES: usize = 3;

impl Clip {
    /// Describes an event: the text of a marker, or `cow (entity/1): added`.
    pub fn event_text(&self, event: &Event) -> String {
        if let Some(details) = event.details.as_deref() {
            return game_event_text(event, details);
        }
        let sentence = match (self.describe_event(event), event.value.as_deref()) {
            (Some(description), _) => description.sentence,
            (None, Some(value)) => format!("{} {}", event.name, value.to_text()),
            (None, None) => event.name.clone(),
        };
        match event.owner {
            Some(owner) => format!("{}: {sentence}", self.owner_label(owner)),
            None => sentence,
        }
    }

    /// Returns the label of an owner, with its type first if there is one: `cow (entity/1)`.
    pub fn owner_label(&self, owner: Owner) -> String {
        let kind = match owner {
            Owner::Node(node) => self.node_type_label(node),
            Owner::Group(_) => None,
        };
        let name = self.owner_name(owner);
        kind.map_or_else(|| name.to_owned(), |kind| format!("{kind} ({name})"))
    }

    /// Returns the caption at `time`, in seconds. `pose` must be the pose at the same time.
    ///
    /// The caption consists of the current subtitles. If there are none, it is the last event, for
    /// 1.5 seconds after the event. `None` if there is neither.
    pub fn caption(&self, pose: &Pose, time: f64) -> Option<String> {
        let signals = self.signals.iter().zip(&pose.signals);
        let subtitles =
            signals.filter_map(|(signal, value)| match (&self.track(signal.track).curve, value) {
                (AnyCurve::Text(_), Value::Text(text)) if !text.is_empty() => Some(&**text),
                _ => None,
            });
        let subtitles: Vec<&str> = subtitles.take(MAX_SUBTITLES).collect();
        if !subtitles.is_empty() {
            return Some(subtitles.join(" · "));
        }
        let past_events = self.events.iter().filter(|event| event.time <= time + 1e-9);
        let last = past_events.max_by(|a, b| a.time.total_cmp(&b.time))?;
        (time - last.time <= EVENT_CAPTION_S).then(|| self.event_text(last))
    }
}

/// Describes an event of a game: `step: user event, landing, value 12, at L_foot`.
fn game_event_text(event: &Event, details: &EventDetails) -> String {
    let value = event.value.as_deref().filter(|value| **value != Value::Null);
    let parts = [
        Some(details.kind.to_owned()),
        details.effect.map(str::to_owned),
        value.map(|with| format!("value {}", with.to_text())),
        (!details.node.is_empty()).then(|| format!("at {}", details.node)),
        (details.duration > 0.0).then(|| format!("for {} s", format_decimal(details.duration, 3))),
        (!details.is_fired)
            .then(|| "not fired: outside the clip or for another character".to_owned()),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("{}: {}", event.name, parts.join(", "))
}
