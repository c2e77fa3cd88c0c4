//! The bits of flags.

use std::borrow::Cow;

/// The bits of an entity's flags.
#[derive(Debug)]
pub struct EntityFlags;

impl EntityFlags {
    /// It burns.
    pub const ON_FIRE: u8 = 0x01;
    /// It sneaks.
    pub const SNEAKS: u8 = 0x02;
    /// It sprints.
    pub const SPRINTS: u8 = 0x08;
    /// It swims.
    pub const SWIMS: u8 = 0x10;
    /// It cannot be seen.
    pub const INVISIBLE: u8 = 0x20;
    /// It glows.
    pub const GLOWS: u8 = 0x40;
    /// It glides with elytra.
    pub const GLIDES: u8 = 0x80;

    /// The meaning of a bit, in a word: `sneaking`.
    pub fn word(bit: u8) -> Cow<'static, str> {
        let word = match bit {
            Self::ON_FIRE => "on fire",
            Self::SNEAKS => "sneaking",
            Self::SPRINTS => "sprinting",
            Self::SWIMS => "swimming",
            Self::INVISIBLE => "invisible",
            Self::GLOWS => "glowing",
            Self::GLIDES => "gliding",
            _ => return format!("entity flag {bit:#04x}").into(),
        };
        word.into()
    }
}

/// The bits of the flags of what lives.
#[derive(Debug)]
pub struct LivingFlags;

impl LivingFlags {
    /// It uses an item.
    pub const USES_ITEM: u8 = 0x01;
    /// … in its off hand.
    pub const IN_OFF_HAND: u8 = 0x02;
    /// It spins with a trident.
    pub const SPINS: u8 = 0x04;

    /// The meaning of a bit, in a word: `spinning`.
    pub fn word(bit: u8) -> Cow<'static, str> {
        let word = match bit {
            Self::USES_ITEM => "using an item",
            Self::IN_OFF_HAND => "… in the off hand",
            Self::SPINS => "spinning",
            _ => return format!("living flag {bit:#04x}").into(),
        };
        word.into()
    }
}
