//! Topics of notices and issues.

/// A topic of issues in the keys of a recording, reported by the decoder of its format or by the
/// checks that run on every clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// NaN and infinite values.
    NonFinite,
    /// Keys that the file has in another order than that of time.
    Unsorted,
    /// Several keys of one track at one time.
    SameTime,
    /// Zero quaternions.
    ZeroQuaternion,
    /// Quaternions that are not of unit length.
    UnitLength,
    /// More than half a turn from one key to the next, or half a turn, which has no short way.
    LongTurn,
    /// Motion that is far faster than what comes before and after.
    Jump,
    /// Equal keys with motion before and after.
    Standstill,
    /// Tracking or visibility that is lost.
    Untracked,
    /// Keys that end before the recording does.
    EarlyEnd,
}

impl Topic {
    /// All of them, in the order in which they are listed.
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

    /// Its name in lists.
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
