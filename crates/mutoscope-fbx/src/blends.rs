//! Blend shapes as morph targets: one for each shape of each channel.

use mutoscope_core::clip::{MorphTarget, Piece, UniqueNames};
use ufbx::{BlendChannel, BlendShape, Mesh};

/// A shape that a mesh takes on, and the channel that has its weight.
pub(crate) struct Shape<'a> {
    pub(crate) name: String,
    pub(crate) channel: &'a BlendChannel,
    /// The index of its shape among those of the channel.
    keyframe: usize,
}

/// The shapes of a mesh, of all its blend deformers. Names that repeat get a number.
pub(crate) fn shapes(mesh: &Mesh) -> Vec<Shape<'_>> {
    let mut names = UniqueNames::default();
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    let mut shapes = Vec::new();
    for channel in channels {
        let last = channel.keyframes.len().saturating_sub(1);
        for (keyframe, one) in channel.keyframes.iter().enumerate() {
            let own = channel.element.name.to_string();
            let own = if own.is_empty() { one.shape.element.name.to_string() } else { own };
            // Those in between are called by the weight at which they are reached.
            let name = match keyframe == last {
                true => own,
                false => format!("{own} {}%", (one.target_weight * 100.0).round()),
            };
            shapes.push(Shape { name: names.take(name), channel, keyframe });
        }
    }
    shapes
}

impl Shape<'_> {
    /// The weight of this shape where that of its channel is `weight`: channels lead from each of their
    /// shapes to the next, and on beyond the last as between the last two.
    pub(crate) fn weight(&self, weight: f64) -> f64 {
        let targets: Vec<f64> =
            self.channel.keyframes.iter().map(|keyframe| keyframe.target_weight).collect();
        weight_of(&targets, self.keyframe, weight)
    }

    /// The morph target of a mesh whose vertices are these of the file.
    pub(crate) fn target(&self, piece: &Piece, vertices: &[usize]) -> MorphTarget {
        let shape = &*self.channel.keyframes[self.keyframe].shape;
        let mut target = MorphTarget {
            name: self.name.clone(),
            weight: self.weight(self.channel.weight) as f32,
            ..MorphTarget::default()
        };
        target.positions = offsets(vertices, |vertex| position(shape, vertex));
        match shape.normal_offsets.is_empty() {
            true => target.bend_with_triangles(&piece.positions, &piece.triangles),
            false => target.normals = offsets(vertices, |vertex| normal(shape, vertex)),
        }
        target
    }
}

/// The offsets of all vertices; none if all are 0.
fn offsets(vertices: &[usize], of: impl Fn(usize) -> [f32; 3]) -> Vec<[f32; 3]> {
    let offsets: Vec<_> = vertices.iter().map(|&vertex| of(vertex)).collect();
    let moves = offsets.as_flattened().iter().any(|number| *number != 0.0);
    if moves { offsets } else { Vec::new() }
}

fn position(shape: &BlendShape, vertex: usize) -> [f32; 3] {
    finite(&ufbx::get_blend_shape_vertex_offset(shape, vertex))
}

fn normal(shape: &BlendShape, vertex: usize) -> [f32; 3] {
    let index = ufbx::get_blend_shape_offset_index(shape, vertex) as usize;
    shape.normal_offsets.get(index).map_or([0.0; 3], finite)
}

/// An offset; none where it is not finite.
fn finite(vector: &ufbx::Vec3) -> [f32; 3] {
    [vector.x, vector.y, vector.z].map(|part| if part.is_finite() { part as f32 } else { 0.0 })
}

/// The weight of the shape with the index `of`, on a channel that reaches its shapes at `targets`.
fn weight_of(targets: &[f64], of: usize, weight: f64) -> f64 {
    // From 0 away, shape by shape: upwards those above 0, downwards those below.
    let mut way: Vec<usize> =
        (0..targets.len()).filter(|&at| (targets[at] < 0.0) != (weight > 0.0)).collect();
    if weight <= 0.0 {
        way.reverse();
    }
    let reached = |at: Option<usize>| at.map_or(0.0, |at| targets[at]);
    let beyond = way.iter().position(|&at| match weight > 0.0 {
        true => targets[at] > weight,
        false => targets[at] < weight,
    });
    let Some(next) = beyond.or_else(|| way.len().checked_sub(1)) else {
        // None on this side: on from the nearest of the other, through 0.
        let nearest = if weight > 0.0 { targets.len().checked_sub(1) } else { Some(0) };
        return if nearest == Some(of) { weight / targets[of] } else { 0.0 };
    };
    let (previous, next) = (next.checked_sub(1).map(|at| way[at]), way[next]);
    let length = reached(Some(next)) - reached(previous);
    if length == 0.0 {
        return 0.0;
    }
    let part = (weight - reached(previous)) / length;
    match of {
        _ if of == next => part,
        _ if Some(of) == previous => 1.0 - part,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_lead_from_shape_to_shape() {
        let near = |targets: &[f64], of, weight, expected: f64| {
            let found = weight_of(targets, of, weight);
            assert!((found - expected).abs() < 1e-12, "{targets:?} {of} at {weight}: {found}");
        };
        // One shape: the weight itself, beyond 0 and 1 too.
        for weight in [-0.5, 0.0, 0.25, 1.0, 1.5] {
            near(&[1.0], 0, weight, weight);
        }
        let two = [0.5, 1.0];
        for (weight, first, second) in
            [(0.0, 0.0, 0.0), (0.25, 0.5, 0.0), (0.5, 1.0, 0.0), (0.75, 0.5, 0.5), (1.0, 0.0, 1.0)]
        {
            near(&two, 0, weight, first);
            near(&two, 1, weight, second);
        }
        near(&two, 1, 1.25, 1.5);
        near(&two, 0, 1.25, -0.5);
        let both = [-1.0, 1.0];
        near(&both, 0, -0.5, 0.5);
        near(&both, 1, -0.5, 0.0);
        near(&both, 1, 0.5, 0.5);
        assert_eq!(weight_of(&[], 0, 1.0), 0.0);
    }
}
