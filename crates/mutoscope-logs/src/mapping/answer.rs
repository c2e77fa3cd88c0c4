//! Answers questions about columns by their numbers, and prints them.

use std::fmt::Write as _;

use mutoscope_core::{
    clip::{AppliedMapping, ColumnUses},
    formats::MappingFile,
};

use super::change::{MappingChange, change_mapping};
use crate::table::quote_names;

/// The numbers of a question and of one of its readings, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingNumber {
    /// The number of the question.
    pub question: usize,
    /// The number of the reading.
    pub reading: usize,
}

impl ReadingNumber {
    /// Parses numbers such as `1.2`. Returns `None` if `text` is no such pair.
    pub fn parse(text: &str) -> Option<Self> {
        let (question, reading) = text.split_once('.')?;
        Some(Self { question: question.parse().ok()?, reading: reading.parse().ok()? })
    }
}

/// Changes the mapping with which a table was read, so that it states the readings with these
/// numbers. Returns `None` if there are no numbers.
///
/// # Errors
/// If a question or a reading does not exist. The error is the message.
pub fn choose_readings(
    columns: &ColumnUses,
    numbers: &[ReadingNumber],
) -> Result<Option<MappingFile>, String> {
    let mut columns = columns.clone();
    let mut changed = None;
    for ReadingNumber { question, reading } in numbers {
        let find = |count: usize, what: &str, number: usize| match number.checked_sub(1) {
            Some(index) if index < count => Ok(index),
            _ if count == 0 => Err(format!("expected a {what}, but the table has none")),
            _ => Err(format!("expected a {what} from 1 to {count}, found {number}")),
        };
        let asked = &columns.questions[find(columns.questions.len(), "question", *question)?];
        let what = format!("reading of question {question}");
        let chosen = &asked.readings[find(asked.readings.len(), &what, *reading)?];
        let file = change_mapping(&columns, &MappingChange::Read { toml: chosen.toml.clone() })?;
        let (name, text) = (file.name.clone(), file.text.clone());
        columns.mapping_file = Some(AppliedMapping { name, text, is_sidecar: false });
        changed = Some(file);
    }
    Ok(changed)
}

/// Formats the questions about a table as comments of a mapping file. Returns an empty string if
/// there are none.
pub fn format_questions(columns: &ColumnUses) -> String {
    let mut text = String::new();
    for (index, question) in columns.questions.iter().enumerate() {
        let number = index + 1;
        if index == 0 {
            text += "\n# Not certain. Choose a reading with `mutoscope columns --read N.M`, or type its keys:\n";
        }
        let names = quote_names(question.columns.iter().map(String::as_str));
        let about = if names.is_empty() { String::new() } else { format!(" Columns {names}.") };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "#\n# {number}. {}{about}", single_line(&question.why));
        for (index, reading) in question.readings.iter().enumerate() {
            let current = if reading.is_current { " (as read here)" } else { "" };
            let label = single_line(&reading.label);
            let _ = writeln!(text, "#    {number}.{} {label}{current}", index + 1);
            if let Some(preview) = &reading.preview {
                let _ = writeln!(text, "#        shows {}", single_line(&preview.to_string()));
            }
            for line in reading.toml.lines() {
                let _ = writeln!(text, "#        {line}");
            }
        }
    }
    text
}

/// Escapes line breaks, which names in a file may contain.
fn single_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
