//! Clips in words: values, owners and events as text, and the caption of a moment.

use super::{AnyCurve, Clip, Event, EventDetails, Owner, Pose, Value};

/// `value` with at most `decimals` decimals and no zeros at its end.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Value {
    /// As short text: numbers rounded, text as it is, null as a dash.
    pub fn to_text(&self) -> String {
        let numbers = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.map(|number| trimmed(number, 3)).collect::<Vec<_>>().join(", ")
        };
        match self {
            Value::Null => "–".to_owned(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::Integer(integer) => integer.to_string(),
            Value::Number(number) => trimmed(*number, 3),
            Value::Text(text) => text.to_string(),
            Value::Bools(answers) => {
                let words = answers.iter().map(|&answer| if answer { "yes" } else { "no" });
                words.collect::<Vec<_>>().join(", ")
            }
            Value::Integers(integers) => {
                integers.iter().map(i128::to_string).collect::<Vec<_>>().join(", ")
            }
            Value::Numbers(values) => numbers(&mut values.iter().copied()),
        }
    }
}

/// How long the last event is a caption, in seconds.
const CAPTION_SECONDS: f64 = 1.5;

/// More subtitles at once than this are not shown.
const SUBTITLES: usize = 3;

impl Clip {
    /// An event as text: the text of a marker, or `cow (entity/1): added`.
    pub fn event_text(&self, event: &Event) -> String {
        if let Some(details) = event.details.as_deref() {
            return game_event(event, details);
        }
        let sentence = match (self.event_words(event), event.value.as_deref()) {
            (Some(words), _) => words.sentence,
            (None, Some(with)) => format!("{} {}", event.name, with.to_text()),
            (None, None) => event.name.clone(),
        };
        match event.owner {
            Some(owner) => format!("{}: {sentence}", self.owner_label(owner)),
            None => sentence,
        }
    }

    /// The label of an owner, its kind first: `cow (entity/1)`.
    pub fn owner_label(&self, owner: Owner) -> String {
        let kind = match owner {
            Owner::Node(node) => self.kind_of(node),
            Owner::Group(_) => None,
        };
        let name = self.owner_name(owner);
        kind.map_or_else(|| name.to_owned(), |kind| format!("{kind} ({name})"))
    }

    /// The caption at `time`, in seconds, whose pose is `pose`: the subtitles of then, else the last event,
    /// for a while.
    pub fn caption(&self, pose: &Pose, time: f64) -> Option<String> {
        let signals = self.signals.iter().zip(&pose.signals);
        let said =
            signals.filter_map(|(signal, value)| match (&self.track(signal.track).curve, value) {
                (AnyCurve::Text(_), Value::Text(text)) if !text.is_empty() => Some(&**text),
                _ => None,
            });
        let said: Vec<&str> = said.take(SUBTITLES).collect();
        if !said.is_empty() {
            return Some(said.join(" · "));
        }
        let passed = self.events.iter().filter(|event| event.time <= time + 1e-9);
        let last = passed.max_by(|a, b| a.time.total_cmp(&b.time))?;
        (time - last.time <= CAPTION_SECONDS).then(|| self.event_text(last))
    }
}

/// A game's event as text: `step: user event, landing, value 12, at L_foot`.
fn game_event(event: &Event, details: &EventDetails) -> String {
    let value = event.value.as_deref().filter(|value| **value != Value::Null);
    let parts = [
        Some(details.kind.to_owned()),
        details.effect.map(str::to_owned),
        value.map(|with| format!("value {}", with.to_text())),
        (!details.node.is_empty()).then(|| format!("at {}", details.node)),
        (details.duration > 0.0).then(|| format!("for {} s", trimmed(details.duration, 3))),
        (!details.fires).then(|| "not fired: outside the clip or for another character".to_owned()),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    format!("{}: {}", event.name, parts.join(", "))
}
