//! The binary chunk, and what is where in it.

use std::collections::HashMap;

use super::json::{Accessor, BufferView};

/// The numbers that glTF has for the types of components.
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// The use of a buffer view.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// Animations and matrices.
    Numbers,
    /// Vertex attributes.
    Vertices,
    /// Triangle indices.
    Triangles,
}

/// The binary chunk.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
    /// The times that are there already, by their bytes.
    times: HashMap<Vec<u8>, usize>,
}

impl Chunk {
    /// Times in seconds, ascending; the same times are there once only.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
        if let Some(&known) = self.times.get(&bytes) {
            return known;
        }
        let accessor = self.add(&bytes, F32, times.len(), "SCALAR", Use::Numbers);
        let ends = (times.first().copied(), times.last().copied());
        self.accessors[accessor].min = ends.0.map(|first| vec![first]);
        self.accessors[accessor].max = ends.1.map(|last| vec![last]);
        self.times.insert(bytes, accessor);
        accessor
    }

    /// Numbers, each an element.
    pub(super) fn scalars(&mut self, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.add(&bytes, F32, numbers.len(), "SCALAR", Use::Numbers)
    }

    /// Vectors of as many numbers as there are in each.
    pub(super) fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]], used: Use) -> usize {
        let kind = match N {
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            16 => "MAT4",
            _ => unreachable!("glTF has no such vectors"),
        };
        let bytes: Vec<u8> = vectors.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
        self.add(&bytes, F32, vectors.len(), kind, used)
    }

    /// Points, with the box around them.
    pub(super) fn points(&mut self, points: &[[f32; 3]]) -> usize {
        let accessor = self.vectors(points, Use::Vertices);
        let fold = |pick: fn(f32, f32) -> f32| {
            let first = points.first().copied().unwrap_or_default();
            let corner = points.iter().fold(first, |corner, point| {
                // Whether 0 or −0 is the least depends on the system.
                std::array::from_fn(|axis| pick(corner[axis], point[axis]) + 0.0)
            });
            Some(corner.to_vec())
        };
        let (min, max) = (fold(f32::min), fold(f32::max));
        let made = &mut self.accessors[accessor];
        (made.min, made.max) = (min, max);
        accessor
    }

    /// The indices of joints, four a vertex.
    pub(super) fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let bytes: Vec<u8> = joints.as_flattened().iter().flat_map(|n| n.to_le_bytes()).collect();
        self.add(&bytes, U16, joints.len(), "VEC4", Use::Vertices)
    }

    /// The indices of vertices.
    pub(super) fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.add(&bytes, U32, indices.len(), "SCALAR", Use::Triangles)
    }

    /// A file of its own: an image. Its index among the views.
    pub(super) fn file(&mut self, bytes: &[u8]) -> usize {
        let (byte_offset, byte_length) = (self.bytes.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        // The next view may have components that must be aligned to their size.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length, target: None });
        self.views.len() - 1
    }

    fn add(
        &mut self,
        bytes: &[u8],
        component_type: u32,
        count: usize,
        kind: &'static str,
        used: Use,
    ) -> usize {
        let view = BufferView {
            buffer: 0,
            byte_offset: self.bytes.len(),
            byte_length: bytes.len(),
            target: match used {
                Use::Numbers => None,
                Use::Vertices => Some(34962),
                Use::Triangles => Some(34963),
            },
        };
        // All components are of two bytes or four, and those of two come by fours.
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        let buffer_view = self.views.len() - 1;
        let accessor =
            Accessor { buffer_view, component_type, count, r#type: kind, min: None, max: None };
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
