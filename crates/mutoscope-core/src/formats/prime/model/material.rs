//! The materials of a CMDL, and which texture is the base colour.

use super::surface::VertexFormat;
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::archive::AssetId,
    io::bytes::Cursor,
};

/// Materials, and the textures that they choose from: a look of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialSet {
    /// The ids of its textures.
    pub textures: Vec<Option<AssetId>>,
    /// Its materials; nothing in place of one that cannot be read.
    pub materials: Vec<Option<Material>>,
}

/// A material: as much of it as its base colour needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its properties, as bits.
    pub flags: u32,
    /// The indices of its textures in the set.
    pub slots: Vec<u32>,
    /// The vertex attributes of its surfaces, as bits.
    pub vertex_flags: u32,
    /// Its constant colours: red, green, blue and alpha.
    pub colors: Vec<[u8; 4]>,
    /// The factors by which it is blended: of what is there, and of what is drawn.
    pub blend: (u16, u16),
    /// How many of its texture coordinates are animated.
    pub uv_animations: usize,
    stages: Vec<Stage>,
    texgens: Vec<u32>,
}

/// A stage of the console's texture unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    color_inputs: u32,
    slot: u8,
    texgen: u8,
}

/// How a material is drawn over what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// It hides it.
    Opaque,
    /// Where alpha is at least 0.25, it hides it.
    Masked,
    /// Mixed by alpha.
    Alpha,
    /// Added to it.
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

    /// Whether it is drawn at all: what only hides other things is not.
    pub fn is_drawn(&self) -> bool {
        self.flags & Self::OCCLUDER == 0
    }

    /// Whether its first texture coordinate is in the section of short ones, if that has any.
    pub fn has_short_uvs(&self) -> bool {
        self.flags & Self::SHORT_UV != 0
    }

    /// Whether it reflects its surroundings.
    pub fn is_reflective(&self) -> bool {
        self.flags & Self::REFLECTION != 0
    }

    /// How many stages of the texture unit it has: more than one mix textures and colours.
    pub fn stage_count(&self) -> usize {
        self.stages.len()
    }

    /// How it is drawn over what is behind it.
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

    /// The vertex attributes of its surfaces.
    pub(super) fn vertex_format(&self) -> VertexFormat {
        VertexFormat(self.vertex_flags)
    }

    /// The slot of the texture that is the base colour, and which texture coordinates it is read at.
    ///
    /// The games have no such thing: it is the texture of the first stage that takes its colour at
    /// coordinates of the vertices. That passes over reflections, whose coordinates are computed.
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
    /// The texture that is the base colour of a material, and which texture coordinates it is read
    /// at.
    pub fn base_texture(&self, material: &Material) -> Option<(AssetId, usize)> {
        let (slot, uvs) = material.base_slot()?;
        let index = *material.slots.get(slot)? as usize;
        Some(((*self.textures.get(index)?)?, uvs))
    }

    /// Reads a section of materials that begins at `offset` in the file; `has_extra_words` as in
    /// Echoes. A material that cannot be read is skipped, and `notices` say so.
    ///
    /// # Errors
    /// If the head of the section is not whole.
    pub(super) fn read(
        section: &[u8],
        offset: usize,
        has_extra_words: bool,
        notices: &mut Notices,
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
                .and_then(|bytes| material(&mut Cursor::new(bytes), has_extra_words));
            if let Err(error) = &material {
                let place = SourceLocation::byte(offset + first + start);
                let message =
                    format!("material {index}: {}; skipped with its surfaces", error.message());
                notices.error(place, message);
            }
            set.materials.push(material.ok());
            start = end;
        }
        Ok(set)
    }
}

fn material(cursor: &mut Cursor, has_extra_words: bool) -> Result<Material, Error> {
    let flags = cursor.u32_be("the flags of a material")?;
    let mut slots = Vec::new();
    for _ in 0..cursor.count_u32_be(4, "texture slots")? {
        slots.push(cursor.u32_be("a texture slot")?);
    }
    let vertex_flags = cursor.u32_be("the vertex flags of a material")?;
    if has_extra_words {
        cursor.take(8, "what Echoes adds to a material")?;
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
    cursor.take(4 * channels, "colour channels")?;
    let stages = stages(cursor)?;
    let mut texgens = Vec::new();
    for _ in 0..cursor.count_u32_be(4, "texture coordinates")? {
        texgens.push(cursor.u32_be("a texture coordinate")?);
    }
    // The texture animations themselves are not needed.
    cursor.u32_be("the size of texture animations")?;
    let uv_animations = cursor.u32_be("the count of texture animations")? as usize;
    let blend = (destination, source);
    Ok(Material { flags, slots, vertex_flags, colors, blend, uv_animations, stages, texgens })
}

/// The stages of the texture unit, and which texture each takes where.
fn stages(cursor: &mut Cursor) -> Result<Vec<Stage>, Error> {
    let count = cursor.count_u32_be(24, "texture stages")?;
    let mut inputs = Vec::with_capacity(count);
    for _ in 0..count {
        inputs.push(cursor.u32_be("a texture stage")?);
        cursor.take(16, "a texture stage")?;
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
