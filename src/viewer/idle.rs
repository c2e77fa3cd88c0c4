//! Idling while nothing moves.

use std::time::Duration;

use bevy::{
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use crate::session::{Jobs, OpenRecordings};

/// The wake interval of an idle window.
const AT_REST: Duration = Duration::from_secs(5);

/// The wake interval while a task runs.
const WAITING: Duration = Duration::from_millis(30);

/// Draws continuously while the recording plays; at intervals while a task runs; else only on
/// input.
pub(super) fn rest_while_nothing_moves(
    open: OpenRecordings,
    jobs: Res<Jobs>,
    mut settings: ResMut<WinitSettings>,
) {
    let mode = if open.clock().is_some_and(|clock| clock.is_running()) {
        UpdateMode::Continuous
    } else if jobs.busy() > 0 {
        UpdateMode::reactive(WAITING)
    } else {
        UpdateMode::reactive(AT_REST)
    };
    if settings.focused_mode != mode {
        settings.focused_mode = mode;
        settings.unfocused_mode = mode;
    }
}
