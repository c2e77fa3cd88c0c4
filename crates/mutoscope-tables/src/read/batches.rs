//! Reads Parquet and Arrow files in batches of rows.

use std::{
    collections::HashMap,
    io::Cursor,
    panic::{self, AssertUnwindSafe},
};

use arrow_array::{Array, RecordBatch};
use arrow_ipc::{
    Block, MessageHeader,
    reader::{FileReader, read_footer_length},
    root_as_footer, root_as_message,
};
use arrow_schema::SchemaRef;
use bytes::{Buf, Bytes, buf::Reader};
use mutoscope_core::diagnostics::{Error, SourceLocation};
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder},
    },
    errors::ParquetError,
    file::reader::{ChunkReader, Length},
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
    content: Content<'a>,
}

enum Content<'a> {
    Parquet(Parquet<'a>),
    Arrow(Vec<RecordBatch>),
}

const ROWS_PER_BATCH: usize = 1 << 14;

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

    /// Opens a file. `most` limits the number of rows that are read, but an Arrow file yields whole
    /// batches.
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
    fn catch_panics<T>(self, read: impl FnOnce() -> Result<T, String>) -> Result<T, Error> {
        let broken = |what: String| {
            Error::malformed(SourceLocation::File, format_args!("a complete {self:?} file"), what)
        };
        match panic::catch_unwind(AssertUnwindSafe(read)) {
            Ok(read) => read.map_err(broken),
            Err(_) => Err(broken("a broken file".to_owned())),
        }
    }
}

