//! The images of base colour textures.

use std::{collections::HashMap, sync::Arc};

use glam::Vec2;
use gltf_json::{
    Image, Index,
    extensions::texture::TextureTransform,
    material::Material,
    texture::{self, MagFilter, Sampler, WrappingMode},
    validation::Checked,
};

use super::{
    PartError,
    buffers::{Buffers, load_uri},
    codes,
};
use crate::{
    clip::{ImageFormat, Texture, TextureImage, TextureWrap},
    diagnostics::{Diagnostics, SourceLocation},
    io::bytes::Sidecars,
};

pub(super) struct BaseColor<'a> {
    pub(super) texture: Index<gltf_json::Texture>,
    pub(super) set: u32,
    transform: Option<&'a TextureTransform>,
}

impl<'a> BaseColor<'a> {
    pub(super) fn from_material(material: &'a Material) -> Option<Self> {
        let info: &texture::Info = material.pbr_metallic_roughness.base_color_texture.as_ref()?;
        let transform =
            info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.as_ref());
        let set = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord);
        Some(Self { texture: info.index, set, transform })
    }

    pub(super) fn transform_uv(&self, uv: [f32; 2]) -> [f32; 2] {
        let Some(transform) = self.transform else { return uv };
        let scaled = Vec2::from(uv) * Vec2::from(transform.scale.0);
        // Positive rotations are counter-clockwise, although v points down.
        let (sin, cos) = transform.rotation.0.sin_cos();
        let turned = Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x);
        (turned + Vec2::from(transform.offset.0)).to_array()
    }
}

type EncodedImage = (ImageFormat, Arc<[u8]>);

pub(super) struct TextureLoader<'a> {
    buffers: &'a Buffers<'a>,
    sidecars: &'a dyn Sidecars,
    indices: HashMap<usize, Option<usize>>,
    images: HashMap<usize, Result<EncodedImage, PartError>>,
    /// The number of bytes that may still be copied from buffers. Without a limit, a small file
    /// could use any amount of memory, because many images can share the same bytes.
    remaining_bytes: usize,
    pub(super) read: Vec<Texture>,
}

impl<'a> TextureLoader<'a> {
    pub(super) fn new(buffers: &'a Buffers<'a>, sidecars: &'a dyn Sidecars) -> Self {
        let remaining_bytes = buffers.len();
        Self {
            buffers,
            sidecars,
            indices: HashMap::new(),
            images: HashMap::new(),
            remaining_bytes,
            read: Vec::new(),
        }
    }

    pub(super) fn load(
        &mut self,
        texture: Index<gltf_json::Texture>,
        diagnostics: &mut Diagnostics,
    ) -> Option<usize> {
        if let Some(&cached) = self.indices.get(&texture.value()) {
            return cached;
        }
        let index = match self.load_texture(texture) {
            Ok(texture) => {
                self.read.push(texture);
                Some(self.read.len() - 1)
            }
            Err(error) => {
                let message = format!("textures[{texture}]: {error}; using the plain colour");
                diagnostics.warning(error.code, SourceLocation::File, message);
                None
            }
        };
        self.indices.insert(texture.value(), index);
        index
    }

    fn load_texture(&mut self, index: Index<gltf_json::Texture>) -> Result<Texture, PartError> {
        let root = self.buffers.root;
        let texture = root
            .get(index)
            .ok_or_else(|| PartError::new(codes::MISSING_REFERENCE, "it does not exist"))?;
        let image = root.get(texture.source).ok_or_else(|| {
            let message = "it has no image that glTF 2.0 knows, only one of an extension";
            PartError::new(codes::UNSUPPORTED_EXTENSION, message)
        })?;
        let (format, bytes) = match self.images.get(&texture.source.value()) {
            Some(cached) => cached.clone()?,
            None => {
                let read = self.load_image(image);
                self.images.insert(texture.source.value(), read.clone());
                read?
            }
        };
        let sampler = texture.sampler.and_then(|sampler| root.get(sampler));
        Ok(Texture {
            name: texture.name.clone().or_else(|| image.name.clone()).unwrap_or_default(),
            image: TextureImage::Encoded { format, bytes },
            wrap: sampler.map_or_else(Default::default, wrap_modes),
            is_pixelated: sampler.is_some_and(|sampler| {
                sampler.mag_filter == Some(Checked::Valid(MagFilter::Nearest))
            }),
        })
    }

    fn load_image(&mut self, image: &Image) -> Result<EncodedImage, PartError> {
        let bytes: Arc<[u8]> = match (image.buffer_view, &image.uri) {
            (Some(view), _) => {
                let bytes = self.buffers.view_bytes(view)?.bytes;
                let left = self.remaining_bytes.checked_sub(bytes.len());
                self.remaining_bytes = left.ok_or_else(|| {
                    PartError::new(codes::TOO_LARGE, "its bytes are used too often")
                })?;
                bytes.into()
            }
            (None, Some(uri)) => load_uri(uri, self.sidecars)?,
            (None, None) => {
                return Err(PartError::new(codes::MISSING_DATA, "its image is missing"));
            }
        };
        let format = ImageFormat::from_magic_bytes(&bytes).ok_or_else(|| {
            PartError::new(codes::INVALID_TEXTURE, "its image is neither PNG nor JPEG")
        })?;
        Ok((format, bytes))
    }
}

fn wrap_modes(sampler: &Sampler) -> [TextureWrap; 2] {
    [sampler.wrap_s, sampler.wrap_t].map(|mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => TextureWrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => TextureWrap::MirroredRepeat,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => TextureWrap::Repeat,
    })
}
