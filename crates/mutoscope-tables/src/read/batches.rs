//! Reads Parquet and Arrow files in batches of rows.

use std::{
    collections::HashMap,
    fmt,
    io::Cursor,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use arrow_array::{Array, RecordBatch};
use arrow_ipc::{
    Block, CompressionType, MessageHeader,
    reader::{FileReader, read_footer_length},
    root_as_footer, root_as_message,
};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use bytes::{Buf, Bytes, buf::Reader};
use mutoscope_core::diagnostics::{Error, SourceLocation};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    basic::Compression,
    errors::ParquetError,
    file::reader::{ChunkReader, Length},
};

use super::{
    limits::{Budget, cells_per_value},
    pages::{ColumnChunk, PageSummary},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchFormat {
    Parquet,
    /// The file format of Arrow IPC, also called Feather.
    Arrow,
}

pub(super) struct Batches<'a> {
    kind: BatchFormat,
    pub(super) schema: SchemaRef,
    pub(super) metadata: HashMap<String, String>,
    pub(super) rows: usize,
    pub(super) budget: Budget,
    content: Content<'a>,
}

enum Content<'a> {
    Parquet(Parquet<'a>),
    Arrow(Vec<RecordBatch>),
}

const ROWS_PER_BATCH: usize = 1 << 14;

/// The values of a batch take at most about this much memory. A batch of large values has fewer
/// rows.
const BATCH_BYTES: usize = 1 << 26;

impl BatchFormat {
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

    pub(super) fn has_magic(self, bytes: &[u8]) -> bool {
        bytes.starts_with(self.magic())
    }

    pub(super) fn is_complete(self, bytes: &[u8]) -> bool {
        bytes.len() >= 2 * self.magic().len() && bytes.ends_with(self.magic())
    }

    /// Opens a file. `most` limits the number of rows that are read.
    ///
    /// # Errors
    /// If the file is cut off or broken.
    pub(super) fn open(self, bytes: &[u8], most: Option<usize>) -> Result<Batches<'_>, Error> {
        if !self.is_complete(bytes) {
            let message = format!(
                "expected {} at the end of the file, found other bytes: the file ends too early",
                String::from_utf8_lossy(self.magic())
            );
            return Err(Error::unsupported(SourceLocation::byte(bytes.len()), message));
        }
        self.catch_panics(|| match self {
            Self::Parquet => Parquet::open(bytes, most),
            Self::Arrow => open_arrow(bytes, most),
        })
    }

    /// Calls `read` and turns a panic into an error, because the readers of Parquet and Arrow panic
    /// on some broken files.
    fn catch_panics<T>(self, read: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let read = panic::catch_unwind(AssertUnwindSafe(read));
        read.unwrap_or_else(|_| Err(self.broken_error("a broken file")))
    }

    /// Creates the error for a file that contains `found`.
    pub(super) fn broken_error(self, found: impl fmt::Display) -> Error {
        Error::malformed(SourceLocation::File, format_args!("a valid {self:?} file"), found)
    }

    fn reader_error(self, error: &dyn fmt::Display) -> Error {
        self.broken_error(format_args!("an error in it: {error}"))
    }

    fn compression_error(self, compression: &str, supported: &str) -> Error {
        let message = format!(
            "the {self:?} file is compressed with {compression}, which is not supported here. Write it \
             with {supported}, or without compression"
        );
        Error::unsupported(SourceLocation::File, message)
    }
}

impl Batches<'_> {
    pub(super) fn read_field(
        &self,
        field: usize,
        mut each: impl FnMut(usize, &dyn Array),
    ) -> Result<(), Error> {
        match &self.content {
            Content::Parquet(parquet) => self
                .kind
                .catch_panics(|| parquet.read_field(field, self.rows, &self.budget, &mut each)),
            Content::Arrow(batches) => {
                let mut start = 0;
                for batch in batches {
                    each(start, &**batch.column(field));
                    start += batch.num_rows();
                }
                Ok(())
            }
        }
    }
}

