//! Decides which actions are available now, and which toggles are on.

use super::{Model, PreparedTimeline};
use crate::session::{self, Action, ActionContext, Command};

pub(super) fn is_available(command: &Command, model: &Model<'_>) -> bool {
    let context = ActionContext {
        recordings: model.recordings,
        focus: model.focus,
        clock: model.clock,
        history: model.history,
        files: model.files,
        footage: model.footage,
        has_gaps: model.timeline().is_none_or(PreparedTimeline::has_empty_stretches),
    };
    Action::for_command(command).is_none_or(|action| action.needs.are_met(&context))
}

pub(super) fn is_on(command: &Command, model: &Model<'_>) -> bool {
    session::is_on(command, model.view, model.screen, model.panels)
}