impl Batches<'_> {
    pub(super) fn read_field(
        &self,
        field: usize,
        mut each: impl FnMut(usize, &dyn Array),
    ) -> Result<(), Error> {
        match &self.content {
            Content::Parquet(parquet) => {
                self.kind.catch_panics(|| parquet.read_field(field, self.rows, &mut each))
            }
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

/// A Parquet file. Its columns are read one by one, so that memory holds a second copy of only one
/// column.
struct Parquet<'a> {
    bytes: &'a [u8],
    metadata: ArrowReaderMetadata,
}

impl<'a> Parquet<'a> {
    fn open(bytes: &'a [u8], most: Option<usize>) -> Result<Batches<'a>, String> {
        let metadata = ArrowReaderMetadata::load(&FileBytes(bytes), ArrowReaderOptions::default());
        let metadata = metadata.map_err(|error| error.to_string())?;
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
        let stated = usize::try_from(stated).map_err(|_| format!("{stated} rows"))?;
        let rows = most.map_or(stated, |most| most.min(stated));
        let content = Content::Parquet(Self { bytes, metadata });
        Ok(Batches { kind: BatchFormat::Parquet, schema, metadata: entries, rows, content })
    }

    fn read_field(
        &self,
        field: usize,
        most: usize,
        each: &mut dyn FnMut(usize, &dyn Array),
    ) -> Result<(), String> {
        let descriptor = self.metadata.metadata().file_metadata().schema_descr();
        let chunks =
            self.copy_column_chunks(|leaf| descriptor.get_column_root_idx(leaf) == field)?;
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(chunks, self.metadata.clone());
        let builder = builder.with_projection(ProjectionMask::roots(descriptor, [field]));
        let reader = builder.with_batch_size(ROWS_PER_BATCH).with_limit(most).build();
        let mut start = 0;
        for batch in reader.map_err(|error| error.to_string())? {
            let batch = batch.map_err(|error| error.to_string())?;
            each(start, &**batch.column(0));
            start += batch.num_rows();
        }
        match start == most {
            true => Ok(()),
            false => Err(format!("only {start} of {most} rows of field {field}")),
        }
    }

    fn copy_column_chunks(&self, is_wanted: impl Fn(usize) -> bool) -> Result<Chunks, String> {
        let mut chunks = Vec::new();
        for group in self.metadata.metadata().row_groups() {
            for (leaf, column) in
                group.columns().iter().enumerate().filter(|(it, _)| is_wanted(*it))
            {
                let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
                let outside = || format!("column {leaf} at byte {start}, outside the file");
                let from = usize::try_from(start).map_err(|_| outside())?;
                let size = usize::try_from(column.compressed_size()).map_err(|_| outside())?;
                let end = from.checked_add(size).ok_or_else(outside)?;
                let bytes = self.bytes.get(from..end).ok_or_else(outside)?;
                chunks.push((from as u64, Bytes::copy_from_slice(bytes)));
            }
        }
        Ok(Chunks { size: self.bytes.len() as u64, chunks })
    }
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

fn open_arrow(bytes: &[u8], most: Option<usize>) -> Result<Batches<'_>, String> {
    check_buffers(bytes)?;
    let reader = FileReader::try_new(Cursor::new(bytes), None);
    let reader = reader.map_err(|error| error.to_string())?;
    let schema = reader.schema();
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let (mut batches, mut rows) = (Vec::new(), 0);
    for batch in reader {
        let batch = batch.map_err(|error| error.to_string())?;
        rows += batch.num_rows();
        batches.push(batch);
        if most.is_some_and(|most| rows >= most) {
            break;
        }
    }
    Ok(Batches {
        kind: BatchFormat::Arrow,
        schema,
        metadata,
        rows,
        content: Content::Arrow(batches),
    })
}

/// Checks that all buffers lie within their messages. Otherwise the reader would panic, and on a
/// web page a panic aborts the program.
fn check_buffers(bytes: &[u8]) -> Result<(), String> {
    /// The bytes after the footer: the length of the footer (4 bytes) and the magic (6 bytes).
    const FOOTER_TAIL_BYTES: usize = 10;
    let too_short = || "a footer that begins before the file".to_owned();
    let footer_end = bytes.len().checked_sub(FOOTER_TAIL_BYTES).ok_or_else(too_short)?;
    let tail = bytes[footer_end..].try_into().map_err(|_| too_short())?;
    let length = read_footer_length(tail).map_err(|error| error.to_string())?;
    let begin = footer_end.checked_sub(length).ok_or_else(too_short)?;
    let footer = root_as_footer(&bytes[begin..footer_end]).map_err(|error| error.to_string())?;
    let blocks = footer.dictionaries().into_iter().flatten();
    blocks
        .chain(footer.recordBatches().into_iter().flatten())
        .try_for_each(|block| check_block(bytes, block))
}

fn check_block(bytes: &[u8], block: &Block) -> Result<(), String> {
    let offset = block.offset();
    let outside = || format!("a message at byte {offset} that is not in the file");
    let within = |from: i64, length: i64| -> Option<&[u8]> {
        let (from, length) = (usize::try_from(from).ok()?, usize::try_from(length).ok()?);
        bytes.get(from..from.checked_add(length)?)
    };
    let meta = within(offset, block.metaDataLength().into()).ok_or_else(outside)?;
    let body = offset.checked_add(block.metaDataLength().into());
    let body = body.and_then(|from| within(from, block.bodyLength())).ok_or_else(outside)?;
    // Since version 0.15, a continuation marker precedes the length.
    let skipped = if meta.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let message = root_as_message(meta.get(skipped..).ok_or_else(outside)?);
    let message = message.map_err(|error| error.to_string())?;
    let batch = match message.header_type() {
        MessageHeader::DictionaryBatch => {
            message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data())
        }
        _ => message.header_as_record_batch(),
    };
    for buffer in batch.and_then(|batch| batch.buffers()).into_iter().flatten() {
        let end = buffer.offset().checked_add(buffer.length());
        let is_within = buffer.offset() >= 0
            && buffer.length() >= 0
            && end.is_some_and(|end| usize::try_from(end).is_ok_and(|end| end <= body.len()));
        if !is_within {
            return Err(format!(
                "a buffer of {} bytes at byte {}, outside the {} bytes of the message at byte {offset}",
                buffer.length(),
                buffer.offset(),
                body.len()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::Float64Array;
    use arrow_ipc::writer::FileWriter;

    use super::*;

    fn file() -> Vec<u8> {
        let numbers: Arc<dyn arrow_array::Array> = Arc::new(Float64Array::from(vec![0.5; 100]));
        let batch = RecordBatch::try_from_iter([("time", numbers)]).unwrap();
        let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn reads_buffers_within_their_messages() {
        assert_eq!(check_buffers(&file()), Ok(()));
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
                let error = check_buffers(&broken).unwrap_err();
                assert!(error.contains("a buffer of") || error.contains("in the file"), "{error}");
                refused += 1;
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn rejects_footers_with_impossible_lengths() {
        let mut broken = file();
        let offset = broken.len() - 10;
        broken[offset..offset + 4].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(check_buffers(&broken).is_err());
        assert!(check_buffers(b"ARROW1").is_err());
    }
}
