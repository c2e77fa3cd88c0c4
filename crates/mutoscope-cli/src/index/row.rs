//! A row of an index: the measures of one recording.

use serde::{Deserialize, Serialize};

use super::stamp::Stamp;
use crate::Input;
use mutoscope_core::{
    clip::Clip,
    diagnostics::Severity,
    measure::analysis::{HandSummary, JointMotion, Summary, summarise},
};
use mutoscope_study::{Quality, quality, verdict::Profile};
use mutoscope_tables::{Column, ColumnType};

/// The measures of one recording, in seconds, metres and metres per second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) path: String,
    pub(super) animation: Option<String>,
    size: u64,
    /// The modification time, in seconds since 1970. `None` if the recording also depends on other
    /// files.
    modified: Option<f64>,
    /// The hash of the content, as `xxh128sum` prints it. `None` if the content was not read
    /// completely.
    hash: Option<String>,
    format: Option<String>,
    version: Option<String>,
    name: Option<String>,
    subject: Option<String>,
    start: Option<f64>,
    duration: Option<f64>,
    rate: Option<f64>,
    joints: Option<u64>,
    keys: Option<u64>,
    left_tracked: Option<f64>,
    left_path_length: Option<f64>,
    left_max_speed: Option<f64>,
    left_pinches: Option<u64>,
    right_tracked: Option<f64>,
    right_path_length: Option<f64>,
    right_max_speed: Option<f64>,
    right_pinches: Option<u64>,
    root_path_length: Option<f64>,
    root_max_speed: Option<f64>,
    loss: Option<f64>,
    jerk: Option<f64>,
    still: Option<f64>,
    clipped: Option<String>,
    events: Option<u64>,
    errors: u64,
    warnings: u64,
    infos: u64,
    error: Option<String>,
    reader: String,
}

/// The columns of an index, in the order of the fields of [`Row`].
pub(super) const COLUMNS: [Column; 34] = [
    Column::new("path", ColumnType::Text),
    Column::new("animation", ColumnType::Text).nullable(),
    Column::new("size", ColumnType::Integer).with_unit("B"),
    Column::new("modified", ColumnType::Number).with_unit("s").nullable(),
    Column::new("hash", ColumnType::Text).nullable(),
    Column::new("format", ColumnType::SharedText).nullable(),
    Column::new("version", ColumnType::SharedText).nullable(),
    Column::new("name", ColumnType::Text).nullable(),
    Column::new("subject", ColumnType::SharedText).nullable(),
    Column::new("start", ColumnType::SharedNumber).with_unit("s").nullable(),
    Column::new("duration", ColumnType::Number).with_unit("s").nullable(),
    Column::new("rate", ColumnType::Number).with_unit("Hz").nullable(),
    Column::new("joints", ColumnType::Integer).nullable(),
    Column::new("keys", ColumnType::Integer).nullable(),
    Column::new("left_tracked", ColumnType::Number).nullable(),
    Column::new("left_path_length", ColumnType::Number).with_unit("m").nullable(),
    Column::new("left_max_speed", ColumnType::Number).with_unit("m/s").nullable(),
    Column::new("left_pinches", ColumnType::Integer).nullable(),
    Column::new("right_tracked", ColumnType::Number).nullable(),
    Column::new("right_path_length", ColumnType::Number).with_unit("m").nullable(),
    Column::new("right_max_speed", ColumnType::Number).with_unit("m/s").nullable(),
    Column::new("right_pinches", ColumnType::Integer).nullable(),
    Column::new("root_path_length", ColumnType::Number).with_unit("m").nullable(),
    Column::new("root_max_speed", ColumnType::Number).with_unit("m/s").nullable(),
    Column::new("loss", ColumnType::Number).nullable(),
    Column::new("jerk", ColumnType::Number).with_unit("m/s³").nullable(),
    Column::new("still", ColumnType::Number).with_unit("s").nullable(),
    Column::new("clipped", ColumnType::SharedText).nullable(),
    Column::new("events", ColumnType::Integer).nullable(),
    Column::new("errors", ColumnType::Integer),
    Column::new("warnings", ColumnType::Integer),
    Column::new("infos", ColumnType::Integer),
    Column::new("error", ColumnType::Text).nullable(),
    Column::new("reader", ColumnType::SharedText),
];

