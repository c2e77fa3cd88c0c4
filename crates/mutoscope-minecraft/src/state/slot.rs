//! Where items are held and worn.

/// Where an item is held or worn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the game's own words")]
pub enum Slot {
    MainHand,
    OffHand,
    Feet,
    Legs,
    Chest,
    Head,
    Body,
    Saddle,
}

impl Slot {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 8] = [
        Self::MainHand,
        Self::OffHand,
        Self::Feet,
        Self::Legs,
        Self::Chest,
        Self::Head,
        Self::Body,
        Self::Saddle,
    ];

    /// The property of its track: `item.MAINHAND`.
    pub fn property(self) -> &'static str {
        match self {
            Self::MainHand => "item.MAINHAND",
            Self::OffHand => "item.OFFHAND",
            Self::Feet => "item.FEET",
            Self::Legs => "item.LEGS",
            Self::Chest => "item.CHEST",
            Self::Head => "item.HEAD",
            Self::Body => "item.BODY",
            Self::Saddle => "item.SADDLE",
        }
    }

    /// The game's name for it: `MAINHAND`.
    pub fn name(self) -> &'static str {
        self.property().trim_start_matches("item.")
    }

    /// How people say it: `main hand`.
    pub fn word(self) -> &'static str {
        match self {
            Self::MainHand => "main hand",
            Self::OffHand => "off hand",
            Self::Feet => "feet",
            Self::Legs => "legs",
            Self::Chest => "chest",
            Self::Head => "head",
            Self::Body => "body",
            Self::Saddle => "saddle",
        }
    }

    /// The slot of this name.
    pub(in super::super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.name() == name)
    }
}
