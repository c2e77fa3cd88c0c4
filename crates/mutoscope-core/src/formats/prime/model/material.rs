//! The materials of a CMDL, and the choice of the texture that serves as base colour.

use super::surface::VertexFormat;
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{archive::AssetId, codes},
    io::bytes::Cursor,
};

/// A set of materials and the textures that they use. A model can have several sets, which make it
/// look different.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialSet {
    /// The ids of the textures. `None` if the file names none.
    pub textures: Vec<Option<AssetId>>,
    /// The materials. `None` for a material that could not be read.
    pub materials: Vec<Option<Material>>,
}

/// A material, with the fields that the base colour needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The flags of the material.
    pub flags: u32,
    /// The indices of its textures in the set.
    pub slots: Vec<u32>,
    /// The vertex attributes of its surfaces, as a bit field.
    pub vertex_flags: u32,
    /// The constant colours as red, green, blue and alpha.
    pub colors: Vec<[u8; 4]>,
    /// The blend factors: first of the destination, then of the source.
    pub blend: (u16, u16),
    /// The number of animated texture coordinates.
    pub uv_animations: usize,
    stages: Vec<Stage>,
    texgens: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    color_inputs: u32,
    slot: u8,
    texgen: u8,
}

/// The way in which a material is drawn over what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// The material hides everything behind it.
    Opaque,
    /// The material hides what is behind it if its alpha is at least 0.25. Otherwise it is not
    /// drawn.
    Masked,
    /// The material is mixed with the background by its alpha.
    Alpha,
    /// The material is added to the background.
    Additive,
}

impl Material {
    const KONST: u32 = 0x8;
    const TRANSPARENT: u32 = 0x10;
    const ALPHA_TEST: u32 = 0x20;
    const REFLECTION: u32 = 0x40 | 0x100 | 0x400;
    const OCCLUDER: u32 = 0x200;
    const REFLECTION_SLOT: u32 = 0x400;
    const SHORT_UV: u32 = 0x2000;

    /// Returns `true` if the material is drawn. Occluders are not drawn, because they only hide
    /// other objects.
    pub fn is_drawn(&self) -> bool {
        self.flags & Self::OCCLUDER == 0
    }

    /// Returns `true` if the first texture coordinates come from the 16-bit texture coordinates,
    /// unless the model has none of these.
    pub fn has_short_uvs(&self) -> bool {
        self.flags & Self::SHORT_UV != 0
    }

    /// Returns `true` if the material reflects its surroundings.
    pub fn is_reflective(&self) -> bool {
        self.flags & Self::REFLECTION != 0
    }

    /// Returns the number of stages in the texture unit. If there are several stages, the games mix
    /// several textures and colours.
    pub fn stage_count(&self) -> usize {
        self.stages.len()
    }

    /// Returns the way in which the material is drawn over what is behind it.
    pub fn blending(&self) -> Blending {
        if self.flags & Self::TRANSPARENT != 0 {
            match self.blend {
                (1, 1 | 4) => Blending::Additive,
                _ => Blending::Alpha,
            }
        } else if self.flags & Self::ALPHA_TEST != 0 {
            Blending::Masked
        } else {
            Blending::Opaque
        }
    }

    pub(super) fn vertex_format(&self) -> VertexFormat {
        VertexFormat(self.vertex_flags)
    }

    /// Returns the slot of the texture that serves as base colour, and the index of its set of
    /// texture coordinates. `None` if the material has no textures.
    ///
    /// The games have no base colour, so we choose the first stage that takes its colour from a
    /// texture with stored texture coordinates. This rule skips reflections, because their texture
    /// coordinates are computed.
    pub fn base_slot(&self) -> Option<(usize, usize)> {
        let of_stage = |stage: &Stage| {
            let takes_texture =
                (0..4).any(|input| matches!(stage.color_inputs >> (5 * input) & 31, 8 | 9));
            let texgen = *self.texgens.get(usize::from(stage.texgen))?;
            let source = (texgen >> 4 & 31) as usize;
            let slot = usize::from(stage.slot);
            let fits = takes_texture && (4..12).contains(&source) && slot < self.slots.len();
            fits.then_some((slot, source.wrapping_sub(4)))
        };
        let found = self.stages.iter().find_map(of_stage);
        found.or((!self.slots.is_empty()).then_some((0, 0)))
    }
}

