//! Resting while nothing moves.

use std::time::Duration;

use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use super::{Files, Findings, Listed, dialogs::OpenDialog, glance::Looking, watch::Watch};
use crate::player::Player;

/// How often a window at rest looks around by itself.
const AT_REST: Duration = Duration::from_secs(5);

/// How often an answer of a task is waited for.
const WAITING: Duration = Duration::from_millis(30);

/// Everything that is done elsewhere and answers some time.
#[derive(SystemParam)]
pub(super) struct Tasks<'w> {
    files: Res<'w, Files>,
    dialog: Res<'w, OpenDialog>,
    looking: Res<'w, Looking>,
    findings: Res<'w, Findings>,
    listed: Res<'w, Listed>,
    watch: Res<'w, Watch>,
}

impl Tasks<'_> {
    /// Whether an answer is waited for.
    fn are_under_way(&self) -> bool {
        self.files.loading.is_some()
            || self.dialog.is_open()
            || self.looking.is_under_way()
            || self.findings.is_under_way()
            || self.listed.is_under_way()
            || self.watch.expects_more()
    }
}

/// Draws without pause while the recording plays; looks in now and then while something loads;
/// else only when the user does something.
pub(super) fn rest_while_nothing_moves(
    player: Res<Player>,
    tasks: Tasks,
    mut settings: ResMut<WinitSettings>,
) {
    let mode = if player.clock().is_running() {
        UpdateMode::Continuous
    } else if tasks.are_under_way() {
        UpdateMode::reactive(WAITING)
    } else {
        UpdateMode::reactive(AT_REST)
    };
    if settings.focused_mode != mode {
        settings.focused_mode = mode;
        settings.unfocused_mode = mode;
    }
}
