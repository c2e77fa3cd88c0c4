//! Meshes: positions as 16-bit fractions of their box, normals as bytes, textures as files.

use std::{borrow::Cow, io};

use mutoscope_core::{
    clip::{
        ImageFormat, Likeness, Model, PartMesh, Piece, Skin, Texture, TextureImage, TextureWrap,
    },
    export::{Report, counted},
};
use serde::Serialize;

use super::bytes::Bytes;

/// A surface of one colour or texture, as its description and its place in the block of meshes.
#[derive(Debug, Serialize)]
pub(super) struct Surface {
    /// The node that carries it; nothing with a skin.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    /// How many vertices and indices it has.
    vertices: usize,
    indices: usize,
    /// Where it begins in the block.
    at: usize,
    /// The corner of its box, and its edges over 65535: positions are 16-bit; nothing where they are doubles.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#box: Option<[[f32; 3]; 2]>,
    /// Linear red, green and blue, and opacity.
    color: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    texture: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    blended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cutoff: Option<f32>,
    /// The index of its skin.
    #[serde(skip_serializing_if = "Option::is_none")]
    skin: Option<usize>,
}

/// A skin: its joints, and the matrices from the mesh to each, column by column.
#[derive(Debug, Serialize)]
pub(super) struct SkinJoints {
    joints: Vec<usize>,
    inverse: Vec<[f32; 16]>,
}

/// A texture, and where its file is in the block of meshes.
#[derive(Debug, Serialize)]
pub(super) struct Image {
    at: usize,
    bytes: usize,
    r#type: &'static str,
    wrap: [&'static str; 2],
    pixelated: bool,
}

/// The meshes of a recording.
#[derive(Debug, Default, Serialize)]
pub(super) struct Meshes {
    surfaces: Vec<Surface>,
    skins: Vec<SkinJoints>,
    textures: Vec<Image>,
    /// For each mesh of parts its surfaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Vec<usize>>,
    #[serde(skip)]
    bytes: Bytes,
    #[serde(skip)]
    known_skins: Vec<Skin>,
    #[serde(skip)]
    exact: bool,
}

impl Meshes {
    /// No meshes; `exact` ones keep their vertices in single precision.
    pub(super) fn new(exact: bool) -> Self {
        Self { exact, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// The vertices, indices and images, of which the descriptions tell the places.
    pub(super) fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes).0
    }

    /// Adds a model on the nodes of the recording.
    pub(super) fn add_model(&mut self, model: &Model, report: &mut Report) {
        let textures: Vec<Option<usize>> =
            model.textures.iter().map(|texture| self.texture(texture, report)).collect();
        let mut skipped = 0;
        for piece in &model.pieces {
            let piece = &*piece.plain();
            if is_sound(piece) {
                self.piece(piece, &textures);
            } else {
                skipped += 1;
            }
        }
        let shaped = model.pieces.iter().filter(|piece| !piece.morph_targets.is_empty()).count();
        if shaped > 0 {
            let meshes = counted(shaped, "mesh").replace("meshs", "meshes");
            report.warning(format!("{meshes} with morph targets, which do not move in a page"));
        }
        if model.pieces.iter().any(|piece| !piece.colors.is_empty()) {
            report.info("colours of vertices: each mesh has their mean");
        }
        if skipped > 0 {
            report
                .warning(format!("{skipped} of the model's meshes skipped: empty, or not finite"));
        }
    }

    /// Adds the meshes of figures; each is written once, whichever parts have it.
    pub(super) fn add_parts(&mut self, likeness: &Likeness) {
        self.parts = likeness.meshes.iter().map(|mesh| self.part(mesh)).collect();
    }

    fn part(&mut self, mesh: &PartMesh) -> Vec<usize> {
        let sound = mesh.surfaces.iter().filter(|surface| {
            !surface.triangles.is_empty()
                && surface.normals.len() == surface.positions.len()
                && are_finite(surface.positions.as_flattened())
                && are_within(&surface.triangles, surface.positions.len())
        });
        let pieces = sound.map(|surface| Piece {
            positions: surface.positions.clone(),
            normals: surface.normals.clone(),
            triangles: surface.triangles.clone(),
            color: surface.color,
            is_blended: surface.color[3] < 1.0,
            ..Piece::of_node(0)
        });
        pieces.collect::<Vec<_>>().iter().map(|piece| self.surface(piece, None, None)).collect()
    }

    fn piece(&mut self, piece: &Piece, textures: &[Option<usize>]) {
        let texture = piece.texture.and_then(|texture| *textures.get(texture)?);
        let texture = texture.filter(|_| piece.uvs.len() == piece.positions.len());
        self.surface(piece, texture, Some(piece.node));
    }

