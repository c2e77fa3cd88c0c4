//! Geometry for recordings without a model: an octahedron for every bone, whose ends move with the
//! nodes.

use glam::{DMat4, DVec3};

use super::{
    buffer::{BufferUsage, Chunk},
    json::{Attributes, Mesh, Primitive, Skin},
};
use crate::clip::{Clip, NodeId, NodeKind, NodeVisibility};

const THICKNESS_RATIO: f64 = 0.1;

const WAIST_RATIO: f64 = 0.15;

const DEFAULT_JOINT_LENGTH_M: f64 = 0.05;

const RAY_LENGTH_M: f64 = 0.15;

#[derive(Default)]
struct BoneGeometry {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    joints: Vec<[u16; 4]>,
}

/// Builds the mesh and the skin of all bones of `clip`. `world_matrices` are the world matrices of
/// the nodes. `hidden` is `true` for each node that is hidden at all times. Returns `None` if no
/// bone is visible, or if the clip has too many nodes for a skin.
pub(super) fn build_bones(
    clip: &Clip,
    world_matrices: &[DMat4],
    hidden: &[bool],
    material: usize,
    chunk: &mut Chunk,
) -> Option<(Mesh, Skin)> {
    if u16::try_from(clip.nodes.len()).is_err() {
        return None;
    }
    let geometry = build_geometry(clip, world_matrices, hidden);
    if geometry.positions.is_empty() {
        return None;
    }
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; geometry.positions.len()];
    let indices: Vec<u32> = (0..geometry.positions.len() as u32).collect();
    let attributes = Attributes {
        position: chunk.add_points(&geometry.positions),
        normal: chunk.add_vectors(&geometry.normals, BufferUsage::Vertices),
        joints: Some(chunk.add_joints(&geometry.joints)),
        weights: Some(chunk.add_vectors(&weights, BufferUsage::Vertices)),
        ..Attributes::default()
    };
    let indices = chunk.add_indices(&indices);
    let primitive = Primitive { attributes, indices, material, ..Primitive::default() };
    let inverse: Vec<_> =
        world_matrices.iter().map(|world| matrix_columns(&inverse_or_identity(world))).collect();
    let skin = Skin {
        name: "bones".to_owned(),
        inverse_bind_matrices: chunk.add_vectors(&inverse, BufferUsage::Numbers),
        joints: (0..clip.nodes.len()).collect(),
    };
    let mesh = Mesh { name: "bones".to_owned(), primitives: vec![primitive], ..Mesh::default() };
    Some((mesh, skin))
}

fn build_geometry(clip: &Clip, world_matrices: &[DMat4], hidden: &[bool]) -> BoneGeometry {
    let position = |id: NodeId| world_matrices[id.index()].w_axis.truncate();
    let bones: Vec<(NodeId, NodeId)> = clip
        .nodes
        .with_ids()
        .filter(|(id, node)| node.motion.visibility != NodeVisibility::Never && !hidden[id.index()])
        .filter_map(|(id, node)| Some((node.bone_from?, id)))
        .filter(|(from, to)| position(*from).distance(position(*to)) > 1e-6)
        .collect();
    let mut has_bone = vec![false; clip.nodes.len()];
    let mut geometry = BoneGeometry::default();
    let mut length = 0.0;
    for &(from, to) in &bones {
        geometry.add_octahedron([position(from), position(to)], [from, to]);
        length += position(from).distance(position(to)) / bones.len() as f64;
        has_bone[from.index()] = true;
        has_bone[to.index()] = true;
    }
    let default_length = if bones.is_empty() { DEFAULT_JOINT_LENGTH_M } else { 0.25 * length };
    for (id, node) in clip.nodes.with_ids() {
        let length = match node.kind {
            _ if node.motion.visibility == NodeVisibility::Never || hidden[id.index()] => continue,
            NodeKind::Head | NodeKind::Ray => RAY_LENGTH_M,
            NodeKind::Joint | NodeKind::Tip if !has_bone[id.index()] => default_length,
            _ => continue,
        };
        let axis =
            world_matrices[id.index()].transform_vector3(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z);
        geometry.add_octahedron([position(id), position(id) + axis * length], [id, id]);
    }
    geometry
}

impl BoneGeometry {
    fn add_octahedron(&mut self, [tail, tip]: [DVec3; 2], [from, to]: [NodeId; 2]) {
        let along = tip - tail;
        let thickness = THICKNESS_RATIO * along.length();
        let direction = along.normalize_or(DVec3::Y);
        let side = direction.any_orthonormal_vector() * thickness;
        let other = direction.cross(side);
        let waist = tail + along * WAIST_RATIO;
        let ring = [waist + side, waist + other, waist - side, waist - other];
        for index in 0..4 {
            let (here, next) = (ring[index], ring[(index + 1) % 4]);
            self.add_triangle([(here, from), (next, from), (tip, to)]);
            self.add_triangle([(next, from), (here, from), (tail, from)]);
        }
    }

    fn add_triangle(&mut self, corners: [(DVec3, NodeId); 3]) {
        let [a, b, c] = corners.map(|(corner, _)| corner);
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y).as_vec3().to_array();
        for (corner, node) in corners {
            self.positions.push(corner.as_vec3().to_array());
            self.normals.push(normal);
            self.joints.push([node.index() as u16, 0, 0, 0]);
        }
    }
}

fn inverse_or_identity(world: &DMat4) -> DMat4 {
    let inverse = world.inverse();
    if inverse.is_finite() { inverse } else { DMat4::IDENTITY }
}

/// Converts an affine matrix to f32 columns. The last row is set exactly, because glTF requires 0,
/// 0, 0, 1.
pub(super) fn matrix_columns(matrix: &DMat4) -> [f32; 16] {
    let mut columns = matrix.to_cols_array().map(|number| number as f32);
    [columns[3], columns[7], columns[11], columns[15]] = [0.0, 0.0, 0.0, 1.0];
    columns
}
