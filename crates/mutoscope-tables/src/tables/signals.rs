//! Values of signals: a row for each time and signal, or for each of its components.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray, types::Int32Type,
};
use arrow_schema::SchemaRef;

use super::{facts, times, times_at_a_time};
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{Pose, Value},
    export::{
        ExportError, Job, Report, Watch,
        components::{components, split},
        counted,
        names::unique_names,
    },
};

const COLUMNS: [Column; 6] = [
    Column::new("time", ColumnType::SharedNumber).in_unit("s"),
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
    watch: &mut Watch<'_>,
) -> Result<Report, ExportError> {
    let signals = Signal::all_of(job);
    // Without signals no times are needed.
    let times = if signals.is_empty() { Vec::new() } else { times(job)? };
    let schema = schema(&COLUMNS, facts::of(job, "signals", &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let at_a_time = times_at_a_time(signals.iter().map(Signal::width).sum());
    let mut rows = Rows::new(schema, &signals);
    let (mut pose, mut written) = (Pose::default(), 0);
    watch.now_up_to(1.0);
    for (index, &time) in times.iter().enumerate() {
        watch.at(index, times.len())?;
        job.clip.sample(time, &mut pose);
        for (signal, value) in signals.iter().zip(&pose.signals) {
            rows.add(time, signal, value);
        }
        if (index + 1) % at_a_time == 0 || index + 1 == times.len() {
            written += rows.time.len();
            file.write(&rows.take()?)?;
        }
    }
    file.finish()?;
    let mut report = Report::default();
    report.info(counted(written, "row"));
    Ok(report)
}

/// A signal of the recording.
struct Signal {
    index: i32,
    name: String,
    components: Option<&'static [&'static str]>,
}

impl Signal {
    fn all_of(job: &Job<'_>) -> Vec<Self> {
        let clip = job.clip;
        let mut pose = Pose::default();
        clip.sample(job.from, &mut pose);
        let names = unique_names(clip.signals.iter().map(|signal| signal.name.as_str()), '.');
        let signals = clip.signals.iter().zip(&pose.signals).zip(names).enumerate();
        let signal = |(index, ((signal, value), name)): (usize, ((&_, &Value), String))| {
            let signal: &mutoscope_core::clip::Signal = signal;
            let is_color = clip.track(signal.track).curve.is_color();
            Self { index: index as i32, name, components: components(value, is_color) }
        };
        signals.map(signal).collect()
    }

    /// How many rows it has at each time.
    fn width(&self) -> usize {
        self.components.map_or(1, <[_]>::len)
    }
}

/// A batch of rows.
struct Rows {
    schema: SchemaRef,
    names: Arc<StringArray>,
    /// All names of components that occur.
    words: Arc<StringArray>,
    time: Vec<f64>,
    index: Vec<i32>,
    component: Vec<Option<i32>>,
    value: Vec<Option<f64>>,
    text: Vec<Option<String>>,
}

impl Rows {
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
            words: Arc::new(StringArray::from(words)),
            time: Vec::new(),
            index: Vec::new(),
            component: Vec::new(),
            value: Vec::new(),
            text: Vec::new(),
        }
    }

    fn add(&mut self, time: f64, signal: &Signal, value: &Value) {
        match signal.components {
            None => self.row(time, signal.index, None, value),
            Some(components) => {
                for (word, value) in components.iter().zip(split(value, components.len())) {
                    let word = self.words.iter().position(|one| one == Some(word));
                    self.row(time, signal.index, word.map(|word| word as i32), &value);
                }
            }
        }
    }

    fn row(&mut self, time: f64, index: i32, component: Option<i32>, value: &Value) {
        self.time.push(time);
        self.index.push(index);
        self.component.push(component);
        self.value.push(number(value));
        self.text.push(text(value));
    }

    /// Takes the batch as columns and empties it.
    fn take(&mut self) -> io::Result<RecordBatch> {
        let index = Int32Array::from(mem::take(&mut self.index));
        let named = |keys: Int32Array, words: &Arc<StringArray>| {
            DictionaryArray::<Int32Type>::try_new(keys, words.clone())
        };
        let signal = named(index.clone(), &self.names).map_err(io::Error::other)?;
        let component = Int32Array::from(mem::take(&mut self.component));
        let component = named(component, &self.words).map_err(io::Error::other)?;
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

/// A value as a number, false and true as 0 and 1.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(is_on) => Some(f64::from(*is_on)),
        Value::Integer(integer) => Some(*integer as f64),
        Value::Number(number) => Some(*number),
        Value::Null | Value::Text(_) => None,
        Value::Bools(_) | Value::Integers(_) | Value::Numbers(_) => None,
    }
}

/// A value that is not a number, as text; also an integer with too many digits for a double.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Integer(integer) if *integer as f64 as i128 != *integer => Some(integer.to_string()),
        // A curve may have several components now and none at the start.
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
    fn values_are_numbers_or_words_and_no_digit_is_lost() {
        let both = |value: Value| (number(&value), text(&value));
        assert_eq!(both(Value::Bool(true)), (Some(1.0), None));
        assert_eq!(both(Value::Integer(-7)), (Some(-7.0), None));
        let large = (1_i128 << 53) + 1;
        let rounded = (1_i128 << 53) as f64;
        assert_eq!(both(Value::Integer(large)), (Some(rounded), Some(large.to_string())));
        assert_eq!(both(Value::Text("a".into())), (None, Some("a".to_owned())));
        assert_eq!(both(Value::Null), (None, None));
        let vector = Value::of_numbers([1.0, 2.5].into_iter());
        assert_eq!(both(vector), (None, Some("[1.0,2.5]".to_owned())));
    }
}
