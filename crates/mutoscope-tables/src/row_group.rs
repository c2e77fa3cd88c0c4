//! Encodes rows on any thread, before a file takes them in order.

use std::{
    io::{self, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::{
    arrow::arrow_writer::{
        ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
    },
    file::writer::SerializedFileWriter,
};

use super::file::from_parquet_error;

/// Begins groups of rows. Several threads can share an encoder.
#[derive(Clone)]
pub(crate) struct GroupEncoder {
    schema: SchemaRef,
    /// Creates the writers of Parquet's columns. `None` for Arrow, which needs none.
    columns: Option<Arc<ArrowRowGroupWriterFactory>>,
}

/// Rows that a file stores together.
pub(crate) struct RowGroup {
    schema: SchemaRef,
    row_count: usize,
    rows: Rows<ArrowColumnWriter>,
}

/// The rows of a complete [`RowGroup`].
pub(crate) type EncodedGroup = Rows<ArrowColumnChunk>;

pub(crate) enum Rows<C> {
    Parquet(Vec<C>),
    /// Arrow batches are only encoded when they are written, because that takes little time.
    Arrow(Vec<RecordBatch>),
}

impl GroupEncoder {
    pub(crate) fn for_arrow(schema: SchemaRef) -> Self {
        Self { schema, columns: None }
    }

    pub(crate) fn for_parquet(schema: SchemaRef, columns: ArrowRowGroupWriterFactory) -> Self {
        Self { schema, columns: Some(Arc::new(columns)) }
    }

    pub(crate) fn begin_group(&self) -> io::Result<RowGroup> {
        /// The index of the group, which only encryption needs.
        const INDEX: usize = 0;
        let rows = match &self.columns {
            None => Rows::Arrow(Vec::new()),
            Some(columns) => {
                Rows::Parquet(columns.create_column_writers(INDEX).map_err(from_parquet_error)?)
            }
        };
        Ok(RowGroup { schema: self.schema.clone(), row_count: 0, rows })
    }
}

impl RowGroup {
    pub(crate) fn row_count(&self) -> usize {
        self.row_count
    }

    pub(crate) fn add(&mut self, batch: RecordBatch) -> io::Result<()> {
        self.row_count += batch.num_rows();
        match &mut self.rows {
            Rows::Arrow(batches) => batches.push(batch),
            Rows::Parquet(writers) => {
                let mut writers = writers.iter_mut();
                for (field, column) in self.schema.fields().iter().zip(batch.columns()) {
                    let leaves = compute_leaves(field, column).map_err(from_parquet_error)?;
                    for (leaf, writer) in leaves.iter().zip(&mut writers) {
                        writer.write(leaf).map_err(from_parquet_error)?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> io::Result<EncodedGroup> {
        Ok(match self.rows {
            Rows::Arrow(batches) => Rows::Arrow(batches),
            Rows::Parquet(writers) => {
                let chunks = writers.into_iter().map(ArrowColumnWriter::close);
                Rows::Parquet(chunks.collect::<Result<_, _>>().map_err(from_parquet_error)?)
            }
        })
    }
}

/// Appends a row group to a Parquet file.
pub(crate) fn append_chunks<W: Write + Send>(
    chunks: Vec<ArrowColumnChunk>,
    file: &mut SerializedFileWriter<W>,
) -> io::Result<()> {
    let mut group = file.next_row_group().map_err(from_parquet_error)?;
    for chunk in chunks {
        chunk.append_to_row_group(&mut group).map_err(from_parquet_error)?;
    }
    group.close().map(|_| ()).map_err(from_parquet_error)
}
