//! Converts shapes into meshes for exports. Equal shapes share a mesh, and each colour becomes a
//! surface.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use glam::Vec3;

use crate::shapes::{Rgb, Shape, ShapeBox, ShapeMesh, linear_rgba};
use mutoscope_core::clip::{PartMesh, Surface};

/// The maximum number of meshes. Further meshes are skipped. No real recording needs so many
/// meshes.
const MAX_MESHES: usize = 4096;

#[derive(Default)]
pub(super) struct MeshSet {
    pub(super) meshes: Vec<PartMesh>,
    pub(super) skipped: usize,
    index_by_bits: HashMap<Vec<u32>, usize>,
}

impl MeshSet {
    /// Adds the mesh of `shape` if it is new, and returns its index. `scale` is the length of a
    /// sixteenth of a block, in metres. Returns `None` if the shape has no boxes or there are too
    /// many meshes.
    pub(super) fn add(&mut self, name: String, shape: &Shape, scale: f32) -> Option<usize> {
        if shape.boxes.is_empty() {
            return None;
        }
        let bits = shape.content_bits().chain([scale.to_bits()]).collect();
        match self.index_by_bits.entry(bits) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(_) if self.meshes.len() == MAX_MESHES => {
                self.skipped += 1;
                None
            }
            Entry::Vacant(new) => {
                self.meshes.push(PartMesh { name, surfaces: surfaces(shape, scale) });
                Some(*new.insert(self.meshes.len() - 1))
            }
        }
    }
}

fn surfaces(shape: &Shape, scale: f32) -> Vec<Surface> {
    let mut by_color: BTreeMap<Rgb, Vec<ShapeBox>> = BTreeMap::new();
    for shape_box in &shape.boxes {
        by_color.entry(shape_box.color).or_default().push(*shape_box);
    }
    let surface = |(color, boxes): (Rgb, Vec<ShapeBox>)| {
        let ShapeMesh { positions, normals, indices, .. } =
            Shape::from(boxes).to_mesh(scale, Vec3::ZERO);
        Surface { color: linear_rgba(color), positions, normals, triangles: indices }
    };
    by_color.into_iter().map(surface).collect()
}