impl MaterialSet {
    /// Returns the base colour texture of a material, and the index of its set of texture
    /// coordinates. `None` if the material has no textures.
    pub fn base_texture(&self, material: &Material) -> Option<(AssetId, usize)> {
        let (slot, uvs) = material.base_slot()?;
        let index = *material.slots.get(slot)? as usize;
        Some(((*self.textures.get(index)?)?, uvs))
    }

    /// Reads the section of a material set, which begins at `offset` in the file. `has_extra_words`
    /// is `true` for Echoes and its demo. A material that cannot be read is replaced by `None` and
    /// reported.
    ///
    /// # Errors
    /// If the head of the section is not whole.
    pub(super) fn read(
        section: &[u8],
        offset: usize,
        has_extra_words: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Error> {
        let mut cursor = Cursor::new(section);
        let mut set = Self::default();
        for _ in 0..cursor.count_u32_be(4, "textures of a material set")? {
            set.textures.push(AssetId::read(&mut cursor, "the id of a texture")?);
        }
        let count = cursor.count_u32_be(4, "materials")?;
        let mut ends = Vec::with_capacity(count);
        for _ in 0..count {
            ends.push(cursor.u32_be("the end of a material")? as usize);
        }
        let (first, mut start) = (cursor.offset(), 0);
        for (index, end) in ends.into_iter().enumerate() {
            let bytes = section.get(first..).and_then(|all| all.get(start..end));
            let material = bytes
                .ok_or_else(|| {
                    let expected = format!("the end of material {index} in the section");
                    Error::malformed(SourceLocation::byte(start), expected, end)
                })
                .and_then(|bytes| read_material(&mut Cursor::new(bytes), has_extra_words));
            if let Err(error) = &material {
                let location = SourceLocation::byte(offset + first + start);
                let message =
                    format!("material {index}: {}; skipped with its surfaces", error.message());
                diagnostics.error(codes::MODEL_DAMAGED, location, message).with("material", index);
            }
            set.materials.push(material.ok());
            start = end;
        }
        Ok(set)
    }
}

fn read_material(cursor: &mut Cursor, has_extra_words: bool) -> Result<Material, Error> {
    let flags = cursor.u32_be("the flags of a material")?;
    let mut slots = Vec::new();
    for _ in 0..cursor.count_u32_be(4, "texture slots")? {
        slots.push(cursor.u32_be("a texture slot")?);
    }
    let vertex_flags = cursor.u32_be("the vertex flags of a material")?;
    if has_extra_words {
        cursor.read_bytes(8, "what Echoes adds to a material")?;
    }
    cursor.u32_be("the group of a material")?;
    let mut colors = Vec::new();
    if flags & Material::KONST != 0 {
        for _ in 0..cursor.count_u32_be(4, "constant colours")? {
            colors.push(cursor.u32_be("a constant colour")?.to_be_bytes());
        }
    }
    let destination = cursor.u16_be("a blend factor")?;
    let source = cursor.u16_be("a blend factor")?;
    if flags & Material::REFLECTION_SLOT != 0 {
        cursor.u32_be("the slot of a reflection")?;
    }
    let channels = cursor.count_u32_be(4, "colour channels")?;
    cursor.read_bytes(4 * channels, "colour channels")?;
    let stages = read_stages(cursor)?;
    let mut texgens = Vec::new();
    for _ in 0..cursor.count_u32_be(4, "texture coordinates")? {
        texgens.push(cursor.u32_be("a texture coordinate")?);
    }
    // Only the number of texture animations is needed, so do not read further.
    cursor.u32_be("the size of texture animations")?;
    let uv_animations = cursor.u32_be("the count of texture animations")? as usize;
    let blend = (destination, source);
    Ok(Material { flags, slots, vertex_flags, colors, blend, uv_animations, stages, texgens })
}

fn read_stages(cursor: &mut Cursor) -> Result<Vec<Stage>, Error> {
    let count = cursor.count_u32_be(24, "texture stages")?;
    let mut inputs = Vec::with_capacity(count);
    for _ in 0..count {
        inputs.push(cursor.u32_be("a texture stage")?);
        cursor.read_bytes(16, "a texture stage")?;
    }
    let mut stages = Vec::with_capacity(count);
    for color_inputs in inputs {
        cursor.u16_be("the texture of a stage")?;
        let slot = cursor.u8("the texture of a stage")?;
        let texgen = cursor.u8("the texture coordinate of a stage")?;
        stages.push(Stage { color_inputs, slot, texgen });
    }
    Ok(stages)
}
