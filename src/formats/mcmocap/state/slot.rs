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

    /// The game's name for it: `MAINHAND`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MainHand => "MAINHAND",
            Self::OffHand => "OFFHAND",
            Self::Feet => "FEET",
            Self::Legs => "LEGS",
            Self::Chest => "CHEST",
            Self::Head => "HEAD",
            Self::Body => "BODY",
            Self::Saddle => "SADDLE",
        }
    }
}
