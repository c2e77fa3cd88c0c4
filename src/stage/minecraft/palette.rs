//! The colours of blocks and items. None are the game's own: they distinguish things.

use std::collections::HashMap;

use bevy::{color::Mix, prelude::*};

use crate::{
    formats::mcmocap::short,
    recording::Tint,
    stage::{
        look::{plastic, rgb, tinted},
        material::Paint,
    },
};

/// What hurts is mixed with so much red.
const HURT: f32 = 0.302;

/// The opacity of invisible players: the game shows as much to friends.
const TRACE: f32 = 0.15;

/// The opacity of spectators, which are fainter still in the game.
const SPECTATOR: f32 = 0.4;

pub(super) const SKIN: Color = rgb(0xd3a184);
pub(super) const HAIR: Color = rgb(0x4b3a2f);
pub(super) const EYES: Color = rgb(0x2b3350);
/// The outline of glowing ones.
pub(super) const GLOW: Color = rgb(0xf4fbff);
pub(super) const SHIRT: Color = rgb(0xb9c2cf);
/// Left and right limbs, as hands have them.
pub(super) const LEFT: Color = rgb(0x5aa9ff);
pub(super) const RIGHT: Color = rgb(0xff7a90);

/// What blocks are made of, by a part of their names; the first that fits counts.
const STUFFS: [(&str, u32); 34] = [
    ("grass_block", 0x6f9a4d),
    ("leaves", 0x5b8a45),
    ("deepslate", 0x55575e),
    ("stone", 0x8b8f96),
    ("andesite", 0x8b8f96),
    ("gravel", 0x8a8480),
    ("sand", 0xd9cb96),
    ("dirt", 0x8a6447),
    ("glass", 0xbcd8e4),
    ("ice", 0xa3c7ee),
    ("snow", 0xeef3f6),
    ("water", 0x4a78d0),
    ("lava", 0xe08032),
    ("obsidian", 0x2e2440),
    ("netherrack", 0x7c3a3a),
    ("brick", 0xa1604f),
    ("torch", 0xf2c14e),
    ("lantern", 0xf2c14e),
    ("glow", 0xf2c14e),
    ("redstone", 0xc2362e),
    ("diamond", 0x6fdfd6),
    ("emerald", 0x45c774),
    ("gold", 0xf0cf4a),
    ("iron", 0xcfd3d8),
    ("copper", 0xc27a58),
    ("coal", 0x3a3d43),
    ("dark_oak", 0x5a4330),
    ("spruce", 0x7a5a3a),
    ("birch", 0xd2c08c),
    ("oak", 0xb08d57),
    ("planks", 0xb08d57),
    ("log", 0x7a5c38),
    ("wool", 0xdddddd),
    ("bed", 0xb8403c),
];

/// What armour is made of, by the beginning of its name.
const ARMOUR: [(&str, u32); 9] = [
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

/// What nothing is known of: one of these by its name.
const OTHERS: [u32; 8] =
    [0xa9b66c, 0x6cb6a1, 0x8c8fd6, 0xc68fb8, 0xd0a36a, 0x7fb07f, 0xb58a8a, 0x86a9c4];

/// The colour of a block or of an item that is not armour.
pub(super) fn of_stuff(id: &str) -> Color {
    let name = short(id);
    let known = STUFFS.iter().find(|(stuff, _)| name.contains(stuff));
    known.map_or_else(|| of_name(name), |&(_, color)| rgb(color))
}

/// The colour of something to wear.
pub(super) fn of_armour(id: &str) -> Color {
    let name = short(id);
    let known = ARMOUR.iter().find(|(stuff, _)| name.starts_with(stuff));
    known.map_or_else(|| of_stuff(id), |&(_, color)| rgb(color))
}

/// Some colour, always the same for a name.
pub(super) fn of_name(name: &str) -> Color {
    let mixed = name.bytes().fold(7_u32, |mixed, byte| mixed.wrapping_mul(31) + u32::from(byte));
    rgb(OTHERS[mixed as usize % OTHERS.len()])
}

/// A colour, and the same of who is hurt, or hardly to be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flesh {
    pub(super) sound: Handle<Paint>,
    pub(super) hurt: Handle<Paint>,
    /// Of who is invisible: a trace of it.
    pub(super) trace: Handle<Paint>,
    /// Of spectators: one can look through them.
    pub(super) spectator: Handle<Paint>,
}

/// Materials by colour, each made once.
pub(super) struct Palette<'a> {
    paints: &'a mut Assets<Paint>,
    /// The tint of the recording.
    tint: Tint,
    made: HashMap<([u8; 4], bool), Handle<Paint>>,
}

impl<'a> Palette<'a> {
    pub(super) fn new(paints: &'a mut Assets<Paint>, tint: Tint) -> Self {
        Self { paints, tint, made: HashMap::new() }
    }

    /// Something of this colour.
    pub(super) fn solid(&mut self, color: Color) -> Handle<Paint> {
        self.make(color, false)
    }

    /// Something of this colour that one can look through.
    pub(super) fn translucent(&mut self, color: Color, alpha: f32) -> Handle<Paint> {
        self.make(color.with_alpha(alpha), true)
    }

    /// A player or entity of this colour.
    pub(super) fn flesh(&mut self, color: Color) -> Flesh {
        let hurt = color.mix(&Color::srgb(1.0, 0.0, 0.0), HURT + 0.2);
        Flesh {
            sound: self.solid(color),
            hurt: self.solid(hurt),
            trace: self.translucent(color, TRACE),
            spectator: self.translucent(color, SPECTATOR),
        }
    }

    fn make(&mut self, color: Color, transparent: bool) -> Handle<Paint> {
        let paint = Paint { transparent, ..plastic(tinted(self.tint, color)) };
        let made = self.made.entry((color.to_srgba().to_u8_array(), transparent));
        made.or_insert_with(|| self.paints.add(paint)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_have_their_colour() {
        assert_eq!(of_stuff("minecraft:dark_oak_planks"), rgb(0x5a4330));
        assert_eq!(of_armour("minecraft:diamond_helmet"), rgb(0x6fdfd6));
        assert_eq!(of_stuff("minecraft:deepslate_bricks"), rgb(0x55575e));
        assert_eq!(of_name("cow"), of_name("cow"));
    }
}
