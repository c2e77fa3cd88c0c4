//! The meshes of a file: triangles, skins, colours, textures and blend shapes.

use std::collections::HashMap;

use glam::Mat4;
use mutoscope_core::{
    clip::{Model, Piece, Skin},
    diagnostics::{Notices, SourceLocation},
    io::bytes::Sidecars,
};
use ufbx::{Material, Mesh, MeshPart, Node, Scene, SkinDeformer, VertexVec2};

use crate::{
    blends,
    nodes::{all, index_of},
    scene::affine,
    textures::{self, Textures},
};

/// How many corners of triangles are made: for each in the file, and for any file. Many nodes may carry one mesh.
const CORNERS_PER_CORNER: usize = 4;
const CORNERS_OF_ANY: usize = 1 << 16;

/// The meshes of all nodes that carry one. `sidecars` are the files that textures are in.
pub(crate) fn model(scene: &Scene, sidecars: &dyn Sidecars, notices: &mut Notices) -> Model {
    let mut textures = Textures::new(sidecars);
    let mut pieces = Vec::new();
    // Each shape of a mesh moves all of its vertices.
    let size = |mesh: &Mesh| {
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
    let mut left = corners.saturating_mul(CORNERS_PER_CORNER).saturating_add(CORNERS_OF_ANY);
    let mut skipped = Vec::new();
    for node in all(scene) {
        let (Some(mesh), Some(index)) = (&node.mesh, index_of(node)) else { continue };
        match left.checked_sub(size(mesh)) {
            Some(after) => left = after,
            None => {
                skipped.push(node.element.name.to_string());
                continue;
            }
        }
        for part in mesh.material_parts.iter().filter(|part| part.num_triangles > 0) {
            let reader = PieceReader { scene, node, mesh, index };
            pieces.extend(reader.piece(part, &mut textures, notices));
        }
    }
    if let Some(first) = skipped.first() {
        let message = format!(
            "{first:?} and {} more nodes carry a mesh that many do; skipped",
            skipped.len() - 1
        );
        notices.warning(SourceLocation::File, message);
    }
    Model { pieces, textures: textures.read, ..Model::default() }
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
    fn piece(
        &self,
        part: &MeshPart,
        textures: &mut Textures<'_>,
        notices: &mut Notices,
    ) -> Option<Piece> {
        let material = self.material(part);
        let mut piece = Piece { color: color(material), ..Piece::of_node(self.index) };
        let texture = material.and_then(textures::of_material);
        let uvs = texture.and_then(|texture| self.uvs(texture));
        let of_vertices = self.corners(part, uvs, texture, &mut piece)?;
        if let Some(texture) = texture.filter(|_| uvs.is_some()) {
            piece.texture = textures.index_of(texture, notices);
            match piece.texture {
                // The image is in place of the colour.
                Some(_) => piece.color = [1.0; 4],
                None => piece.uvs.clear(),
            }
        }
        let deformer = self.mesh.skin_deformers.first();
        let skin = deformer.and_then(|skin| SkinReader::new(self.scene, skin));
        piece.skin = skin.map(|skin| skin.of(&of_vertices));
        let shapes = blends::shapes(self.mesh);
        piece.morph_targets =
            shapes.iter().map(|shape| shape.target(&piece, &of_vertices)).collect();
        (!piece.triangles.is_empty()).then_some(piece)
    }

    /// Adds the corners of all faces of a part, and returns for each vertex its index in the file. Corners
    /// with the same position, normal and texture coordinates are one vertex.
    fn corners(
        &self,
        part: &MeshPart,
        uvs: Option<&VertexVec2>,
        texture: Option<&ufbx::Texture>,
        piece: &mut Piece,
    ) -> Option<Vec<usize>> {
        let mut of_vertices = Vec::new();
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
                    piece.positions.push(single(position));
                    let normal = self.mesh.vertex_normal.values.get(normal as usize);
                    piece.normals.push(normal.map_or([0.0, 1.0, 0.0], single));
                    if let Some(uvs) = uvs {
                        let uv = uvs.values.get(uv as usize).copied().unwrap_or_default();
                        piece.uvs.push(textures::on_image(uv, texture));
                    }
                    of_vertices.push(*self.mesh.vertex_indices.get(corner)? as usize);
                }
                piece.triangles.push(vertex);
            }
        }
        Some(of_vertices)
    }

    /// The texture coordinates that a texture is drawn by: those of the set that it names, or the first.
    fn uvs(&self, texture: &ufbx::Texture) -> Option<&VertexVec2> {
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

/// The plain colour of a material.
fn color(material: Option<&Material>) -> [f32; 4] {
    let map = material.map(|material| &material.fbx.diffuse_color).filter(|map| map.has_value);
    map.map_or([0.8, 0.8, 0.8, 1.0], |map| {
        let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
        [x as f32, y as f32, z as f32, 1.0]
            .map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.8 })
    })
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
