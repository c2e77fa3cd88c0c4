//! A row of an index: the facts about one recording.

use serde::{Deserialize, Serialize};

use super::stamp::Stamp;
use crate::Input;
use mutoscope_core::{
    clip::Clip,
    diagnostics::Severity,
    measure::{
        analysis::{HandSummary, JointMotion, Summary, summary},
        checks::unreported_issues,
    },
};
use mutoscope_study::{Quality, quality};
use mutoscope_tables::{Column, ColumnType};

/// The facts about one recording. Numbers are in seconds, metres, metres per second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Row {
    /// Its path, beginning with the folder that was named.
    pub(super) path: String,
    /// The choice of a recording in a file that holds several.
    pub(super) animation: Option<String>,
    /// The size of the file in bytes.
    size: u64,
    /// When it was modified, in seconds since 1970; null if the recording depends on other files too.
    modified: Option<f64>,
    /// The hash of its content, as `xxh128sum` prints it; null if it cannot be read.
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
    /// Why it cannot be read.
    error: Option<String>,
    /// The version and the options it was read with: others may read it differently.
    reader: String,
}

/// The columns of an index, in the order of the fields of [`Row`].
pub(super) const COLUMNS: [Column; 34] = [
    Column::new("path", ColumnType::Text),
    Column::new("animation", ColumnType::Text).nullable(),
    Column::new("size", ColumnType::Integer).in_unit("B"),
    Column::new("modified", ColumnType::Number).in_unit("s").nullable(),
    Column::new("hash", ColumnType::Text).nullable(),
    Column::new("format", ColumnType::SharedText).nullable(),
    Column::new("version", ColumnType::SharedText).nullable(),
    Column::new("name", ColumnType::Text).nullable(),
    Column::new("subject", ColumnType::SharedText).nullable(),
    Column::new("start", ColumnType::SharedNumber).in_unit("s").nullable(),
    Column::new("duration", ColumnType::Number).in_unit("s").nullable(),
    Column::new("rate", ColumnType::Number).in_unit("Hz").nullable(),
    Column::new("joints", ColumnType::Integer).nullable(),
    Column::new("keys", ColumnType::Integer).nullable(),
    Column::new("left_tracked", ColumnType::Number).nullable(),
    Column::new("left_path_length", ColumnType::Number).in_unit("m").nullable(),
    Column::new("left_max_speed", ColumnType::Number).in_unit("m/s").nullable(),
    Column::new("left_pinches", ColumnType::Integer).nullable(),
    Column::new("right_tracked", ColumnType::Number).nullable(),
    Column::new("right_path_length", ColumnType::Number).in_unit("m").nullable(),
    Column::new("right_max_speed", ColumnType::Number).in_unit("m/s").nullable(),
    Column::new("right_pinches", ColumnType::Integer).nullable(),
    Column::new("root_path_length", ColumnType::Number).in_unit("m").nullable(),
    Column::new("root_max_speed", ColumnType::Number).in_unit("m/s").nullable(),
    Column::new("loss", ColumnType::Number).nullable(),
    Column::new("jerk", ColumnType::Number).in_unit("m/s³").nullable(),
    Column::new("still", ColumnType::Number).in_unit("s").nullable(),
    Column::new("clipped", ColumnType::SharedText).nullable(),
    Column::new("events", ColumnType::Integer).nullable(),
    Column::new("errors", ColumnType::Integer),
    Column::new("warnings", ColumnType::Integer),
    Column::new("infos", ColumnType::Integer),
    Column::new("error", ColumnType::Text).nullable(),
    Column::new("reader", ColumnType::SharedText),
];

impl Row {
    /// The facts about `input`; the issues that `checks` would find are counted if they are to run.
    pub(super) fn new(
        input: &Input,
        animation: Option<String>,
        stamp: Stamp,
        reader: &str,
        checks: bool,
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
        if let Ok(clip) = &input.result {
            let found = if checks { unreported_issues(clip) } else { Vec::new() };
            found.iter().for_each(|issue| count(issue.severity));
            return row.of_clip(clip);
        }
        let last = messages.last();
        row.format = last.and_then(|message| message.format).map(str::to_owned);
        row.error = last.map(|message| match &message.place {
            Some(place) if message.format.is_some() => format!("at {place}: {}", message.message),
            _ => message.message.clone(),
        });
        row
    }

    /// The row of a file that could not even be tried.
    pub(super) fn failed(path: String, stamp: &Stamp, reader: &str, why: String) -> Self {
        let Stamp { size, modified, hash } = stamp.clone();
        let (reader, error) = (reader.to_owned(), Some(why));
        Self { path, size, modified, hash, errors: 1, error, reader, ..Self::default() }
    }

    fn of_clip(self, clip: &Clip) -> Self {
        let words = |words: &str| (!words.is_empty()).then(|| words.to_owned());
        let Summary { joints, rate, left, right, root } = summary(clip);
        let of_hand = |hand: Option<HandSummary>| {
            let hand = hand.unwrap_or_default();
            (hand.tracked, hand.wrist, hand.pinches.map(|count| count as u64))
        };
        let length = |motion: Option<JointMotion>| motion.map(|motion| motion.path_length);
        let speed = |motion: Option<JointMotion>| motion.map(|motion| motion.max_speed);
        let (left_tracked, left, left_pinches) = of_hand(left);
        let (right_tracked, right, right_pinches) = of_hand(right);
        let Quality { loss, jerk, still, clipped } = quality(clip);
        Self {
            format: words(clip.format.word()),
            version: words(&clip.version),
            name: words(&clip.name),
            subject: words(&clip.subject),
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
            clipped: clipped.map(|ends| ends.word().to_owned()),
            events: Some(clip.events.len() as u64),
            ..self
        }
    }

    /// A row of which only this is known.
    #[cfg(test)]
    pub(super) fn of_names(path: &str, animation: Option<&str>) -> Self {
        let animation = animation.map(str::to_owned);
        Self { path: path.to_owned(), animation, ..Self::default() }
    }

    /// Whether its file is unchanged, as far as can be told, and would be read in the same way.
    pub(super) fn is_still(&self, now: &Stamp, reader: &str) -> bool {
        let as_it_was = (self.size, self.modified) == (now.size, now.modified);
        as_it_was && self.modified.is_some() && self.reader == reader
    }

    /// Whether its file cannot be read.
    pub(super) fn is_error(&self) -> bool {
        self.error.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_are_the_fields_of_a_row() {
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
