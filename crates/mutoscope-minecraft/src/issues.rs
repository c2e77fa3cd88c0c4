//! Issues of a file: each kind is reported once.

use super::time::time_of;
use mutoscope_core::diagnostics::{Notice, Notices, Severity, SourceLocation};

/// A kind of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Issue {
    /// A packed integer takes five bytes where one would do.
    LongPacked,
    /// A bool is neither 0 nor 1.
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
    /// A position or angle is not finite.
    NotFinite,
    /// An entity's update is of no known type.
    UpdateType,
    /// An absent entity acts.
    UnknownEntity,
    /// An entity is added twice.
    AddedTwice,
    /// There are more entities than are kept.
    TooManyEntities,
    /// A tick ends, or the player dies or comes back, within an entity's action.
    NestedWrongly,
    /// A custom action belongs to no extension of the header.
    UnknownExtension,
}

impl Issue {
    fn severity(self) -> Severity {
        match self {
            Self::NotFinite | Self::TooManyEntities => Severity::Error,
            Self::UnknownEntity => Severity::Info,
            _ => Severity::Warning,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::LongPacked => {
                "a packed integer takes five bytes where one would do; using its value"
            }
            Self::Bool => "a bool is neither 1 nor 0; using false, as the mod does",
            Self::Text => "a string is not UTF-8; using \u{fffd} for invalid bytes",
            Self::ItemType => "an item is of no known type (0 to 3); using an empty slot",
            Self::ItemId => "an item has an index beyond the file's list; using its number",
            Self::BlockId => "a block has an index beyond the file's list; using its number",
            Self::Slots => {
                "there are more items than slots (8); the rest is skipped, as by the mod"
            }
            Self::Pose => "a pose has none of the known numbers (0 to 18); using STANDING",
            Self::MovementBits => "a movement has bits set that mean nothing; skipped",
            Self::NotFinite => "a position or angle is not finite; using the one before",
            Self::UpdateType => "an entity update is of no known type (0 to 6); skipped",
            Self::UnknownEntity => {
                "an action of an entity that is not there; skipped, as by the mod"
            }
            Self::AddedTwice => "an entity is added twice; skipped, as by the mod",
            Self::TooManyEntities => "there are more entities than are loaded; the rest is skipped",
            Self::NestedWrongly => {
                "a tick ends, or the player dies or respawns, within an entity's action; skipped"
            }
            Self::UnknownExtension => {
                "a custom action belongs to no extension of the header; skipped"
            }
        }
    }
}

/// The issues of a file: the count of each kind, and where and when the first was.
#[derive(Clone, Debug, Default)]
pub(super) struct Issues {
    /// In the order in which they were first met: at most one of each kind.
    seen: Vec<Seen>,
}

#[derive(Clone, Debug)]
struct Seen {
    issue: Issue,
    count: u32,
    place: SourceLocation,
    frame: Option<u32>,
}

impl Issues {
    /// Notes one at `place`; `frame` is the one it happens in, unless it is in the header.
    pub(super) fn note(&mut self, issue: Issue, place: SourceLocation, frame: Option<u32>) {
        match self.seen.iter_mut().find(|seen| seen.issue == issue) {
            Some(seen) => seen.count = seen.count.saturating_add(1),
            None => self.seen.push(Seen { issue, count: 1, place, frame }),
        }
    }

    /// Reports them, one notice a kind.
    pub(super) fn report(self, notices: &mut Notices) {
        notices.extend(self.seen.into_iter().map(|seen| {
            let more =
                if seen.count > 1 { format!(" ({} times)", seen.count) } else { String::new() };
            Notice {
                severity: seen.issue.severity(),
                place: seen.place,
                message: format!("{}{more}", seen.issue.message()),
                time: seen.frame.map(time_of),
                topic: None,
            }
        }));
    }
}
