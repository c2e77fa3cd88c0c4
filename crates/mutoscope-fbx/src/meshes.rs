//! The meshes of a file: triangles, skins, colours, textures and blend shapes.

use std::collections::HashMap;

use glam::{DAffine3, DMat4, DVec3, Mat4};
use mutoscope_core::{
    clip::{Model, Piece, Skin, ViewerFromSource},
    diagnostics::{Diagnostics, SourceLocation, format_count},
    io::bytes::Sidecars,
};
use ufbx::{Material, Mesh, MeshPart, Node, Scene, SkinDeformer, VertexVec2};

use crate::{
    blends::{self, FileVertices},
    codes,
    nodes::{node_index, non_root_nodes, owner},
    scene::affine,
    textures::{self, Textures},
};

/// The output may have this many triangle corners for each corner in the file, plus a constant.
/// Without this limit, the output would not be bounded by the file size, because many nodes may
/// have the same mesh.
const MAX_CORNERS_PER_FILE_CORNER: usize = 4;
const CORNER_ALLOWANCE: usize = 1 << 16;

/// The displacements of blend shapes may take this many bytes for each byte of the file, plus a
/// constant. A file stores the vertices that a shape moves, but a morph target stores all vertices.
const MAX_SHAPE_BYTES_PER_FILE_BYTE: usize = 64;
const SHAPE_BYTES_ALLOWANCE: usize = 256 << 20;

