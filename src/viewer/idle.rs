//! Saves power: the window is redrawn only when needed.

use std::time::Duration;

use bevy::{
    prelude::*,
    winit::{UpdateMode, WinitSettings},
};

use crate::session::{Jobs, OpenRecordings};

const IDLE_WAKE_INTERVAL: Duration = Duration::from_secs(5);

const JOB_WAKE_INTERVAL: Duration = Duration::from_millis(30);

pub(super) fn set_update_mode(
    open: OpenRecordings,
    jobs: Res<Jobs>,
    mut settings: ResMut<WinitSettings>,
) {
    let mode = if open.clock().is_some_and(|clock| clock.is_running()) {
        UpdateMode::Continuous
    } else if jobs.running_count() > 0 {
        UpdateMode::reactive(JOB_WAKE_INTERVAL)
    } else {
        UpdateMode::reactive(IDLE_WAKE_INTERVAL)
    };
    if settings.focused_mode != mode {
        settings.focused_mode = mode;
        settings.unfocused_mode = mode;
    }
}
