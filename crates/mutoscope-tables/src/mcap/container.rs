//! Writes the MCAP container, version 0: records in compressed chunks, with indices and checksums.
//!
//! We do not use the crate `mcap`. It depends on `binrw`, which enables features of `syn` and
//! `proc-macro2`, and so would rebuild the whole engine.

use std::io::{self, Write};

use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// A chunk ends when its uncompressed records reach this size.
const CHUNK_SIZE: usize = 1 << 20;

const COMPRESSION: &str = "lz4";

mod opcode {
    pub(super) const HEADER: u8 = 0x01;
    pub(super) const FOOTER: u8 = 0x02;
    pub(super) const SCHEMA: u8 = 0x03;
    pub(super) const CHANNEL: u8 = 0x04;
    pub(super) const MESSAGE: u8 = 0x05;
    pub(super) const CHUNK: u8 = 0x06;
    pub(super) const MESSAGE_INDEX: u8 = 0x07;
    pub(super) const CHUNK_INDEX: u8 = 0x08;
    pub(super) const STATISTICS: u8 = 0x0b;
    pub(super) const METADATA: u8 = 0x0c;
    pub(super) const METADATA_INDEX: u8 = 0x0d;
    pub(super) const SUMMARY_OFFSET: u8 = 0x0e;
    pub(super) const DATA_END: u8 = 0x0f;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SchemaId(u16);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChannelId(u16);

/// Writes an MCAP file. Messages must be added in order of time.
pub(super) struct Container<'a> {
    out: &'a mut dyn Write,
    position: u64,
    crc: crc32fast::Hasher,
    chunk: Chunk,
    /// Compresses one chunk after the other, because a new encoder would allocate its buffers again.
    encoder: FrameEncoder<Vec<u8>>,
    schemas: Vec<Vec<u8>>,
    channels: Vec<Channel>,
    chunk_indices: Vec<Vec<u8>>,
    metadata_indices: Vec<Vec<u8>>,
    span: Option<(u64, u64)>,
}

struct Channel {
    record: Vec<u8>,
    messages: u32,
    index: Vec<(u64, u64)>,
}

#[derive(Default)]
struct Chunk {
    records: Vec<u8>,
    span: Option<(u64, u64)>,
}

impl<'a> Container<'a> {
    pub(super) fn begin(out: &'a mut dyn Write, library: &str) -> io::Result<Self> {
        let mut file = Self {
            out,
            position: 0,
            crc: crc32fast::Hasher::new(),
            chunk: Chunk::default(),
            encoder: FrameEncoder::with_frame_info(
                FrameInfo::new().block_size(BlockSize::Max1MB),
                Vec::new(),
            ),
            schemas: Vec::new(),
            channels: Vec::new(),
            chunk_indices: Vec::new(),
            metadata_indices: Vec::new(),
            span: None,
        };
        file.write(MAGIC)?;
        let mut header = Vec::new();
        // The profile is empty, because the registered profiles are for robots.
        append_string(&mut header, "");
        append_string(&mut header, library);
        file.write_record(opcode::HEADER, &header)?;
        Ok(file)
    }

