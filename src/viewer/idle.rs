//! Resting while nothing moves.

use std::time::Duration;

use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use super::{
    Comparing, Exports, Files, Findings, Listed, dialogs::OpenDialog, glance::Looking, watch::Watch,
};
use crate::player::Player;

/// How often a window at rest looks around by itself.
const AT_REST: Duration = Duration::from_secs(5);

/// How often an answer of a task is waited for.
const WAITING: Duration = Duration::from_millis(30);

/// All that may be at work while nothing moves.
#[derive(SystemParam)]
pub(super) struct AtWork<'w> {
    files: Res<'w, Files>,
    dialog: Res<'w, OpenDialog>,
    looking: Res<'w, Looking>,
    findings: Res<'w, Findings>,
    listed: Res<'w, Listed>,
    watch: Res<'w, Watch>,
    exports: Res<'w, Exports>,
    comparing: Res<'w, Comparing>,
}

impl AtWork<'_> {
    /// Whether an answer of any of them is waited for.
    fn any(&self) -> bool {
        self.files.loading.is_some()
            || self.dialog.is_open()
            || self.looking.is_under_way()
            || self.findings.is_under_way()
            || self.listed.is_under_way()
            || self.watch.expects_more()
            || self.exports.running().is_some()
            || self.comparing.is_busy()
    }
}

/// Draws without pause while the recording plays; looks in now and then while something is at work;
/// else only when the user does something.
pub(super) fn rest_while_nothing_moves(
    player: Res<Player>,
    at_work: AtWork,
    mut settings: ResMut<WinitSettings>,
) {
    let mode = if player.clock().is_running() {
        UpdateMode::Continuous
    } else if at_work.any() {
        UpdateMode::reactive(WAITING)
    } else {
        UpdateMode::reactive(AT_REST)
    };
    if settings.focused_mode != mode {
        settings.focused_mode = mode;
        settings.unfocused_mode = mode;
    }
}
