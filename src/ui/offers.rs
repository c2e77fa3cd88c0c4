//! The actions that are available now, and the state of toggles.

use super::{Model, PreparedTimeline};
use crate::session::{self, Action, Command, Situation};

/// Whether a command of the table has something to act on.
pub(super) fn makes_sense(command: &Command, model: &Model<'_>) -> bool {
    let situation = Situation {
        clip: model.clip(),
        files: model.files,
        recordings: model.recordings.len(),
        has_range: model.clock.range().is_some(),
        scene: model.open().and_then(|open| open.scene),
        labels: model.looking_at_labels().labels(),
        has_gaps: model.timeline().is_none_or(PreparedTimeline::has_empty_stretches),
        has_footage: model.footage.is_open(),
    };
    Action::of(command).is_none_or(|action| action.needs.are_met(&situation))
}

/// Whether a command turns something on and off that is on.
pub(super) fn is_on(command: &Command, model: &Model<'_>) -> bool {
    session::is_on(command, model.view, model.screen, model.panels)
}
