//! The slots that hold items.

/// A slot for an item: a hand or a piece of armour.
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
    /// All slots, in the order in which the file stores them.
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

    /// Returns the property name of the slot's track, such as `item.MAINHAND`.
    pub fn property_name(self) -> &'static str {
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

    /// Returns the game's name of the slot, such as `MAINHAND`.
    pub fn name(self) -> &'static str {
        self.property_name().trim_start_matches("item.")
    }

    /// Returns the label of the slot, such as `main hand`.
    pub fn label(self) -> &'static str {
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

    pub(in super::super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slot| slot.name() == name)
    }
}
