//! Writes events in the exported range, one in each row.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};

use super::facts;
use crate::{Column, ColumnType, TableFile, TableFormat, schema};
use mutoscope_core::{
    clip::{Clip, Event, EventDetails, Value},
    diagnostics::format_count,
    export::{ExportError, Job, Progress, Report},
};

const COLUMNS: [Column; 8] = [
    Column::new("time", ColumnType::SharedNumber).with_unit("s"),
    Column::new("node", ColumnType::Text).nullable(),
    Column::new("name", ColumnType::Text),
    Column::new("value", ColumnType::Text).nullable(),
    Column::new("kind", ColumnType::Text).nullable(),
    Column::new("effect", ColumnType::Text).nullable(),
    Column::new("fires", ColumnType::Bool).nullable(),
    Column::new("duration", ColumnType::SharedNumber).with_unit("s").nullable(),
];

pub(super) fn write(
    job: &Job<'_>,
    format: TableFormat,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportError> {
    let schema = schema(&COLUMNS, facts::table_metadata(job, "events", &COLUMNS));
    let mut file = TableFile::begin(format, &COLUMNS, &schema, out)?;
    let events: Vec<(f64, &Event)> = job.events().collect();
    progress.begin_phase(1.0);
    for (index, some) in events.chunks(super::BATCH_ROWS).enumerate() {
        progress.report_progress(index * super::BATCH_ROWS, events.len())?;
        let columns = event_columns(job.clip, some);
        let rows = RecordBatch::try_new(schema.clone(), columns).map_err(io::Error::other)?;
        file.write(&rows)?;
    }
    file.finish()?;
    let mut report = Report::default();
    report.info(format_count(events.len(), "row"));
    Ok(report)
}

fn event_columns(clip: &Clip, events: &[(f64, &Event)]) -> Vec<ArrayRef> {
    fn texts<'a, T: AsRef<str>>(
        events: &[(f64, &'a Event)],
        text: impl Fn(&'a Event) -> Option<T>,
    ) -> ArrayRef {
        let texts: StringArray = events.iter().map(|(_, event)| text(event)).collect();
        Arc::new(texts)
    }
    let details = events.iter().map(|(_, event)| event.details.as_deref());
    let time = events.iter().map(|(time, _)| *time);
    let fires: BooleanArray = details.clone().map(|it| it.map(|it| it.is_fired)).collect();
    let lasts = |it: &EventDetails| (it.duration > 0.0).then_some(it.duration);
    let duration: Float64Array = details.map(|it| it.and_then(lasts)).collect();
    vec![
        Arc::new(Float64Array::from_iter_values(time)),
        texts(events, |event| node_name(clip, event)),
        texts(events, |event| Some(&event.name)),
        texts(events, |event| event.value.as_deref().and_then(value_text)),
        texts(events, |event| event.details.as_deref().map(|it| it.kind)),
        texts(events, |event| event.details.as_deref().and_then(|it| it.effect)),
        Arc::new(fires),
        Arc::new(duration),
    ]
}

/// Returns the node or group of the event, as in `info --json`.
fn node_name<'a>(clip: &'a Clip, event: &'a Event) -> Option<&'a str> {
    Some(event.node_name(clip)).filter(|name| !name.is_empty())
}

fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Text(text) => Some(text.to_string()),
        other => serde_json::to_string(other).ok(),
    }
}
