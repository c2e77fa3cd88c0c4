//! The meshes of a glTF.

use glam::Mat4;
use gltf_json::{
    Accessor, Index, Root,
    accessor::Type,
    material::{AlphaMode, Material},
    mesh::{Mesh, Mode, Primitive, Semantic},
    scene::Node,
    validation::Checked,
};

use super::{
    Buffers, Document, PartError,
    accessors::check_accessors,
    codes,
    morphs::{MorphReader, report_weight_counts},
    skins::check_skins,
    textures::{BaseColor, TextureLoader},
};
use crate::{
    clip::{Model, Piece, Skin, compute_vertex_normals},
    diagnostics::{Code, Diagnostics, SourceLocation, format_count},
    io::bytes::Sidecars,
};

/// The number of vertices, of triangle corners and of displaced vertices of morph targets that are
/// allowed for each byte of the buffers. `ALWAYS_ALLOWED_VERTICES` are allowed in addition.
///
/// Many meshes may share one geometry, and a sparse morph target has a displacement for each vertex
/// although the file stores few of them, so a model may be much larger than its file. Without a
/// limit, a small file could become a huge model.
const MAX_VERTICES_PER_BYTE: usize = 16;
const ALWAYS_ALLOWED_VERTICES: usize = 1 << 22;

pub(crate) fn read_model(
    document: &Document<'_>,
    buffers: &Buffers<'_>,
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Model {
    let root = &document.root;
    let mut model = Model::default();
    let mut textures = TextureLoader::new(buffers, sidecars);
    let mut remaining =
        MAX_VERTICES_PER_BYTE.saturating_mul(buffers.len()).saturating_add(ALWAYS_ALLOWED_VERTICES);
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else { continue };
        let Some(mesh) = root.get(mesh_index) else {
            let message = format!("nodes[{index}]: there is no mesh {mesh_index}");
            diagnostics.warning(codes::MISSING_REFERENCE, SourceLocation::File, message);
            continue;
        };
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let reader = PieceReader { root, buffers, primitive };
            let path = format!("meshes[{mesh_index}].primitives[{part}]");
            let piece = reader.vertex_and_corner_count(node).and_then(|size| {
                match remaining.checked_sub(size) {
                    Some(rest) => {
                        remaining = rest;
                        reader.read_piece(index, node, &path, &mut textures, diagnostics)
                    }
                    None => Err(PartError::new(codes::TOO_LARGE, TOO_MANY_VERTICES)),
                }
            });
            match piece {
                Ok(mut piece) => {
                    reader.add_morph_targets(
                        &path,
                        node,
                        mesh,
                        &mut remaining,
                        &mut piece,
                        diagnostics,
                    );
                    model.pieces.push(piece);
                }
                Err(error) => {
                    let message = format!("{path}: {error}; not shown");
                    diagnostics.warning(error.code, SourceLocation::File, message);
                }
            }
        }
    }
    check_accessors(root, diagnostics);
    check_skins(root, buffers, diagnostics);
    report_weight_counts(root, diagnostics);
    model.textures = textures.read;
    model.expressions.clone_from(&document.expressions);
    model
}

const TOO_MANY_VERTICES: &str = "meshes and morph targets use the same numbers too often";

struct PieceReader<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    primitive: &'a Primitive,
}

