//! Packs meshes: positions as 16-bit fractions of their bounding box, normals as bytes, textures as
//! image files.

use std::{borrow::Cow, io};

use mutoscope_core::{
    clip::{
        ExportModel, ImageFormat, Model, PartMesh, Piece, Skin, Texture, TextureImage, TextureWrap,
    },
    diagnostics::format_count,
    export::Report,
};
use mutoscope_view::figure::MannequinPart;
use serde::Serialize;

use super::bytes::ByteWriter;

/// A surface of one colour or texture. The field names in this module are JSON keys that the player
/// reads.
#[derive(Debug, Serialize)]
pub(super) struct Surface {
    /// The node that carries the surface. `None` if it is skinned.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    vertices: usize,
    indices: usize,
    /// The offset in the block of meshes, in bytes.
    at: usize,
    /// The minimum corner of the bounding box, and the size of the box divided by 65535. If the box
    /// is `None`, the positions are f32. Otherwise they are 16-bit fractions of the box.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#box: Option<[[f32; 3]; 2]>,
    color: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    texture: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    blended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cutoff: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skin: Option<usize>,
}

/// A skin: the joints, and the column-major matrices from the mesh to each joint.
#[derive(Debug, Serialize)]
pub(super) struct SkinJoints {
    joints: Vec<usize>,
    inverse: Vec<[f32; 16]>,
}

/// A texture. `at` and `bytes` are the offset and size of its file in the block of meshes.
#[derive(Debug, Serialize)]
pub(super) struct Image {
    at: usize,
    bytes: usize,
    r#type: &'static str,
    wrap: [&'static str; 2],
    pixelated: bool,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Meshes {
    surfaces: Vec<Surface>,
    skins: Vec<SkinJoints>,
    textures: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Vec<usize>>,
    #[serde(skip)]
    bytes: ByteWriter,
    #[serde(skip)]
    known_skins: Vec<Skin>,
    #[serde(skip)]
    exact: bool,
}

impl Meshes {
    pub(super) fn new(exact: bool) -> Self {
        Self { exact, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    pub(super) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes).0
    }

    pub(super) fn add_model(&mut self, model: &Model, report: &mut Report) {
        let textures: Vec<Option<usize>> =
            model.textures.iter().map(|texture| self.add_texture(texture, report)).collect();
        let mut skipped = 0;
        for piece in &model.pieces {
            let piece = &*piece.simplified();
            if is_valid(piece) {
                self.add_piece(piece, &textures);
            } else {
                skipped += 1;
            }
        }
        let targets = model.pieces.iter().flat_map(|piece| &piece.morph_targets);
        let non_finite = targets.filter(|target| !target.weight.is_finite()).count();
        if non_finite > 0 {
            let weights = format_count(non_finite, "morph weight");
            report.warning(format!("{weights} not finite; 0 is used instead"));
        }
        let morphed = model.pieces.iter().filter(|piece| !piece.morph_targets.is_empty()).count();
        if morphed > 0 {
            let meshes = format_count(morphed, "mesh").replace("meshs", "meshes");
            report.warning(format!("{meshes} with morph targets, which do not move in a page"));
        }
        if model.pieces.iter().any(|piece| !piece.colors.is_empty()) {
            report.info("vertex colours are averaged for each mesh");
        }
        if skipped > 0 {
            report
                .warning(format!("{skipped} of the model's meshes skipped: empty, or not finite"));
        }
    }

    pub(super) fn add_parts(&mut self, export_model: &ExportModel) {
        self.parts = export_model.meshes.iter().map(|mesh| self.add_part_mesh(mesh)).collect();
    }

    /// Adds the surface of a mannequin's part. The player places the part and chooses its colour.
    pub(super) fn add_body_part(&mut self, part: &MannequinPart) -> usize {
        let piece = Piece {
            positions: part.positions.clone(),
            normals: part.normals.clone(),
            triangles: part.triangles.clone(),
            ..Piece::for_node(0)
        };
        self.add_surface(&piece, None, None)
    }

    fn add_part_mesh(&mut self, mesh: &PartMesh) -> Vec<usize> {
        let valid = mesh.surfaces.iter().filter(|surface| {
            !surface.triangles.is_empty()
                && surface.normals.len() == surface.positions.len()
                && are_finite(surface.positions.as_flattened())
                && are_in_bounds(&surface.triangles, surface.positions.len())
        });
        let pieces = valid.map(|surface| Piece {
            positions: surface.positions.clone(),
            normals: surface.normals.clone(),
            triangles: surface.triangles.clone(),
            color: surface.color,
            is_blended: surface.color[3] < 1.0,
            ..Piece::for_node(0)
        });
        pieces.collect::<Vec<_>>().iter().map(|piece| self.add_surface(piece, None, None)).collect()
    }

    fn add_piece(&mut self, piece: &Piece, textures: &[Option<usize>]) {
        let texture = piece.texture.and_then(|texture| *textures.get(texture)?);
        let texture = texture.filter(|_| piece.uvs.len() == piece.positions.len());
        self.add_surface(piece, texture, Some(piece.node));
    }

    fn add_surface(&mut self, piece: &Piece, texture: Option<usize>, node: Option<usize>) -> usize {
        self.bytes.align(4);
        let at = self.bytes.0.len();
        let r#box = self.write_positions(&piece.positions);
        for normal in &piece.normals {
            let unit = glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
            unit.into_iter()
                .for_each(|part| self.bytes.write_u8((part * 127.0).round() as i8 as u8));
            self.bytes.write_u8(0);
        }
        if texture.is_some() {
            piece.uvs.as_flattened().iter().for_each(|&part| self.bytes.write_f32(part));
        }
        let skin = piece.skin.as_ref().map(|skin| self.add_skin(skin));
        if let Some(skin) = &piece.skin {
            skin.influences.as_flattened().iter().for_each(|&joint| self.bytes.write_u16(joint));
            skin.weights.iter().for_each(|weights| {
                weights_as_bytes(*weights).into_iter().for_each(|byte| self.bytes.write_u8(byte));
            });
        }
        self.bytes.align(4);
        let is_small = piece.positions.len() <= 1 << 16;
        for &index in &piece.triangles {
            match is_small {
                true => self.bytes.write_u16(index as u16),
                false => self.bytes.0.extend(index.to_le_bytes()),
            }
        }
        self.surfaces.push(Surface {
            node: node.filter(|_| skin.is_none()),
            vertices: piece.positions.len(),
            indices: piece.triangles.len(),
            at,
            r#box,
            color: piece
                .color
                .map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 }),
            texture,
            blended: piece.is_blended,
            cutoff: piece.alpha_cutoff.filter(|cutoff| cutoff.is_finite()),
            skin,
        });
        self.surfaces.len() - 1
    }

