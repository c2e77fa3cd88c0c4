//! Topics of diagnostics.

/// The topic of a diagnostic about the keys of a recording.
///
/// The decoder of a format or the checks that run on every clip report such a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// NaN and infinite values.
    NonFinite,
    /// Keys that the file does not store in the order of time.
    Unsorted,
    /// Several keys of one track at the same time.
    SameTime,
    /// Quaternions of length zero.
    ZeroQuaternion,
    /// Quaternions that are not of unit length.
    UnitLength,
    /// Rotations by half a turn or more from one key to the next. At half a turn, neither way is
    /// shorter.
    LongTurn,
    /// Motion that is much faster than the motion before and after it.
    Jump,
    /// Equal keys between keys that move.
    Standstill,
    /// Tracking or visibility that is lost.
    Untracked,
    /// Tracks whose keys end before the recording does.
    EarlyEnd,
}

impl Topic {
    /// All topics, in the order in which they are listed.
    pub const ALL: [Self; 10] = [
        Self::NonFinite,
        Self::Unsorted,
        Self::SameTime,
        Self::ZeroQuaternion,
        Self::UnitLength,
        Self::LongTurn,
        Self::Jump,
        Self::Standstill,
        Self::Untracked,
        Self::EarlyEnd,
    ];

    /// Returns the name that lists show for the topic.
    pub fn name(self) -> &'static str {
        match self {
            Self::NonFinite => "Non-finite values",
            Self::Unsorted => "Order of keys",
            Self::SameTime => "Keys at one time",
            Self::ZeroQuaternion => "Zero quaternions",
            Self::UnitLength => "Length of rotations",
            Self::LongTurn => "Long turns",
            Self::Jump => "Jumps",
            Self::Standstill => "Standstill",
            Self::Untracked => "Tracking",
            Self::EarlyEnd => "Early end",
        }
    }
}
