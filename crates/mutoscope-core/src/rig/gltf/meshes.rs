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
    Buffers, Document,
    morphs::MorphReader,
    textures::{BaseColor, Textures},
};
use crate::{
    clip::{Model, Piece, Skin, triangle_normals},
    diagnostics::{Notices, SourceLocation},
    io::bytes::Sidecars,
};

/// How many vertices and corners of triangles are made for each byte of the buffers. Meshes may share
/// their numbers, so that a small file could be a large model.
const MOST_BY_BYTE: usize = 2;

/// Reads all meshes that nodes carry, with their skins, their morph targets, their colours and the
/// textures of their base colour. What cannot be read is skipped, and `notices` say so. `sidecars` are files
/// that textures are in.
pub(crate) fn model(
    document: &Document<'_>,
    buffers: &Buffers<'_>,
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> Model {
    let root = &document.root;
    let mut model = Model::default();
    let mut textures = Textures::new(buffers, sidecars);
    let mut left = MOST_BY_BYTE.saturating_mul(buffers.len());
    for (index, node) in root.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else { continue };
        let Some(mesh) = root.get(mesh_index) else {
            let message = format!("nodes[{index}]: there is no mesh {mesh_index}");
            notices.warning(SourceLocation::File, message);
            continue;
        };
        for (part, primitive) in mesh.primitives.iter().enumerate() {
            let reader = PieceReader { root, buffers, primitive };
            let path = format!("meshes[{mesh_index}].primitives[{part}]");
            let piece = reader.size().and_then(|size| match left.checked_sub(size) {
                Some(rest) => {
                    left = rest;
                    reader.piece(index, node, &mut textures, notices)
                }
                None => Err(USED_TOO_OFTEN.to_owned()),
            });
            match piece {
                Ok(mut piece) => {
                    reader.morph_targets(&path, node, mesh, &mut left, &mut piece, notices);
                    model.pieces.push(piece);
                }
                Err(why) => {
                    notices.warning(SourceLocation::File, format!("{path}: {why}; not shown"));
                }
            }
        }
    }
    model.textures = textures.read;
    model.expressions.clone_from(&document.expressions);
    model
}

const USED_TOO_OFTEN: &str = "its numbers are used too often";

struct PieceReader<'a> {
    root: &'a Root,
    buffers: &'a Buffers<'a>,
    primitive: &'a Primitive,
}

