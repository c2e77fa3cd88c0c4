//! Materials: colours and textures.

use super::{
    builder::GlbBuilder,
    json::{Image, Material, PbrMetallicRoughness, Texture, TextureInfo, TextureSampler},
};
use crate::{
    clip::{self, ImageFormat, Piece, TextureWrap},
    export::{Report, images::encode_image},
};

/// glTF's codes of filters and wrapping modes.
const NEAREST: u32 = 9728;
const LINEAR: u32 = 9729;
const NEAREST_MIPMAP_LINEAR: u32 = 9986;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;
const CLAMP_TO_EDGE: u32 = 33071;
const MIRRORED_REPEAT: u32 = 33648;

impl GlbBuilder {
    pub(super) fn add_material(&mut self, piece: &Piece, texture: Option<usize>) -> usize {
        let base_color_factor =
            piece.color.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 });
        let alpha_cutoff = piece.alpha_cutoff.filter(|cutoff| cutoff.is_finite());
        let is_blended = piece.is_blended || base_color_factor[3] < 1.0;
        let material = Material {
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor,
                base_color_texture: texture.map(|index| TextureInfo { index }),
                metallic_factor: 0.0,
                roughness_factor: 0.8,
            },
            alpha_mode: match alpha_cutoff {
                Some(_) => Some("MASK"),
                None => is_blended.then_some("BLEND"),
            },
            alpha_cutoff: alpha_cutoff.map(|cutoff| cutoff.max(0.0)),
        };
        let materials = &mut self.root.materials;
        materials.iter().position(|existing| *existing == material).unwrap_or_else(|| {
            materials.push(material);
            materials.len() - 1
        })
    }

    pub(super) fn add_textures(
        &mut self,
        textures: &[clip::Texture],
        report: &mut Report,
    ) -> Vec<Option<usize>> {
        let mut write = |texture: &clip::Texture| match encode_image(&texture.image) {
            Ok((format, bytes)) => Some(self.add_texture(texture, format, &bytes)),
            Err(why) => {
                report.warning(format!(
                    "texture {:?} skipped: {why}; using the plain colour",
                    texture.name
                ));
                None
            }
        };
        textures.iter().map(&mut write).collect()
    }

    fn add_texture(&mut self, texture: &clip::Texture, format: ImageFormat, bytes: &[u8]) -> usize {
        let name = texture.name.clone();
        let mime_type = match format {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg => "image/jpeg",
        };
        let buffer_view = self.chunk.add_image(bytes);
        let root = &mut self.root;
        root.images.push(Image { name: name.clone(), mime_type, buffer_view });
        let sampler = texture_sampler(texture);
        let existing = root.samplers.iter().position(|existing| *existing == sampler);
        let sampler = existing.unwrap_or_else(|| {
            root.samplers.push(sampler);
            root.samplers.len() - 1
        });
        root.textures.push(Texture { name, sampler, source: root.images.len() - 1 });
        root.textures.len() - 1
    }
}

fn texture_sampler(texture: &clip::Texture) -> TextureSampler {
    let (mag_filter, min_filter) = match texture.is_pixelated {
        true => (NEAREST, NEAREST_MIPMAP_LINEAR),
        false => (LINEAR, LINEAR_MIPMAP_LINEAR),
    };
    let [wrap_s, wrap_t] = texture.wrap.map(|wrap| match wrap {
        TextureWrap::Repeat => REPEAT,
        TextureWrap::MirroredRepeat => MIRRORED_REPEAT,
        TextureWrap::Clamp => CLAMP_TO_EDGE,
    });
    TextureSampler { mag_filter, min_filter, wrap_s, wrap_t }
}
