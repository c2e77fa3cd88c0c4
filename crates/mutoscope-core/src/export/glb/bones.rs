//! Geometry where a recording has no model: an octahedron for every bone, bent by its ends.

use glam::{DMat4, DVec3};

use super::{
    buffer::{Chunk, Use},
    json::{Attributes, Mesh, Primitive, Skin},
};
use crate::clip::{Clip, NodeId, NodeKind, Shown};

/// How thick a bone is, over its length.
const THICKNESS: f64 = 0.1;

/// Where a bone is thickest, over its length.
const WAIST: f64 = 0.15;

/// How long a joint without bones is, in metres, where there are no bones to go by.
const ALONE: f64 = 0.05;

/// The drawn length of rays and of the look of heads, in metres.
const LOOK: f64 = 0.15;

/// Vertices, each with the index of the node that it moves with.
#[derive(Default)]
struct Shape {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    joints: Vec<[u16; 4]>,
}

/// The mesh and skin of all bones of `clip`. `worlds` are the world matrices of its nodes, some of
/// which are `hidden` throughout. Nothing if nothing is visible, or if there are more nodes than a
/// skin can have.
pub(super) fn bones(
    clip: &Clip,
    worlds: &[DMat4],
    hidden: &[bool],
    material: usize,
    chunk: &mut Chunk,
) -> Option<(Mesh, Skin)> {
    if u16::try_from(clip.nodes.len()).is_err() {
        return None;
    }
    let shape = shape(clip, worlds, hidden);
    if shape.positions.is_empty() {
        return None;
    }
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; shape.positions.len()];
    let indices: Vec<u32> = (0..shape.positions.len() as u32).collect();
    let attributes = Attributes {
        position: chunk.points(&shape.positions),
        normal: chunk.vectors(&shape.normals, Use::Vertices),
        joints: Some(chunk.joints(&shape.joints)),
        weights: Some(chunk.vectors(&weights, Use::Vertices)),
        ..Attributes::default()
    };
    let indices = chunk.indices(&indices);
    let primitive = Primitive { attributes, indices, material, ..Primitive::default() };
    let inverse: Vec<_> = worlds.iter().map(|world| columns(&inverse(world))).collect();
    let skin = Skin {
        name: "bones".to_owned(),
        inverse_bind_matrices: chunk.vectors(&inverse, Use::Numbers),
        joints: (0..clip.nodes.len()).collect(),
    };
    let mesh = Mesh { name: "bones".to_owned(), primitives: vec![primitive], ..Mesh::default() };
    Some((mesh, skin))
}

fn shape(clip: &Clip, worlds: &[DMat4], hidden: &[bool]) -> Shape {
    let place = |id: NodeId| worlds[id.index()].w_axis.truncate();
    let bones: Vec<(NodeId, NodeId)> = clip
        .nodes
        .with_ids()
        .filter(|(id, node)| node.motion.shown != Shown::Never && !hidden[id.index()])
        .filter_map(|(id, node)| Some((node.bone_from?, id)))
        .filter(|(from, to)| place(*from).distance(place(*to)) > 1e-6)
        .collect();
    let mut has_bone = vec![false; clip.nodes.len()];
    let mut shape = Shape::default();
    let mut length = 0.0;
    for &(from, to) in &bones {
        shape.octahedron([place(from), place(to)], [from, to]);
        length += place(from).distance(place(to)) / bones.len() as f64;
        has_bone[from.index()] = true;
        has_bone[to.index()] = true;
    }
    let alone = if bones.is_empty() { ALONE } else { 0.25 * length };
    for (id, node) in clip.nodes.with_ids() {
        let ahead = match node.kind {
            _ if node.motion.shown == Shown::Never || hidden[id.index()] => continue,
            NodeKind::Head | NodeKind::Ray => LOOK,
            NodeKind::Joint | NodeKind::Tip if !has_bone[id.index()] => alone,
            _ => continue,
        };
        let axis = worlds[id.index()].transform_vector3(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z);
        shape.octahedron([place(id), place(id) + axis * ahead], [id, id]);
    }
    shape
}

impl Shape {
    /// From tail to tip, each end moved by its own node.
    fn octahedron(&mut self, [tail, tip]: [DVec3; 2], [from, to]: [NodeId; 2]) {
        let along = tip - tail;
        let thickness = THICKNESS * along.length();
        let direction = along.normalize_or(DVec3::Y);
        let side = direction.any_orthonormal_vector() * thickness;
        let other = direction.cross(side);
        let waist = tail + along * WAIST;
        let ring = [waist + side, waist + other, waist - side, waist - other];
        for index in 0..4 {
            let (here, next) = (ring[index], ring[(index + 1) % 4]);
            self.triangle([(here, from), (next, from), (tip, to)]);
            self.triangle([(next, from), (here, from), (tail, from)]);
        }
    }

    fn triangle(&mut self, corners: [(DVec3, NodeId); 3]) {
        let [a, b, c] = corners.map(|(corner, _)| corner);
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y).as_vec3().to_array();
        for (corner, node) in corners {
            self.positions.push(corner.as_vec3().to_array());
            self.normals.push(normal);
            self.joints.push([node.index() as u16, 0, 0, 0]);
        }
    }
}

/// The inverse of `world`; identity if there is none.
fn inverse(world: &DMat4) -> DMat4 {
    let inverse = world.inverse();
    if inverse.is_finite() { inverse } else { DMat4::IDENTITY }
}

/// The columns of an affine matrix, exactly so in single precision.
pub(super) fn columns(matrix: &DMat4) -> [f32; 16] {
    let mut columns = matrix.to_cols_array().map(|number| number as f32);
    [columns[3], columns[7], columns[11], columns[15]] = [0.0, 0.0, 0.0, 1.0];
    columns
}