impl PieceReader<'_> {
    /// How many vertices and corners it has.
    fn size(&self) -> Result<usize, String> {
        let positions = self.attribute(&Semantic::Positions).ok_or("it has no positions")?;
        let vertices = self.buffers.count(positions, Type::Vec3)?;
        let indices = self.primitive.indices.map(|one| self.buffers.count(one, Type::Scalar));
        Ok(vertices + indices.transpose()?.unwrap_or(0))
    }

    fn piece(
        &self,
        index: usize,
        node: &Node,
        textures: &mut Textures<'_>,
        notices: &mut Notices,
    ) -> Result<Piece, String> {
        let accessor = self.attribute(&Semantic::Positions).ok_or("it has no positions")?;
        let positions = self.buffers.floats::<3>(accessor, Type::Vec3)?;
        let triangles = self.triangles(positions.len())?;
        let normals = match self.attribute(&Semantic::Normals) {
            Some(accessor) => self.buffers.floats::<3>(accessor, Type::Vec3)?,
            None => triangle_normals(&positions, &triangles),
        };
        if normals.len() != positions.len() {
            return Err(format!("{} normals for {} vertices", normals.len(), positions.len()));
        }
        let skin = match node.skin.map(|skin| self.root.get(skin)) {
            None => None,
            Some(None) => return Err("there is no such skin".to_owned()),
            Some(Some(skin)) => self.skin(skin, positions.len())?,
        };
        let mut piece = Piece { positions, normals, triangles, skin, ..Piece::of_node(index) };
        let material = self.primitive.material.and_then(|material| self.root.get(material));
        let is_opaque = material.is_none_or(|one| !is_blended(one) && alpha_cutoff(one).is_none());
        self.vertex_colors(&mut piece, is_opaque, notices);
        let Some(material) = material else { return Ok(piece) };
        piece.color = color(material);
        piece.is_blended = is_blended(material);
        piece.alpha_cutoff = alpha_cutoff(material);
        if let Some(base) = BaseColor::of(material) {
            match self.uvs(&base, piece.positions.len()) {
                Ok(uvs) => {
                    piece.texture = textures.index_of(base.texture, notices);
                    piece.uvs = if piece.texture.is_some() { uvs } else { Vec::new() };
                }
                Err(why) => {
                    let message = format!("a texture is not shown: {why}; using its plain colour");
                    notices.warning(SourceLocation::File, message);
                }
            }
        }
        Ok(piece)
    }

    /// Adds the morph targets, of which `left` vertices may still be read.
    fn morph_targets(
        &self,
        path: &str,
        node: &Node,
        mesh: &Mesh,
        left: &mut usize,
        piece: &mut Piece,
        notices: &mut Notices,
    ) {
        let reader = MorphReader { buffers: self.buffers, mesh, node, primitive: self.primitive };
        let mut targets = reader.named();
        let has_normals = self.attribute(&Semantic::Normals).is_some();
        let triangles = (!has_normals).then_some(&*piece.triangles);
        let mut refused = 0;
        for (index, target) in targets.iter_mut().enumerate() {
            let Some(rest) = left.checked_sub(piece.positions.len()) else {
                refused += 1;
                continue;
            };
            *left = rest;
            if let Err(why) = reader.read(index, &piece.positions, triangles, target) {
                let message = format!("{path}: morph target {:?}: {why}; skipped", target.name);
                notices.warning(SourceLocation::File, message);
            }
        }
        if refused > 0 {
            let message = format!("{path}: {refused} morph targets: {USED_TOO_OFTEN}; skipped");
            notices.warning(SourceLocation::File, message);
        }
        piece.morph_targets = targets;
    }

    /// Adds the colours of vertices; their opacity counts unless the material is opaque.
    fn vertex_colors(&self, piece: &mut Piece, is_opaque: bool, notices: &mut Notices) {
        let Some(accessor) = self.attribute(&Semantic::Colors(0)) else { return };
        let colors = match self.buffers.floats::<4>(accessor, Type::Vec4) {
            Ok(colors) => Ok(colors),
            Err(why) => self
                .buffers
                .floats::<3>(accessor, Type::Vec3)
                .map(|colors| {
                    colors.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect::<Vec<_>>()
                })
                // Of the two types, the first is the one that an error is about.
                .map_err(|_| why),
        };
        let vertices = piece.positions.len();
        let wrong = match colors {
            Ok(colors) if colors.len() != vertices => {
                format!("{} colours for {vertices} vertices", colors.len())
            }
            Ok(colors) if !colors.as_flattened().iter().all(|part| part.is_finite()) => {
                "a colour is not finite".to_owned()
            }
            Ok(colors) => {
                let shown = |color: [f32; 4]| {
                    let [red, green, blue, alpha] = color.map(|part| part.clamp(0.0, 1.0));
                    [red, green, blue, if is_opaque { 1.0 } else { alpha }]
                };
                piece.colors = colors.into_iter().map(shown).collect();
                return;
            }
            Err(why) => why,
        };
        let message = format!("colours of vertices are not shown: {wrong}");
        notices.warning(SourceLocation::File, message);
    }

    /// Where each vertex is on the texture.
    fn uvs(&self, base: &BaseColor<'_>, vertices: usize) -> Result<Vec<[f32; 2]>, String> {
        let accessor = self.attribute(&Semantic::TexCoords(base.set));
        let accessor = accessor.ok_or_else(|| format!("it has no TEXCOORD_{}", base.set))?;
        let uvs = self.buffers.floats::<2>(accessor, Type::Vec2)?;
        if uvs.len() != vertices {
            return Err(format!("{} texture coordinates for {vertices} vertices", uvs.len()));
        }
        Ok(uvs.into_iter().map(|uv| base.transformed(uv)).collect())
    }

    fn attribute(&self, semantic: &Semantic) -> Option<Index<Accessor>> {
        self.primitive.attributes.get(&Checked::Valid(semantic.clone())).copied()
    }

    /// The vertices of all triangles, three each, none beyond `count`.
    fn triangles(&self, count: usize) -> Result<Vec<u32>, String> {
        let indices: Vec<u32> = match self.primitive.indices {
            Some(accessor) => {
                self.buffers.integers::<1>(accessor, Type::Scalar)?.into_iter().flatten().collect()
            }
            None => (0..count as u32).collect(),
        };
        if let Some(wrong) = indices.iter().find(|&&index| index as usize >= count) {
            return Err(format!("it names vertex {wrong} of {count}"));
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
            _ => Err("it is made of points or lines".to_owned()),
        }
    }

    fn skin(&self, skin: &gltf_json::Skin, vertices: usize) -> Result<Option<Skin>, String> {
        let (Some(joints), Some(weights)) =
            (self.attribute(&Semantic::Joints(0)), self.attribute(&Semantic::Weights(0)))
        else {
            // It moves with its node.
            return Ok(None);
        };
        let influences = self.buffers.integers::<4>(joints, Type::Vec4)?;
        let weights = self.buffers.floats::<4>(weights, Type::Vec4)?;
        let joints: Vec<usize> = skin.joints.iter().map(|joint| joint.value()).collect();
        let inverse_bind = match skin.inverse_bind_matrices {
            None => vec![Mat4::IDENTITY; joints.len()],
            Some(accessor) => {
                let matrices = self.buffers.floats::<16>(accessor, Type::Mat4)?;
                matrices.iter().map(Mat4::from_cols_array).collect()
            }
        };
        let is_whole = influences.len() == vertices
            && weights.len() == vertices
            && inverse_bind.len() >= joints.len();
        let is_joint = |joint: &u32| (*joint as usize) < joints.len();
        let is_node = |node: &usize| *node < self.root.nodes.len();
        if !is_whole || !influences.iter().flatten().all(is_joint) || !joints.iter().all(is_node) {
            return Err("its skin refers to something that does not exist".to_owned());
        }
        let influences = influences.iter().map(|each| each.map(|joint| joint as u16)).collect();
        let weights = weights.into_iter().map(together_one).collect();
        Ok(Some(Skin { joints, inverse_bind, influences, weights }))
    }
}

/// Its base colour; its opacity only where it blends.
fn color(material: &Material) -> [f32; 4] {
    let [red, green, blue, alpha] = material.pbr_metallic_roughness.base_color_factor.0;
    [red, green, blue, if is_blended(material) { alpha } else { 1.0 }]
}

fn is_blended(material: &Material) -> bool {
    material.alpha_mode == Checked::Valid(AlphaMode::Blend)
}

/// The opacity below which nothing is shown, if it has such.
fn alpha_cutoff(material: &Material) -> Option<f32> {
    const USUAL: f32 = 0.5;
    let is_masked = material.alpha_mode == Checked::Valid(AlphaMode::Mask);
    is_masked.then(|| material.alpha_cutoff.map_or(USUAL, |cutoff| cutoff.0))
}

fn together_one(weights: [f32; 4]) -> [f32; 4] {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        weights.map(|weight| weight / sum)
    } else {
        [1.0, 0.0, 0.0, 0.0]
    }
}
