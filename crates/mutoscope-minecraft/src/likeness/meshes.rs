//! Shapes as meshes for exports: each once, a surface for each colour.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use glam::Vec3;

use crate::shapes::{Rgb, Shape, ShapeBox, ShapeMesh, linear};
use mutoscope_core::clip::{PartMesh, Surface};

/// More meshes than this are skipped: no recording has as many kinds of things.
const MOST: usize = 4096;

/// The meshes that there are so far.
#[derive(Default)]
pub(super) struct Meshes {
    pub(super) made: Vec<PartMesh>,
    pub(super) skipped: usize,
    /// By the bits of the shape and its scale.
    known: HashMap<Vec<u32>, usize>,
}

impl Meshes {
    /// The index of the mesh of a shape, a sixteenth of a block as long as `scale` metres; nothing
    /// of a shape without boxes, and if there are too many meshes.
    pub(super) fn add(&mut self, name: String, shape: &Shape, scale: f32) -> Option<usize> {
        if shape.boxes.is_empty() {
            return None;
        }
        let bits = shape.bits().chain([scale.to_bits()]).collect();
        match self.known.entry(bits) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(_) if self.made.len() == MOST => {
                self.skipped += 1;
                None
            }
            Entry::Vacant(new) => {
                self.made.push(PartMesh { name, surfaces: surfaces(shape, scale) });
                Some(*new.insert(self.made.len() - 1))
            }
        }
    }
}

fn surfaces(shape: &Shape, scale: f32) -> Vec<Surface> {
    let mut by_color: BTreeMap<Rgb, Vec<ShapeBox>> = BTreeMap::new();
    for one in &shape.boxes {
        by_color.entry(one.color).or_default().push(*one);
    }
    let surface = |(color, boxes): (Rgb, Vec<ShapeBox>)| {
        let ShapeMesh { positions, normals, indices, .. } =
            Shape::from(boxes).mesh(scale, Vec3::ZERO);
        Surface { color: linear(color), positions, normals, triangles: indices }
    };
    by_color.into_iter().map(surface).collect()
}
