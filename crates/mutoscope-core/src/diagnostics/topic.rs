//! Topics of diagnostics.

use super::Code;

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

    /// Returns the code of diagnostics about the topic.
    pub fn code(self) -> Code {
        match self {
            Self::NonFinite => codes::NON_FINITE,
            Self::Unsorted => codes::UNSORTED,
            Self::SameTime => codes::SAME_TIME,
            Self::ZeroQuaternion => codes::ZERO_QUATERNION,
            Self::UnitLength => codes::UNIT_LENGTH,
            Self::LongTurn => codes::LONG_TURN,
            Self::Jump => codes::JUMP,
            Self::Standstill => codes::STANDSTILL,
            Self::Untracked => codes::UNTRACKED,
            Self::EarlyEnd => codes::EARLY_END,
        }
    }

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

/// The codes of the checks. [The page about checks](../../../../docs/checks.md) describes when each
/// check reports.
pub(crate) mod codes {
    crate::codes! { "motion":
        /// Values are NaN or infinite.
        NON_FINITE = "non-finite" {
            cause: "The recording program wrote values while tracking was lost, or divided by zero.",
            remedy: "Correct the values in the program that recorded the file. Mutoscope holds the last finite value.",
        }
        /// The file stores a key before an earlier key.
        UNSORTED = "unsorted-keys" {
            cause: "The recording program appended keys out of order, or two recordings were joined.",
            remedy: "Check the times of the file. Mutoscope plays the keys in the order of time.",
        }
        /// Several keys of one track have the same time.
        SAME_TIME = "keys-at-one-time" {
            cause: "The clock of the recording program is too coarse, or frames were written twice.",
            remedy: "Remove the repeated keys. The last of them applies from then on.",
        }
        /// Quaternions have the length zero, so they have no direction.
        ZERO_QUATERNION = "zero-quaternion" {
            cause: "The recording program wrote zeros while tracking was lost.",
            remedy: "Do not rely on the rotations at these times.",
        }
        /// The length of quaternions differs from 1.
        UNIT_LENGTH = "quaternion-length" {
            cause: "The components were rounded, filtered one by one, or are no quaternion.",
            remedy: "Check the order and the meaning of the four values. Mutoscope normalises them.",
        }
        /// A rotation turns by half a turn or more from one key to the next.
        LONG_TURN = "long-turn" {
            cause: "The angles jump by a whole turn, or the keys are far apart.",
            remedy: "Look at the motion at this time. Programs may turn the other way.",
        }
        /// A motion is much faster than the motion before and after it.
        JUMP = "jump" {
            cause: "Tracking swapped or lost an object, or a player was teleported.",
            remedy: "Look at the motion at this time.",
        }
        /// Values stay exactly equal between keys that move.
        STANDSTILL = "standstill" {
            cause: "Tracking was lost and the recording program repeated the last value.",
            remedy: "Do not rely on the values at these times.",
        }
        /// Tracking or visibility is lost.
        UNTRACKED = "untracked" {
            cause: "The sensor did not see the object.",
            remedy: "Do not rely on the values at these times.",
        }
        /// The keys of a track end before the recording does, or the recording has no keys for a
        /// long time before its end.
        EARLY_END = "early-end" {
            cause: "The recording was cut off, or tracking was lost and never found again.",
            remedy: "Look at the end of the recording.",
        }
    }
}
