//! Colours of armour, and materials by colour.

use std::collections::HashMap;

use bevy::{color::Mix, prelude::*};

use crate::{
    recording::Tint,
    stage::{
        look::{plastic, rgb, tinted},
        material::Paint,
    },
};
use mutoscope_minecraft::{shapes::color_of, short};

/// The share of red that is mixed into hurt actors.
const HURT: f32 = 0.302;

/// The opacity of invisible players: the game shows as much to friends.
const TRACE: f32 = 0.15;

/// The opacity of spectators, which are fainter still in the game.
const SPECTATOR: f32 = 0.4;

/// The outline of glowing ones.
pub(super) const GLOW: Color = rgb(0xf4fbff);

/// The colours of armour, by its material, the beginning of its name.
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

/// The colour of something to wear.
pub(super) fn of_armour(id: &str) -> Color {
    let name = short(id);
    let known = ARMOUR.iter().find(|(stuff, _)| name.starts_with(stuff));
    known.map_or_else(|| rgb(color_of(id)), |&(_, color)| rgb(color))
}

/// A colour, and the same while hurt, and nearly transparent.
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
        assert_eq!(of_armour("minecraft:diamond_helmet"), rgb(0x6fdfd6));
        assert_eq!(of_armour("minecraft:carved_pumpkin"), rgb(0xd87f33));
    }
}
