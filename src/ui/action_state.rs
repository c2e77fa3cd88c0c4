//! Decides which actions are available now, and which toggles are on.

use super::{Model, PreparedTimeline};
use crate::session::{self, Action, ActionContext, Command};

pub(super) fn is_available(command: &Command, model: &Model<'_>) -> bool {
    let situation = ActionContext {
        clip: model.clip(),
        source: model.reference_source(),
        files: model.files,
        recordings: model.recordings.len(),
        has_range: model.clock.range().is_some(),
        scene: model.open().and_then(|open| open.scene()),
        labels: model.for_edited_labels().labels(),
        has_gaps: model.timeline().is_none_or(PreparedTimeline::has_empty_stretches),
        has_footage: model.footage.is_open(),
    };
    Action::for_command(command).is_none_or(|action| action.needs.are_met(&situation))
}

pub(super) fn is_on(command: &Command, model: &Model<'_>) -> bool {
    session::is_on(command, model.view, model.screen, model.panels)
}
