//! The meshes of a file: triangles, skins and colours.

use std::collections::HashMap;

use glam::Mat4;
use mutoscope_core::{
    clip::{Model, Piece, Skin},
    diagnostics::{Notices, SourceLocation},
};
use ufbx::{Mesh, MeshPart, Node, Scene, SkinDeformer};

use crate::{
    nodes::{all, index_of},
    scene::affine,
};

/// How many corners of triangles are made: for each in the file, and for any file. Many nodes may carry one mesh.
const CORNERS_PER_CORNER: usize = 4;
const CORNERS_OF_ANY: usize = 1 << 16;

/// The meshes of all nodes that carry one.
pub(crate) fn model(scene: &Scene, notices: &mut Notices) -> Model {
    let mut pieces = Vec::new();
    let corners: usize = scene.meshes.iter().map(|mesh| mesh.num_triangles * 3).sum();
    let mut left = corners.saturating_mul(CORNERS_PER_CORNER).saturating_add(CORNERS_OF_ANY);
    let mut skipped = Vec::new();
    for node in all(scene) {
        let (Some(mesh), Some(index)) = (&node.mesh, index_of(node)) else { continue };
        match left.checked_sub(mesh.num_triangles * 3) {
            Some(after) => left = after,
            None => {
                skipped.push(node.element.name.to_string());
                continue;
            }
        }
        for part in mesh.material_parts.iter().filter(|part| part.num_triangles > 0) {
            pieces.extend(PieceReader { scene, node, mesh, index }.piece(part));
        }
    }
    if let Some(first) = skipped.first() {
        let message = format!(
            "{first:?} and {} more nodes carry a mesh that many do; skipped",
            skipped.len() - 1
        );
        notices.warning(SourceLocation::File, message);
    }
    Model { pieces, textures: Vec::new() }
}

struct PieceReader<'a> {
    scene: &'a Scene,
    node: &'a Node,
    mesh: &'a Mesh,
    /// Of the node.
    index: usize,
}

impl PieceReader<'_> {
    /// The triangles of one material; nothing where none can be made.
    fn piece(&self, part: &MeshPart) -> Option<Piece> {
        let mut piece = Piece { color: self.color(part), ..Piece::of_node(self.index) };
        let deformer = self.mesh.skin_deformers.first();
        let skin = deformer.and_then(|skin| SkinReader::new(self.scene, skin));
        let mut of_vertices = Vec::new();
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let mut corners = vec![0; self.mesh.max_face_triangles * 3];
        for &face in part.face_indices.iter() {
            let face = *self.mesh.faces.get(face as usize)?;
            let count = ufbx::triangulate_face(&mut corners, self.mesh, face) as usize;
            for &corner in &corners[..count * 3] {
                let corner = corner as usize;
                let at = *self.mesh.vertex_position.indices.get(corner)?;
                let normal =
                    self.mesh.vertex_normal.indices.get(corner).copied().unwrap_or(u32::MAX);
                let next = piece.positions.len() as u32;
                let vertex = *known.entry((at, normal)).or_insert(next);
                if vertex == next {
                    let position = self.mesh.vertex_position.values.get(at as usize)?;
                    piece.positions.push(single(position));
                    let normal = self.mesh.vertex_normal.values.get(normal as usize);
                    piece.normals.push(normal.map_or([0.0, 1.0, 0.0], single));
                    of_vertices.push(*self.mesh.vertex_indices.get(corner)? as usize);
                }
                piece.triangles.push(vertex);
            }
        }
        piece.skin = skin.map(|skin| skin.of(&of_vertices));
        (!piece.triangles.is_empty()).then_some(piece)
    }

    fn color(&self, part: &MeshPart) -> [f32; 4] {
        let materials = [&self.node.materials, &self.mesh.materials];
        let material = materials.into_iter().find_map(|list| list.get(part.index as usize));
        let map = material.map(|material| &material.fbx.diffuse_color).filter(|map| map.has_value);
        map.map_or([0.8, 0.8, 0.8, 1.0], |map| {
            let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
            [x as f32, y as f32, z as f32, 1.0]
                .map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.8 })
        })
    }
}

fn single(vector: &ufbx::Vec3) -> [f32; 3] {
    [vector.x as f32, vector.y as f32, vector.z as f32]
}

/// A skin, of which each vertex is bound to four joints at most.
struct SkinReader<'a> {
    skin: &'a SkinDeformer,
    joints: Vec<usize>,
    inverse_bind: Vec<Mat4>,
    /// For each cluster the index of its joint.
    of_cluster: Vec<Option<u16>>,
}

impl<'a> SkinReader<'a> {
    fn new(scene: &Scene, skin: &'a SkinDeformer) -> Option<Self> {
        let mut reader =
            Self { skin, joints: Vec::new(), inverse_bind: Vec::new(), of_cluster: Vec::new() };
        for cluster in skin.clusters.iter() {
            let bone = cluster.bone_node.as_ref().and_then(|bone| index_of(bone));
            let bone = bone.filter(|&bone| bone + 1 < scene.nodes.len());
            let joint = u16::try_from(reader.joints.len()).ok().filter(|_| bone.is_some());
            reader.of_cluster.push(joint);
            if let (Some(bone), Some(_)) = (bone, joint) {
                reader.joints.push(bone);
                reader
                    .inverse_bind
                    .push(glam::DMat4::from(affine(&cluster.geometry_to_bone)).as_mat4());
            }
        }
        (!reader.joints.is_empty()).then_some(reader)
    }

    /// The skin of a mesh whose vertices are these of the file.
    fn of(self, vertices: &[usize]) -> Skin {
        let (influences, weights) = vertices.iter().map(|&vertex| self.vertex(vertex)).unzip();
        Skin { joints: self.joints, inverse_bind: self.inverse_bind, influences, weights }
    }

    /// The four joints that count most, as ufbx sorts them; their weights are 1 together.
    fn vertex(&self, vertex: usize) -> ([u16; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([0; 4], [0.0f32; 4]);
        let range = self.skin.vertices.get(vertex).map_or(0..0, |vertex| {
            let begin = vertex.weight_begin as usize;
            begin..begin + vertex.num_weights as usize
        });
        let all = self.skin.weights.get(range).unwrap_or_default().iter();
        let bound = all.filter_map(|one| {
            Some((self.of_cluster.get(one.cluster_index as usize).copied()??, one.weight as f32))
        });
        for ((joint, weight), found) in joints.iter_mut().zip(&mut weights).zip(bound) {
            (*joint, *weight) = found;
        }
        let sum: f32 = weights.iter().sum();
        match sum > 0.0 && sum.is_finite() {
            true => (joints, weights.map(|weight| weight / sum)),
            false => ([0; 4], [1.0, 0.0, 0.0, 0.0]),
        }
    }
}