    /// Writes a surface, and returns its index.
    fn surface(&mut self, piece: &Piece, texture: Option<usize>, node: Option<usize>) -> usize {
        self.bytes.align(4);
        let at = self.bytes.0.len();
        let r#box = self.positions(&piece.positions);
        for normal in &piece.normals {
            let unit = glam::Vec3::from_array(*normal).normalize_or(glam::Vec3::Y).to_array();
            unit.into_iter().for_each(|part| self.bytes.byte((part * 127.0).round() as i8 as u8));
            self.bytes.byte(0);
        }
        if texture.is_some() {
            piece.uvs.as_flattened().iter().for_each(|&part| self.bytes.single(part));
        }
        let skin = piece.skin.as_ref().map(|skin| self.skin(skin));
        if let Some(skin) = &piece.skin {
            skin.influences.as_flattened().iter().for_each(|&joint| self.bytes.short(joint));
            skin.weights.iter().for_each(|weights| {
                weights_as_bytes(*weights).into_iter().for_each(|byte| self.bytes.byte(byte));
            });
        }
        self.bytes.align(4);
        let is_small = piece.positions.len() <= 1 << 16;
        for &index in &piece.triangles {
            match is_small {
                true => self.bytes.short(index as u16),
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

    /// Writes positions, and returns their box if they are fractions of it.
    fn positions(&mut self, positions: &[[f32; 3]]) -> Option<[[f32; 3]; 2]> {
        if self.exact {
            positions.as_flattened().iter().for_each(|&part| self.bytes.single(part));
            return None;
        }
        let all = || positions.iter().map(|point| glam::Vec3::from_array(*point));
        let least = all().fold(glam::Vec3::INFINITY, glam::Vec3::min);
        let most = all().fold(glam::Vec3::NEG_INFINITY, glam::Vec3::max);
        let step = ((most - least) / 65535.0).max(glam::Vec3::splat(f32::MIN_POSITIVE));
        for point in all() {
            let parts = ((point - least) / step).round().to_array();
            parts.into_iter().for_each(|part| self.bytes.short(part.clamp(0.0, 65535.0) as u16));
        }
        self.bytes.align(4);
        Some([least.to_array(), step.to_array()])
    }

    fn skin(&mut self, skin: &Skin) -> usize {
        let is_it = |known: &Skin| {
            (&known.joints, &known.inverse_bind) == (&skin.joints, &skin.inverse_bind)
        };
        if let Some(known) = self.known_skins.iter().position(is_it) {
            return known;
        }
        self.known_skins.push(skin.clone());
        self.skins.push(SkinJoints {
            joints: skin.joints.clone(),
            inverse: skin.inverse_bind.iter().map(|matrix| matrix.to_cols_array()).collect(),
        });
        self.skins.len() - 1
    }

    fn texture(&mut self, texture: &Texture, report: &mut Report) -> Option<usize> {
        let (r#type, bytes) = match file(&texture.image) {
            Ok(file) => file,
            Err(why) => {
                report.warning(format!(
                    "texture {:?} skipped: {why}; using the plain colour",
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

    /// Reports what there is to see.
    pub(super) fn report(&self, report: &mut Report) {
        if self.is_empty() {
            return;
        }
        let triangles = self.surfaces.iter().map(|surface| surface.indices / 3).sum();
        let textures = match self.textures.len() {
            0 => String::new(),
            count => format!(" and {}, base colour only", counted(count, "texture")),
        };
        report.info(format!("with a model of {}{textures}", counted(triangles, "triangle")));
    }
}

/// Four weights as bytes that are together 255.
fn weights_as_bytes(weights: [f32; 4]) -> [u8; 4] {
    let sum: f32 = weights.iter().sum();
    if sum <= 0.0 {
        return [255, 0, 0, 0];
    }
    let mut bytes = weights.map(|weight| (weight.max(0.0) / sum * 255.0).round() as i32);
    let most = (0..4).max_by_key(|index| bytes[*index]).unwrap_or_default();
    bytes[most] += 255 - bytes.iter().sum::<i32>();
    bytes.map(|byte| byte.clamp(0, 255) as u8)
}

fn are_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

fn are_within(triangles: &[u32], vertices: usize) -> bool {
    triangles.iter().all(|index| (*index as usize) < vertices)
}

fn is_sound(piece: &Piece) -> bool {
    let count = piece.positions.len();
    let is_skin_sound = piece.skin.as_ref().is_none_or(|skin| {
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
        && are_within(&piece.triangles, count)
        && is_skin_sound
}

/// An image as a file, and its type; what is one already stays as it is.
fn file(image: &TextureImage) -> Result<(&'static str, Cow<'_, [u8]>), String> {
    match image {
        TextureImage::Encoded { format, bytes } => match ImageFormat::of(bytes) {
            Some(found) if found == *format => Ok((kind(found), Cow::Borrowed(bytes))),
            _ => Err("its image is not of the stated format".to_owned()),
        },
        TextureImage::Rgba8 { width, height, pixels } => {
            let bytes = png(*width, *height, pixels).map_err(|error| error.to_string())?;
            Ok((kind(ImageFormat::Png), Cow::Owned(bytes)))
        }
    }
}

fn kind(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
    }
}

fn png(width: u32, height: u32, pixels: &[u8]) -> io::Result<Vec<u8>> {
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
    fn weights_are_together_255() {
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
        let [least, step] = meshes.positions(&positions).unwrap();
        let shorts: Vec<u16> =
            meshes.bytes.0.chunks(2).map(|it| u16::from_le_bytes([it[0], it[1]])).collect();
        for (index, part) in positions.as_flattened().iter().enumerate() {
            let axis = index % 3;
            let read = least[axis] + f32::from(shorts[index]) * step[axis];
            assert!((read - part).abs() <= 8.0 / 65535.0, "{read} {part}");
        }
    }
}
