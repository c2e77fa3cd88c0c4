//! Decodes triangle indices and other indices.

use super::{MeshoptError, Stream, split_frame};

const FIFO_SIZE: usize = 16;

const TRIANGLES_HEADER: u8 = 0xe1;
const SEQUENCE_HEADER: u8 = 0xd1;

pub(super) fn decode_triangles(bytes: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let (_, mut stream, table) = split_frame(bytes, &[TRIANGLES_HEADER], |_| 16)?;
    // Each triangle has one code byte. Read the codes first, so that `count` cannot be larger than
    // the stream when memory is allocated.
    let codes = stream.take_bytes(count)?;
    let mut decoder = TriangleDecoder { stream, table, ..TriangleDecoder::default() };
    let mut indices = Vec::with_capacity(3 * count);
    for &code in codes {
        indices.extend(decoder.decode_triangle(code)?);
    }
    decoder.stream.expect_end()?;
    Ok(indices)
}

pub(super) fn decode_sequence(bytes: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let (_, mut stream, _) = split_frame(bytes, &[SEQUENCE_HEADER], |_| 4)?;
    if stream.bytes.len() < count {
        return Err(MeshoptError::Truncated {
            expected: format!("{count} indices"),
            found: format!("{} bytes", stream.bytes.len()),
        });
    }
    // Each index is stored as a difference from one of two earlier indices.
    let mut last = [0u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let number = stream.read_varint()?;
        let last = &mut last[(number & 1) as usize];
        *last = last.wrapping_add(decode_zigzag(number >> 1));
        indices.push(*last);
    }
    stream.expect_end()?;
    Ok(indices)
}

fn decode_zigzag(number: u32) -> u32 {
    if number & 1 == 0 { number >> 1 } else { !(number >> 1) }
}

struct Fifo<T> {
    entries: [T; FIFO_SIZE],
    added: usize,
}

impl<T: Copy + Default> Default for Fifo<T> {
    fn default() -> Self {
        Self { entries: [T::default(); FIFO_SIZE], added: 0 }
    }
}

impl<T: Copy> Fifo<T> {
    fn add(&mut self, entry: T) {
        self.entries[self.added % FIFO_SIZE] = entry;
        self.added += 1;
    }

    /// Returns the entry that was added `before` entries earlier than the newest entry.
    fn get(&self, before: usize) -> Result<T, MeshoptError> {
        match self.added.checked_sub(before + 1) {
            Some(at) => Ok(self.entries[at % FIFO_SIZE]),
            None => Err(MeshoptError::MissingVertex),
        }
    }
}

#[derive(Default)]
struct TriangleDecoder<'a> {
    stream: Stream<'a>,
    /// The codes for the second and third vertex of the most frequent triangles that share no edge
    /// with an earlier triangle.
    table: &'a [u8],
    edges: Fifo<[u32; 2]>,
    vertices: Fifo<u32>,
    next_vertex: u32,
    last_explicit: u32,
}

impl TriangleDecoder<'_> {
    fn decode_triangle(&mut self, code: u8) -> Result<[u32; 3], MeshoptError> {
        let (edge, kind) = (usize::from(code >> 4), code & 15);
        match edge {
            15 => self.decode_free_triangle(kind),
            _ => self.decode_edge_triangle(edge, kind),
        }
    }

    fn decode_edge_triangle(&mut self, edge: usize, kind: u8) -> Result<[u32; 3], MeshoptError> {
        let [a, b] = self.edges.get(edge)?;
        let c = match kind {
            0 => self.new_vertex(),
            13 => {
                self.last_explicit = self.last_explicit.wrapping_sub(1);
                self.last_explicit
            }
            14 => {
                self.last_explicit = self.last_explicit.wrapping_add(1);
                self.last_explicit
            }
            15 => self.read_explicit_vertex()?,
            known => self.vertices.get(known.into())?,
        };
        if matches!(kind, 0 | 13..) {
            self.vertices.add(c);
        }
        self.edges.add([c, b]);
        self.edges.add([a, c]);
        Ok([a, b, c])
    }

    fn decode_free_triangle(&mut self, kind: u8) -> Result<[u32; 3], MeshoptError> {
        let others = match kind {
            14 | 15 => self.stream.take_byte()?,
            _ => self.table[usize::from(kind)],
        };
        if kind >= 14 && others == 0 {
            self.next_vertex = 0;
        }
        let kinds = [if kind == 15 { 15 } else { 0 }, others >> 4, others & 15];
        let mut corners = [0; 3];
        for (corner, kind) in corners.iter_mut().zip(kinds) {
            *corner = match kind {
                0 => self.new_vertex(),
                15 => self.read_explicit_vertex()?,
                known => self.vertices.get(usize::from(known) - 1)?,
            };
        }
        for (&corner, kind) in corners.iter().zip(kinds) {
            if matches!(kind, 0 | 15) {
                self.vertices.add(corner);
            }
        }
        let [a, b, c] = corners;
        self.edges.add([b, a]);
        self.edges.add([c, b]);
        self.edges.add([a, c]);
        Ok(corners)
    }

    fn new_vertex(&mut self) -> u32 {
        let vertex = self.next_vertex;
        self.next_vertex = self.next_vertex.wrapping_add(1);
        vertex
    }

    /// Reads an explicit index, which is stored as the difference from the previous explicit one.
    fn read_explicit_vertex(&mut self) -> Result<u32, MeshoptError> {
        self.last_explicit =
            self.last_explicit.wrapping_add(decode_zigzag(self.stream.read_varint()?));
        Ok(self.last_explicit)
    }
}