impl PieceReader<'_> {
    fn vertex_and_corner_count(&self, node: &Node) -> Result<usize, PartError> {
        let positions = self.positions()?;
        let vertices = self.buffers.element_count(positions, Type::Vec3)?;
        let indices =
            self.primitive.indices.map(|one| self.buffers.element_count(one, Type::Scalar));
        // Each piece has its own copy of the joints and of their matrices.
        let joints =
            node.skin.and_then(|skin| self.root.get(skin)).map_or(0, |skin| skin.joints.len());
        Ok(vertices + indices.transpose()?.unwrap_or(0) + joints)
    }

    fn read_piece(
        &self,
        index: usize,
        node: &Node,
        path: &str,
        textures: &mut TextureLoader<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Piece, PartError> {
        let mut positions = self.buffers.read_floats::<3>(self.positions()?, Type::Vec3)?;
        let is_finite = |position: &[f32; 3]| position.iter().all(|number| number.is_finite());
        let lost = positions.iter().filter(|position| !is_finite(position)).count();
        if lost > 0 {
            positions.iter_mut().filter(|one| !is_finite(one)).for_each(|one| *one = [0.0; 3]);
            let message = format!(
                "{path}: {lost} of {} vertices are not finite; shown at the origin of the mesh",
                positions.len()
            );
            diagnostics
                .warning(codes::NON_FINITE_VERTICES, SourceLocation::File, message)
                .with("count", lost);
        }
        let triangles = self.read_triangles(positions.len())?;
        let normals = match self.attribute(&Semantic::Normals) {
            Some(accessor) => self.buffers.read_floats::<3>(accessor, Type::Vec3)?,
            None => compute_vertex_normals(&positions, &triangles),
        };
        if normals.len() != positions.len() {
            let message = format!("{} normals for {} vertices", normals.len(), positions.len());
            return Err(PartError::new(codes::INVALID_MESH, message));
        }
        let skin = match node.skin.map(|skin| self.root.get(skin)) {
            None => None,
            Some(None) => {
                return Err(PartError::new(codes::MISSING_REFERENCE, "there is no such skin"));
            }
            Some(Some(skin)) => self.read_skin(skin, positions.len(), path, diagnostics)?,
        };
        let mut piece = Piece { positions, normals, triangles, skin, ..Piece::for_node(index) };
        let material = self.primitive.material.and_then(|material| self.root.get(material));
        let is_opaque = material.is_none_or(|one| !is_blended(one) && alpha_cutoff(one).is_none());
        self.add_vertex_colors(&mut piece, is_opaque, diagnostics);
        let Some(material) = material else { return Ok(piece) };
        piece.color = base_color(material);
        piece.is_blended = is_blended(material);
        piece.alpha_cutoff = alpha_cutoff(material);
        if let Some(base) = BaseColor::from_material(material) {
            match self.read_uvs(&base, piece.positions.len()) {
                Ok(uvs) => {
                    piece.texture = textures.load(base.texture, diagnostics);
                    piece.uvs = if piece.texture.is_some() { uvs } else { Vec::new() };
                }
                Err(error) => {
                    let message =
                        format!("a texture is not shown: {error}; using the plain colour");
                    diagnostics.warning(error.code, SourceLocation::File, message);
                }
            }
        }
        Ok(piece)
    }

    fn add_morph_targets(
        &self,
        path: &str,
        node: &Node,
        mesh: &Mesh,
        remaining: &mut usize,
        piece: &mut Piece,
        diagnostics: &mut Diagnostics,
    ) {
        let reader = MorphReader { buffers: self.buffers, mesh, node, primitive: self.primitive };
        let mut targets = reader.named_targets();
        let has_normals = self.attribute(&Semantic::Normals).is_some();
        let triangles = (!has_normals).then_some(&*piece.triangles);
        let mut rejected = 0;
        for (index, target) in targets.iter_mut().enumerate() {
            let Some(rest) = remaining.checked_sub(piece.positions.len()) else {
                rejected += 1;
                continue;
            };
            *remaining = rest;
            if let Err(error) =
                reader.read_displacements(index, &piece.positions, triangles, target)
            {
                let message = format!("{path}: morph target {:?}: {error}; skipped", target.name);
                diagnostics
                    .warning(error.code, SourceLocation::File, message)
                    .with("name", target.name.as_str());
            }
        }
        if rejected > 0 {
            let targets = format_count(rejected, "morph target");
            let message = format!("{path}: {targets} skipped: {TOO_MANY_VERTICES}");
            diagnostics
                .warning(codes::TOO_LARGE, SourceLocation::File, message)
                .with("count", rejected);
        }
        piece.morph_targets = targets;
    }

    fn add_vertex_colors(&self, piece: &mut Piece, is_opaque: bool, diagnostics: &mut Diagnostics) {
        let Some(accessor) = self.attribute(&Semantic::Colors(0)) else { return };
        let colors = match self.buffers.read_floats::<4>(accessor, Type::Vec4) {
            Ok(colors) => Ok(colors),
            Err(why) => self
                .buffers
                .read_floats::<3>(accessor, Type::Vec3)
                .map(|colors| {
                    colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect::<Vec<_>>()
                })
                // If the components have neither type, report the error of the first attempt.
                .map_err(|_| why),
        };
        let vertices = piece.positions.len();
        let invalid = |message: &str| PartError::new(codes::INVALID_TEXTURE, message);
        let error = match colors {
            Ok(colors) if colors.len() != vertices => {
                invalid(&format!("{} colours for {vertices} vertices", colors.len()))
            }
            Ok(colors) if !colors.as_flattened().iter().all(|part| part.is_finite()) => {
                invalid("a colour is not finite")
            }
            Ok(colors) => {
                let shown = |color: [f32; 4]| {
                    let [red, green, blue, alpha] = color.map(|part| part.clamp(0.0, 1.0));
                    [red, green, blue, if is_opaque { 1.0 } else { alpha }]
                };
                piece.colors = colors.into_iter().map(shown).collect();
                return;
            }
            Err(error) => error,
        };
        let message = format!("vertex colours are not shown: {error}");
        diagnostics.warning(error.code, SourceLocation::File, message);
    }

    fn read_uvs(&self, base: &BaseColor<'_>, vertices: usize) -> Result<Vec<[f32; 2]>, PartError> {
        let invalid = |message: String| PartError::new(codes::INVALID_TEXTURE, message);
        let accessor = self.attribute(&Semantic::TexCoords(base.set));
        let accessor =
            accessor.ok_or_else(|| invalid(format!("it has no TEXCOORD_{}", base.set)))?;
        let uvs = self.buffers.read_floats::<2>(accessor, Type::Vec2)?;
        if uvs.len() != vertices {
            let message = format!("{} texture coordinates for {vertices} vertices", uvs.len());
            return Err(invalid(message));
        }
        Ok(uvs.into_iter().map(|uv| base.transform_uv(uv)).collect())
    }

    fn positions(&self) -> Result<Index<Accessor>, PartError> {
        self.attribute(&Semantic::Positions)
            .ok_or_else(|| PartError::new(codes::INVALID_MESH, "it has no positions"))
    }

    fn attribute(&self, semantic: &Semantic) -> Option<Index<Accessor>> {
        self.primitive.attributes.get(&Checked::Valid(semantic.clone())).copied()
    }

    fn read_triangles(&self, count: usize) -> Result<Vec<u32>, PartError> {
        let indices: Vec<u32> = match self.primitive.indices {
            Some(accessor) => self
                .buffers
                .read_integers::<1>(accessor, Type::Scalar)?
                .into_iter()
                .flatten()
                .collect(),
            None => (0..count as u32).collect(),
        };
        if let Some(wrong) = indices.iter().find(|&&index| index as usize >= count) {
            let message =
                format!("an index refers to vertex {wrong}, but there are only {count} vertices");
            return Err(PartError::new(codes::INVALID_MESH, message));
        }
        match self.primitive.mode {
            Checked::Valid(Mode::Triangles) => {
                let whole = indices.len() / 3 * 3;
                Ok(indices[..whole].to_vec())
            }
            Checked::Valid(Mode::TriangleStrip) => {
                let triangles = indices.windows(3).enumerate();
                Ok(triangles.flat_map(|(at, v)| [v[at % 2], v[1 - at % 2], v[2]]).collect())
            }
            Checked::Valid(Mode::TriangleFan) => {
                let around = indices.get(1..).unwrap_or_default().windows(2);
                Ok(around.flat_map(|pair| [indices[0], pair[0], pair[1]]).collect())
            }
            _ => Err(PartError::new(codes::INVALID_MESH, "it is made of points or lines")),
        }
    }

    fn read_skin(
        &self,
        skin: &gltf_json::Skin,
        vertices: usize,
        path: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Skin>, PartError> {
        let mut warn = |code: Code, problem: &str| {
            diagnostics.warning(code, SourceLocation::File, format!("{path}: {problem}"));
        };
        let invalid = |message: String| PartError::new(codes::INVALID_SKIN, message);
        let (Some(joints), Some(weights)) =
            (self.attribute(&Semantic::Joints(0)), self.attribute(&Semantic::Weights(0)))
        else {
            warn(
                codes::INVALID_SKIN,
                "its node has a skin: expected JOINTS_0 and WEIGHTS_0, found at most one of them; \
                 the mesh moves with its node",
            );
            return Ok(None);
        };
        if self.attribute(&Semantic::Joints(1)).is_some() {
            let problem =
                "expected at most four joints for each vertex, found more; using the first four";
            warn(codes::SKIN_WEIGHTS, problem);
        }
        let influences = self.buffers.read_integers::<4>(joints, Type::Vec4)?;
        let weights = self.buffers.read_floats::<4>(weights, Type::Vec4)?;
        let joints: Vec<usize> = skin.joints.iter().map(|joint| joint.value()).collect();
        let inverse_bind = match skin.inverse_bind_matrices {
            None => vec![Mat4::IDENTITY; joints.len()],
            Some(accessor) => {
                let matrices = self.buffers.read_floats::<16>(accessor, Type::Mat4)?;
                matrices.iter().take(joints.len()).map(Mat4::from_cols_array).collect()
            }
        };
        let is_whole = influences.len() == vertices && weights.len() == vertices;
        let is_joint = |joint: &u32| (*joint as usize) < joints.len();
        let is_node = |node: &usize| *node < self.root.nodes.len();
        if inverse_bind.len() < joints.len() {
            let joints = format_count(joints.len(), "joint");
            let found = inverse_bind.len();
            return Err(invalid(format!("{joints} have only {found} inverse bind matrices")));
        }
        if !is_whole || !influences.iter().flatten().all(is_joint) || !joints.iter().all(is_node) {
            return Err(invalid("its skin refers to something that does not exist".to_owned()));
        }
        let influences = influences
            .iter()
            .map(|joints_of_vertex| joints_of_vertex.map(|joint| joint as u16))
            .collect();
        let wrong_weights = weights.iter().filter(|weights| !are_shares(weights)).count();
        if wrong_weights > 0 {
            let problem = format!(
                "expected skin weights that add up to 1, found others at {wrong_weights} of \
                 {vertices} vertices; scaled to 1"
            );
            warn(codes::SKIN_WEIGHTS, &problem);
        }
        let weights = weights.into_iter().map(normalise_weights).collect();
        Ok(Some(Skin { joints, inverse_bind, influences, weights }))
    }
}

fn base_color(material: &Material) -> [f32; 4] {
    let [red, green, blue, alpha] = material.pbr_metallic_roughness.base_color_factor.0;
    [red, green, blue, if is_blended(material) { alpha } else { 1.0 }]
}

fn is_blended(material: &Material) -> bool {
    material.alpha_mode == Checked::Valid(AlphaMode::Blend)
}

fn alpha_cutoff(material: &Material) -> Option<f32> {
    const DEFAULT_CUTOFF: f32 = 0.5;
    let is_masked = material.alpha_mode == Checked::Valid(AlphaMode::Mask);
    is_masked.then(|| material.alpha_cutoff.map_or(DEFAULT_CUTOFF, |cutoff| cutoff.0))
}

/// Returns `true` if the weights of a vertex are not negative, and add up to 1 except for the
/// rounding of bytes.
fn are_shares(weights: &[f32; 4]) -> bool {
    const MAX_ERROR: f32 = 0.02;
    let sum: f32 = weights.iter().sum();
    (sum - 1.0).abs() <= MAX_ERROR && weights.iter().all(|weight| *weight >= 0.0)
}

fn normalise_weights(weights: [f32; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        weights.map(|weight| weight / sum)
    } else {
        [1.0, 0.0, 0.0, 0.0]
    }
}