/// Reads the meshes, converted by `to_viewer`.
pub(crate) fn read_model(
    scene: &Scene,
    file_size: usize,
    to_viewer: &ViewerFromSource,
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Model {
    let mut textures = Textures::new(sidecars);
    let mut pieces = Vec::new();
    let corners: usize = scene.meshes.iter().map(|mesh| mesh.num_triangles * 3).sum();
    let mut left =
        corners.saturating_mul(MAX_CORNERS_PER_FILE_CORNER).saturating_add(CORNER_ALLOWANCE);
    let mut skipped = Vec::new();
    let mut tally = MeshTally::new(file_size);
    for node in non_root_nodes(scene) {
        let (Some(mesh), Some(index)) = (&node.mesh, node_index(node)) else { continue };
        match left.checked_sub(mesh.num_triangles.saturating_mul(3)) {
            Some(rest) => left = rest,
            None => {
                skipped.push(owner(node).element.name.to_string());
                continue;
            }
        }
        for part in mesh.material_parts.iter().filter(|part| part.num_triangles > 0) {
            let reader = PieceReader { scene, node, mesh, index };
            pieces.extend(reader.read_piece(part, &mut textures, &mut tally, diagnostics));
        }
    }
    if let Some(first) = skipped.first() {
        let message = format!(
            "{first:?} and {} more nodes share a mesh with many others; skipped",
            skipped.len() - 1
        );
        diagnostics
            .warning(codes::INSTANCES_SKIPPED, SourceLocation::File, message)
            .with("count", skipped.len());
    }
    tally.report(diagnostics);
    for piece in &mut pieces {
        convert_piece(piece, to_viewer);
    }
    Model { pieces, textures: textures.read, ..Model::default() }
}

/// Counts what is left out of meshes, and bounds the memory of blend shapes.
pub(crate) struct MeshTally {
    shape_vertices_left: usize,
    skipped_shapes: usize,
    invalid_vectors: usize,
    pub(crate) invalid_weights: usize,
    boneless_weights: usize,
}

impl MeshTally {
    fn new(file_size: usize) -> Self {
        // A vertex of a morph target has a displacement of its position and one of its normal.
        const BYTES_PER_VERTEX: usize = 2 * size_of::<[f32; 3]>();
        let bytes = file_size
            .saturating_mul(MAX_SHAPE_BYTES_PER_FILE_BYTE)
            .saturating_add(SHAPE_BYTES_ALLOWANCE);
        Self {
            shape_vertices_left: bytes / BYTES_PER_VERTEX,
            skipped_shapes: 0,
            invalid_vectors: 0,
            invalid_weights: 0,
            boneless_weights: 0,
        }
    }

    /// Takes the memory of a morph target with this many vertices. Returns `false` if too little is
    /// left.
    pub(crate) fn take_shape_vertices(&mut self, vertices: usize) -> bool {
        let left = self.shape_vertices_left.checked_sub(vertices);
        self.skipped_shapes += usize::from(left.is_none());
        self.shape_vertices_left = left.unwrap_or(self.shape_vertices_left);
        left.is_some()
    }

    /// Converts `vector`, multiplied by `factor`, to `f32`. A vector with a part that is infinite or
    /// NaN becomes zero.
    pub(crate) fn convert_finite(&mut self, vector: &ufbx::Vec3, factor: f64) -> [f32; 3] {
        let converted = [vector.x, vector.y, vector.z].map(|part| (part * factor) as f32);
        let is_finite = converted.iter().all(|part| part.is_finite());
        self.invalid_vectors += usize::from(!is_finite);
        if is_finite { converted } else { [0.0; 3] }
    }

    fn report(&self, diagnostics: &mut Diagnostics) {
        let messages = [
            (
                codes::SHAPES_SKIPPED,
                self.skipped_shapes,
                "blend shape",
                "too large together; skipped",
            ),
            (
                codes::INVALID_MESH_VALUE,
                self.invalid_vectors,
                "vertex vector",
                "not finite; set to 0",
            ),
            (codes::INVALID_MESH_VALUE, self.invalid_weights, "weight", "not finite; set to 0"),
            (
                codes::WEIGHT_WITHOUT_BONE,
                self.boneless_weights,
                "skin weight",
                "bound to no bone of the file; ignored",
            ),
        ];
        for (code, count, what, problem) in messages.into_iter().filter(|message| message.1 > 0) {
            let verb = if count == 1 { "is" } else { "are" };
            let message = format!("{} {verb} {problem}", format_count(count, what));
            diagnostics.warning(code, SourceLocation::File, message).with("count", count);
        }
    }
}

/// Converts a mesh to the viewer's space.
fn convert_piece(piece: &mut Piece, to_viewer: &ViewerFromSource) {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| to_viewer.convert_point(axis));
    let matrix = DMat4::from(DAffine3::from_cols(axes[0], axes[1], axes[2], DVec3::ZERO));
    if matrix == DMat4::IDENTITY {
        return;
    }
    let point = |vector: &mut [f32; 3]| {
        let converted = to_viewer.convert_point(DVec3::from_array(vector.map(f64::from)));
        *vector = converted.as_vec3().to_array();
    };
    let direction = |vector: &mut [f32; 3]| {
        let converted = to_viewer.convert_direction(DVec3::from_array(vector.map(f64::from)));
        *vector = converted.as_vec3().to_array();
    };
    piece.positions.iter_mut().for_each(point);
    piece.normals.iter_mut().for_each(direction);
    for target in &mut piece.morph_targets {
        target.positions.iter_mut().for_each(point);
        target.normals.iter_mut().for_each(direction);
    }
    if let Some(skin) = &mut piece.skin {
        for bind in &mut skin.inverse_bind {
            *bind = (matrix * bind.as_dmat4() * matrix.inverse()).as_mat4();
        }
    }
    if matrix.determinant() < 0.0 {
        for triangle in piece.triangles.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
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
        tally: &mut MeshTally,
        diagnostics: &mut Diagnostics,
    ) -> Option<Piece> {
        let material = self.material(part);
        let mut piece = Piece { color: diffuse_color(material), ..Piece::for_node(self.index) };
        let texture = material.and_then(textures::diffuse_texture);
        let uvs = texture.and_then(|texture| self.uvs_of(texture));
        let file_vertices = self.add_triangles(part, uvs, texture, tally, &mut piece)?;
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
        piece.skin = skin.map(|skin| skin.skin_vertices(&file_vertices, self.index, tally));
        let shapes = blends::shapes(self.mesh);
        let vertices = FileVertices::new(&file_vertices);
        piece.morph_targets =
            shapes.iter().map(|shape| shape.to_morph_target(&piece, &vertices, tally)).collect();
        (!piece.triangles.is_empty()).then_some(piece)
    }

    /// Adds the triangles of `part` to `piece`. Returns the index in the file for each vertex of
    /// `piece`. Corners with the same position, normal and texture coordinates share a vertex.
    fn add_triangles(
        &self,
        part: &MeshPart,
        uvs: Option<&VertexVec2>,
        texture: Option<&ufbx::Texture>,
        tally: &mut MeshTally,
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
                    piece.positions.push(tally.convert_finite(position, 1.0));
                    let normal = self.mesh.vertex_normal.values.get(normal as usize);
                    piece.normals.push(to_unit_f32(normal));
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

fn to_unit_f32(normal: Option<&ufbx::Vec3>) -> [f32; 3] {
    let normal = normal.map(|normal| [normal.x as f32, normal.y as f32, normal.z as f32]);
    let is_finite = |normal: &[f32; 3]| normal.iter().all(|part| part.is_finite());
    normal.filter(is_finite).unwrap_or([0.0, 1.0, 0.0])
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

    /// Returns the skin of these vertices. Vertices without weights follow the node of the mesh.
    fn skin_vertices(mut self, vertices: &[usize], node: usize, tally: &mut MeshTally) -> Skin {
        let unbound = u16::try_from(self.joints.len()).ok();
        let (mut influences, mut weights) = (Vec::new(), Vec::new());
        for &vertex in vertices {
            let bound = self.vertex_influences(vertex, tally);
            if bound.is_none() && unbound == u16::try_from(self.joints.len()).ok() {
                self.joints.push(node);
                self.inverse_bind.push(Mat4::IDENTITY);
            }
            let unbound = ([unbound.unwrap_or(0), 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
            let (joints, weight) = bound.unwrap_or(unbound);
            influences.push(joints);
            weights.push(weight);
        }
        Skin { joints: self.joints, inverse_bind: self.inverse_bind, influences, weights }
    }

    /// Returns the four joints with the largest weights, normalised to a sum of 1. ufbx sorts
    /// weights in descending order. The result is `None` if the vertex has no weights.
    fn vertex_influences(
        &self,
        vertex: usize,
        tally: &mut MeshTally,
    ) -> Option<([u16; 4], [f32; 4])> {
        let (mut joints, mut weights) = ([0; 4], [0.0f32; 4]);
        let vertex = self.skin.vertices.get(vertex)?;
        let begin = vertex.weight_begin as usize;
        let mut found = 0;
        for one in self.skin.weights.get(begin..begin + vertex.num_weights as usize)? {
            let weight = one.weight as f32;
            let Some(&joint) = self.cluster_joints.get(one.cluster_index as usize) else {
                continue;
            };
            match joint {
                _ if !weight.is_finite() => tally.invalid_weights += 1,
                None => tally.boneless_weights += 1,
                Some(joint) if found < joints.len() => {
                    (joints[found], weights[found]) = (joint, weight);
                    found += 1;
                }
                Some(_) => {}
            }
        }
        let sum: f32 = weights.iter().sum();
        (sum > 0.0 && sum.is_finite()).then(|| (joints, weights.map(|weight| weight / sum)))
    }
}
