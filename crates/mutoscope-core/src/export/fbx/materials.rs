//! Materials and textures.

use std::rc::Rc;

use super::{
    clean_name,
    document::{Element, Properties, Value, element},
    scene::{ObjectClass, ObjectId, Scene},
};
use crate::{
    clip::{ImageFormat, Piece, Texture, TextureWrap},
    export::{Report, images::encode_image},
};

const MATERIAL: ObjectClass = ObjectClass::new("Material", "Material", "");
const TEXTURE: ObjectClass = ObjectClass::new("Texture", "Texture", "");
const VIDEO: ObjectClass = ObjectClass::new("Video", "Video", "Clip");

/// The materials and textures of a file.
#[derive(Default)]
pub(super) struct Materials {
    /// The texture object for each texture of the model. `None` if the texture was skipped.
    textures: Vec<Option<ObjectId>>,
    known: Vec<([f32; 4], Option<usize>, ObjectId)>,
}

impl Materials {
    /// Adds textures, and videos with their images.
    pub(super) fn add_textures(
        &mut self,
        textures: &[Texture],
        scene: &mut Scene,
        report: &mut Report,
    ) {
        for (index, texture) in textures.iter().enumerate() {
            let added = match encode_image(&texture.image) {
                Ok((format, bytes)) => {
                    Some(add_texture(texture, index, format, bytes.as_ref().into(), scene))
                }
                Err(why) => {
                    report.warning(format!(
                        "texture {:?} skipped: {why}; using the plain colour",
                        texture.name
                    ));
                    None
                }
            };
            self.textures.push(added);
        }
    }

    /// Returns `true` if the texture at `index` was written.
    pub(super) fn has_texture(&self, index: usize) -> bool {
        self.textures.get(index).is_some_and(Option::is_some)
    }

    pub(super) fn texture_count(&self) -> usize {
        self.textures.iter().flatten().count()
    }

    /// Returns the material of a piece, with its texture if `has_uvs`.
    pub(super) fn of_piece(&mut self, piece: &Piece, has_uvs: bool, scene: &mut Scene) -> ObjectId {
        let texture = piece.texture.filter(|&texture| has_uvs && self.has_texture(texture));
        self.of_color(piece.color, texture, scene)
    }

    /// Returns the material with a colour, and perhaps a texture.
    pub(super) fn of_color(
        &mut self,
        color: [f32; 4],
        texture: Option<usize>,
        scene: &mut Scene,
    ) -> ObjectId {
        let color = color.map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 });
        let same = self.known.iter().find(|known| (known.0, known.1) == (color, texture));
        if let Some(&(_, _, id)) = same {
            return id;
        }
        let name = format!("material {}", self.known.len() + 1);
        let id = scene.add(MATERIAL, &name, material_elements(color));
        if let Some(texture) = texture.and_then(|index| self.textures[index]) {
            scene.connect_property(texture, id, "DiffuseColor");
        }
        self.known.push((color, texture, id));
        id
    }
}

fn material_elements([red, green, blue, opacity]: [f32; 4]) -> Vec<Element> {
    let rgb = [red, green, blue].map(f64::from);
    let opacity = f64::from(opacity);
    let black = [0.0; 3];
    let mut properties = Properties::default();
    properties.add("ShadingModel", ["KString", "", ""], ["Lambert"]);
    properties.add("EmissiveColor", ["Color", "", "A"], black);
    properties.add("AmbientColor", ["Color", "", "A"], black);
    properties.add("DiffuseColor", ["Color", "", "A"], rgb);
    properties.add("DiffuseFactor", ["Number", "", "A"], [1.0]);
    properties.add("TransparentColor", ["Color", "", "A"], [1.0 - opacity; 3]);
    properties.add("TransparencyFactor", ["Number", "", "A"], [1.0 - opacity]);
    properties.add_number("Opacity", opacity);
    vec![
        element("Version", 102),
        element("ShadingModel", "lambert"),
        element("MultiLayer", 0),
        properties.into_element(),
    ]
}

fn add_texture(
    texture: &Texture,
    index: usize,
    format: ImageFormat,
    content: Rc<[u8]>,
    scene: &mut Scene,
) -> ObjectId {
    let extension = match format {
        ImageFormat::Png => "png",
        ImageFormat::Jpeg => "jpg",
    };
    let name = clean_name(&texture.name, "texture");
    // Programs extract the image to this file, so the name must be unique and valid everywhere.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let stem: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let file = format!("{stem}_{}.{extension}", index + 1);
    let mut properties = Properties::default();
    properties.add("Path", ["KString", "XRefUrl", ""], [file.as_str()]);
    let video_elements = vec![
        element("Type", "Clip"),
        properties.into_element(),
        element("UseMipMap", 0),
        element("Filename", file.as_str()),
        element("RelativeFilename", file.as_str()),
        element("Content", content),
    ];
    let video = scene.add(VIDEO, &name, video_elements);
    let mut properties = Properties::default();
    for (property, wrap) in ["WrapModeU", "WrapModeV"].into_iter().zip(texture.wrap) {
        // FBX cannot mirror a texture.
        properties.add_enum(property, i32::from(wrap == TextureWrap::Clamp));
    }
    properties.add("UseMaterial", ["bool", "", ""], [1]);
    let media = |class| Value::ObjectName { name: name.clone(), class };
    let texture_elements = vec![
        element("Type", "TextureVideoClip"),
        element("Version", 202),
        element("TextureName", media("Texture")),
        properties.into_element(),
        element("Media", media("Video")),
        element("FileName", file.as_str()),
        element("RelativeFilename", file.as_str()),
        Element::new("ModelUVTranslation", [0.0, 0.0]),
        Element::new("ModelUVScaling", [1.0, 1.0]),
        element("Texture_Alpha_Source", "None"),
        Element::new("Cropping", [0, 0, 0, 0]),
    ];
    let added = scene.add(TEXTURE, &name, texture_elements);
    scene.connect(video, added);
    added
}
