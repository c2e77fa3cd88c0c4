//! Reads the records of an MCAP file in file order.

use std::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
    io::Read,
};

use lz4_flex::frame::FrameDecoder;
use mutoscope_core::diagnostics::SourceLocation;
use ruzstd::decoding::StreamingDecoder;

use super::MAGIC;

const MAX_CHUNK_BYTES: u64 = 1 << 30;

pub(super) enum Record<'a> {
    Schema(Schema),
    Channel(Channel),
    Message { channel: u16, time: u64, data: &'a [u8] },
    Metadata { name: String, entries: BTreeMap<String, String> },
}

#[derive(PartialEq)]
pub(super) struct Schema {
    pub(super) id: u16,
    pub(super) name: String,
    pub(super) encoding: String,
    pub(super) data: Vec<u8>,
}

#[derive(Clone, PartialEq)]
pub(super) struct Channel {
    pub(super) id: u16,
    pub(super) schema: u16,
    pub(super) topic: String,
    pub(super) encoding: String,
}

/// Reads records one by one. Only one decompressed chunk is in memory at a time.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    chunk: Option<(Cow<'a, [u8]>, usize)>,
    pending: VecDeque<Record<'a>>,
    problem: Option<(SourceLocation, String)>,
    is_ended: bool,
}

/// The next record: its opcode and the range of its content. If there is no record, the reason.
enum RecordHeader {
    Record(u8, usize, usize),
    End,
    Broken,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = MAGIC.len().min(bytes.len());
        Self { bytes, at, chunk: None, pending: VecDeque::new(), problem: None, is_ended: false }
    }

    pub(super) fn problem(self) -> Option<(SourceLocation, String)> {
        self.problem
    }

    pub(super) fn next_record(&mut self) -> Option<Record<'_>> {
        loop {
            if self.chunk.is_some() {
                let (opcode, start, end) = match self.next_in_chunk() {
                    Some(found) => found,
                    None => {
                        self.chunk = None;
                        continue;
                    }
                };
                let is_of_use = matches!(opcode, 0x03..=0x05);
                if !is_of_use {
                    continue;
                }
                let (chunk, _) = self.chunk.as_ref()?;
                // Parse twice. If the first result were returned, its borrow of `self` would forbid
                // the call of `report`.
                if parse_record(opcode, chunk.get(start..end)?).is_none() {
                    self.report("a record of a chunk is incomplete");
                    continue;
                }
                let (chunk, _) = self.chunk.as_ref()?;
                return parse_record(opcode, chunk.get(start..end)?);
            }
            if let Some(record) = self.pending.pop_front() {
                return Some(record);
            }
            if self.is_ended {
                return None;
            }
            match parse_header(self.bytes, self.at) {
                RecordHeader::End => {
                    self.is_ended = true;
                    if self.at == self.bytes.len() {
                        self.report("the closing magic is missing");
                    }
                }
                RecordHeader::Broken => {
                    self.is_ended = true;
                    self.report("a record is incomplete");
                }
                RecordHeader::Record(opcode, start, end) => {
                    self.at = end;
                    let content = &self.bytes[start..end];
                    match opcode {
                        // The data ends with this record, and the summary follows.
                        0x0f | 0x02 => self.read_summary(),
                        0x06 => self.open_chunk(content),
                        _ => self.pending.extend(parse_record(opcode, content)),
                    }
                }
            }
        }
    }

    fn read_summary(&mut self) {
        while let RecordHeader::Record(opcode, start, end) = parse_header(self.bytes, self.at) {
            self.at = end;
            if opcode == 0x0c {
                self.pending.extend(parse_record(opcode, &self.bytes[start..end]));
            }
        }
        self.is_ended = true;
        if !self.bytes.ends_with(MAGIC) {
            self.report("the summary is incomplete");
        }
    }

    fn next_in_chunk(&mut self) -> Option<(u8, usize, usize)> {
        let (chunk, at) = self.chunk.as_mut()?;
        match parse_header(chunk, *at) {
            RecordHeader::Record(opcode, start, end) => {
                *at = end;
                Some((opcode, start, end))
            }
            RecordHeader::End => None,
            RecordHeader::Broken => {
                self.report("a record of a chunk is incomplete");
                None
            }
        }
    }

    fn open_chunk(&mut self, content: &'a [u8]) {
        let mut fields = Fields(content);
        let parsed = (|| {
            fields.take_bytes(16)?;
            let size = fields.u64()?;
            fields.take_bytes(4)?;
            let compression = fields.text()?;
            let length = usize::try_from(fields.u64()?).ok()?;
            Some((size, compression, fields.take_bytes(length)?))
        })();
        let Some((size, compression, packed)) = parsed else {
            return self.report("a chunk is incomplete");
        };
        if size > MAX_CHUNK_BYTES {
            return self.report("a chunk is larger than 1 GiB");
        }
        let mut unpacked = Vec::new();
        let read = match compression.as_str() {
            "" => {
                self.chunk = Some((packed.into(), 0));
                return;
            }
            "lz4" => FrameDecoder::new(packed).take(size).read_to_end(&mut unpacked),
            "zstd" => match StreamingDecoder::new(packed) {
                Ok(decoder) => decoder.take(size).read_to_end(&mut unpacked),
                Err(error) => return self.report(&format!("cannot unpack a chunk: {error}")),
            },
            other => {
                let what = format!("a chunk has an unsupported compression: {other:?}");
                return self.report(&what);
            }
        };
        if let Err(error) = read {
            self.report(&format!("cannot unpack a chunk: {error}"));
        }
        // Keep the records that were decompressed before an error, because they are intact.
        self.chunk = Some((unpacked.into(), 0));
    }

    fn report(&mut self, what: &str) {
        let location = SourceLocation::byte(self.at);
        self.problem.get_or_insert((location, what.to_owned()));
    }
}

