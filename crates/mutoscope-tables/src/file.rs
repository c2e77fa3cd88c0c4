//! Writes a table to a Parquet or Arrow file.

use std::io::{self, Write};

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
        writer::SerializedFileWriter,
    },
    schema::types::ColumnPath,
};

use super::{
    Column, ColumnType,
    row_group::{EncodedGroup, GroupEncoder, RowGroup, Rows, append_chunks},
};

/// The limit saves memory, because Parquet holds a row group in memory until the group is written.
pub(crate) const ROWS_PER_GROUP: usize = 1 << 17;

/// A file format for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet.
    Parquet,
    /// The file format of Apache Arrow IPC, also called Feather.
    Arrow,
}

/// A table file that is being written, batch by batch.
pub struct TableFile<W: Write> {
    writer: Writer<W>,
    encoder: GroupEncoder,
    /// The group of the latest rows, until it is complete.
    open_group: Option<RowGroup>,
}

enum Writer<W: Write> {
    /// `SerializedFileWriter` needs an output that is `Send`, but `out` may not be. So the writer
    /// writes to memory, and each complete row group is copied to `out`.
    Parquet {
        writer: Box<SerializedFileWriter<Vec<u8>>>,
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
        let (writer, encoder) = match format {
            TableFormat::Parquet => {
                let properties = writer_properties(columns, schema);
                // Arrow readers use the schema's metadata, which `ArrowWriter` writes too. Other
                // readers use the file's metadata, which is set in the properties.
                let (writer, groups) =
                    ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties))
                        .and_then(ArrowWriter::into_serialized_writer)
                        .map_err(from_parquet_error)?;
                let encoder = GroupEncoder::for_parquet(schema.clone(), groups);
                (Writer::Parquet { writer: Box::new(writer), out }, encoder)
            }
            TableFormat::Arrow => {
                let writer = FileWriter::try_new(out, schema).map_err(from_arrow_error)?;
                (Writer::Arrow(Box::new(writer)), GroupEncoder::for_arrow(schema.clone()))
            }
        };
        Ok(Self { writer, encoder, open_group: None })
    }

    /// Returns an encoder for groups that [`Self::append_group`] takes.
    pub(crate) fn encoder(&self) -> GroupEncoder {
        self.encoder.clone()
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub fn write(&mut self, rows: &RecordBatch) -> io::Result<()> {
        let mut start = 0;
        while start < rows.num_rows() {
            let mut group = match self.open_group.take() {
                Some(group) => group,
                None => self.encoder.begin_group()?,
            };
            let count = (ROWS_PER_GROUP - group.row_count()).min(rows.num_rows() - start);
            group.add(rows.slice(start, count))?;
            start += count;
            let is_complete =
                group.row_count() == ROWS_PER_GROUP || matches!(self.writer, Writer::Arrow(_));
            match is_complete {
                true => self.append_group(group.finish()?)?,
                false => self.open_group = Some(group),
            }
        }
        Ok(())
    }

    /// Adds a group of rows that [`Self::encoder`] has encoded.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub(crate) fn append_group(&mut self, group: EncodedGroup) -> io::Result<()> {
        match (&mut self.writer, group) {
            (Writer::Arrow(writer), Rows::Arrow(batches)) => {
                batches.iter().try_for_each(|rows| writer.write(rows)).map_err(from_arrow_error)
            }
            (Writer::Parquet { writer, out }, Rows::Parquet(chunks)) => {
                append_chunks(chunks, writer)?;
                writer.flush()?;
                // Clear the buffer instead of replacing it, so that the next group uses its memory.
                out.write_all(writer.inner_mut())?;
                writer.inner_mut().clear();
                Ok(())
            }
            _ => unreachable!("the encoder of the file encodes in its format"),
        }
    }

    /// Completes the table and returns the output.
    ///
    /// # Errors
    /// If the rest of the file cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(group) = self.open_group.take() {
            self.append_group(group.finish()?)?;
        }
        match self.writer {
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

pub(super) fn from_parquet_error(error: ParquetError) -> io::Error {
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
