//! The bits of the flags of entities.

use std::borrow::Cow;

/// The bits of the flags that all entities have.
#[derive(Debug)]
pub struct EntityFlags;

impl EntityFlags {
    /// The entity burns.
    pub const ON_FIRE: u8 = 0x01;
    /// The entity sneaks.
    pub const SNEAKS: u8 = 0x02;
    /// The entity sprints.
    pub const SPRINTS: u8 = 0x08;
    /// The entity swims.
    pub const SWIMS: u8 = 0x10;
    /// The entity is invisible.
    pub const INVISIBLE: u8 = 0x20;
    /// The entity glows.
    pub const GLOWS: u8 = 0x40;
    /// The entity glides with an elytra.
    pub const GLIDES: u8 = 0x80;

    /// Returns the label of a bit, such as `sneaking`.
    pub fn label(bit: u8) -> Cow<'static, str> {
        let label = match bit {
            Self::ON_FIRE => "on fire",
            Self::SNEAKS => "sneaking",
            Self::SPRINTS => "sprinting",
            Self::SWIMS => "swimming",
            Self::INVISIBLE => "invisible",
            Self::GLOWS => "glowing",
            Self::GLIDES => "gliding",
            _ => return format!("entity flag {bit:#04x}").into(),
        };
        label.into()
    }
}

/// The bits of the flags of living entities.
#[derive(Debug)]
pub struct LivingFlags;

impl LivingFlags {
    /// The entity uses an item.
    pub const USES_ITEM: u8 = 0x01;
    /// The used item is in the off hand. Meaningful only together with `USES_ITEM`.
    pub const IN_OFF_HAND: u8 = 0x02;
    /// The entity spins with a trident.
    pub const SPINS: u8 = 0x04;

    /// Returns the label of a bit, such as `spinning`.
    pub fn label(bit: u8) -> Cow<'static, str> {
        let label = match bit {
            Self::USES_ITEM => "using an item",
            Self::IN_OFF_HAND => "… in the off hand",
            Self::SPINS => "spinning",
            _ => return format!("living flag {bit:#04x}").into(),
        };
        label.into()
    }
}
