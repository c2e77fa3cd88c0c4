//! A strict reader of MCAP files, which checks every index, checksum and statistic.

use std::{
    collections::{BTreeMap, HashMap},
    io::Read as _,
};

use lz4_flex::frame::FrameDecoder;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

pub(crate) struct File {
    pub(crate) schemas: BTreeMap<u16, Schema>,
    pub(crate) channels: BTreeMap<u16, Channel>,
    pub(crate) messages: Vec<Message>,
    pub(crate) metadata: HashMap<String, HashMap<String, String>>,
    /// The uncompressed size of each chunk, in bytes.
    pub(crate) chunks: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) encoding: String,
    pub(crate) data: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Channel {
    pub(crate) schema: u16,
    pub(crate) topic: String,
    pub(crate) encoding: String,
}

pub(crate) struct Message {
    pub(crate) channel: u16,
    pub(crate) sequence: u32,
    pub(crate) time: u64,
    pub(crate) data: Vec<u8>,
}

/// The unread bytes of a record.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        bytes
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.bytes(2).try_into().unwrap())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes(4).try_into().unwrap())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes(8).try_into().unwrap())
    }

    fn sized(&mut self) -> &'a [u8] {
        let count = self.u32();
        self.bytes(count as usize)
    }

    fn string(&mut self) -> String {
        String::from_utf8(self.sized().to_vec()).unwrap()
    }

    fn string_map(&mut self) -> HashMap<String, String> {
        let mut fields = Fields(self.sized());
        let mut strings = HashMap::new();
        while !fields.0.is_empty() {
            assert_eq!(strings.insert(fields.string(), fields.string()), None);
        }
        strings
    }

    fn assert_end(&self) {
        assert!(self.0.is_empty(), "{} bytes after a record", self.0.len());
    }
}

/// A record, with its start and end in the file.
struct Record<'a> {
    opcode: u8,
    start: u64,
    end: u64,
    content: &'a [u8],
}

fn records(bytes: &[u8], start: usize) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let mut fields = Fields(&bytes[at..]);
        let opcode = fields.bytes(1)[0];
        let length = fields.u64() as usize;
        let content = fields.bytes(length);
        let end = at + 9 + length;
        records.push(Record { opcode, start: at as u64, end: end as u64, content });
        at = end;
    }
    records
}

/// A chunk, as described by its chunk index.
#[derive(Debug, PartialEq)]
struct Chunk {
    times: (u64, u64),
    start: u64,
    length: u64,
    index_offsets: BTreeMap<u16, u64>,
    index_length: u64,
    packed: u64,
    unpacked: u64,
}

impl File {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let inner = bytes.strip_suffix(MAGIC).unwrap();
        assert!(inner.starts_with(MAGIC));
        let all = records(inner, MAGIC.len());
        let mut file = Self {
            schemas: BTreeMap::new(),
            channels: BTreeMap::new(),
            messages: Vec::new(),
            metadata: HashMap::new(),
            chunks: Vec::new(),
        };
        let mut header = Fields(all[0].content);
        assert_eq!(all[0].opcode, 0x01);
        assert_eq!(header.string(), "");
        assert!(header.string().starts_with("mutoscope "));
        header.assert_end();

