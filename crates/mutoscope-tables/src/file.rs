//! Writing a table to a file of either format.

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

/// The rows of a row group of Parquet, which is held in memory until it is written.
const ROWS_OF_A_GROUP: usize = 1 << 18;

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet.
    Parquet,
    /// The file format of Apache Arrow's IPC, also called Feather.
    Arrow,
}

/// A table that is being written, some rows at a time.
pub struct TableFile<W: Write>(Writer<W>);

enum Writer<W: Write> {
    /// Its writer needs an output that is `Send`, which not every output is: it writes to memory, and each
    /// complete row group is copied to the output.
    Parquet {
        writer: Box<ArrowWriter<Vec<u8>>>,
        out: W,
    },
    Arrow(Box<FileWriter<W>>),
}

impl<W: Write> TableFile<W> {
    /// Begins a table of `columns` with their `schema`.
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
                let properties = properties(columns, schema);
                // Readers of Arrow use the metadata of the schema, which is written too; others use that of the
                // file, which is in the properties.
                let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties));
                Writer::Parquet { writer: Box::new(writer.map_err(of_parquet)?), out }
            }
            TableFormat::Arrow => {
                Writer::Arrow(Box::new(FileWriter::try_new(out, schema).map_err(of_arrow)?))
            }
        };
        Ok(Self(writer))
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Writer::Arrow(writer) => writer.write(rows).map_err(of_arrow),
            Writer::Parquet { writer, out } => {
                let groups = writer.flushed_row_groups().len();
                writer.write(rows).map_err(of_parquet)?;
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
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Writer::Arrow(mut writer) => {
                writer.finish().map_err(of_arrow)?;
                writer.into_inner().map_err(of_arrow)
            }
            Writer::Parquet { writer, mut out } => {
                out.write_all(&writer.into_inner().map_err(of_parquet)?)?;
                Ok(out)
            }
        }
    }
}

fn properties(columns: &[Column], schema: &Schema) -> WriterProperties {
    let about = schema.metadata().iter();
    let about = about.map(|(key, value)| KeyValue::new(key.to_string(), value.to_string()));
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(ROWS_OF_A_GROUP))
        .set_created_by(concat!("mutoscope version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(about.collect()));
    let numbers = columns.iter().filter(|column| column.of == ColumnType::Number);
    for column in numbers {
        // A dictionary of values that rarely repeat only takes time. Bytes of neighbouring values are alike.
        let path = ColumnPath::from(column.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    properties.build()
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
