//! Events: a row for each within the range.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};

use super::facts;
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{Clip, Event, EventDetails, Value},
    export::{ExportError, Job, Report, Watch, counted},
};

const COLUMNS: [Column; 8] = [
    Column::new("time", ColumnType::SharedNumber).in_unit("s"),
    Column::new("node", ColumnType::Text).nullable(),
    Column::new("name", ColumnType::Text),
    Column::new("value", ColumnType::Text).nullable(),
    Column::new("kind", ColumnType::Text).nullable(),
    Column::new("effect", ColumnType::Text).nullable(),
    Column::new("fires", ColumnType::Bool).nullable(),
    Column::new("duration", ColumnType::SharedNumber).in_unit("s").nullable(),
];

pub(super) fn write(
    job: &Job<'_>,
    format: TableFormat,
    out: &mut dyn Write,
    watch: &mut Watch<'_>,
) -> Result<Report, ExportError> {
    let schema = schema(&COLUMNS, facts::of(job, "events", &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let in_range = |event: &&Event| (job.from..=job.to).contains(&event.time);
    let events: Vec<&Event> = job.clip.events.iter().filter(in_range).collect();
    watch.now_up_to(1.0);
    for (index, some) in events.chunks(super::ROWS_AT_A_TIME).enumerate() {
        watch.at(index * super::ROWS_AT_A_TIME, events.len())?;
        let columns = columns(job.clip, some);
        let rows = RecordBatch::try_new(schema.clone(), columns).map_err(io::Error::other)?;
        file.write(&rows)?;
    }
    file.finish()?;
    let mut report = Report::default();
    report.info(counted(events.len(), "row"));
    Ok(report)
}

fn columns(clip: &Clip, events: &[&Event]) -> Vec<ArrayRef> {
    fn texts<'a, T: AsRef<str>>(
        events: &[&'a Event],
        text: impl Fn(&'a Event) -> Option<T>,
    ) -> ArrayRef {
        let texts: StringArray = events.iter().map(|event| text(event)).collect();
        Arc::new(texts)
    }
    let details = events.iter().map(|event| event.details.as_deref());
    let time = events.iter().map(|event| event.time);
    let fires: BooleanArray = details.clone().map(|it| it.map(|it| it.fires)).collect();
    let lasts = |it: &EventDetails| (it.duration > 0.0).then_some(it.duration);
    let duration: Float64Array = details.map(|it| it.and_then(lasts)).collect();
    vec![
        Arc::new(Float64Array::from_iter_values(time)),
        texts(events, |event| node(clip, event)),
        texts(events, |event| Some(&event.name)),
        texts(events, |event| event.value.as_deref().and_then(text)),
        texts(events, |event| event.details.as_deref().map(|it| it.kind)),
        texts(events, |event| event.details.as_deref().and_then(|it| it.effect)),
        Arc::new(fires),
        Arc::new(duration),
    ]
}

/// The node or group it concerns, as in `info --json`.
fn node<'a>(clip: &'a Clip, event: &'a Event) -> Option<&'a str> {
    Some(event.node_name(clip)).filter(|name| !name.is_empty())
}

/// Text as it is, other values as JSON.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Text(text) => Some(text.to_string()),
        other => serde_json::to_string(other).ok(),
    }
}
