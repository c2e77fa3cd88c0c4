//! The meshes of a file: triangles, skins, colours, textures and blend shapes.

use std::collections::HashMap;

use glam::Mat4;
use mutoscope_core::{
    clip::{Model, Piece, Skin},
    diagnostics::{Diagnostics, SourceLocation},
    io::bytes::Sidecars,
};
use ufbx::{Material, Mesh, MeshPart, Node, Scene, SkinDeformer, VertexVec2};

use crate::{
    blends,
    nodes::{node_index, non_root_nodes},
    scene::affine,
    textures::{self, Textures},
};

/// The output may have this many triangle corners for each corner in the file, plus a constant.
/// Without this limit, the output would not be bounded by the file size, because many nodes may
/// have the same mesh.
const MAX_CORNERS_PER_FILE_CORNER: usize = 4;
const CORNER_ALLOWANCE: usize = 1 << 16;

pub(crate) fn read_model(
    scene: &Scene,
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Model {
    let mut textures = Textures::new(sidecars);
    let mut pieces = Vec::new();
    // Count the vertices once more for each blend shape, because each shape stores an offset for
    // every vertex.
    let vertex_cost = |mesh: &Mesh| {
        let shapes: usize = mesh
            .blend_deformers
            .iter()
            .flat_map(|deformer| deformer.channels.iter())
            .map(|channel| channel.keyframes.len())
            .sum();
        mesh.num_triangles.saturating_mul(3).saturating_mul(1 + shapes)
    };
    let corners: usize = scene.meshes.iter().map(|mesh| mesh.num_triangles * 3).sum();
    let offsets: usize = scene.blend_shapes.iter().map(|shape| shape.num_offsets).sum();
    let corners = corners.saturating_add(offsets);
    let mut left =
        corners.saturating_mul(MAX_CORNERS_PER_FILE_CORNER).saturating_add(CORNER_ALLOWANCE);
    let mut skipped = Vec::new();
    for node in non_root_nodes(scene) {
        let (Some(mesh), Some(index)) = (&node.mesh, node_index(node)) else { continue };
        match left.checked_sub(vertex_cost(mesh)) {
            Some(rest) => left = rest,
            None => {
                skipped.push(node.element.name.to_string());
                continue;
            }
        }
        for part in mesh.material_parts.iter().filter(|part| part.num_triangles > 0) {
            let reader = PieceReader { scene, node, mesh, index };
            pieces.extend(reader.read_piece(part, &mut textures, diagnostics));
        }
    }
    if let Some(first) = skipped.first() {
        let message = format!(
            "{first:?} and {} more nodes share a mesh with many others; skipped",
            skipped.len() - 1
        );
        diagnostics.warning(SourceLocation::File, message);
    }
    Model { pieces, textures: textures.read, ..Model::default() }
}

struct PieceReader<'a> {
    scene: &'a Scene,
    node: &'a Node,
    mesh: &'a Mesh,
    index: usize,
}

