//! Diffuse images, embedded in the file or next to it.

use std::{collections::HashMap, io};

use mutoscope_core::{
    clip::{ImageFormat, Texture, TextureImage, TextureWrap},
    diagnostics::{Diagnostics, SourceLocation},
    io::bytes::Sidecars,
};
use ufbx::{Material, WrapMode};

use crate::codes;

#[derive(Debug, thiserror::Error)]
enum TextureError {
    #[error("its image is neither PNG nor JPEG")]
    UnknownFormat,
    #[error("the texture has no file name")]
    NoFileName,
    #[error("{0:?} is not in the folder of the FBX; not read")]
    Outside(String),
    #[error("sidecar file {0:?}: {1}")]
    Unreadable(String, io::Error),
}

pub(crate) struct Textures<'a> {
    sidecars: &'a dyn Sidecars,
    known: HashMap<u32, Option<usize>>,
    pub(crate) read: Vec<Texture>,
}

/// Returns the diffuse texture of a material. If the texture has several layers, the first layer
/// with an image is used.
pub(crate) fn diffuse_texture(material: &Material) -> Option<&ufbx::Texture> {
    let maps = [&material.fbx.diffuse_color, &material.pbr.base_color];
    let texture =
        maps.into_iter().find_map(|map| map.texture.as_ref().filter(|_| map.texture_enabled));
    let texture: &ufbx::Texture = texture?;
    let is_file =
        |one: &ufbx::Texture| !one.content.is_empty() || !one.relative_filename.is_empty();
    let file = texture.file_textures.iter().find(|one| is_file(one));
    Some(file.map_or(texture, |file| &**file))
}

pub(crate) fn to_image_coordinates(uv: ufbx::Vec2, texture: Option<&ufbx::Texture>) -> [f32; 2] {
    let point = ufbx::Vec3 { x: uv.x, y: uv.y, z: 0.0 };
    let moved = texture.filter(|texture| texture.has_uv_transform);
    let moved = moved.map_or(point, |it| ufbx::transform_position(&it.uv_to_texture, point));
    // In FBX, v points upwards.
    [moved.x, 1.0 - moved.y].map(|part| if part.is_finite() { part as f32 } else { 0.0 })
}

impl<'a> Textures<'a> {
    pub(crate) fn new(sidecars: &'a dyn Sidecars) -> Self {
        Self { sidecars, known: HashMap::new(), read: Vec::new() }
    }

    pub(crate) fn index_of(
        &mut self,
        texture: &ufbx::Texture,
        diagnostics: &mut Diagnostics,
    ) -> Option<usize> {
        let id = texture.element.element_id;
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let index = match self.read_image(texture) {
            Ok(image) => {
                let wrap = [texture.wrap_u, texture.wrap_v].map(|mode| match mode {
                    WrapMode::Clamp => TextureWrap::Clamp,
                    WrapMode::Repeat => TextureWrap::Repeat,
                });
                let name = texture.element.name.to_string();
                self.read.push(Texture { name, image, wrap, is_pixelated: false });
                Some(self.read.len() - 1)
            }
            Err(why) => {
                let name = texture.element.name.to_string();
                let message = format!("texture {name:?}: {why}; using the plain colour");
                diagnostics
                    .warning(codes::TEXTURE_UNREADABLE, SourceLocation::File, message)
                    .with("name", name);
                None
            }
        };
        self.known.insert(id, index);
        index
    }

    fn read_image(&self, texture: &ufbx::Texture) -> Result<TextureImage, TextureError> {
        let bytes = match texture.content.is_empty() {
            false => texture.content.to_vec(),
            true => self.read_external(&texture.relative_filename, &texture.filename)?,
        };
        let format = ImageFormat::from_magic_bytes(&bytes).ok_or(TextureError::UnknownFormat)?;
        Ok(TextureImage::Encoded { format, bytes: bytes.into() })
    }

    /// Reads the image file that a texture names. Only files inside the folder of the FBX are read.
    fn read_external(&self, relative: &str, full: &str) -> Result<Vec<u8>, TextureError> {
        let stated = if relative.is_empty() { full } else { relative };
        if stated.is_empty() {
            return Err(TextureError::NoFileName);
        }
        let path = relative_path(stated).ok_or_else(|| TextureError::Outside(stated.to_owned()))?;
        self.sidecars.read(&path).map_err(|error| TextureError::Unreadable(path, error))
    }
}

/// Converts a path to forward slashes. Returns `None` if the path leaves its folder on any
/// operating system.
fn relative_path(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let is_plain = |part: &str| part != ".." && !part.contains(':');
    let stays = !path.starts_with('/') && path.split('/').all(is_plain);
    let parts: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    (stays && !parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_within_the_folder() {
        for (path, expected) in [
            ("skin.png", Some("skin.png")),
            (r"textures\skin.png", Some("textures/skin.png")),
            (r".\a//b.jpg", Some("a/b.jpg")),
            (r"..\skin.png", None),
            ("a/../../skin.png", None),
            ("/etc/passwd", None),
            (r"\\server\share\skin.png", None),
            (r"C:\skin.png", None),
            ("C:skin.png", None),
            ("https://example.org/skin.png", None),
            ("./", None),
        ] {
            assert_eq!(relative_path(path).as_deref(), expected, "{path}");
        }
    }
}