    pub(super) fn write_metadata<'b>(
        &mut self,
        name: &str,
        entries: impl Iterator<Item = (&'b str, &'b str)>,
    ) -> io::Result<()> {
        let mut content = Vec::new();
        append_string(&mut content, name);
        append_sized(&mut content, |content| {
            for (key, value) in entries {
                append_string(content, key);
                append_string(content, value);
            }
        });
        let start = self.position;
        self.write_record(opcode::METADATA, &content)?;
        let mut index = Vec::new();
        index.extend(start.to_le_bytes());
        index.extend((self.position - start).to_le_bytes());
        append_string(&mut index, name);
        self.metadata_indices.push(index);
        Ok(())
    }

    pub(super) fn add_schema(&mut self, name: &str, descriptors: &[u8]) -> SchemaId {
        // Ids begin at 1, because id 0 means that a channel has no schema.
        let id = self.schemas.len() as u16 + 1;
        let mut content = id.to_le_bytes().to_vec();
        append_string(&mut content, name);
        append_string(&mut content, "protobuf");
        append_sized(&mut content, |content| content.extend(descriptors));
        append_record(&mut self.chunk.records, opcode::SCHEMA, &content);
        self.schemas.push(content);
        SchemaId(id)
    }

    /// Adds a channel. Returns `None` if all 65 536 channel ids are used.
    pub(super) fn add_channel(&mut self, schema: SchemaId, topic: &str) -> Option<ChannelId> {
        let id = u16::try_from(self.channels.len()).ok()?;
        let mut content = id.to_le_bytes().to_vec();
        content.extend(schema.0.to_le_bytes());
        append_string(&mut content, topic);
        append_string(&mut content, "protobuf");
        append_sized(&mut content, |_| {});
        append_record(&mut self.chunk.records, opcode::CHANNEL, &content);
        self.channels.push(Channel { record: content, messages: 0, index: Vec::new() });
        Some(ChannelId(id))
    }

    pub(super) fn add_message(
        &mut self,
        channel: ChannelId,
        time: u64,
        data: &[u8],
    ) -> io::Result<()> {
        let of_channel = &mut self.channels[usize::from(channel.0)];
        of_channel.index.push((time, self.chunk.records.len() as u64));
        let records = &mut self.chunk.records;
        records.push(opcode::MESSAGE);
        records.extend((22 + data.len() as u64).to_le_bytes());
        records.extend(channel.0.to_le_bytes());
        records.extend(of_channel.messages.to_le_bytes());
        // The log time and the publish time are the same.
        records.extend(time.to_le_bytes());
        records.extend(time.to_le_bytes());
        records.extend(data);
        of_channel.messages = of_channel.messages.wrapping_add(1);
        extend_span(&mut self.chunk.span, time);
        if self.chunk.records.len() >= CHUNK_SIZE { self.end_chunk() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.end_chunk()?;
        let crc = self.crc.clone().finalize();
        self.write_record(opcode::DATA_END, &crc.to_le_bytes())?;
        self.crc = crc32fast::Hasher::new();
        let summary_start = self.position;
        let mut statistics = Vec::new();
        let messages: u64 = self.channels.iter().map(|channel| u64::from(channel.messages)).sum();
        statistics.extend(messages.to_le_bytes());
        statistics.extend((self.schemas.len() as u16).to_le_bytes());
        statistics.extend((self.channels.len() as u32).to_le_bytes());
        statistics.extend(0_u32.to_le_bytes());
        statistics.extend((self.metadata_indices.len() as u32).to_le_bytes());
        statistics.extend((self.chunk_indices.len() as u32).to_le_bytes());
        let (start, end) = self.span.unwrap_or_default();
        statistics.extend(start.to_le_bytes());
        statistics.extend(end.to_le_bytes());
        append_sized(&mut statistics, |statistics| {
            for (id, channel) in self.channels.iter().enumerate() {
                statistics.extend((id as u16).to_le_bytes());
                statistics.extend(u64::from(channel.messages).to_le_bytes());
            }
        });
        let channels = self.channels.iter_mut().map(|channel| std::mem::take(&mut channel.record));
        let groups = [
            (opcode::SCHEMA, std::mem::take(&mut self.schemas)),
            (opcode::CHANNEL, channels.collect()),
            (opcode::STATISTICS, vec![statistics]),
            (opcode::METADATA_INDEX, std::mem::take(&mut self.metadata_indices)),
            (opcode::CHUNK_INDEX, std::mem::take(&mut self.chunk_indices)),
        ];
        let mut offsets = Vec::new();
        for (opcode, records) in groups.iter().filter(|(_, records)| !records.is_empty()) {
            let start = self.position;
            records.iter().try_for_each(|content| self.write_record(*opcode, content))?;
            let mut offset = vec![*opcode];
            offset.extend(start.to_le_bytes());
            offset.extend((self.position - start).to_le_bytes());
            offsets.push(offset);
        }
        let offsets_start = self.position;
        offsets.iter().try_for_each(|offset| self.write_record(opcode::SUMMARY_OFFSET, offset))?;
        let mut footer = vec![opcode::FOOTER];
        footer.extend(20_u64.to_le_bytes());
        footer.extend(summary_start.to_le_bytes());
        footer.extend(offsets_start.to_le_bytes());
        self.write(&footer)?;
        let crc = self.crc.clone().finalize();
        self.write(&crc.to_le_bytes())?;
        self.write(MAGIC)
    }

    fn end_chunk(&mut self) -> io::Result<()> {
        let Chunk { records, span } = std::mem::take(&mut self.chunk);
        if records.is_empty() {
            return Ok(());
        }
        // A chunk without messages has the times 0 and 0.
        let (start, end) = span.unwrap_or_default();
        self.encoder.write_all(&records)?;
        self.encoder.try_finish().map_err(io::Error::other)?;
        let mut compressed = std::mem::take(self.encoder.get_mut());
        let mut content = Vec::with_capacity(64);
        content.extend(start.to_le_bytes());
        content.extend(end.to_le_bytes());
        content.extend((records.len() as u64).to_le_bytes());
        content.extend(crc32fast::hash(&records).to_le_bytes());
        append_string(&mut content, COMPRESSION);
        content.extend((compressed.len() as u64).to_le_bytes());
        let chunk_start = self.position;
        self.write_record_start(opcode::CHUNK, content.len() + compressed.len())?;
        self.write(&content)?;
        self.write(&compressed)?;
        let indices_start = self.position;

        let mut index = Vec::new();
        index.extend(start.to_le_bytes());
        index.extend(end.to_le_bytes());
        index.extend(chunk_start.to_le_bytes());
        index.extend((indices_start - chunk_start).to_le_bytes());
        let mut offsets = Vec::new();
        for id in 0..self.channels.len() {
            let of_channel = std::mem::take(&mut self.channels[id].index);
            if of_channel.is_empty() {
                continue;
            }
            let id = (id as u16).to_le_bytes();
            offsets.extend(id);
            offsets.extend(self.position.to_le_bytes());
            let mut content = id.to_vec();
            append_sized(&mut content, |content| {
                for (time, offset) in of_channel {
                    content.extend(time.to_le_bytes());
                    content.extend(offset.to_le_bytes());
                }
            });
            self.write_record(opcode::MESSAGE_INDEX, &content)?;
        }
        append_sized(&mut index, |index| index.append(&mut offsets));
        index.extend((self.position - indices_start).to_le_bytes());
        append_string(&mut index, COMPRESSION);
        index.extend((compressed.len() as u64).to_le_bytes());
        index.extend((records.len() as u64).to_le_bytes());
        self.chunk_indices.push(index);
        for time in span.into_iter().flat_map(|(start, end)| [start, end]) {
            extend_span(&mut self.span, time);
        }
        // Keep both buffers for the next chunk, so that it need not allocate them again.
        self.chunk.records = records;
        self.chunk.records.clear();
        compressed.clear();
        *self.encoder.get_mut() = compressed;
        Ok(())
    }

    fn write_record(&mut self, opcode: u8, content: &[u8]) -> io::Result<()> {
        self.write_record_start(opcode, content.len())?;
        self.write(content)
    }

    fn write_record_start(&mut self, opcode: u8, length: usize) -> io::Result<()> {
        self.write(&[opcode])?;
        self.write(&(length as u64).to_le_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.position += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn extend_span(span: &mut Option<(u64, u64)>, time: u64) {
    let (start, end) = span.unwrap_or((time, time));
    *span = Some((start.min(time), end.max(time)));
}

fn append_record(out: &mut Vec<u8>, opcode: u8, content: &[u8]) {
    out.push(opcode);
    out.extend((content.len() as u64).to_le_bytes());
    out.extend(content);
}

fn append_string(out: &mut Vec<u8>, text: &str) {
    append_sized(out, |out| out.extend(text.as_bytes()));
}

fn append_sized(out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; 4]);
    fill(out);
    let length = (out.len() - start - 4) as u32;
    out[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_end_after_the_last_id() {
        let mut out = Vec::new();
        let mut file = Container::begin(&mut out, "test").unwrap();
        let schema = file.add_schema("Number", &[]);
        for id in 0..=u16::MAX {
            assert_eq!(file.add_channel(schema, &format!("/{id}")), Some(ChannelId(id)));
        }
        assert_eq!(file.add_channel(schema, "/one more"), None);
        file.add_message(ChannelId(u16::MAX), 1, b"data").unwrap();
        file.finish().unwrap();
        assert!(out.ends_with(MAGIC));
    }
}