impl PieceReader<'_> {
    fn read_piece(
        &self,
        part: &MeshPart,
        textures: &mut Textures<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Piece> {
        let material = self.material(part);
        let mut piece = Piece { color: diffuse_color(material), ..Piece::for_node(self.index) };
        let texture = material.and_then(textures::diffuse_texture);
        let uvs = texture.and_then(|texture| self.uvs_of(texture));
        let file_vertices = self.add_triangles(part, uvs, texture, &mut piece)?;
        if let Some(texture) = texture.filter(|_| uvs.is_some()) {
            piece.texture = textures.index_of(texture, diagnostics);
            match piece.texture {
                // Set the colour to white, because the image replaces the colour instead of
                // multiplying it.
                Some(_) => piece.color = [1.0; 4],
                None => piece.uvs.clear(),
            }
        }
        let deformer = self.mesh.skin_deformers.first();
        let skin = deformer.and_then(|skin| SkinReader::new(self.scene, skin));
        piece.skin = skin.map(|skin| skin.skin_vertices(&file_vertices));
        let shapes = blends::shapes(self.mesh);
        piece.morph_targets =
            shapes.iter().map(|shape| shape.to_morph_target(&piece, &file_vertices)).collect();
        (!piece.triangles.is_empty()).then_some(piece)
    }

    /// Adds the triangles of `part` to `piece`. Returns the index in the file for each vertex of
    /// `piece`. Corners with the same position, normal and texture coordinates share a vertex.
    fn add_triangles(
        &self,
        part: &MeshPart,
        uvs: Option<&VertexVec2>,
        texture: Option<&ufbx::Texture>,
        piece: &mut Piece,
    ) -> Option<Vec<usize>> {
        let mut file_vertices = Vec::new();
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        let mut corners = vec![0; self.mesh.max_face_triangles * 3];
        for &face in part.face_indices.iter() {
            let face = *self.mesh.faces.get(face as usize)?;
            let count = ufbx::triangulate_face(&mut corners, self.mesh, face) as usize;
            for &corner in &corners[..count * 3] {
                let corner = corner as usize;
                let index = |indices: &[u32]| indices.get(corner).copied().unwrap_or(u32::MAX);
                let at = *self.mesh.vertex_position.indices.get(corner)?;
                let normal = index(&self.mesh.vertex_normal.indices);
                let uv = uvs.map_or(u32::MAX, |uvs| index(&uvs.indices));
                let next = piece.positions.len() as u32;
                let vertex = *known.entry([at, normal, uv]).or_insert(next);
                if vertex == next {
                    let position = self.mesh.vertex_position.values.get(at as usize)?;
                    piece.positions.push(to_f32(position));
                    let normal = self.mesh.vertex_normal.values.get(normal as usize);
                    piece.normals.push(normal.map_or([0.0, 1.0, 0.0], to_f32));
                    if let Some(uvs) = uvs {
                        let uv = uvs.values.get(uv as usize).copied().unwrap_or_default();
                        piece.uvs.push(textures::to_image_coordinates(uv, texture));
                    }
                    file_vertices.push(*self.mesh.vertex_indices.get(corner)? as usize);
                }
                piece.triangles.push(vertex);
            }
        }
        Some(file_vertices)
    }

    fn uvs_of(&self, texture: &ufbx::Texture) -> Option<&VertexVec2> {
        let sets = &self.mesh.uv_sets;
        let named = sets.iter().find(|set| *set.name == *texture.uv_set);
        let uvs = &named.or_else(|| sets.first())?.vertex_uv;
        uvs.exists.then_some(uvs)
    }

    fn material(&self, part: &MeshPart) -> Option<&Material> {
        let lists = [&self.node.materials, &self.mesh.materials];
        lists.into_iter().find_map(|list| list.get(part.index as usize)).map(|it| &**it)
    }
}

fn diffuse_color(material: Option<&Material>) -> [f32; 4] {
    let map = material.map(|material| &material.fbx.diffuse_color).filter(|map| map.has_value);
    map.map_or([0.8, 0.8, 0.8, 1.0], |map| {
        let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
        [x as f32, y as f32, z as f32, 1.0]
            .map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.8 })
    })
}

fn to_f32(vector: &ufbx::Vec3) -> [f32; 3] {
    [vector.x as f32, vector.y as f32, vector.z as f32]
}

struct SkinReader<'a> {
    skin: &'a SkinDeformer,
    joints: Vec<usize>,
    inverse_bind: Vec<Mat4>,
    /// The joint index of each cluster. `None` if the cluster's bone is not among the nodes that
    /// are read.
    cluster_joints: Vec<Option<u16>>,
}

impl<'a> SkinReader<'a> {
    fn new(scene: &Scene, skin: &'a SkinDeformer) -> Option<Self> {
        let mut reader =
            Self { skin, joints: Vec::new(), inverse_bind: Vec::new(), cluster_joints: Vec::new() };
        for cluster in skin.clusters.iter() {
            let bone = cluster.bone_node.as_ref().and_then(|bone| node_index(bone));
            let bone = bone.filter(|&bone| bone + 1 < scene.nodes.len());
            let joint = u16::try_from(reader.joints.len()).ok().filter(|_| bone.is_some());
            reader.cluster_joints.push(joint);
            if let (Some(bone), Some(_)) = (bone, joint) {
                reader.joints.push(bone);
                reader
                    .inverse_bind
                    .push(glam::DMat4::from(affine(&cluster.geometry_to_bone)).as_mat4());
            }
        }
        (!reader.joints.is_empty()).then_some(reader)
    }

    fn skin_vertices(self, vertices: &[usize]) -> Skin {
        let (influences, weights) =
            vertices.iter().map(|&vertex| self.vertex_influences(vertex)).unzip();
        Skin { joints: self.joints, inverse_bind: self.inverse_bind, influences, weights }
    }

    /// Returns the four joints with the largest weights, normalised to a sum of 1. ufbx sorts
    /// weights in descending order.
    fn vertex_influences(&self, vertex: usize) -> ([u16; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([0; 4], [0.0f32; 4]);
        let range = self.skin.vertices.get(vertex).map_or(0..0, |vertex| {
            let begin = vertex.weight_begin as usize;
            begin..begin + vertex.num_weights as usize
        });
        let all = self.skin.weights.get(range).unwrap_or_default().iter();
        let bound = all.filter_map(|one| {
            Some((
                self.cluster_joints.get(one.cluster_index as usize).copied()??,
                one.weight as f32,
            ))
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
