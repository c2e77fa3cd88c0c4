//! The images of a glTF that meshes have their base colour from.

use std::{collections::HashMap, sync::Arc};

use glam::Vec2;
use gltf_json::{
    Image, Index,
    extensions::texture::TextureTransform,
    material::Material,
    texture::{self, MagFilter, Sampler, WrappingMode},
    validation::Checked,
};

use super::buffers::{Buffers, of_uri};
use crate::{
    clip::{ImageFormat, Texture, TextureImage, TextureWrap},
    diagnostics::{Notices, SourceLocation},
    io::bytes::Sidecars,
};

/// The texture that a material has its base colour from.
pub(super) struct BaseColor<'a> {
    pub(super) texture: Index<gltf_json::Texture>,
    /// The index of the mesh's set of texture coordinates.
    pub(super) set: u32,
    transform: Option<&'a TextureTransform>,
}

impl<'a> BaseColor<'a> {
    /// The base colour texture of a material, if it has one.
    pub(super) fn of(material: &'a Material) -> Option<Self> {
        let info: &texture::Info = material.pbr_metallic_roughness.base_color_texture.as_ref()?;
        let transform =
            info.extensions.as_ref().and_then(|extensions| extensions.texture_transform.as_ref());
        let set = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord);
        Some(Self { texture: info.index, set, transform })
    }

    /// Texture coordinates as `KHR_texture_transform` moves them.
    pub(super) fn transformed(&self, uv: [f32; 2]) -> [f32; 2] {
        let Some(transform) = self.transform else { return uv };
        let scaled = Vec2::from(uv) * Vec2::from(transform.scale.0);
        // Counter-clockwise, with v pointing downwards.
        let (sin, cos) = transform.rotation.0.sin_cos();
        let turned = Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x);
        (turned + Vec2::from(transform.offset.0)).to_array()
    }
}

/// An image that is not decoded: its format and its bytes.
type EncodedImage = (ImageFormat, Arc<[u8]>);

/// The textures that were read so far.
pub(super) struct Textures<'a> {
    buffers: &'a Buffers<'a>,
    sidecars: &'a dyn Sidecars,
    /// For each texture of the file that was asked for its index in `read`, if it can be read.
    known: HashMap<usize, Option<usize>>,
    /// For each image of the file that was asked for what is on it.
    images: HashMap<usize, Result<EncodedImage, String>>,
    /// How many bytes of images may still be taken from buffers, which images may share.
    left: usize,
    pub(super) read: Vec<Texture>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(buffers: &'a Buffers<'a>, sidecars: &'a dyn Sidecars) -> Self {
        let left = buffers.len();
        Self {
            buffers,
            sidecars,
            known: HashMap::new(),
            images: HashMap::new(),
            left,
            read: Vec::new(),
        }
    }

    /// The index of a texture of the file among those that are read; nothing if it cannot be, which
    /// `notices` then say once.
    pub(super) fn index_of(
        &mut self,
        texture: Index<gltf_json::Texture>,
        notices: &mut Notices,
    ) -> Option<usize> {
        if let Some(&known) = self.known.get(&texture.value()) {
            return known;
        }
        let index = match self.texture(texture) {
            Ok(texture) => {
                self.read.push(texture);
                Some(self.read.len() - 1)
            }
            Err(why) => {
                let message = format!("textures[{texture}]: {why}; using the plain colour");
                notices.warning(SourceLocation::File, message);
                None
            }
        };
        self.known.insert(texture.value(), index);
        index
    }

    fn texture(&mut self, index: Index<gltf_json::Texture>) -> Result<Texture, String> {
        let root = self.buffers.root;
        let texture = root.get(index).ok_or("there is none")?;
        let image = root
            .get(texture.source)
            .ok_or("it has no image that glTF 2.0 knows, only one of an extension")?;
        let (format, bytes) = match self.images.get(&texture.source.value()) {
            Some(known) => known.clone()?,
            None => {
                let read = self.image(image);
                self.images.insert(texture.source.value(), read.clone());
                read?
            }
        };
        let sampler = texture.sampler.and_then(|sampler| root.get(sampler));
        Ok(Texture {
            name: texture.name.clone().or_else(|| image.name.clone()).unwrap_or_default(),
            image: TextureImage::Encoded { format, bytes },
            wrap: sampler.map_or_else(Default::default, wrap),
            is_pixelated: sampler.is_some_and(|sampler| {
                sampler.mag_filter == Some(Checked::Valid(MagFilter::Nearest))
            }),
        })
    }

    fn image(&mut self, image: &Image) -> Result<EncodedImage, String> {
        let bytes: Arc<[u8]> = match (image.buffer_view, &image.uri) {
            (Some(view), _) => {
                let bytes = self.buffers.view(view)?.bytes;
                self.left =
                    self.left.checked_sub(bytes.len()).ok_or("its bytes are used too often")?;
                bytes.into()
            }
            (None, Some(uri)) => of_uri(uri, self.sidecars)?,
            (None, None) => return Err("its image is missing".to_owned()),
        };
        let format = ImageFormat::of(&bytes).ok_or("its image is neither PNG nor JPEG")?;
        Ok((format, bytes))
    }
}

fn wrap(sampler: &Sampler) -> [TextureWrap; 2] {
    [sampler.wrap_s, sampler.wrap_t].map(|mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => TextureWrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => TextureWrap::MirroredRepeat,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => TextureWrap::Repeat,
    })
}
