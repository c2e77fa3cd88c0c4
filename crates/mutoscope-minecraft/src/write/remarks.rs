//! Remarks on what is changed and skipped while a recording is rewritten.

use mutoscope_core::diagnostics::Severity;

/// Counts of changed and skipped data.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Items that are only numbers.
    pub(super) items: u32,
    /// Changes of blocks that are only numbers.
    pub(super) blocks: u32,
    /// Changes of a player model by an add-on.
    pub(super) models: u32,
    /// Actions of absent entities.
    pub(super) unknown: u32,
    /// Entities that are not wanted.
    pub(super) entities: u32,
    /// Entities that become something else.
    pub(super) renamed: u32,
    /// Changes of blocks before the beginning.
    pub(super) blocks_before: u32,
    /// Places that no number of the format leads to, and by how much they are off.
    pub(super) inexact: u32,
    pub(super) off: f64,
}

impl Counts {
    /// Counts a place that is off by so much, in blocks.
    pub(super) fn place(&mut self, off: f64) {
        if off > 0.0 {
            self.inexact += 1;
            self.off = self.off.max(off);
        }
    }

    /// All remarks.
    pub(super) fn remarks(&self) -> Vec<(Severity, String)> {
        let Self { items, blocks, models, unknown, entities, renamed, blocks_before, .. } = *self;
        let (info, warning) = (Severity::Info, Severity::Warning);
        let counted = [
            (warning, items, "changes of items without names; written as empty hands"),
            (warning, blocks, "changes of blocks without names; skipped"),
            (warning, blocks_before, "changes of blocks before the range; skipped"),
            (warning, models, "changes of a player model by an add-on; skipped"),
            (info, unknown, "actions of entities that are not there; skipped"),
            (info, entities, "entities skipped"),
            (info, renamed, "entities of another kind"),
        ];
        let counted = counted.into_iter().filter(|(_, count, _)| *count > 0);
        let mut remarks: Vec<_> =
            counted.map(|(severity, count, what)| (severity, format!("{count} {what}"))).collect();
        if self.inexact > 0 {
            let message = format!(
                "{} positions have no exact number in the format; using the nearest, at most \
                 {:.1e} m off",
                self.inexact, self.off
            );
            remarks.push((info, message));
        }
        remarks
    }

    /// Why nothing is written, if something that is only a number must not be skipped.
    pub(super) fn refusal(&self) -> Option<String> {
        let Self { items, blocks, .. } = self;
        (items + blocks > 0).then(|| {
            format!(
                "{items} changes of items and {blocks} of blocks are numbers of the registry of the \
                 game that recorded them, for which version 5 needs names; nothing written. \
                 --drop-numeric-ids writes the rest"
            )
        })
    }
}