/// A Parquet file. Each thread reads one column at a time, so that memory holds a second copy of only
/// as many columns as there are threads.
struct Parquet<'a> {
    bytes: &'a [u8],
    metadata: ArrowReaderMetadata,
}

impl<'a> Parquet<'a> {
    fn open(bytes: &'a [u8], most: Option<usize>) -> Result<Batches<'a>, Error> {
        let error = |error: ParquetError| BatchFormat::Parquet.reader_error(&error);
        let options = ArrowReaderOptions::default();
        let metadata = ArrowReaderMetadata::load(&FileBytes(bytes), options).map_err(error)?;
        let options =
            ArrowReaderOptions::default().with_schema(use_views_in_schema(metadata.schema()));
        let metadata =
            ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).map_err(error)?;
        let schema = metadata.schema().clone();
        let own = schema.metadata().iter().map(|(key, value)| (key.to_string(), value.to_string()));
        let mut entries: HashMap<String, String> = own.collect();
        let file = metadata.metadata().file_metadata();
        for entry in file.key_value_metadata().into_iter().flatten() {
            if let Some(value) = &entry.value {
                entries.entry(entry.key.clone()).or_insert_with(|| value.clone());
            }
        }
        let stated = metadata.metadata().row_groups().iter().map(|group| group.num_rows());
        let stated: i64 = stated.fold(0, i64::saturating_add);
        let stated = usize::try_from(stated)
            .map_err(|_| BatchFormat::Parquet.broken_error(format_args!("{stated} rows")))?;
        let budget = Budget::for_file(bytes.len());
        let rows = most.map_or(stated, |most| most.min(stated));
        budget.check_rows(rows as u64, cells_per_row(&schema))?;
        let content = Content::Parquet(Self { bytes, metadata });
        Ok(Batches { kind: BatchFormat::Parquet, schema, metadata: entries, rows, budget, content })
    }

    fn read_field(
        &self,
        field: usize,
        most: usize,
        budget: &Budget,
        each: &mut dyn FnMut(usize, &dyn Array),
    ) -> Result<(), Error> {
        let error = |error: &dyn fmt::Display| BatchFormat::Parquet.reader_error(error);
        let descriptor = self.metadata.metadata().file_metadata().schema_descr();
        let mut pages = PageSummary::default();
        let chunks = self.copy_column_chunks(field, budget, &mut pages)?;
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(chunks, self.metadata.clone());
        let builder = builder.with_projection(ProjectionMask::roots(descriptor, [field]));
        let cells = cells_per_value(self.metadata.schema().field(field).data_type());
        let row_bytes = usize::try_from(cells.saturating_mul(8)).unwrap_or(usize::MAX);
        let leaves = descriptor.columns().iter().enumerate();
        let leaves = leaves.filter(|(leaf, _)| descriptor.get_column_root_idx(*leaf) == field);
        let fixed = leaves.map(|(_, leaf)| usize::try_from(leaf.type_length()).unwrap_or(0));
        let fixed = fixed.fold(0, usize::saturating_add);
        let row_bytes = row_bytes.max(fixed).max(pages.largest_delta_page).max(1);
        let rows = (BATCH_BYTES / row_bytes).clamp(1, ROWS_PER_BATCH);
        let reader = builder.with_batch_size(rows).with_limit(most).build();
        let mut start = 0;
        for batch in reader.map_err(|it| error(&it))? {
            let batch = batch.map_err(|it| error(&it))?;
            each(start, &**batch.column(0));
            start += batch.num_rows();
        }
        match start == most {
            true => Ok(()),
            false => {
                let found = format_args!("only {start} of {most} rows of field {field}");
                Err(BatchFormat::Parquet.broken_error(found))
            }
        }
    }

