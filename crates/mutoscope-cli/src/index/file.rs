//! Index files: written completely or not at all, and read by the next run.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{
    Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray,
    cast::AsArray as _,
    types::{Float64Type, Int32Type, Int64Type},
};
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value};

use super::row::{COLUMNS, Row};
use mutoscope_core::{
    clip::Value as Cell,
    export::table::{TableWriter, unquote_formula},
    io::atomic_file,
};
use mutoscope_tables::{ColumnType, TableFile, TableFormat, schema};

const ROWS_PER_BATCH: usize = 1 << 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexFormat {
    Parquet,
    Csv,
    Jsonl,
}

impl IndexFormat {
    const ALL: [(&'static str, Self); 3] =
        [("parquet", Self::Parquet), ("csv", Self::Csv), ("jsonl", Self::Jsonl)];

    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let known = Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
        known.map(|(_, format)| *format)
    }
}

pub(super) struct IndexFile {
    path: PathBuf,
    file: tempfile::NamedTempFile,
    rows: RowWriter,
}

enum RowWriter {
    /// A Parquet file. `pending` collects rows, because Parquet stores rows in batches.
    Parquet {
        table: Box<TableFile<BufWriter<File>>>,
        schema: SchemaRef,
        pending: Vec<Row>,
    },
    Csv(BufWriter<File>),
    Jsonl(BufWriter<File>),
}

impl IndexFile {
    pub(super) fn create(format: IndexFormat, path: &Path) -> io::Result<Self> {
        let file = atomic_file::begin(path, ".part")?;
        let mut out = BufWriter::new(file.as_file().try_clone()?);
        let rows = match format {
            IndexFormat::Jsonl => RowWriter::Jsonl(out),
            IndexFormat::Csv => {
                let names = COLUMNS.iter().map(|column| column.name.to_owned());
                TableWriter::new(&mut out).write_header(names)?;
                RowWriter::Csv(out)
            }
            IndexFormat::Parquet => {
                let metadata = [
                    ("mutoscope.table", "index"),
                    ("mutoscope.writer", concat!("mutoscope ", env!("CARGO_PKG_VERSION"))),
                ];
                let schema = schema(&COLUMNS, metadata);
                let table = TableFile::begin(TableFormat::Parquet, &COLUMNS, &schema, out)?;
                RowWriter::Parquet { table: Box::new(table), schema, pending: Vec::new() }
            }
        };
        Ok(Self { path: path.to_owned(), file, rows })
    }

    pub(super) fn add(&mut self, row: Row) -> io::Result<()> {
        match &mut self.rows {
            RowWriter::Jsonl(out) => {
                serde_json::to_writer(&mut *out, &row)?;
                out.write_all(b"\n")
            }
            RowWriter::Csv(out) => {
                let object = row_to_object(&row);
                let mut table = TableWriter::verbatim(out);
                COLUMNS
                    .iter()
                    .try_for_each(|column| table.write_value(&to_cell(&object[column.name])))?;
                table.end_row()
            }
            RowWriter::Parquet { table, schema, pending } => {
                pending.push(row);
                if pending.len() < ROWS_PER_BATCH {
                    return Ok(());
                }
                table.write(&to_batch(schema, pending.drain(..))?)
            }
        }
    }

    /// Completes the index and moves it to its path. If that fails, the existing file is kept.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.rows {
            RowWriter::Jsonl(mut out) | RowWriter::Csv(mut out) => out.flush()?,
            RowWriter::Parquet { mut table, schema, mut pending } => {
                if !pending.is_empty() {
                    table.write(&to_batch(&schema, pending.drain(..))?)?;
                }
                table.finish()?.flush()?;
            }
        }
        atomic_file::finish(self.file, &self.path)
    }
}

fn row_to_object(row: &Row) -> Map<String, Value> {
    match serde_json::to_value(row) {
        Ok(Value::Object(object)) => object,
        _ => unreachable!("a row has fields"),
    }
}

fn to_cell(field: &Value) -> Cell {
    match field {
        Value::String(text) => Cell::Text(text.as_str().into()),
        Value::Number(number) => match number.as_u64() {
            Some(integer) => Cell::Integer(integer.into()),
            None => number.as_f64().map_or(Cell::Null, Cell::Number),
        },
        _ => Cell::Null,
    }
}

