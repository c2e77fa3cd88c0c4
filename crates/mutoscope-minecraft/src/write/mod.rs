//! Rewrites recordings as version 5: recordings of older versions that the current mod no longer
//! opens, a time range of a recording, or a recording without some of its entities.
//!
//! Actions keep their order and their content. Movements are encoded again, in the shortest form
//! that decodes to the same position. Data that version 5 cannot store is skipped and counted, or
//! makes the rewrite fail.

mod actions;
mod actor;
mod byte_writer;
mod change_counts;
mod deferred_tick;
mod header;
mod movement;
mod rewriter;
mod states;
mod ticks;

use std::ops::RangeInclusive;

use super::{Document, StringFormat, scene::EntityFilter};
use mutoscope_core::diagnostics::{Error, Severity};
use rewriter::Rewriter;

/// The options of a rewrite.
#[derive(Clone, Debug, Default)]
pub struct RewriteOptions {
    /// The range of frames to write. `None` writes all of them.
    pub frames: Option<RangeInclusive<u32>>,
    /// The filter of kept entities. `None` keeps all of them.
    pub entities: Option<EntityFilter>,
    /// Kinds of entities to rename, each with its new name, both with their namespace.
    /// `minecraft:boat`, for example, has been `minecraft:oak_boat` since Minecraft 1.21.2.
    pub kinds: Vec<(String, String)>,
    /// `true` to skip items and blocks that have only a numeric id of the game. If this is `false`,
    /// a recording with such items or blocks is not rewritten.
    pub drops_numeric_ids: bool,
}

/// A rewritten recording of version 5.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// The number of ticks.
    pub ticks: u32,
    /// Messages about changed and skipped data.
    pub messages: Vec<(Severity, String)>,
}

/// Rewrites a recording as version 5. The output of a damaged recording ends with its last valid
/// action.
///
/// # Errors
/// If the recording has items or blocks with numeric ids only, unless `options` skips them, or if
/// the range contains no tick.
pub fn rewrite(document: &Document<'_>, options: &RewriteOptions) -> Result<Rewritten, Error> {
    let mut rewriter = Rewriter::new(document, options);
    for step in document.steps() {
        if rewriter.is_past_range() {
            break;
        }
        rewriter.rewrite_step(step);
    }
    rewriter.finish()
}

impl Document<'_> {
    /// Returns `true` if the recording is of the version and layout that the current mod writes.
    pub fn is_current(&self) -> bool {
        self.version_byte == 5 && self.layout.strings == StringFormat::PackedLength
    }
}