impl Row {
    pub(super) fn new(
        input: &Input,
        animation: Option<String>,
        stamp: Stamp,
        reader: &str,
        runs_checks: bool,
    ) -> Self {
        let mut row = Self {
            path: input.name.clone(),
            animation,
            size: stamp.size,
            modified: stamp.modified,
            hash: stamp.hash,
            reader: reader.to_owned(),
            ..Self::default()
        };
        let mut count = |severity: Severity| match severity {
            Severity::Error => row.errors += 1,
            Severity::Warning => row.warnings += 1,
            Severity::Info => row.infos += 1,
        };
        let messages = input.messages();
        messages.iter().for_each(|message| count(message.severity));
        if let Some(clip) = input.clip() {
            if runs_checks {
                let checked = Profile::default().check(clip);
                checked.diagnostics.iter().for_each(|diagnostic| count(diagnostic.severity));
            }
            return row.with_clip(clip);
        }
        let last = messages.last();
        row.format = last.and_then(|message| message.format).map(str::to_owned);
        row.error = last.map(|message| match &message.location {
            Some(location) if message.format.is_some() => {
                format!("at {location}: {}", message.message)
            }
            _ => message.message.clone(),
        });
        row
    }

    pub(super) fn for_failure(path: String, stamp: &Stamp, reader: &str, error: String) -> Self {
        let Stamp { size, modified, hash } = stamp.clone();
        let (reader, error) = (reader.to_owned(), Some(error));
        Self { path, size, modified, hash, errors: 1, error, reader, ..Self::default() }
    }

    fn with_clip(self, clip: &Clip) -> Self {
        let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let Summary { joints, rate, left, right, root } = summarise(clip);
        let hand_values = |hand: Option<HandSummary>| {
            let hand = hand.unwrap_or_default();
            (hand.tracked, hand.wrist, hand.pinches.map(|count| count as u64))
        };
        let length = |motion: Option<JointMotion>| motion.map(|motion| motion.path_length);
        let speed = |motion: Option<JointMotion>| motion.map(|motion| motion.max_speed);
        let (left_tracked, left, left_pinches) = hand_values(left);
        let (right_tracked, right, right_pinches) = hand_values(right);
        let Quality { loss, jerk, still, clipped } = quality(clip);
        Self {
            format: non_empty(clip.format.as_str()),
            version: non_empty(&clip.version),
            name: non_empty(&clip.name),
            subject: non_empty(&clip.subject),
            start: Some(clip.span.start),
            duration: Some(clip.span.duration),
            rate,
            joints: Some(joints as u64),
            keys: Some(clip.key_count() as u64),
            left_tracked,
            left_path_length: length(left),
            left_max_speed: speed(left),
            left_pinches,
            right_tracked,
            right_path_length: length(right),
            right_max_speed: speed(right),
            right_pinches,
            root_path_length: length(root),
            root_max_speed: speed(root),
            loss,
            jerk,
            still,
            clipped: clipped.map(|ends| ends.as_str().to_owned()),
            events: Some(clip.events.len() as u64),
            ..self
        }
    }

    #[cfg(test)]
    pub(super) fn from_names(path: &str, animation: Option<&str>) -> Self {
        let animation = animation.map(str::to_owned);
        Self { path: path.to_owned(), animation, ..Self::default() }
    }

    /// Returns `true` if size, modification time and reading options are the same. A recording that
    /// depends on other files is never up to date.
    pub(super) fn is_up_to_date(&self, now: &Stamp, reader: &str) -> bool {
        let is_unchanged = (self.size, self.modified) == (now.size, now.modified);
        is_unchanged && self.modified.is_some() && self.reader == reader
    }

    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_match_the_fields_of_a_row() {
        let row = serde_json::to_string(&Row::default()).unwrap();
        let mut at = 0;
        for column in &COLUMNS {
            let name = format!("\"{}\":", column.name);
            at += row[at..].find(&name).expect(column.name) + name.len();
        }
        let fields = serde_json::from_str::<serde_json::Map<_, _>>(&row).unwrap().len();
        assert_eq!(fields, COLUMNS.len());
    }
}