    fn copy_column_chunks(
        &self,
        field: usize,
        budget: &Budget,
        pages: &mut PageSummary,
    ) -> Result<Chunks, Error> {
        let descriptor = self.metadata.metadata().file_metadata().schema_descr();
        let mut chunks = Chunks { size: self.bytes.len() as u64, chunks: Vec::new() };
        let mut copied = 0;
        for group in self.metadata.metadata().row_groups() {
            for (leaf, column) in group.columns().iter().enumerate() {
                if descriptor.get_column_root_idx(leaf) != field {
                    continue;
                }
                let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
                let outside = || {
                    let found = format_args!("column {leaf} at byte {start}, outside the file");
                    BatchFormat::Parquet.broken_error(found)
                };
                let from = usize::try_from(start).map_err(|_| outside())?;
                let size = usize::try_from(column.compressed_size()).map_err(|_| outside())?;
                let end = from.checked_add(size).ok_or_else(outside)?;
                let bytes = self.bytes.get(from..end).ok_or_else(outside)?;
                copied += size;
                if copied > self.bytes.len() {
                    let found = format_args!("column {leaf} more than once");
                    return Err(BatchFormat::Parquet.broken_error(found));
                }
                let compression = column.compression();
                if let Some(name) = unsupported_compression(compression) {
                    return Err(BatchFormat::Parquet.compression_error(name, "Snappy or gzip"));
                }
                let is_list = descriptor.column(leaf).max_rep_level() > 0;
                let chunk = ColumnChunk { bytes, offset: from, compression, is_list };
                chunk.check_pages(budget, pages)?;
                chunks.chunks.push((from as u64, Bytes::copy_from_slice(bytes)));
            }
        }
        Ok(chunks)
    }
}

/// Returns the name of a compression that cannot be unpacked.
fn unsupported_compression(compression: Compression) -> Option<&'static str> {
    match compression {
        Compression::LZO => Some("LZO"),
        Compression::ZSTD(_) if cfg!(target_family = "wasm") => Some("Zstandard"),
        Compression::BROTLI(_) if cfg!(target_family = "wasm") => Some("Brotli"),
        _ => None,
    }
}

fn cells_per_row(schema: &Schema) -> u64 {
    let cells = schema.fields().iter().map(|field| cells_per_value(field.data_type()));
    cells.fold(0, u64::saturating_add)
}

/// Replaces the types of strings and binary values by views. A view refers to a value of the
/// dictionary. The other types copy the value for each row, so that a long value that is repeated
/// would take any amount of memory.
fn use_views_in_schema(schema: &Schema) -> SchemaRef {
    let fields: Fields = schema.fields().iter().map(use_views).collect();
    Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))
}

fn use_views(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        DataType::Dictionary(_, value) => match **value {
            DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
            DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
            _ => return Arc::clone(field),
        },
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(use_views).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(use_views(entries), *is_sorted),
        DataType::List(item) => DataType::List(use_views(item)),
        DataType::LargeList(item) => DataType::LargeList(use_views(item)),
        DataType::FixedSizeList(item, length) => DataType::FixedSizeList(use_views(item), *length),
        _ => return Arc::clone(field),
    };
    Arc::new(Field::clone(field).with_data_type(data_type))
}

struct FileBytes<'a>(&'a [u8]);

impl Length for FileBytes<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

impl ChunkReader for FileBytes<'_> {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        let length = self.0.len().saturating_sub(start as usize);
        self.get_bytes(start, length).map(Buf::reader)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let start = start as usize;
        let bytes = start.checked_add(length).and_then(|end| self.0.get(start..end));
        let outside = || ParquetError::EOF(format!("{length} bytes at {start}"));
        bytes.map(Bytes::copy_from_slice).ok_or_else(outside)
    }
}

struct Chunks {
    size: u64,
    chunks: Vec<(u64, Bytes)>,
}