    fn write_positions(&mut self, positions: &[[f32; 3]]) -> Option<[[f32; 3]; 2]> {
        if self.exact {
            positions.as_flattened().iter().for_each(|&part| self.bytes.write_f32(part));
            return None;
        }
        let all = || positions.iter().map(|point| glam::Vec3::from_array(*point));
        let min = all().fold(glam::Vec3::INFINITY, glam::Vec3::min);
        let max = all().fold(glam::Vec3::NEG_INFINITY, glam::Vec3::max);
        let step = ((max - min) / 65535.0).max(glam::Vec3::splat(f32::MIN_POSITIVE));
        for point in all() {
            let parts = ((point - min) / step).round().to_array();
            parts
                .into_iter()
                .for_each(|part| self.bytes.write_u16(part.clamp(0.0, 65535.0) as u16));
        }
        self.bytes.align(4);
        Some([min.to_array(), step.to_array()])
    }

    fn add_skin(&mut self, skin: &Skin) -> usize {
        let is_same = |known: &Skin| {
            (&known.joints, &known.inverse_bind) == (&skin.joints, &skin.inverse_bind)
        };
        if let Some(known) = self.known_skins.iter().position(is_same) {
            return known;
        }
        self.known_skins.push(skin.clone());
        self.skins.push(SkinJoints {
            joints: skin.joints.clone(),
            inverse: skin.inverse_bind.iter().map(|matrix| matrix.to_cols_array()).collect(),
        });
        self.skins.len() - 1
    }

