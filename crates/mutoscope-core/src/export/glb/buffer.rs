//! The binary chunk, with its buffer views and accessors.

use std::{
    collections::HashMap,
    io::{self, Write},
    path::Path,
};

use super::json::{Accessor, BufferView};
use crate::io::{bytes::join_arrays, spooled::SpooledBytes};

/// glTF's codes of component types.
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

#[derive(Clone, Copy)]
pub(super) enum BufferUsage {
    /// Animations and matrices.
    Numbers,
    /// Vertex attributes.
    Vertices,
    /// Triangle indices.
    Triangles,
}

#[derive(Default)]
pub(super) struct Chunk {
    /// The bytes before `bytes`. [`Self::spool`] moves them there.
    spooled: SpooledBytes,
    bytes: Vec<u8>,
    pub(super) views: Vec<BufferView>,
    pub(super) accessors: Vec<Accessor>,
    /// The number of numbers that were not finite, and were written as 0.
    pub(super) non_finite_count: usize,
    times_accessors: HashMap<Vec<u8>, usize>,
}

impl Chunk {
    /// Creates an empty chunk, whose temporary file is in the folder of `path`.
    pub(super) fn new(path: Option<&Path>) -> Self {
        Self { spooled: SpooledBytes::new(path), ..Self::default() }
    }

    /// Moves the bytes that were added since the last call into the temporary file, so that they take
    /// no memory.
    pub(super) fn spool(&mut self) -> io::Result<()> {
        self.spooled.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.spooled.len() + self.bytes.len()
    }

    /// Aligns the end to four bytes, the largest component size.
    pub(super) fn align(&mut self) {
        let padding = self.len().next_multiple_of(4) - self.len();
        self.bytes.resize(self.bytes.len() + padding, 0);
    }

    pub(super) fn write_to(self, out: &mut dyn Write) -> io::Result<()> {
        self.spooled.write_to(out)?;
        out.write_all(&self.bytes)
    }

    pub(super) fn add_times(&mut self, times: &[f32]) -> usize {
        let bytes = join_arrays(times.iter().map(|time| time.to_le_bytes()));
        if let Some(&existing) = self.times_accessors.get(&bytes) {
            return existing;
        }
        let accessor = self.add(&bytes, F32, times.len(), "SCALAR", BufferUsage::Numbers);
        let ends = (times.first().copied(), times.last().copied());
        self.accessors[accessor].min = ends.0.map(|first| vec![first]);
        self.accessors[accessor].max = ends.1.map(|last| vec![last]);
        self.times_accessors.insert(bytes, accessor);
        accessor
    }

    /// Appends the accessors of `other`, which has no images and all bytes in memory. Returns their new
    /// indices.
    pub(super) fn append(&mut self, other: Self) -> Vec<usize> {
        self.non_finite_count += other.non_finite_count;
        let mut times: HashMap<usize, Vec<u8>> =
            other.times_accessors.into_iter().map(|(bytes, accessor)| (accessor, bytes)).collect();
        let append_accessor = |(index, mut accessor): (usize, Accessor)| {
            let times = times.remove(&index);
            if let Some(&existing) = times.as_ref().and_then(|it| self.times_accessors.get(it)) {
                return existing;
            }
            let view = &other.views[accessor.buffer_view];
            let bytes = &other.bytes[view.byte_offset..view.byte_offset + view.byte_length];
            let byte_offset = self.len();
            self.bytes.extend_from_slice(bytes);
            self.views.push(BufferView { byte_offset, ..*view });
            accessor.buffer_view = self.views.len() - 1;
            self.accessors.push(accessor);
            let added = self.accessors.len() - 1;
            self.times_accessors.extend(times.map(|times| (times, added)));
            added
        };
        other.accessors.into_iter().enumerate().map(append_accessor).collect()
    }

    pub(super) fn add_scalars(&mut self, numbers: &[f32]) -> usize {
        let bytes = self.finite_bytes(numbers);
        self.add(&bytes, F32, numbers.len(), "SCALAR", BufferUsage::Numbers)
    }

