//! Resting while nothing moves.

use std::time::Duration;

use bevy::{
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use super::{Files, Findings, Listed, dialogs::OpenDialog, glance::Looking, watch::Watch};
use crate::player::Player;

/// How often a window at rest looks around by itself.
const AT_REST: Duration = Duration::from_secs(5);

/// How often an answer of a task is waited for.
const WAITING: Duration = Duration::from_millis(30);

/// Draws without pause while the recording plays; looks in now and then while something loads;
/// else only when the user does something.
pub(super) fn rest_while_nothing_moves(
    player: Res<Player>,
    files: Res<Files>,
    dialog: Res<OpenDialog>,
    looking: Res<Looking>,
    findings: Res<Findings>,
    listed: Res<Listed>,
    watch: Res<Watch>,
    mut settings: ResMut<WinitSettings>,
) {
    let mode = if player.clock().is_running() {
        UpdateMode::Continuous
    } else if files.loading.is_some()
        || dialog.is_open()
        || looking.is_under_way()
        || findings.is_under_way()
        || listed.is_under_way()
        || watch.expects_more()
    {
        UpdateMode::reactive(WAITING)
    } else {
        UpdateMode::reactive(AT_REST)
    };
    if settings.focused_mode != mode {
        settings.focused_mode = mode;
        settings.unfocused_mode = mode;
    }
}