fn to_batch(schema: &SchemaRef, rows: impl Iterator<Item = Row>) -> io::Result<RecordBatch> {
    let objects: Vec<_> = rows.map(|row| row_to_object(&row)).collect();
    let columns = COLUMNS.iter().map(|column| {
        let fields = objects.iter().map(|object| &object[column.name]);
        let array: ArrayRef = match column.column_type {
            ColumnType::Integer => Arc::new(fields.map(Value::as_i64).collect::<Int64Array>()),
            ColumnType::Number | ColumnType::SharedNumber => {
                Arc::new(fields.map(Value::as_f64).collect::<Float64Array>())
            }
            ColumnType::SharedText => Arc::new(
                fields.map(Value::as_str).collect::<arrow_array::DictionaryArray<Int32Type>>(),
            ),
            ColumnType::Text | ColumnType::Bool | ColumnType::Index => {
                Arc::new(fields.map(Value::as_str).collect::<StringArray>())
            }
        };
        array
    });
    RecordBatch::try_new(schema.clone(), columns.collect()).map_err(io::Error::other)
}

/// Passes the rows of the index at `path` to `take`. Stops at the first row that cannot be decoded,
/// because the file may not be an index, or another version may have written it.
pub(super) fn read_rows(
    format: IndexFormat,
    path: &Path,
    take: &mut dyn FnMut(Row) -> io::Result<()>,
) -> io::Result<()> {
    let file = File::open(path)?;
    match format {
        IndexFormat::Jsonl => {
            for line in BufReader::new(file).split(b'\n') {
                let Ok(row) = serde_json::from_slice(&line?) else { return Ok(()) };
                take(row)?;
            }
            Ok(())
        }
        IndexFormat::Csv => {
            let mut reader = csv::Reader::from_reader(BufReader::new(file));
            let Ok(names) = reader.headers().cloned() else { return Ok(()) };
            let rows = reader.into_records().map_while(Result::ok).map_while(|row| {
                let cells: csv::StringRecord = row.iter().map(unquote_formula).collect();
                cells.deserialize(Some(&names)).ok()
            });
            rows.into_iter().try_for_each(take)
        }
        IndexFormat::Parquet => {
            let Ok(reader) = ParquetRecordBatchReaderBuilder::try_new(file) else { return Ok(()) };
            let Ok(batches) = reader.with_batch_size(ROWS_PER_BATCH).build() else { return Ok(()) };
            for batch in batches.map_while(Result::ok) {
                for row in 0..batch.num_rows() {
                    let fields = batch.schema_ref().fields().iter().zip(batch.columns());
                    let object: Map<_, _> = fields
                        .map(|(field, column)| (field.name().clone(), field_at(column, row)))
                        .collect();
                    let Ok(row) = serde_json::from_value(Value::Object(object)) else {
                        return Ok(());
                    };
                    take(row)?;
                }
            }
            Ok(())
        }
    }
}

fn field_at(column: &ArrayRef, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Dictionary(..) => {
            let Some(dictionary) = column.as_dictionary_opt::<Int32Type>() else {
                return Value::Null;
            };
            let entry = dictionary.key(row).zip(dictionary.values().as_string_opt::<i32>());
            entry.map_or(Value::Null, |(key, values)| values.value(key).into())
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_look_like_formulas_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.csv");
        let rows = ["=takes/a.bin", "-takes/a.bin", "'@a.bin", "a.bin"]
            .map(|path| Row::from_names(path, Some("+Walk")));
        let mut index = IndexFile::create(IndexFormat::Csv, &path).unwrap();
        rows.iter().for_each(|row| index.add(row.clone()).unwrap());
        index.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\n'=takes/a.bin,'+Walk,"), "{text}");
        let mut found = Vec::new();
        let mut take = |row| {
            found.push(row);
            Ok(())
        };
        read_rows(IndexFormat::Csv, &path, &mut take).unwrap();
        assert_eq!(found, rows);
    }
}