    fn add_texture(&mut self, texture: &Texture, report: &mut Report) -> Option<usize> {
        let (r#type, bytes) = match encode_image(&texture.image) {
            Ok(file) => file,
            Err(error) => {
                report.warning(format!(
                    "texture {:?} skipped: {error}; using the plain colour",
                    texture.name
                ));
                return None;
            }
        };
        self.bytes.align(4);
        let at = self.bytes.0.len();
        self.bytes.0.extend_from_slice(&bytes);
        let wrap = texture.wrap.map(|wrap| match wrap {
            TextureWrap::Repeat => "repeat",
            TextureWrap::MirroredRepeat => "mirror",
            TextureWrap::Clamp => "clamp",
        });
        let pixelated = texture.is_pixelated;
        self.textures.push(Image { at, bytes: bytes.len(), r#type, wrap, pixelated });
        Some(self.textures.len() - 1)
    }

    pub(super) fn report(&self, report: &mut Report) {
        if self.is_empty() {
            return;
        }
        let triangles = self.surfaces.iter().map(|surface| surface.indices / 3).sum();
        let textures = match self.textures.len() {
            0 => String::new(),
            count => format!(" and {}, base colour only", format_count(count, "texture")),
        };
        report.info(format!("with a model of {}{textures}", format_count(triangles, "triangle")));
    }
}

/// Converts four weights to bytes whose sum is exactly 255.
fn weights_as_bytes(weights: [f32; 4]) -> [u8; 4] {
    let sum: f32 = weights.iter().sum();
    if sum <= 0.0 {
        return [255, 0, 0, 0];
    }
    let mut bytes = weights.map(|weight| (weight.max(0.0) / sum * 255.0).round() as i32);
    let largest = (0..4).max_by_key(|index| bytes[*index]).unwrap_or_default();
    bytes[largest] += 255 - bytes.iter().sum::<i32>();
    bytes.map(|byte| byte.clamp(0, 255) as u8)
}

fn are_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

fn are_in_bounds(triangles: &[u32], vertices: usize) -> bool {
    triangles.iter().all(|index| (*index as usize) < vertices)
}

fn is_valid(piece: &Piece) -> bool {
    let count = piece.positions.len();
    let is_skin_valid = piece.skin.as_ref().is_none_or(|skin| {
        !skin.joints.is_empty()
            && skin.inverse_bind.len() == skin.joints.len()
            && skin.inverse_bind.iter().all(glam::Mat4::is_finite)
            && [skin.influences.len(), skin.weights.len()] == [count; 2]
            && are_finite(skin.weights.as_flattened())
            && skin.influences.as_flattened().iter().all(|&it| usize::from(it) < skin.joints.len())
    });
    count > 0
        && !piece.triangles.is_empty()
        && piece.normals.len() == count
        && are_finite(piece.positions.as_flattened())
        && are_finite(piece.uvs.as_flattened())
        && are_in_bounds(&piece.triangles, count)
        && is_skin_valid
}

fn encode_image(image: &TextureImage) -> io::Result<(&'static str, Cow<'_, [u8]>)> {
    match image {
        TextureImage::Encoded { format, bytes } => match ImageFormat::from_magic_bytes(bytes) {
            Some(found) if found == *format => Ok((media_type(found), Cow::Borrowed(bytes))),
            _ => Err(io::Error::other("the image does not have the stated format")),
        },
        TextureImage::Rgba8 { width, height, pixels } => {
            let bytes = encode_png(*width, *height, pixels)?;
            Ok((media_type(ImageFormat::Png), Cow::Owned(bytes)))
        }
    }
}

fn media_type(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
    }
}

fn encode_png(width: u32, height: u32, pixels: &[u8]) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_255() {
        assert_eq!(
            weights_as_bytes([0.25, 0.25, 0.25, 0.25]).map(u32::from).iter().sum::<u32>(),
            255
        );
        assert_eq!(weights_as_bytes([2.0, 0.0, 0.0, 6.0]), [64, 0, 0, 191]);
        assert_eq!(weights_as_bytes([0.0; 4]), [255, 0, 0, 0]);
    }

    #[test]
    fn positions_are_within_a_step_of_their_box() {
        let positions = [[0.0, 1.0, -3.0], [2.0, 1.0, 5.0], [0.5, 1.0, 0.123]];
        let mut meshes = Meshes::new(false);
        let [min, step] = meshes.write_positions(&positions).unwrap();
        let shorts: Vec<u16> =
            meshes.bytes.0.chunks(2).map(|it| u16::from_le_bytes([it[0], it[1]])).collect();
        for (index, part) in positions.as_flattened().iter().enumerate() {
            let axis = index % 3;
            let read = min[axis] + f32::from(shorts[index]) * step[axis];
            assert!((read - part).abs() <= 8.0 / 65535.0, "{read} {part}");
        }
    }
}
