//! Vertices of triangles, and other indices.

use super::{Stream, framed};

/// How many edges and vertices are remembered.
const REMEMBERED: usize = 16;

const TRIANGLES: u8 = 0xe1;
const SEQUENCE: u8 = 0xd1;

/// Decodes the vertices of `count` triangles.
///
/// # Errors
/// If the bytes are not exactly these.
pub(super) fn triangles(bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
    let (_, mut stream, table) = framed(bytes, &[TRIANGLES], |_| 16)?;
    // One byte for each: no more is allocated than there is.
    let codes = stream.take(count)?;
    let mut decoder = Triangles { stream, table, ..Triangles::default() };
    let mut indices = Vec::with_capacity(3 * count);
    for &code in codes {
        indices.extend(decoder.triangle(code)?);
    }
    decoder.stream.end()?;
    Ok(indices)
}

/// Decodes `count` indices.
///
/// # Errors
/// If the bytes are not exactly these.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Result<Vec<u32>, String> {
    let (_, mut stream, _) = framed(bytes, &[SEQUENCE], |_| 4)?;
    if stream.bytes.len() < count {
        let found = stream.bytes.len();
        return Err(format!("truncated: expected {count} indices, found {found} bytes"));
    }
    // Each index follows one of two others.
    let mut last = [0u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let number = stream.variable_length()?;
        let last = &mut last[(number & 1) as usize];
        *last = last.wrapping_add(signed(number >> 1));
        indices.push(*last);
    }
    stream.end()?;
    Ok(indices)
}

/// Even numbers stand for 0, 1, 2 …, odd ones for −1, −2, −3 …
fn signed(number: u32) -> u32 {
    if number & 1 == 0 { number >> 1 } else { !(number >> 1) }
}

/// The latest of some entries, newest first.
struct Latest<T> {
    entries: [T; REMEMBERED],
    /// How many were ever added.
    added: usize,
}

impl<T: Copy + Default> Default for Latest<T> {
    fn default() -> Self {
        Self { entries: [T::default(); REMEMBERED], added: 0 }
    }
}

impl<T: Copy> Latest<T> {
    fn add(&mut self, entry: T) {
        self.entries[self.added % REMEMBERED] = entry;
        self.added += 1;
    }

    /// The entry that was added `before` entries before the newest.
    fn get(&self, before: usize) -> Result<T, String> {
        match self.added.checked_sub(before + 1) {
            Some(at) => Ok(self.entries[at % REMEMBERED]),
            None => Err("it refers to a vertex before the first".to_owned()),
        }
    }
}

/// The state after some triangles.
#[derive(Default)]
struct Triangles<'a> {
    stream: Stream<'a>,
    /// The two vertices that are not new, for triangles that share no edge, of the most usual kinds.
    table: &'a [u8],
    edges: Latest<[u32; 2]>,
    vertices: Latest<u32>,
    /// The vertex that none named so far.
    next: u32,
    /// The vertex that was written out last.
    last: u32,
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8) -> Result<[u32; 3], String> {
        let (edge, kind) = (usize::from(code >> 4), code & 15);
        match edge {
            15 => self.free(kind),
            _ => self.on_edge(edge, kind),
        }
    }

    /// A triangle on an edge of an earlier one.
    fn on_edge(&mut self, edge: usize, kind: u8) -> Result<[u32; 3], String> {
        let [a, b] = self.edges.get(edge)?;
        let c = match kind {
            0 => self.new_vertex(),
            13 => {
                self.last = self.last.wrapping_sub(1);
                self.last
            }
            14 => {
                self.last = self.last.wrapping_add(1);
                self.last
            }
            15 => self.written()?,
            known => self.vertices.get(known.into())?,
        };
        if matches!(kind, 0 | 13..) {
            self.vertices.add(c);
        }
        self.edges.add([c, b]);
        self.edges.add([a, c]);
        Ok([a, b, c])
    }

    /// A triangle that shares no edge.
    fn free(&mut self, kind: u8) -> Result<[u32; 3], String> {
        let others = match kind {
            14 | 15 => self.stream.byte()?,
            _ => self.table[usize::from(kind)],
        };
        if kind >= 14 && others == 0 {
            self.next = 0;
        }
        let kinds = [if kind == 15 { 15 } else { 0 }, others >> 4, others & 15];
        let mut corners = [0; 3];
        for (corner, kind) in corners.iter_mut().zip(kinds) {
            *corner = match kind {
                0 => self.new_vertex(),
                15 => self.written()?,
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
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    /// A vertex that is written as its difference from the last of these.
    fn written(&mut self) -> Result<u32, String> {
        self.last = self.last.wrapping_add(signed(self.stream.variable_length()?));
        Ok(self.last)
    }
}
