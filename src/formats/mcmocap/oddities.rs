//! What was odd about a file, each kind said once.

use super::time::time_of;
use crate::diagnostics::{Notice, Notices, Place, Severity};

/// A kind of oddity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// A packed integer takes five bytes where one would do.
    LongPacked,
    /// A yes or no is neither 0 nor 1.
    Bool,
    /// A string is not UTF-8.
    Text,
    /// An item is of no known type.
    ItemType,
    /// An item has an index beyond the file's list.
    ItemId,
    /// A block has an index beyond the file's list.
    BlockId,
    /// There are more items than slots.
    Slots,
    /// A pose has no name.
    Pose,
    /// A movement has bits set that mean nothing.
    MovementBits,
    /// A position or angle is no number.
    NotFinite,
    /// An entity's update is of no known type.
    UpdateType,
    /// Something is told of an entity that is not there.
    UnknownEntity,
    /// An entity is added that is there already.
    AddedTwice,
    /// There are more entities than are kept.
    TooManyEntities,
    /// A tick ends, or the player dies or comes back, within an entity's action.
    NestedWrongly,
    /// A custom action belongs to no extension of the header.
    UnknownExtension,
}

impl Oddity {
    fn severity(self) -> Severity {
        match self {
            Self::NotFinite | Self::TooManyEntities => Severity::Error,
            Self::UnknownEntity => Severity::Info,
            _ => Severity::Warning,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::LongPacked => "a packed integer takes five bytes where one would do",
            Self::Bool => "a yes or no is neither 1 nor 0: taken as no, as the mod does",
            Self::Text => "a string is not UTF-8: what cannot be read is replaced by \u{fffd}",
            Self::ItemType => "an item is of no known type (0 to 3): taken as none",
            Self::ItemId => "an item has an index beyond the file's list: shown as a number",
            Self::BlockId => "a block has an index beyond the file's list: shown as a number",
            Self::Slots => {
                "there are more items than slots (8): the rest is ignored, as by the mod"
            }
            Self::Pose => "a pose has none of the known numbers (0 to 18): taken as STANDING",
            Self::MovementBits => "a movement has bits set that mean nothing: ignored",
            Self::NotFinite => "a position or angle is no finite number: the one before is kept",
            Self::UpdateType => "an entity's update is of no known type (0 to 6): ignored",
            Self::UnknownEntity => {
                "something is told of an entity that is not there: ignored, as by the mod"
            }
            Self::AddedTwice => "an entity is added that is there already: ignored, as by the mod",
            Self::TooManyEntities => "there are more entities than are kept: the rest is left out",
            Self::NestedWrongly => {
                "a tick ends, or the player dies or comes back, within an entity's action: ignored"
            }
            Self::UnknownExtension => "a custom action belongs to no extension of the header",
        }
    }
}

/// The oddities of a file: of each kind how many, and where and when the first was.
#[derive(Clone, Debug, Default)]
pub(super) struct Oddities {
    /// In the order in which they were first met: at most one of each kind.
    seen: Vec<Seen>,
}

#[derive(Clone, Debug)]
struct Seen {
    oddity: Oddity,
    count: u32,
    place: Place,
    frame: Option<u32>,
}

impl Oddities {
    /// Notes one at `place`; `frame` is the one it happens in, unless it is in the header.
    pub(super) fn note(&mut self, oddity: Oddity, place: Place, frame: Option<u32>) {
        match self.seen.iter_mut().find(|seen| seen.oddity == oddity) {
            Some(seen) => seen.count = seen.count.saturating_add(1),
            None => self.seen.push(Seen { oddity, count: 1, place, frame }),
        }
    }

    /// Says them, one notice a kind.
    pub(super) fn report(self, notices: &mut Notices) {
        notices.extend(self.seen.into_iter().map(|seen| {
            let more =
                if seen.count > 1 { format!(" ({} times)", seen.count) } else { String::new() };
            Notice {
                severity: seen.oddity.severity(),
                place: seen.place,
                message: format!("{}{more}", seen.oddity.message()),
                time: seen.frame.map(time_of),
                topic: None,
            }
        }));
    }
}
