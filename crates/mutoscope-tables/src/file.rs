//! Writes a table to a Parquet or Arrow file.

use std::{
    io::{self, Write},
    mem,
};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::{
    arrow::ArrowWriter,
    basic::{Compression, Encoding},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{WriterProperties, WriterVersion},
    },
    schema::types::ColumnPath,
};

use super::{Column, ColumnType};

/// The limit saves memory, because Parquet holds a row group in memory until the group is written.
const ROWS_PER_GROUP: usize = 1 << 18;

/// A file format for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet.
    Parquet,
    /// The file format of Apache Arrow IPC, also called Feather.
    Arrow,
}

/// A table file that is being written, batch by batch.
pub struct TableFile<W: Write>(Writer<W>);

enum Writer<W: Write> {
    /// `ArrowWriter` needs an output that is `Send`, but `out` may not be. So the writer writes to
    /// memory, and each complete row group is copied to `out`.
    Parquet {
        writer: Box<ArrowWriter<Vec<u8>>>,
        out: W,
    },
    Arrow(Box<FileWriter<W>>),
}

impl<W: Write> TableFile<W> {
    /// Begins a table with `columns`. `schema` must describe the same columns.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn begin(
        format: TableFormat,
        columns: &[Column],
        schema: &SchemaRef,
        out: W,
    ) -> io::Result<Self> {
        let writer = match format {
            TableFormat::Parquet => {
                let properties = writer_properties(columns, schema);
                // Arrow readers use the schema's metadata, which `ArrowWriter` writes too. Other
                // readers use the file's metadata, which is set in the properties.
                let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties));
                Writer::Parquet { writer: Box::new(writer.map_err(from_parquet_error)?), out }
            }
            TableFormat::Arrow => {
                Writer::Arrow(Box::new(FileWriter::try_new(out, schema).map_err(from_arrow_error)?))
            }
        };
        Ok(Self(writer))
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Writer::Arrow(writer) => writer.write(rows).map_err(from_arrow_error),
            Writer::Parquet { writer, out } => {
                let groups = writer.flushed_row_groups().len();
                writer.write(rows).map_err(from_parquet_error)?;
                if writer.flushed_row_groups().len() > groups {
                    writer.sync()?;
                    out.write_all(&mem::take(writer.inner_mut()))?;
                }
                Ok(())
            }
        }
    }

    /// Completes the table and returns the output.
    ///
    /// # Errors
    /// If the rest of the file cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Writer::Arrow(mut writer) => {
                writer.finish().map_err(from_arrow_error)?;
                writer.into_inner().map_err(from_arrow_error)
            }
            Writer::Parquet { writer, mut out } => {
                out.write_all(&writer.into_inner().map_err(from_parquet_error)?)?;
                Ok(out)
            }
        }
    }
}

fn writer_properties(columns: &[Column], schema: &Schema) -> WriterProperties {
    let about = schema.metadata().iter();
    let about = about.map(|(key, value)| KeyValue::new(key.to_string(), value.to_string()));
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
        .set_created_by(concat!("mutoscope version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(about.collect()));
    let numbers = columns.iter().filter(|column| column.column_type == ColumnType::Number);
    for column in numbers {
        // Store no dictionary, because it costs time and saves nothing if the values rarely repeat.
        // Split the byte streams, because neighbouring values have similar high bytes.
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    properties.build()
}

fn from_parquet_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn from_arrow_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
