//! Resting while nothing moves.

use std::time::Duration;

use bevy::{
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use crate::session::{Jobs, OpenRecordings};

/// How often a window at rest looks around by itself.
const AT_REST: Duration = Duration::from_secs(5);

/// How often an answer of a task is waited for.
const WAITING: Duration = Duration::from_millis(30);

/// Draws without pause while the recording plays; looks in now and then while something is at work;
/// else only when the user does something.
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
