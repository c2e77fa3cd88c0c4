//! Collects diagnostics while a file is decoded and replayed. Each kind is reported once, with the
//! number of times that it occurred.

use super::{codes, time::frame_time};
use mutoscope_core::diagnostics::{Code, Diagnostics, Severity, SourceLocation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatDiagnostic {
    OverlongPackedInt,
    InvalidBool,
    InvalidUtf8,
    UnknownItemType,
    UnknownItemId,
    UnknownBlockId,
    TooManyItems,
    UnknownPose,
    UnknownMovementBits,
    NonFinite,
    UnknownUpdateType,
    UnknownEntity,
    EntityAddedTwice,
    TooManyEntities,
    /// A tick, a death of the player or a respawn is nested in an entity's action.
    InvalidNesting,
    UnknownExtension,
}

impl FormatDiagnostic {
    fn code(self) -> Code {
        match self {
            Self::OverlongPackedInt | Self::InvalidBool => codes::UNUSUAL_ENCODING,
            Self::InvalidUtf8 => codes::INVALID_UTF8,
            Self::UnknownItemType
            | Self::UnknownPose
            | Self::UnknownMovementBits
            | Self::UnknownUpdateType => codes::UNKNOWN_VALUE,
            Self::UnknownItemId | Self::UnknownBlockId => codes::UNKNOWN_ID,
            Self::TooManyItems => codes::TOO_MANY_ITEMS,
            Self::NonFinite => codes::NON_FINITE,
            Self::UnknownEntity => codes::UNKNOWN_ENTITY,
            Self::EntityAddedTwice => codes::ENTITY_ADDED_TWICE,
            Self::TooManyEntities => codes::TOO_MANY_ENTITIES,
            Self::InvalidNesting => codes::INVALID_NESTING,
            Self::UnknownExtension => codes::EXTENSION_SKIPPED,
        }
    }

    fn severity(self) -> Severity {
        match self {
            Self::NonFinite | Self::TooManyEntities => Severity::Error,
            Self::UnknownEntity => Severity::Info,
            _ => Severity::Warning,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::OverlongPackedInt => {
                "a packed integer takes five bytes where one would do; using its value"
            }
            Self::InvalidBool => "a bool is neither 1 nor 0; using false, as the mod does",
            Self::InvalidUtf8 => "a string is not UTF-8; using \u{fffd} for invalid bytes",
            Self::UnknownItemType => {
                "an item has an unknown type (known: 0 to 3); using an empty slot"
            }
            Self::UnknownItemId => "an item has an index beyond the file's list; using its number",
            Self::UnknownBlockId => "a block has an index beyond the file's list; using its number",
            Self::TooManyItems => {
                "there are more items than slots (8); the rest is skipped, as in the mod"
            }
            Self::UnknownPose => "a pose has an unknown number (known: 0 to 18); using STANDING",
            Self::UnknownMovementBits => "a movement has unknown bits set; those bits are skipped",
            Self::NonFinite => "a position or angle is not finite; using the previous one",
            Self::UnknownUpdateType => {
                "an entity update has an unknown type (known: 0 to 6); skipped"
            }
            Self::UnknownEntity => {
                "an action belongs to an entity that does not exist; skipped, as in the mod"
            }
            Self::EntityAddedTwice => {
                "an entity is added twice; the second time is skipped, as in the mod"
            }
            Self::TooManyEntities => "the recording has too many entities; the rest is skipped",
            Self::InvalidNesting => {
                "a tick ends, or the player dies or respawns, within an entity's action; skipped"
            }
            Self::UnknownExtension => {
                "a custom action belongs to an extension that is not in the header; skipped"
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct FormatDiagnostics {
    /// The diagnostics in the order of their first occurrence, with at most one entry per kind.
    counted: Vec<CountedDiagnostic>,
}

#[derive(Clone, Debug)]
struct CountedDiagnostic {
    kind: FormatDiagnostic,
    count: u32,
    location: SourceLocation,
    frame: Option<u32>,
}

impl FormatDiagnostics {
    pub(super) fn record(
        &mut self,
        kind: FormatDiagnostic,
        location: SourceLocation,
        frame: Option<u32>,
    ) {
        match self.counted.iter_mut().find(|entry| entry.kind == kind) {
            Some(entry) => entry.count = entry.count.saturating_add(1),
            None => self.counted.push(CountedDiagnostic { kind, count: 1, location, frame }),
        }
    }

    pub(super) fn report(self, diagnostics: &mut Diagnostics) {
        for entry in self.counted {
            let repeats =
                if entry.count > 1 { format!(" ({} times)", entry.count) } else { String::new() };
            let message = format!("{}{repeats}", entry.kind.message());
            let CountedDiagnostic { kind, count, location, frame } = entry;
            let added = diagnostics.add(kind.code(), kind.severity(), location, message);
            added.with("count", count).time = frame.map(frame_time);
        }
    }
}