        let data_end = all.iter().position(|record| record.opcode == 0x0f).unwrap();
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut metadata: Vec<(u64, u64, String)> = Vec::new();
        // The messages of the latest chunk that no index has listed yet, by channel.
        let mut unindexed: BTreeMap<u16, Vec<(u64, u64)>> = BTreeMap::new();
        for Record { opcode, start, end, content } in &all[1..data_end] {
            let mut fields = Fields(content);
            match opcode {
                0x06 => {
                    assert!(unindexed.is_empty());
                    let (chunk, records) = unpack_chunk(&mut fields, *start, end - start);
                    file.read_chunk(&records, chunk.times, &mut unindexed);
                    file.chunks.push(records.len());
                    chunks.push(chunk);
                }
                0x07 => {
                    let chunk = chunks.last_mut().unwrap();
                    let channel = fields.u16();
                    chunk.index_offsets.insert(channel, *start);
                    chunk.index_length += end - start;
                    let mut entries = Fields(fields.sized());
                    let mut index = Vec::new();
                    while !entries.0.is_empty() {
                        index.push((entries.u64(), entries.u64()));
                    }
                    assert_eq!(unindexed.remove(&channel), Some(index));
                }
                0x0c => {
                    let name = fields.string();
                    metadata.push((*start, end - start, name.clone()));
                    file.metadata.insert(name, fields.string_map());
                }
                other => panic!("unexpected record {other:#x} in the data section"),
            }
            fields.assert_end();
        }
        assert!(unindexed.is_empty());
        let end = &all[data_end];
        let crc = u32::from_le_bytes(end.content.try_into().unwrap());
        assert_eq!(crc, crc32fast::hash(&bytes[..end.start as usize]));
        file.read_summary(inner, &all[data_end + 1..], &chunks, &metadata);
        file
    }

    fn read_chunk(
        &mut self,
        bytes: &[u8],
        times: (u64, u64),
        index: &mut BTreeMap<u16, Vec<(u64, u64)>>,
    ) {
        let mut span: Option<(u64, u64)> = None;
        for Record { opcode, start, content, .. } in records(bytes, 0) {
            let mut fields = Fields(content);
            match opcode {
                0x03 => {
                    let (id, schema) = read_schema(&mut fields);
                    assert_eq!(self.schemas.insert(id, schema), None);
                }
                0x04 => {
                    let (id, channel) = read_channel(&mut fields);
                    assert!(self.schemas.contains_key(&channel.schema));
                    assert_eq!(self.channels.insert(id, channel), None);
                }
                0x05 => {
                    let channel = fields.u16();
                    let (sequence, time) = (fields.u32(), fields.u64());
                    assert_eq!(fields.u64(), time);
                    let data = fields.bytes(fields.0.len()).to_vec();
                    assert!(self.channels.contains_key(&channel));
                    let before = self.messages.last().map_or(0, |message| message.time);
                    assert!(before <= time, "{time} after {before}");
                    index.entry(channel).or_default().push((time, start));
                    let (first, _) = span.unwrap_or((time, time));
                    span = Some((first, time));
                    self.messages.push(Message { channel, sequence, time, data });
                }
                other => panic!("unexpected record {other:#x} in a chunk"),
            }
            fields.assert_end();
        }
        assert_eq!(span.unwrap_or_default(), times);
    }

    fn read_summary(
        &self,
        inner: &[u8],
        summary: &[Record<'_>],
        chunks: &[Chunk],
        metadata: &[(u64, u64, String)],
    ) {
        let (footer, summary) = summary.split_last().unwrap();
        let mut fields = Fields(footer.content);
        assert_eq!((footer.opcode, footer.end), (0x02, inner.len() as u64));
        let (summary_start, offsets_start) = (fields.u64(), fields.u64());
        let crc = crc32fast::hash(&inner[summary_start as usize..inner.len() - 4]);
        assert_eq!(fields.u32(), crc);
        fields.assert_end();
        assert_eq!(summary[0].start, summary_start);
        let (mut schemas, mut channels) = (BTreeMap::new(), BTreeMap::new());
        let (mut indexed, mut metadata_indices, mut statistics) = (Vec::new(), Vec::new(), 0);
        let mut groups: Vec<(u8, u64, u64)> = Vec::new();
        let mut offsets = Vec::new();
        for Record { opcode, start, end, content } in summary {
            let mut fields = Fields(content);
            if *opcode == 0x0e {
                assert!(*start >= offsets_start);
                offsets.push((fields.bytes(1)[0], fields.u64(), fields.u64()));
                fields.assert_end();
                continue;
            }
            assert!(*start < offsets_start);
            match groups.last_mut().filter(|group| group.0 == *opcode) {
                Some(group) => group.2 += end - start,
                None => groups.push((*opcode, *start, end - start)),
            }
            match opcode {
                0x03 => {
                    let (id, schema) = read_schema(&mut fields);
                    schemas.insert(id, schema);
                }
                0x04 => {
                    let (id, channel) = read_channel(&mut fields);
                    channels.insert(id, channel);
                }
                0x08 => indexed.push(read_chunk_index(&mut fields)),
                0x0b => {
                    statistics += 1;
                    self.check_statistics(&mut fields, chunks.len());
                }
                0x0d => metadata_indices.push((fields.u64(), fields.u64(), fields.string())),
                other => panic!("unexpected record {other:#x} in the summary"),
            }
            fields.assert_end();
        }
        assert_eq!((&schemas, &channels), (&self.schemas, &self.channels));
        assert_eq!((&*indexed, &*metadata_indices, statistics), (chunks, metadata, 1));
        assert_eq!(offsets, groups);
    }

    fn check_statistics(&self, fields: &mut Fields<'_>, chunks: usize) {
        assert_eq!(fields.u64(), self.messages.len() as u64);
        assert_eq!(usize::from(fields.u16()), self.schemas.len());
        assert_eq!(fields.u32() as usize, self.channels.len());
        assert_eq!(fields.u32(), 0);
        assert_eq!(fields.u32() as usize, self.metadata.len());
        assert_eq!(fields.u32() as usize, chunks);
        let time = |message: Option<&Message>| message.map_or(0, |message| message.time);
        assert_eq!(fields.u64(), time(self.messages.first()));
        assert_eq!(fields.u64(), time(self.messages.last()));
        let mut counts = Fields(fields.sized());
        let mut expected: BTreeMap<u16, u64> = self.channels.keys().map(|&id| (id, 0)).collect();
        for message in &self.messages {
            *expected.get_mut(&message.channel).unwrap() += 1;
        }
        for (id, count) in expected {
            assert_eq!((counts.u16(), counts.u64()), (id, count));
        }
        counts.assert_end();
    }
}