fn parse_header(bytes: &[u8], at: usize) -> RecordHeader {
    let rest = &bytes[at.min(bytes.len())..];
    if rest.is_empty() || rest.starts_with(MAGIC) {
        return RecordHeader::End;
    }
    let mut fields = Fields(rest);
    let parsed = (|| {
        let opcode = fields.take_bytes(1)?[0];
        let length = usize::try_from(fields.u64()?).ok()?;
        Some((opcode, length))
    })();
    match parsed {
        Some((opcode, length)) if fields.0.len() >= length => {
            RecordHeader::Record(opcode, at + 9, at + 9 + length)
        }
        _ => RecordHeader::Broken,
    }
}

fn parse_record(opcode: u8, content: &[u8]) -> Option<Record<'_>> {
    let mut fields = Fields(content);
    match opcode {
        0x03 => {
            let (id, name, encoding) = (fields.u16()?, fields.text()?, fields.text()?);
            let length = fields.u32()? as usize;
            let data = fields.take_bytes(length)?.to_vec();
            Some(Record::Schema(Schema { id, name, encoding, data }))
        }
        0x04 => Some(Record::Channel(Channel {
            id: fields.u16()?,
            schema: fields.u16()?,
            topic: fields.text()?,
            encoding: fields.text()?,
        })),
        0x05 => {
            let channel = fields.u16()?;
            fields.take_bytes(4)?;
            let time = fields.u64()?;
            fields.take_bytes(8)?;
            Some(Record::Message { channel, time, data: fields.0 })
        }
        0x0c => {
            let name = fields.text()?;
            let length = fields.u32()? as usize;
            let mut entries = Fields(fields.take_bytes(length)?);
            let mut map = BTreeMap::new();
            while !entries.0.is_empty() {
                map.insert(entries.text()?, entries.text()?);
            }
            Some(Record::Metadata { name, entries: map })
        }
        _ => None,
    }
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take_bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take_bytes(N)?.try_into().ok()
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        Some(String::from_utf8_lossy(self.take_bytes(length)?).into_owned())
    }
}
