//! The records of an MCAP file, in its order.

use std::{
    borrow::Cow,
    collections::{BTreeMap, VecDeque},
    io::Read,
};

use lz4_flex::frame::FrameDecoder;
use mutoscope_core::diagnostics::SourceLocation;
use ruzstd::decoding::StreamingDecoder;

use super::MAGIC;

/// The bytes of a chunk at most, unpacked.
const CHUNK: u64 = 1 << 30;

/// A record that is looked at.
pub(super) enum Record<'a> {
    Schema(Schema),
    Channel(Channel),
    Message { channel: u16, time: u64, data: &'a [u8] },
    Metadata { name: String, entries: BTreeMap<String, String> },
}

pub(super) struct Schema {
    pub(super) id: u16,
    pub(super) name: String,
}

pub(super) struct Channel {
    pub(super) id: u16,
    pub(super) schema: u16,
    pub(super) topic: String,
    pub(super) encoding: String,
}

/// Reads records one by one. Chunks are unpacked one at a time.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The chunk that is being read, unpacked, and where in it.
    chunk: Option<(Cow<'a, [u8]>, usize)>,
    /// Records that are yet to be returned.
    pending: VecDeque<Record<'a>>,
    problem: Option<(SourceLocation, String)>,
    is_ended: bool,
}

/// The kind of a record.
enum Found {
    Record(u8, usize, usize),
    End,
    Broken,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let at = MAGIC.len().min(bytes.len());
        Self { bytes, at, chunk: None, pending: VecDeque::new(), problem: None, is_ended: false }
    }

    /// Where the file ends too early, or cannot be unpacked, and what is there.
    pub(super) fn problem(self) -> Option<(SourceLocation, String)> {
        self.problem
    }

    /// The next record.
    pub(super) fn next(&mut self) -> Option<Record<'_>> {
        loop {
            if self.chunk.is_some() {
                // The borrow of a record ends with the next call.
                let (opcode, start, end) = match self.in_chunk() {
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
                if parse(opcode, chunk.get(start..end)?).is_none() {
                    self.note("a record of a chunk is not whole");
                    continue;
                }
                let (chunk, _) = self.chunk.as_ref()?;
                return parse(opcode, chunk.get(start..end)?);
            }
            if let Some(record) = self.pending.pop_front() {
                return Some(record);
            }
            if self.is_ended {
                return None;
            }
            match header(self.bytes, self.at) {
                Found::End => {
                    self.is_ended = true;
                    if self.at == self.bytes.len() {
                        self.note("its closing magic is missing");
                    }
                }
                Found::Broken => {
                    self.is_ended = true;
                    self.note("a record is not whole");
                }
                Found::Record(opcode, start, end) => {
                    self.at = end;
                    let content = &self.bytes[start..end];
                    match opcode {
                        // The end of the data: what follows is a summary.
                        0x0f | 0x02 => self.summary(),
                        0x06 => self.open(content),
                        _ => self.pending.extend(parse(opcode, content)),
                    }
                }
            }
        }
    }

    /// Reads the metadata in the summary, and ends.
    fn summary(&mut self) {
        while let Found::Record(opcode, start, end) = header(self.bytes, self.at) {
            self.at = end;
            if opcode == 0x0c {
                self.pending.extend(parse(opcode, &self.bytes[start..end]));
            }
        }
        self.is_ended = true;
        if !self.bytes.ends_with(MAGIC) {
            self.note("its summary is not whole");
        }
    }

    /// The next record of the chunk.
    fn in_chunk(&mut self) -> Option<(u8, usize, usize)> {
        let (chunk, at) = self.chunk.as_mut()?;
        match header(chunk, *at) {
            Found::Record(opcode, start, end) => {
                *at = end;
                Some((opcode, start, end))
            }
            Found::End => None,
            Found::Broken => {
                self.note("a record of a chunk is not whole");
                None
            }
        }
    }

    /// Unpacks a chunk.
    fn open(&mut self, content: &'a [u8]) {
        let mut fields = Fields(content);
        let parsed = (|| {
            fields.take(16)?;
            let size = fields.u64()?;
            fields.take(4)?;
            let compression = fields.text()?;
            let length = usize::try_from(fields.u64()?).ok()?;
            Some((size, compression, fields.take(length)?))
        })();
        let Some((size, compression, packed)) = parsed else {
            return self.note("a chunk is not whole");
        };
        if size > CHUNK {
            return self.note("a chunk of more than 1 GiB");
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
                Err(error) => return self.note(&format!("a chunk cannot be unpacked: {error}")),
            },
            other => {
                let what = format!("a chunk with the compression {other:?}, which is not read");
                return self.note(&what);
            }
        };
        if let Err(error) = read {
            self.note(&format!("a chunk cannot be unpacked: {error}"));
        }
        // What was unpacked before an error is whole.
        self.chunk = Some((unpacked.into(), 0));
    }

    fn note(&mut self, what: &str) {
        let place = SourceLocation::byte(self.at);
        self.problem.get_or_insert((place, what.to_owned()));
    }
}

/// The opcode of the record at `at`, and where its content is.
fn header(bytes: &[u8], at: usize) -> Found {
    let rest = &bytes[at.min(bytes.len())..];
    if rest.is_empty() || rest.starts_with(MAGIC) {
        return Found::End;
    }
    let mut fields = Fields(rest);
    let parsed = (|| {
        let opcode = fields.take(1)?[0];
        let length = usize::try_from(fields.u64()?).ok()?;
        Some((opcode, length))
    })();
    match parsed {
        Some((opcode, length)) if fields.0.len() >= length => {
            Found::Record(opcode, at + 9, at + 9 + length)
        }
        _ => Found::Broken,
    }
}

fn parse(opcode: u8, content: &[u8]) -> Option<Record<'_>> {
    let mut fields = Fields(content);
    match opcode {
        0x03 => Some(Record::Schema(Schema { id: fields.u16()?, name: fields.text()? })),
        0x04 => Some(Record::Channel(Channel {
            id: fields.u16()?,
            schema: fields.u16()?,
            topic: fields.text()?,
            encoding: fields.text()?,
        })),
        0x05 => {
            let channel = fields.u16()?;
            fields.take(4)?;
            let time = fields.u64()?;
            fields.take(8)?;
            Some(Record::Message { channel, time, data: fields.0 })
        }
        0x0c => {
            let name = fields.text()?;
            let length = fields.u32()? as usize;
            let mut entries = Fields(fields.take(length)?);
            let mut map = BTreeMap::new();
            while !entries.0.is_empty() {
                map.insert(entries.text()?, entries.text()?);
            }
            Some(Record::Metadata { name, entries: map })
        }
        _ => None,
    }
}

/// Little-endian fields.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
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
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}
