//! Signals as topics with one field each, for plots.

use std::io;

use prost::Message as _;

use super::{
    Schemas,
    container::{ChannelId, Container},
    messages::{Number, Text},
};
use mutoscope_core::{
    clip::{Clip, Pose, Signal, Value},
    export::{
        Report,
        components::{components, split},
        counted,
        names::{Taken, unique_names},
        some_of,
    },
};

/// The topics of all signals.
pub(super) struct Signals {
    topics: Vec<Option<Topics>>,
    names: Vec<String>,
    taken: Taken,
    /// The number of values that are not finite numbers in a topic of numbers.
    skipped: usize,
    /// The number of integers that a double cannot represent.
    rounded: usize,
    /// The signals beyond the maximum number of topics.
    too_many: Vec<String>,
}

/// The topics of a signal: one, or one for each component. Decided by its first value.
struct Topics {
    channels: Vec<Option<ChannelId>>,
    is_text: bool,
}

impl Signals {
    pub(super) fn new(clip: &Clip) -> Self {
        let names = clip.signals.iter().map(|signal| signal.name.as_str());
        Self {
            topics: clip.signals.iter().map(|_| None).collect(),
            names: unique_names(names, '.'),
            taken: Taken::default(),
            skipped: 0,
            rounded: 0,
            too_many: Vec::new(),
        }
    }

    /// Writes the values of a pose.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub(super) fn write(
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
                None => self.open(clip, signal, &self.names[index].clone(), value, schemas, file),
            };
            let parts = match topics.channels.len() {
                1 => vec![value.clone()],
                count => split(value, count),
            };
            for (channel, part) in topics.channels.iter().zip(&parts) {
                let Some(channel) = channel else { continue };
                if let Some(data) = self.message(part, topics.is_text) {
                    file.message(*channel, time, &data)?;
                }
            }
            self.topics[index] = Some(topics);
        }
        Ok(())
    }

    /// Adds the topics of a signal with this first value.
    fn open(
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
        let topics: Vec<String> = match components(value, is_color) {
            None => vec![format!("/signals/{name}")],
            Some(components) => {
                let topic = |component| format!("/signals/{name}/{component}");
                components.iter().map(topic).collect()
            }
        };
        let schema = if is_text { schemas.text(file) } else { schemas.number(file) };
        let channels: Vec<_> = topics
            .into_iter()
            .map(|topic| file.channel(schema, &self.taken.take(topic, '.')))
            .collect();
        if channels.contains(&None) {
            self.too_many.push(format!("{name:?}"));
        }
        Topics { channels, is_text }
    }

    /// The encoded message of a value, or nothing if it is skipped.
    fn message(&mut self, value: &Value, is_text: bool) -> Option<Vec<u8>> {
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

    /// Reports skipped and rounded values.
    pub(super) fn report(&self, report: &mut Report) {
        if self.skipped > 0 {
            let values = counted(self.skipped, "value");
            report.warning(format!("{values} of signals skipped: not numbers, or not finite"));
        }
        if self.rounded > 0 {
            let values = counted(self.rounded, "value");
            report.warning(format!("{values} of signals rounded to double precision"));
        }
        if !self.too_many.is_empty() {
            let names = some_of(&self.too_many);
            report.warning(format!("signals skipped, beyond the 65 536 topics of MCAP: {names}"));
        }
    }
}
