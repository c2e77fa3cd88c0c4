//! The colours of armour, and a cache of materials by colour.

use std::collections::HashMap;

use bevy::{color::Mix, prelude::*};

use crate::{
    stage::Tint,
    stage::{
        look::{mix_with_tint, plastic, rgb},
        material::Paint,
    },
};
use mutoscope_minecraft::{shapes::color_of, short_name};

/// The share of red that the game mixes into the colours of hurt actors. The viewer adds 0.2 to
/// this share, so that the red is easier to see.
const HURT_RED_SHARE: f32 = 0.302;

/// The opacity of invisible players. The game uses the same opacity when it shows an invisible
/// player to the player's own team.
const INVISIBLE_ALPHA: f32 = 0.15;

const SPECTATOR_ALPHA: f32 = 0.4;

pub(super) const GLOW: Color = rgb(0xf4fbff);

const ARMOUR_COLORS: [(&str, u32); 9] = [
    ("leather", 0x9a6540),
    ("chainmail", 0x9aa0a8),
    ("iron", 0xcfd3d8),
    ("golden", 0xf0cf4a),
    ("diamond", 0x6fdfd6),
    ("netherite", 0x51484e),
    ("copper", 0xc27a58),
    ("turtle", 0x54a24b),
    ("elytra", 0x8f88a8),
];

pub(super) fn armour_color(id: &str) -> Color {
    let name = short_name(id);
    let color = ARMOUR_COLORS.iter().find(|(material, _)| name.starts_with(material));
    color.map_or_else(|| rgb(color_of(id)), |&(_, color)| rgb(color))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SkinMaterials {
    pub(super) normal: Handle<Paint>,
    pub(super) hurt: Handle<Paint>,
    pub(super) invisible: Handle<Paint>,
    pub(super) spectator: Handle<Paint>,
}

pub(super) struct Palette<'a> {
    paints: &'a mut Assets<Paint>,
    tint: Tint,
    made: HashMap<([u8; 4], bool), Handle<Paint>>,
}

impl<'a> Palette<'a> {
    pub(super) fn new(paints: &'a mut Assets<Paint>, tint: Tint) -> Self {
        Self { paints, tint, made: HashMap::new() }
    }

    pub(super) fn solid(&mut self, color: Color) -> Handle<Paint> {
        self.material(color, false)
    }

    pub(super) fn translucent(&mut self, color: Color, alpha: f32) -> Handle<Paint> {
        self.material(color.with_alpha(alpha), true)
    }

    pub(super) fn skin_materials(&mut self, color: Color) -> SkinMaterials {
        let hurt = color.mix(&Color::srgb(1.0, 0.0, 0.0), HURT_RED_SHARE + 0.2);
        SkinMaterials {
            normal: self.solid(color),
            hurt: self.solid(hurt),
            invisible: self.translucent(color, INVISIBLE_ALPHA),
            spectator: self.translucent(color, SPECTATOR_ALPHA),
        }
    }

    fn material(&mut self, color: Color, transparent: bool) -> Handle<Paint> {
        let paint = Paint { transparent, ..plastic(mix_with_tint(self.tint, color)) };
        let cached = self.made.entry((color.to_srgba().to_u8_array(), transparent));
        cached.or_insert_with(|| self.paints.add(paint)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armour_has_the_colour_of_its_material() {
        assert_eq!(armour_color("minecraft:diamond_helmet"), rgb(0x6fdfd6));
        assert_eq!(armour_color("minecraft:carved_pumpkin"), rgb(0xd87f33));
    }
}
