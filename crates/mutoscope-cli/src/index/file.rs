//! Indices as files: written whole or not at all, and read again.

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
use mutoscope_core::{clip::Value as Cell, export::table::Table, io::atomic_file};
use mutoscope_tables::{ColumnType, TableFile, TableFormat, schema};

/// How many rows are held in memory until they are written.
const ROWS_AT_A_TIME: usize = 1 << 12;

/// The file format of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexFormat {
    Parquet,
    Csv,
    Jsonl,
}

impl IndexFormat {
    /// The extensions, each with its format.
    const ALL: [(&'static str, Self); 3] =
        [("parquet", Self::Parquet), ("csv", Self::Csv), ("jsonl", Self::Jsonl)];

    /// The format of the extension of `path`.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let known = Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(extension));
        known.map(|(_, format)| *format)
    }
}

/// An index that is being written.
pub(super) struct IndexFile {
    path: PathBuf,
    file: tempfile::NamedTempFile,
    rows: RowWriter,
}

enum RowWriter {
    /// Rows are written in batches.
    Parquet {
        table: Box<TableFile<BufWriter<File>>>,
        schema: SchemaRef,
        waiting: Vec<Row>,
    },
    Csv(BufWriter<File>),
    Jsonl(BufWriter<File>),
}

impl IndexFile {
    /// Begins the index at `path`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(format: IndexFormat, path: &Path) -> io::Result<Self> {
        let file = atomic_file::begin(path, ".part")?;
        let mut out = BufWriter::new(file.as_file().try_clone()?);
        let rows = match format {
            IndexFormat::Jsonl => RowWriter::Jsonl(out),
            IndexFormat::Csv => {
                let names = COLUMNS.iter().map(|column| column.name.to_owned());
                Table::new(&mut out).head(names)?;
                RowWriter::Csv(out)
            }
            IndexFormat::Parquet => {
                let about = [
                    ("mutoscope.table", "index"),
                    ("mutoscope.writer", concat!("mutoscope ", env!("CARGO_PKG_VERSION"))),
                ];
                let schema = schema(&COLUMNS, about);
                let table = TableFile::begin(TableFormat::Parquet, &COLUMNS, &schema, out)?;
                RowWriter::Parquet { table: Box::new(table), schema, waiting: Vec::new() }
            }
        };
        Ok(Self { path: path.to_owned(), file, rows })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, row: Row) -> io::Result<()> {
        match &mut self.rows {
            RowWriter::Jsonl(out) => {
                serde_json::to_writer(&mut *out, &row)?;
                out.write_all(b"\n")
            }
            RowWriter::Csv(out) => {
                let object = object(&row);
                let mut table = Table::verbatim(out);
                COLUMNS.iter().try_for_each(|column| table.value(&cell(&object[column.name])))?;
                table.end_row()
            }
            RowWriter::Parquet { table, schema, waiting } => {
                waiting.push(row);
                if waiting.len() < ROWS_AT_A_TIME {
                    return Ok(());
                }
                table.write(&batch(schema, waiting.drain(..))?)
            }
        }
    }

    /// Completes the index and moves it to its path.
    ///
    /// # Errors
    /// If it cannot be written; the existing file is kept.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.rows {
            RowWriter::Jsonl(mut out) | RowWriter::Csv(mut out) => out.flush()?,
            RowWriter::Parquet { mut table, schema, mut waiting } => {
                if !waiting.is_empty() {
                    table.write(&batch(&schema, waiting.drain(..))?)?;
                }
                table.finish()?.flush()?;
            }
        }
        atomic_file::finish(self.file, &self.path)
    }
}

/// The fields of a row by their names.
fn object(row: &Row) -> Map<String, Value> {
    match serde_json::to_value(row) {
        Ok(Value::Object(object)) => object,
        _ => unreachable!("a row has fields"),
    }
}

/// A field as a cell of a table.
fn cell(field: &Value) -> Cell {
    match field {
        Value::String(text) => Cell::Text(text.as_str().into()),
        Value::Number(number) => match number.as_u64() {
            Some(whole) => Cell::Integer(whole.into()),
            None => number.as_f64().map_or(Cell::Null, Cell::Number),
        },
        _ => Cell::Null,
    }
}

fn batch(schema: &SchemaRef, rows: impl Iterator<Item = Row>) -> io::Result<RecordBatch> {
    let objects: Vec<_> = rows.map(|row| object(&row)).collect();
    let columns = COLUMNS.iter().map(|column| {
        let fields = objects.iter().map(|object| &object[column.name]);
        let array: ArrayRef = match column.of {
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

/// Reads the index at `path` row by row; ends where it is no index, or one of another version.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read(
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
            let rows = csv::Reader::from_reader(BufReader::new(file)).into_deserialize();
            rows.map_while(Result::ok).try_for_each(take)
        }
        IndexFormat::Parquet => {
            let Ok(reader) = ParquetRecordBatchReaderBuilder::try_new(file) else { return Ok(()) };
            let Ok(batches) = reader.with_batch_size(ROWS_AT_A_TIME).build() else { return Ok(()) };
            for batch in batches.map_while(Result::ok) {
                for row in 0..batch.num_rows() {
                    let fields = batch.schema_ref().fields().iter().zip(batch.columns());
                    let object: Map<_, _> = fields
                        .map(|(field, column)| (field.name().clone(), field_of(column, row)))
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

/// The value of a column in a row; null for types that no index has.
fn field_of(column: &ArrayRef, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Dictionary(..) => {
            let Some(words) = column.as_dictionary_opt::<Int32Type>() else { return Value::Null };
            let word = words.key(row).zip(words.values().as_string_opt::<i32>());
            word.map_or(Value::Null, |(key, all)| all.value(key).into())
        }
        _ => Value::Null,
    }
}
