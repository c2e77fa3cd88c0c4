//! Images of the diffuse colour: inside of the file, or beside it.

use std::collections::HashMap;

use mutoscope_core::{
    clip::{ImageFormat, Texture, TextureImage, TextureWrap},
    diagnostics::{Notices, SourceLocation},
    io::bytes::Sidecars,
};
use ufbx::{Material, WrapMode};

/// The textures that were read so far.
pub(crate) struct Textures<'a> {
    sidecars: &'a dyn Sidecars,
    /// For each texture of the file that was asked for its index in `read`, if it can be read.
    known: HashMap<u32, Option<usize>>,
    pub(crate) read: Vec<Texture>,
}

/// The texture of the diffuse colour of a material; of several layers the first that is a file.
pub(crate) fn of_material(material: &Material) -> Option<&ufbx::Texture> {
    let maps = [&material.fbx.diffuse_color, &material.pbr.base_color];
    let texture =
        maps.into_iter().find_map(|map| map.texture.as_ref().filter(|_| map.texture_enabled));
    let texture: &ufbx::Texture = texture?;
    let is_file =
        |one: &ufbx::Texture| !one.content.is_empty() || !one.relative_filename.is_empty();
    let file = texture.file_textures.iter().find(|one| is_file(one));
    Some(file.map_or(texture, |file| &**file))
}

/// Where a texture coordinate of the file is on the image, from left to right and from top to bottom.
pub(crate) fn on_image(uv: ufbx::Vec2, texture: Option<&ufbx::Texture>) -> [f32; 2] {
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

    /// The index of a texture of the file among those that are read; nothing if it cannot be, which
    /// `notices` then say once.
    pub(crate) fn index_of(
        &mut self,
        texture: &ufbx::Texture,
        notices: &mut Notices,
    ) -> Option<usize> {
        let id = texture.element.element_id;
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let index = match self.image(texture) {
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
                notices.warning(SourceLocation::File, message);
                None
            }
        };
        self.known.insert(id, index);
        index
    }

    fn image(&self, texture: &ufbx::Texture) -> Result<TextureImage, String> {
        let bytes = match texture.content.is_empty() {
            false => texture.content.to_vec(),
            true => self.beside(&texture.relative_filename, &texture.filename)?,
        };
        let format = ImageFormat::of(&bytes).ok_or("its image is neither PNG nor JPEG")?;
        Ok(TextureImage::Encoded { format, bytes: bytes.into() })
    }

    /// The bytes of the file that a texture names, if it is in the folder of the FBX.
    fn beside(&self, relative: &str, full: &str) -> Result<Vec<u8>, String> {
        let stated = if relative.is_empty() { full } else { relative };
        if stated.is_empty() {
            return Err("it names no file".to_owned());
        }
        let path = within(stated)
            .ok_or_else(|| format!("{stated:?} is not in the folder of the FBX; not read"))?;
        self.sidecars.read(&path).map_err(|error| format!("sidecar file {path:?}: {error}"))
    }
}

/// A path with slashes, if it stays within its folder on every system.
fn within(path: &str) -> Option<String> {
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
            assert_eq!(within(path).as_deref(), expected, "{path}");
        }
    }
}
