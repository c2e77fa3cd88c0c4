//! Parquet and Arrow, batch by batch of rows.

use std::{
    collections::HashMap,
    io::Cursor,
    panic::{self, AssertUnwindSafe},
};

use arrow_array::RecordBatch;
use arrow_ipc::{
    Block, MessageHeader,
    reader::{FileReader, read_footer_length},
    root_as_footer, root_as_message,
};
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
    check_buffers(bytes)?;
    let reader = FileReader::try_new(Cursor::new(bytes), None);
    let reader = reader.map_err(|error| error.to_string())?;
    let schema = reader.schema();
    let metadata = schema.metadata().iter();
    let metadata = metadata.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    collect(schema, metadata, reader, most)
}

/// Checks that every buffer of every message lies within that: the reader panics where one does not, which a web page
/// does not survive.
fn check_buffers(bytes: &[u8]) -> Result<(), String> {
    /// The length of the footer, and the magic.
    const TAIL: usize = 10;
    let too_short = || "a footer that begins before the file".to_owned();
    let footer_end = bytes.len().checked_sub(TAIL).ok_or_else(too_short)?;
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
    let place = block.offset();
    let outside = || format!("a message at {place} that does not lie in the file");
    let within = |from: i64, length: i64| -> Option<&[u8]> {
        let (from, length) = (usize::try_from(from).ok()?, usize::try_from(length).ok()?);
        bytes.get(from..from.checked_add(length)?)
    };
    let meta = within(place, block.metaDataLength().into()).ok_or_else(outside)?;
    let body = place.checked_add(block.metaDataLength().into());
    let body = body.and_then(|from| within(from, block.bodyLength())).ok_or_else(outside)?;
    // Since version 0.15, a mark stands before the length.
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
                "a buffer of {} bytes at {} of the {} bytes of the message at {place}",
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
    fn buffers_within_their_messages_are_read() {
        assert_eq!(check_buffers(&file()), Ok(()));
        assert_eq!(Kind::Arrow.read(&file(), None).unwrap().batches[0].num_rows(), 100);
    }

    /// Wherever a length of 800 bytes stands, a larger one is found before anything is read.
    #[test]
    fn buffers_beyond_their_messages_are_refused() {
        let whole = file();
        let length = 800_i64.to_le_bytes();
        let mut refused = 0;
        for place in 0..whole.len() - 8 {
            if whole[place..place + 8] == length {
                let mut broken = whole.clone();
                broken[place + 6] = 0x10;
                let error = check_buffers(&broken).unwrap_err();
                assert!(error.contains("a buffer of") || error.contains("in the file"), "{error}");
                refused += 1;
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn footers_of_impossible_lengths_are_refused() {
        let mut broken = file();
        let place = broken.len() - 10;
        broken[place..place + 4].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(check_buffers(&broken).is_err());
        assert!(check_buffers(b"ARROW1").is_err());
    }
}