    pub(super) fn add_vectors<const N: usize>(
        &mut self,
        vectors: &[[f32; N]],
        usage: BufferUsage,
    ) -> usize {
        let kind = match N {
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            16 => "MAT4",
            _ => unreachable!("glTF has no such vectors"),
        };
        let bytes = self.finite_bytes(vectors.as_flattened());
        self.add(&bytes, F32, vectors.len(), kind, usage)
    }

    pub(super) fn add_points(&mut self, points: &[[f32; 3]]) -> usize {
        let accessor = self.add_vectors(points, BufferUsage::Vertices);
        let fold = |select: fn(f32, f32) -> f32| {
            let first = points.first().copied().unwrap_or_default().map(or_zero);
            let corner = points.iter().fold(first, |corner, point| {
                // Add 0 to turn −0 into 0. Otherwise the platform decides whether min and max
                // return 0 or −0.
                std::array::from_fn(|axis| select(corner[axis], or_zero(point[axis])) + 0.0)
            });
            Some(corner.to_vec())
        };
        let (min, max) = (fold(f32::min), fold(f32::max));
        let added = &mut self.accessors[accessor];
        (added.min, added.max) = (min, max);
        accessor
    }

    pub(super) fn add_joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let bytes = join_arrays(joints.as_flattened().iter().map(|n| n.to_le_bytes()));
        self.add(&bytes, U16, joints.len(), "VEC4", BufferUsage::Vertices)
    }

    pub(super) fn add_indices(&mut self, indices: &[u32]) -> usize {
        let bytes = join_arrays(indices.iter().map(|n| n.to_le_bytes()));
        self.add(&bytes, U32, indices.len(), "SCALAR", BufferUsage::Triangles)
    }

    pub(super) fn add_image(&mut self, bytes: &[u8]) -> usize {
        let (byte_offset, byte_length) = (self.len(), bytes.len());
        self.bytes.extend_from_slice(bytes);
        self.align();
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length, target: None });
        self.views.len() - 1
    }

    /// Returns the bytes of `numbers`. Numbers that are not finite become 0, because glTF does not
    /// allow them.
    fn finite_bytes(&mut self, numbers: &[f32]) -> Vec<u8> {
        self.non_finite_count += numbers.iter().filter(|number| !number.is_finite()).count();
        join_arrays(numbers.iter().map(|&number| or_zero(number).to_le_bytes()))
    }

    fn add(
        &mut self,
        bytes: &[u8],
        component_type: u32,
        count: usize,
        kind: &'static str,
        usage: BufferUsage,
    ) -> usize {
        let view = BufferView {
            buffer: 0,
            byte_offset: self.len(),
            byte_length: bytes.len(),
            target: match usage {
                BufferUsage::Numbers => None,
                BufferUsage::Vertices => Some(34962),
                BufferUsage::Triangles => Some(34963),
            },
        };
        // No padding is needed. Components have four bytes, except components of two bytes, which
        // come in groups of four.
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        let buffer_view = self.views.len() - 1;
        let accessor =
            Accessor { buffer_view, component_type, count, r#type: kind, min: None, max: None };
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

fn or_zero(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_finite_numbers_become_0_and_are_counted() {
        let mut chunk = Chunk::default();
        chunk.add_points(&[[f32::NAN, 1.0, 2.0], [3.0, f32::INFINITY, f32::NEG_INFINITY]]);
        chunk.add_scalars(&[1.0, f32::NAN]);
        assert_eq!(chunk.non_finite_count, 4);
        assert_eq!(chunk.accessors[0].min, Some(vec![0.0, 0.0, 0.0]));
        assert_eq!(chunk.accessors[0].max, Some(vec![3.0, 1.0, 2.0]));
        let numbers: Vec<f32> =
            chunk.bytes.chunks(4).map(|it| f32::from_le_bytes(it.try_into().unwrap())).collect();
        assert_eq!(numbers, [0.0, 1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0]);
    }
}
