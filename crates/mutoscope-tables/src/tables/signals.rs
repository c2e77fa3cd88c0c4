//! Writes the values of signals, with a row for each time and signal, or for each of the signal's
//! components.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray, types::Int32Type,
};
use arrow_schema::SchemaRef;

use super::{facts, times_per_batch};
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{Pose, Value},
    diagnostics::format_count,
    export::{
        ExportError, Job, Progress, Report,
        components::{component_names, split_components},
        key_times,
        names::deduplicate,
    },
};

const COLUMNS: [Column; 6] = [
    Column::new("time", ColumnType::SharedNumber).with_unit("s"),
    Column::new("index", ColumnType::Index),
    Column::new("signal", ColumnType::SharedText),
    Column::new("component", ColumnType::SharedText).nullable(),
    Column::new("value", ColumnType::SharedNumber).nullable(),
    Column::new("text", ColumnType::Text).nullable(),
];

pub(super) fn write(
    job: &Job<'_>,
    format: TableFormat,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let signals = Signal::collect_all(job);
    let times = if signals.is_empty() { Vec::new() } else { key_times::times_of_rows(job)? };
    let schema = schema(&COLUMNS, facts::table_metadata(job, "signals", &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let at_a_time = times_per_batch(signals.iter().map(Signal::rows_per_time).sum());
    let mut rows = RowBatch::new(schema, &signals);
    let (mut pose, mut written) = (Pose::default(), 0);
    progress.begin_phase(1.0);
    for (index, &time) in times.iter().enumerate() {
        progress.report_progress(index, times.len())?;
        job.clip.sample(time, &mut pose);
        for (signal, value) in signals.iter().zip(&pose.signals) {
            rows.add_value(time, signal, value);
        }
        if (index + 1) % at_a_time == 0 || index + 1 == times.len() {
            written += rows.time.len();
            file.write(&rows.take_batch()?)?;
        }
    }
    file.finish()?;
    let mut report = Report::default();
    report.info(format_count(written, "row"));
    Ok(report)
}

struct Signal {
    index: i32,
    name: String,
    components: Option<&'static [&'static str]>,
}

impl Signal {
    fn collect_all(job: &Job<'_>) -> Vec<Self> {
        let clip = job.clip;
        let mut pose = Pose::default();
        clip.sample(job.from, &mut pose);
        let names = deduplicate(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
        let signals = clip.signals.iter().zip(&pose.signals).zip(names).enumerate();
        let signal = |(index, ((signal, value), name)): (usize, ((&_, &Value), String))| {
            let signal: &mutoscope_core::clip::Signal = signal;
            let is_color = clip.track(signal.track).curve.is_color();
            Self { index: index as i32, name, components: component_names(value, is_color) }
        };
        signals.map(signal).collect()
    }

    fn rows_per_time(&self) -> usize {
        self.components.map_or(1, <[_]>::len)
    }
}

struct RowBatch {
    schema: SchemaRef,
    names: Arc<StringArray>,
    component_names: Arc<StringArray>,
    time: Vec<f64>,
    index: Vec<i32>,
    component: Vec<Option<i32>>,
    value: Vec<Option<f64>>,
    text: Vec<Option<String>>,
}

impl RowBatch {
    fn new(schema: SchemaRef, signals: &[Signal]) -> Self {
        let mut words: Vec<&str> = signals
            .iter()
            .flat_map(|signal| signal.components.unwrap_or_default())
            .copied()
            .collect();
        words.sort_unstable();
        words.dedup();
        Self {
            schema,
            names: Arc::new(signals.iter().map(|signal| Some(&signal.name)).collect()),
            component_names: Arc::new(StringArray::from(words)),
            time: Vec::new(),
            index: Vec::new(),
            component: Vec::new(),
            value: Vec::new(),
            text: Vec::new(),
        }
    }

    fn add_value(&mut self, time: f64, signal: &Signal, value: &Value) {
        match signal.components {
            None => self.push_row(time, signal.index, None, value),
            Some(components) => {
                for (word, value) in
                    components.iter().zip(split_components(value, components.len()))
                {
                    let word = self.component_names.iter().position(|one| one == Some(word));
                    self.push_row(time, signal.index, word.map(|word| word as i32), &value);
                }
            }
        }
    }

    fn push_row(&mut self, time: f64, index: i32, component: Option<i32>, value: &Value) {
        self.time.push(time);
        self.index.push(index);
        self.component.push(component);
        self.value.push(value_number(value));
        self.text.push(value_text(value));
    }

    fn take_batch(&mut self) -> io::Result<RecordBatch> {
        let index = Int32Array::from(mem::take(&mut self.index));
        let named = |keys: Int32Array, words: &Arc<StringArray>| {
            DictionaryArray::<Int32Type>::try_new(keys, words.clone())
        };
        let signal = named(index.clone(), &self.names).map_err(io::Error::other)?;
        let component = Int32Array::from(mem::take(&mut self.component));
        let component = named(component, &self.component_names).map_err(io::Error::other)?;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from(mem::take(&mut self.time))),
            Arc::new(index),
            Arc::new(signal),
            Arc::new(component),
            Arc::new(Float64Array::from(mem::take(&mut self.value))),
            Arc::new(StringArray::from(mem::take(&mut self.text))),
        ];
        RecordBatch::try_new(self.schema.clone(), columns).map_err(io::Error::other)
    }
}

/// Returns the value as a number. Booleans become 0 and 1.
fn value_number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is_on) => Some(f64::from(*is_on)),
        Value::Integer(integer) => Some(*integer as f64),
        Value::Number(number) => Some(*number),
        Value::Null | Value::Text(_) => None,
        Value::Bools(_) | Value::Integers(_) | Value::Numbers(_) => None,
    }
}

/// Returns the text of a value that `value_number` cannot represent. This includes integers that an
/// f64 cannot hold exactly.
fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Integer(integer) if *integer as f64 as i128 != *integer => Some(integer.to_string()),
        // The number of components was determined at the start of the range. A curve that had a
        // single value there may have several components here.
        Value::Bools(_) | Value::Integers(_) | Value::Numbers(_) => {
            serde_json::to_string(value).ok()
        }
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_beyond_f64_are_also_written_as_text() {
        let both = |value: Value| (value_number(&value), value_text(&value));
        assert_eq!(both(Value::Bool(true)), (Some(1.0), None));
        assert_eq!(both(Value::Integer(-7)), (Some(-7.0), None));
        let large = (1_i128 << 53) + 1;
        let rounded = (1_i128 << 53) as f64;
        assert_eq!(both(Value::Integer(large)), (Some(rounded), Some(large.to_string())));
        assert_eq!(both(Value::Text("a".into())), (None, Some("a".to_owned())));
        assert_eq!(both(Value::Null), (None, None));
        let vector = Value::from_numbers([1.0, 2.5].into_iter());
        assert_eq!(both(vector), (None, Some("[1.0,2.5]".to_owned())));
    }
}