impl Chunks {
    fn bytes_from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let holds =
            |(from, bytes): &&(u64, Bytes)| (*from..from + bytes.len() as u64).contains(&start);
        let found = self.chunks.iter().find(holds);
        let (from, bytes) = found.ok_or_else(|| ParquetError::EOF(format!("no byte {start}")))?;
        Ok(bytes.slice((start - from) as usize..))
    }
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Chunks {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.bytes_from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let bytes = self.bytes_from(start)?;
        match length <= bytes.len() {
            true => Ok(bytes.slice(..length)),
            false => Err(ParquetError::EOF(format!("{length} bytes at {start}"))),
        }
    }
}

fn open_arrow(bytes: &[u8], most: Option<usize>) -> Result<Batches<'_>, Error> {
    let budget = Budget::for_file(bytes.len());
    let stated = check_messages(bytes, &budget)?;
    let error = |error| BatchFormat::Arrow.reader_error(&error);
    let reader = FileReader::try_new(Cursor::new(bytes), None).map_err(error)?;
    let schema = reader.schema();
    budget.check_rows(stated, cells_per_row(&schema))?;
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let (mut batches, mut rows) = (Vec::new(), 0);
    for batch in reader {
        let batch = batch.map_err(error)?;
        let wanted = most.map_or(usize::MAX, |most| most - rows).min(batch.num_rows());
        rows += wanted;
        batches.push(batch.slice(0, wanted));
        if most.is_some_and(|most| rows >= most) {
            break;
        }
    }
    Ok(Batches {
        kind: BatchFormat::Arrow,
        schema,
        metadata,
        rows,
        budget,
        content: Content::Arrow(batches),
    })
}

/// Checks that all buffers lie within their messages, and that their unpacked sizes are within the
/// budget. Otherwise the reader would panic or allocate any amount of memory, and on a web page a
/// panic aborts the program. Returns the number of rows that the messages state.
fn check_messages(bytes: &[u8], budget: &Budget) -> Result<u64, Error> {
    /// The bytes after the footer: the length of the footer (4 bytes) and the magic (6 bytes).
    const FOOTER_TAIL_BYTES: usize = 10;
    let broken = |found: &dyn fmt::Display| BatchFormat::Arrow.broken_error(found);
    let too_short = || broken(&"a footer that begins before the file");
    let footer_end = bytes.len().checked_sub(FOOTER_TAIL_BYTES).ok_or_else(too_short)?;
    let tail = bytes[footer_end..].try_into().map_err(|_| too_short())?;
    let length = read_footer_length(tail).map_err(|error| broken(&error))?;
    let begin = footer_end.checked_sub(length).ok_or_else(too_short)?;
    let footer = root_as_footer(&bytes[begin..footer_end]).map_err(|error| broken(&error))?;
    let mut rows = 0_u64;
    for block in footer.dictionaries().into_iter().flatten() {
        check_message(bytes, block, budget)?;
    }
    for block in footer.recordBatches().into_iter().flatten() {
        rows = rows.saturating_add(check_message(bytes, block, budget)?);
    }
    Ok(rows)
}

