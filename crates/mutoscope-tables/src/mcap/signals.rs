//! Writes signals as topics with one field each, so that viewers can plot them.

use std::io;

use prost::Message as _;

use super::{
    Schemas,
    container::{ChannelId, Container},
    messages::{Number, Text},
};
use mutoscope_core::{
    clip::{Clip, Pose, Signal, Value},
    diagnostics::format_count,
    export::{
        Report,
        components::{component_names, split_components},
        list_names,
        names::{UsedNames, deduplicate},
    },
};

pub(super) struct Signals {
    topics: Vec<Option<Topics>>,
    names: Vec<String>,
    topic_names: UsedNames,
    skipped: usize,
    rounded: usize,
    beyond_limit: Vec<String>,
}

/// The topics of a signal. A signal has one topic, or one for each component of its first value.
struct Topics {
    channels: Vec<Option<ChannelId>>,
    is_text: bool,
}

impl Signals {
    pub(super) fn new(clip: &Clip) -> Self {
        let names = clip.signals.iter().map(|signal| signal.name.as_str());
        Self {
            topics: clip.signals.iter().map(|_| None).collect(),
            names: deduplicate(names, '.'),
            topic_names: UsedNames::default(),
            skipped: 0,
            rounded: 0,
            beyond_limit: Vec::new(),
        }
    }

    pub(super) fn write_values(
        &mut self,
        clip: &Clip,
        pose: &Pose,
        time: u64,
        schemas: &mut Schemas,
        file: &mut Container<'_>,
    ) -> io::Result<()> {
        for (index, (signal, value)) in clip.signals.iter().zip(&pose.signals).enumerate() {
            if *value == Value::Null {
                continue;
            }
            let topics = match self.topics[index].take() {
                Some(topics) => topics,
                None => {
                    self.add_topics(clip, signal, &self.names[index].clone(), value, schemas, file)
                }
            };
            let parts = match topics.channels.len() {
                1 => vec![value.clone()],
                count => split_components(value, count),
            };
            for (channel, part) in topics.channels.iter().zip(&parts) {
                let Some(channel) = channel else { continue };
                if let Some(data) = self.encode_value(part, topics.is_text) {
                    file.add_message(*channel, time, &data)?;
                }
            }
            self.topics[index] = Some(topics);
        }
        Ok(())
    }

    fn add_topics(
        &mut self,
        clip: &Clip,
        signal: &Signal,
        name: &str,
        value: &Value,
        schemas: &mut Schemas,
        file: &mut Container<'_>,
    ) -> Topics {
        let is_text = matches!(value, Value::Text(_));
        let is_color = clip.track(signal.track).curve.is_color();
        let topics: Vec<String> = match component_names(value, is_color) {
            None => vec![format!("/signals/{name}")],
            Some(components) => {
                let topic = |component| format!("/signals/{name}/{component}");
                components.iter().map(topic).collect()
            }
        };
        let schema = if is_text { schemas.text_schema(file) } else { schemas.number_schema(file) };
        let channels: Vec<_> = topics
            .into_iter()
            .map(|topic| file.add_channel(schema, &self.topic_names.claim(topic, '.')))
            .collect();
        if channels.contains(&None) {
            self.beyond_limit.push(format!("{name:?}"));
        }
        Topics { channels, is_text }
    }

    fn encode_value(&mut self, value: &Value, is_text: bool) -> Option<Vec<u8>> {
        let text = match value {
            Value::Null => return None,
            Value::Text(text) => text.to_string(),
            other => serde_json::to_string(other).unwrap_or_default(),
        };
        if is_text {
            return Some(Text { text }.encode_to_vec());
        }
        let number = match value {
            Value::Bool(is_on) => f64::from(*is_on),
            Value::Integer(integer) => {
                let number = *integer as f64;
                self.rounded += usize::from(number as i128 != *integer);
                number
            }
            Value::Number(number) => *number,
            _ => f64::NAN,
        };
        if !number.is_finite() {
            self.skipped += 1;
            return None;
        }
        Some(Number { value: number }.encode_to_vec())
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.skipped > 0 {
            let values = format_count(self.skipped, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
        if self.rounded > 0 {
            let values = format_count(self.rounded, "value");
            report.warning(format!("{values} of signals rounded to double precision"));
        }
        if !self.beyond_limit.is_empty() {
            let names = list_names(&self.beyond_limit);
            report.warning(format!("signals skipped, beyond the 65 536 topics of MCAP: {names}"));
        }
    }
}