fn read_schema(fields: &mut Fields<'_>) -> (u16, Schema) {
    let id = fields.u16();
    assert_ne!(id, 0, "0 is not a schema id");
    let schema =
        Schema { name: fields.string(), encoding: fields.string(), data: fields.sized().to_vec() };
    (id, schema)
}

fn read_channel(fields: &mut Fields<'_>) -> (u16, Channel) {
    let (id, schema) = (fields.u16(), fields.u16());
    let channel = Channel { schema, topic: fields.string(), encoding: fields.string() };
    assert!(fields.string_map().is_empty());
    (id, channel)
}

fn unpack_chunk(fields: &mut Fields<'_>, start: u64, length: u64) -> (Chunk, Vec<u8>) {
    let times = (fields.u64(), fields.u64());
    let (size, crc) = (fields.u64(), fields.u32());
    assert_eq!(fields.string(), "lz4");
    let packed = fields.u64();
    let mut records = Vec::new();
    FrameDecoder::new(fields.bytes(packed as usize)).read_to_end(&mut records).unwrap();
    assert_eq!((records.len() as u64, crc32fast::hash(&records)), (size, crc));
    let chunk = Chunk {
        times,
        start,
        length,
        index_offsets: BTreeMap::new(),
        index_length: 0,
        packed,
        unpacked: size,
    };
    (chunk, records)
}

fn read_chunk_index(fields: &mut Fields<'_>) -> Chunk {
    let times = (fields.u64(), fields.u64());
    let (start, length) = (fields.u64(), fields.u64());
    let mut offsets = Fields(fields.sized());
    let mut index_offsets = BTreeMap::new();
    while !offsets.0.is_empty() {
        index_offsets.insert(offsets.u16(), offsets.u64());
    }
    let index_length = fields.u64();
    assert_eq!(fields.string(), "lz4");
    let (packed, unpacked) = (fields.u64(), fields.u64());
    Chunk { times, start, length, index_offsets, index_length, packed, unpacked }
}
