//! Converts FBX blend shapes to morph targets, one for each shape of each blend channel.

use std::collections::HashMap;

use mutoscope_core::clip::{MorphTarget, Piece, UniqueNames};
use ufbx::{BlendChannel, BlendShape, Mesh};

use crate::meshes::MeshTally;

pub(crate) struct Shape<'a> {
    pub(crate) name: String,
    pub(crate) channel: &'a BlendChannel,
    keyframe: usize,
}

pub(crate) fn shapes(mesh: &Mesh) -> Vec<Shape<'_>> {
    let mut names = UniqueNames::default();
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    let mut shapes = Vec::new();
    for channel in channels {
        let last = channel.keyframes.len().saturating_sub(1);
        for (index, keyframe) in channel.keyframes.iter().enumerate() {
            let own = channel.element.name.to_string();
            let own = if own.is_empty() { keyframe.shape.element.name.to_string() } else { own };
            // Only the last shape of a channel gets the channel's name. The name of an in-between
            // shape also contains the target weight in percent, so that the names differ.
            let name = match index == last {
                true => own,
                false => format!("{own} {}%", (keyframe.target_weight * 100.0).round()),
            };
            shapes.push(Shape { name: names.make_unique(name), channel, keyframe: index });
        }
    }
    shapes
}

impl Shape<'_> {
    /// Returns the weight of this shape for a channel weight of `weight`. A channel interpolates
    /// from each of its shapes to the next, and extrapolates the last segment.
    pub(crate) fn weight_at(&self, weight: f64) -> f64 {
        let targets: Vec<f64> =
            self.channel.keyframes.iter().map(|keyframe| keyframe.target_weight).collect();
        shape_weight(&targets, self.keyframe, weight)
    }

    fn shape(&self) -> &BlendShape {
        &self.channel.keyframes[self.keyframe].shape
    }

    /// Returns the morph target of `piece`, without displacements if no vertex of `piece` moves.
    pub(crate) fn to_morph_target(
        &self,
        piece: &Piece,
        vertices: &FileVertices,
        tally: &mut MeshTally,
    ) -> MorphTarget {
        let shape = self.shape();
        let weight = self.weight_at(self.channel.weight) as f32;
        let mut target = MorphTarget {
            name: self.name.clone(),
            weight: if weight.is_finite() { weight } else { 0.0 },
            ..MorphTarget::default()
        };
        tally.invalid_weights += usize::from(!weight.is_finite());
        let mut moved = Vec::new();
        vertices.for_each_offset(shape, &mut |vertex, offset, factor| {
            let position = tally.convert_finite(&shape.position_offsets[offset], factor);
            if position != [0.0; 3] {
                moved.push((vertex, position));
            }
        });
        if moved.is_empty() || !tally.take_shape_vertices(vertices.len()) {
            return target;
        }
        target.positions = vec![[0.0; 3]; vertices.len()];
        for (vertex, position) in moved {
            target.positions[vertex] = position;
        }
        if shape.normal_offsets.is_empty() {
            target.compute_normals(&piece.positions, &piece.triangles);
            return target;
        }
        target.normals = vec![[0.0; 3]; vertices.len()];
        vertices.for_each_offset(shape, &mut |vertex, offset, factor| {
            if let Some(normal) = shape.normal_offsets.get(offset) {
                target.normals[vertex] = tally.convert_finite(normal, factor);
            }
        });
        if target.normals.as_flattened().iter().all(|part| *part == 0.0) {
            target.normals.clear();
        }
        target
    }
}

/// Maps the vertices of a mesh in the file to the vertices of a piece.
pub(crate) struct FileVertices {
    count: usize,
    by_file_vertex: HashMap<usize, Vec<usize>>,
}

impl FileVertices {
    /// Creates the map. `file_vertices` has the index in the file for each vertex of the piece.
    pub(crate) fn new(file_vertices: &[usize]) -> Self {
        let mut by_file_vertex: HashMap<usize, Vec<usize>> = HashMap::new();
        for (vertex, &in_file) in file_vertices.iter().enumerate() {
            by_file_vertex.entry(in_file).or_default().push(vertex);
        }
        Self { count: file_vertices.len(), by_file_vertex }
    }

    fn len(&self) -> usize {
        self.count
    }

    /// Calls `visit` with each vertex of the piece that `shape` moves, the index of its offset, and
    /// the factor of the offset.
    fn for_each_offset(&self, shape: &BlendShape, visit: &mut dyn FnMut(usize, usize, f64)) {
        for (offset, &in_file) in shape.offset_vertices.iter().enumerate() {
            let factor = shape.offset_weights.get(offset).copied().unwrap_or(1.0);
            for &vertex in
                self.by_file_vertex.get(&(in_file as usize)).map_or(&[][..], Vec::as_slice)
            {
                visit(vertex, offset, factor);
            }
        }
    }
}

/// Returns the weight of shape `index` for a channel weight of `weight`. `targets` are the channel
/// weights at which the shapes have their full weight, in ascending order.
fn shape_weight(targets: &[f64], index: usize, weight: f64) -> f64 {
    // A channel blends from 0 outwards, from shape to shape. So collect the shapes on the same side
    // of 0 as `weight`, and sort them by their distance from 0.
    let mut path: Vec<usize> =
        (0..targets.len()).filter(|&at| (targets[at] < 0.0) != (weight > 0.0)).collect();
    if weight <= 0.0 {
        path.reverse();
    }
    let reached = |at: Option<usize>| at.map_or(0.0, |at| targets[at]);
    let beyond = path.iter().position(|&at| match weight > 0.0 {
        true => targets[at] > weight,
        false => targets[at] < weight,
    });
    let Some(next) = beyond.or_else(|| path.len().checked_sub(1)) else {
        // No shape is on this side. Extrapolate the segment from 0 to the nearest shape on the
        // other side.
        let nearest = if weight > 0.0 { targets.len().checked_sub(1) } else { Some(0) };
        return if nearest == Some(index) { weight / targets[index] } else { 0.0 };
    };
    let (previous, next) = (next.checked_sub(1).map(|at| path[at]), path[next]);
    let length = reached(Some(next)) - reached(previous);
    if length == 0.0 {
        return 0.0;
    }
    let part = (weight - reached(previous)) / length;
    match index {
        _ if index == next => part,
        _ if Some(index) == previous => 1.0 - part,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_interpolate_between_neighbouring_shapes() {
        let assert_weight = |targets: &[f64], index, weight, expected: f64| {
            let found = shape_weight(targets, index, weight);
            assert!((found - expected).abs() < 1e-12, "{targets:?} {index} at {weight}: {found}");
        };
        // A single shape takes the channel's weight, even outside 0 to 1.
        for weight in [-0.5, 0.0, 0.25, 1.0, 1.5] {
            assert_weight(&[1.0], 0, weight, weight);
        }
        let two = [0.5, 1.0];
        for (weight, first, second) in
            [(0.0, 0.0, 0.0), (0.25, 0.5, 0.0), (0.5, 1.0, 0.0), (0.75, 0.5, 0.5), (1.0, 0.0, 1.0)]
        {
            assert_weight(&two, 0, weight, first);
            assert_weight(&two, 1, weight, second);
        }
        assert_weight(&two, 1, 1.25, 1.5);
        assert_weight(&two, 0, 1.25, -0.5);
        let both = [-1.0, 1.0];
        assert_weight(&both, 0, -0.5, 0.5);
        assert_weight(&both, 1, -0.5, 0.0);
        assert_weight(&both, 1, 0.5, 0.5);
        assert_eq!(shape_weight(&[], 0, 1.0), 0.0);
    }
}