fn check_message(bytes: &[u8], block: &Block, budget: &Budget) -> Result<u64, Error> {
    let broken = |found: &dyn fmt::Display| BatchFormat::Arrow.broken_error(found);
    let offset = block.offset();
    let outside = || broken(&format_args!("a message at byte {offset} that is not in the file"));
    let within = |from: i64, length: i64| -> Option<&[u8]> {
        let (from, length) = (usize::try_from(from).ok()?, usize::try_from(length).ok()?);
        bytes.get(from..from.checked_add(length)?)
    };
    let meta = within(offset, block.metaDataLength().into()).ok_or_else(outside)?;
    let body = offset.checked_add(block.metaDataLength().into());
    let body = body.and_then(|from| within(from, block.bodyLength())).ok_or_else(outside)?;
    // Several blocks may refer to the same bytes, but the reader copies the bytes for each block.
    budget.add_bytes(body.len() as u64)?;
    // Since version 0.15, a continuation marker precedes the length.
    let skipped = if meta.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let message = root_as_message(meta.get(skipped..).ok_or_else(outside)?);
    let message = message.map_err(|error| broken(&error))?;
    let batch = match message.header_type() {
        MessageHeader::DictionaryBatch => {
            message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data())
        }
        _ => message.header_as_record_batch(),
    };
    let Some(batch) = batch else { return Ok(0) };
    let compression = batch.compression().map(|compression| compression.codec());
    if compression == Some(CompressionType::ZSTD) && cfg!(target_family = "wasm") {
        return Err(BatchFormat::Arrow.compression_error("Zstandard", "LZ4"));
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let from = usize::try_from(buffer.offset()).ok();
        let length = usize::try_from(buffer.length()).ok();
        let end = from.zip(length).and_then(|(from, length)| from.checked_add(length));
        let Some(content) = from.zip(end).and_then(|(from, end)| body.get(from..end)) else {
            return Err(broken(&format_args!(
                "a buffer of {} bytes at byte {}, outside the {} bytes of the message at byte {offset}",
                buffer.length(),
                buffer.offset(),
                body.len()
            )));
        };
        // A compressed buffer begins with its unpacked size, or with -1 if it is not compressed.
        if compression.is_some()
            && let Some(size) = content.first_chunk()
            && let Ok(size) = u64::try_from(i64::from_le_bytes(*size))
        {
            budget.add_bytes(size)?;
        }
    }
    let rows = u64::try_from(batch.length());
    rows.map_err(|_| broken(&format_args!("a message with {} rows", batch.length())))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::Float64Array;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions};

    use super::*;

    fn file() -> Vec<u8> {
        let numbers: Arc<dyn arrow_array::Array> = Arc::new(Float64Array::from(vec![0.5; 100]));
        let batch = RecordBatch::try_from_iter([("time", numbers)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    fn check(bytes: &[u8]) -> Result<u64, Error> {
        check_messages(bytes, &Budget::for_file(bytes.len()))
    }

    #[test]
    fn reads_buffers_within_their_messages() {
        assert_eq!(check(&file()).unwrap(), 100);
        assert_eq!(BatchFormat::Arrow.open(&file(), None).unwrap().rows, 100);
    }

    /// Enlarges each length of 800 bytes in the file, and expects an error before any buffer is
    /// read.
    #[test]
    fn rejects_buffers_beyond_their_messages() {
        let whole = file();
        let length = 800_i64.to_le_bytes();
        let mut refused = 0;
        for offset in 0..whole.len() - 8 {
            if whole[offset..offset + 8] == length {
                let mut broken = whole.clone();
                broken[offset + 6] = 0x10;
                let error = check(&broken).unwrap_err();
                let error = error.message();
                assert!(error.contains("a buffer of") || error.contains("in the file"), "{error}");
                refused += 1;
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn rejects_buffers_that_state_too_many_unpacked_bytes() {
        let numbers: Arc<dyn Array> = Arc::new(Float64Array::from(vec![0.5; 1000]));
        let batch = RecordBatch::try_from_iter([("time", numbers)]).unwrap();
        for compression in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
            let options = IpcWriteOptions::default();
            let options = options.try_with_compression(Some(compression)).unwrap();
            let schema = batch.schema();
            let mut writer =
                FileWriter::try_new_with_options(Vec::new(), &schema, options).unwrap();
            writer.write(&batch).unwrap();
            let mut bytes = writer.into_inner().unwrap();
            assert_eq!(BatchFormat::Arrow.open(&bytes, None).unwrap().rows, 1000);
            let length = 8000_i64.to_le_bytes();
            let offset = bytes.windows(8).position(|window| window == length).unwrap();
            bytes[offset + 5] = 1;
            let error = BatchFormat::Arrow.open(&bytes, None).map(|_| ()).unwrap_err();
            assert!(error.message().contains("unpacked bytes in a file of"), "{error}");
        }
    }

    #[test]
    fn rejects_footers_with_impossible_lengths() {
        let mut broken = file();
        let offset = broken.len() - 10;
        broken[offset..offset + 4].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(check(&broken).is_err());
        assert!(check(b"ARROW1").is_err());
    }
}
