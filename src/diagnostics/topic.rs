//! What notices and findings are about.

/// What is odd about the keys of a recording, whoever noticed it: the decoder of its format, or the
/// checks that run on every clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// Values that are no number, or infinite.
    NonFinite,
    /// Keys that the file has in another order than that of time.
    Unsorted,
    /// Several keys of one track at one time.
    SameTime,
    /// Quaternions without a direction.
    ZeroQuaternion,
    /// Quaternions that are not of unit length.
    UnitLength,
    /// More than half a turn from one key to the next, or half a turn, which has no short way.
    LongTurn,
    /// Motion that is far faster than what comes before and after.
    Jump,
    /// Keys that all say the same where there is motion before and after.
    Standstill,
    /// What was tracked and is no more, or no more shown.
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
