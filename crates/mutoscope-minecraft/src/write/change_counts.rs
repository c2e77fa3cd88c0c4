//! Counts the changed and skipped data of a rewrite, and formats messages about them.

use mutoscope_core::{diagnostics::Severity, diagnostics::format_count};

#[derive(Debug, Default)]
pub(super) struct ChangeCounts {
    pub(super) items: u32,
    pub(super) blocks: u32,
    pub(super) models: u32,
    pub(super) unknown_entities: u32,
    pub(super) filtered_entities: u32,
    pub(super) renamed_entities: u32,
    pub(super) blocks_before: u32,
    /// The number of positions that version 5 cannot encode exactly. `max_error` is their largest
    /// error, in blocks.
    pub(super) inexact_positions: u32,
    pub(super) max_error: f64,
}

impl ChangeCounts {
    pub(super) fn add_position_error(&mut self, error: f64) {
        if error > 0.0 {
            self.inexact_positions += 1;
            self.max_error = self.max_error.max(error);
        }
    }

    pub(super) fn messages(&self) -> Vec<(Severity, String)> {
        let Self {
            items,
            blocks,
            models,
            unknown_entities: unknown,
            filtered_entities: filtered,
            renamed_entities: renamed,
            blocks_before,
            ..
        } = *self;
        let (info, warning) = (Severity::Info, Severity::Warning);
        let counts = [
            (
                warning,
                items,
                ["change", "changes"],
                " of items without names; written as empty hands",
            ),
            (warning, blocks, ["change", "changes"], " of blocks without names; skipped"),
            (warning, blocks_before, ["change", "changes"], " of blocks before the range; skipped"),
            (warning, models, ["change", "changes"], " of a player model by an add-on; skipped"),
            (info, unknown, ["action", "actions"], " of entities that are not there; skipped"),
            (info, filtered, ["entity", "entities"], " skipped"),
            (info, renamed, ["entity", "entities"], " of another kind"),
        ];
        let mut messages = Vec::new();
        for (severity, count, [singular, plural], rest) in counts {
            if count > 0 {
                let noun = if count == 1 { singular } else { plural };
                messages.push((severity, format!("{count} {noun}{rest}")));
            }
        }
        if self.inexact_positions > 0 {
            let message = format!(
                "{} without an exact encoding; using the nearest, at most {:.1e} m off",
                format_count(self.inexact_positions as usize, "position"),
                self.max_error
            );
            messages.push((info, message));
        }
        messages
    }

    /// Returns an error message if the recording has items or blocks with numeric ids only,
    /// otherwise `None`. The caller ignores the message if the options skip these items and blocks.
    pub(super) fn refusal_message(&self) -> Option<String> {
        let Self { items, blocks, .. } = self;
        (items + blocks > 0).then(|| {
            format!(
                "{} of items and {blocks} of blocks have only numeric ids of the game that recorded \
                 them, but version 5 needs names; nothing written. Pass --drop-numeric-ids to skip them",
                format_count(*items as usize, "change")
            )
        })
    }
}
