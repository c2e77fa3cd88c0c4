//! Recordings as version 5 has them: what older versions of the mod wrote and the current one does
//! not open any more, a stretch of a recording, one without some of its entities.
//!
//! Actions stay in their places and keep what they say. Movements are rewritten, in the shortest
//! form that is read as the very same place. Data that version 5 cannot hold is refused, or skipped
//! and counted.

mod actions;
mod actor;
mod header;
mod late;
mod movement;
mod out;
mod remarks;
mod rewriter;
mod states;
mod ticks;

use std::ops::RangeInclusive;

use super::{Document, Strings, scene::EntityFilter};
use mutoscope_core::diagnostics::{Error, Severity};
use rewriter::Rewriter;

/// How a recording is to be rewritten.
#[derive(Clone, Debug, Default)]
pub struct Rewrite {
    /// From which frame to which; nothing for all of them.
    pub frames: Option<RangeInclusive<u32>>,
    /// The filter of kept entities; nothing for all of them.
    pub entities: Option<EntityFilter>,
    /// Kinds of entities, with their namespace, and what they are to be instead: `minecraft:boat`
    /// has been `minecraft:oak_boat` since Minecraft 1.21.2.
    pub kinds: Vec<(String, String)>,
    /// Whether items and blocks are skipped for which the file has only numbers of the game's own.
    /// Without that a file that has any is refused.
    pub drops_numbers: bool,
}

/// A recording of version 5.
#[derive(Clone, Debug, PartialEq)]
pub struct Rewritten {
    /// All of the file.
    pub bytes: Vec<u8>,
    /// How many ticks it has.
    pub ticks: u32,
    /// The remarks on changes and skipped data.
    pub remarks: Vec<(Severity, String)>,
}

/// Rewrites a recording as version 5 has it. One that is damaged ends with its last sound action.
///
/// # Errors
/// If it has items or blocks that are only numbers, unless they are to be skipped.
pub fn rewrite(document: &Document<'_>, how: &Rewrite) -> Result<Rewritten, Error> {
    let mut rewriter = Rewriter::new(document, how);
    for step in document.steps() {
        if rewriter.is_over() {
            break;
        }
        rewriter.step(step);
    }
    rewriter.finish()
}

impl Document<'_> {
    /// Whether it is a recording as the current mod writes it.
    pub fn is_current(&self) -> bool {
        self.version_byte == 5 && self.layout.strings == Strings::Packed
    }
}
