//! Parquet and Arrow, batch by batch of rows.

use std::{
    collections::HashMap,
    io::Cursor,
    panic::{self, AssertUnwindSafe},
};

use arrow_array::RecordBatch;
use arrow_ipc::reader::FileReader;
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;
use mutoscope_core::diagnostics::{Error, SourceLocation};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// A container of record batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Parquet,
    /// The file format of Arrow's IPC, also called Feather.
    Arrow,
}

/// The batches of a file.
pub(super) struct Batches {
    pub(super) schema: SchemaRef,
    pub(super) batches: Vec<RecordBatch>,
    pub(super) metadata: HashMap<String, String>,
}

/// The rows of a batch of Parquet.
const ROWS_OF_A_BATCH: usize = 1 << 14;

impl Kind {
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    fn magic(self) -> &'static [u8] {
        match self {
            Self::Parquet => b"PAR1",
            Self::Arrow => b"ARROW1",
        }
    }

    pub(super) fn begins(self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic())
    }

    /// Whether a file ends as it should.
    pub(super) fn is_whole(self, bytes: &[u8]) -> bool {
        bytes.len() >= 2 * self.magic().len() && bytes.ends_with(self.magic())
    }

    /// Reads all rows, or at least as many as `most` if there are so many.
    ///
    /// # Errors
    /// If the file is cut off or broken.
    pub(super) fn read(self, bytes: &[u8], most: Option<usize>) -> Result<Batches, Error> {
        if !self.is_whole(bytes) {
            let message = format!(
                "expected {} at the end of the file, found others: it ends too early",
                String::from_utf8_lossy(self.magic())
            );
            return Err(Error::unsupported(SourceLocation::byte(bytes.len()), message));
        }
        // The readers check most of what they read, but not all.
        let read = panic::catch_unwind(AssertUnwindSafe(|| match self {
            Self::Parquet => parquet(bytes, most),
            Self::Arrow => arrow(bytes, most),
        }));
        let broken = |what: String| {
            Error::malformed(SourceLocation::File, format_args!("a whole file of {self:?}"), what)
        };
        match read {
            Ok(Ok(batches)) => Ok(batches),
            Ok(Err(error)) => Err(broken(error)),
            Err(_) => Err(broken("a broken one".to_owned())),
        }
    }
}

fn collect(
    schema: SchemaRef,
    metadata: HashMap<String, String>,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    most: Option<usize>,
) -> Result<Batches, String> {
    let (mut all, mut rows) = (Vec::new(), 0);
    for batch in batches {
        let batch = batch.map_err(|error| error.to_string())?;
        rows += batch.num_rows();
        all.push(batch);
        if most.is_some_and(|most| rows >= most) {
            break;
        }
    }
    Ok(Batches { schema, batches: all, metadata })
}

fn parquet(bytes: &[u8], most: Option<usize>) -> Result<Batches, String> {
    let bytes = Bytes::copy_from_slice(bytes);
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes);
    let builder = builder.map_err(|error| error.to_string())?;
    let schema = builder.schema().clone();
    let mut metadata: HashMap<String, String> = HashMap::new();
    metadata
        .extend(schema.metadata().iter().map(|(key, value)| (key.to_string(), value.to_string())));
    for entry in builder.metadata().file_metadata().key_value_metadata().into_iter().flatten() {
        if let Some(value) = &entry.value {
            metadata.entry(entry.key.clone()).or_insert_with(|| value.clone());
        }
    }
    let rows = most.unwrap_or(ROWS_OF_A_BATCH);
    let reader = builder.with_batch_size(rows).build().map_err(|error| error.to_string())?;
    collect(schema, metadata, reader, most)
}

fn arrow(bytes: &[u8], most: Option<usize>) -> Result<Batches, String> {
    let reader = FileReader::try_new(Cursor::new(bytes), None);
    let reader = reader.map_err(|error| error.to_string())?;
    let schema = reader.schema();
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    collect(schema, metadata, reader, most)
}
