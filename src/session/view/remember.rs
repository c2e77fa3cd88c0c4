//! Remembering the window's layout and views from one run to the next.

use std::path::{self, Path, PathBuf};

use bevy::{app::AppExit, prelude::*};

use crate::session::{Files, Panels, Source, view::settings::Settings};
use crate::stage::{CameraPose, Follow, StageScreen};
use mutoscope_core::io::storage;

/// The recording that is open, and where it is looked at from.
#[derive(Debug, Default)]
pub(in crate::session) struct Open {
    path: Option<PathBuf>,
    camera: Option<CameraPose>,
    /// The part that was saved.
    written: Option<CameraPose>,
}

/// Lays the window out as it was, and lists what was open.
pub(in crate::session) fn recall(
    settings: Res<Settings>,
    mut panels: ResMut<Panels>,
    mut files: ResMut<Files>,
) {
    panels.restore(settings.layout());
    panels.window = settings.window();
    files.recent = settings.recent().map(Path::to_owned).collect();
}

/// Saves changes, once the user releases the pointer.
pub(in crate::session) fn remember(
    mut settings: ResMut<Settings>,
    mut files: ResMut<Files>,
    mut open: Local<Open>,
    mut exits: MessageReader<AppExit>,
    (panels, screen): (Res<Panels>, Res<StageScreen>),
    mouse: Option<Res<ButtonInput<MouseButton>>>,
) {
    let path = match &files.current {
        Some(Source::File(path)) => Some(absolute(path)),
        _ => None,
    };
    let exits = exits.read().next().is_some();
    let is_another = path != open.path;
    let camera = camera_pose(&screen);
    let is_dragged = mouse.is_some_and(|mouse| mouse.get_pressed().next().is_some());
    let rests = !is_dragged && open.camera == camera && open.written != camera;
    let mut is_news = is_another || exits || rests;
    if is_news && let Some(path) = &open.path {
        settings.seen_from(path, open.camera);
        open.written = open.camera;
    }
    if is_another
        && storage::OUTLIVES_A_RUN
        && let Some(path) = &path
    {
        settings.opened(path.clone());
        files.recent = settings.recent().map(Path::to_owned).collect();
        open.written = settings.camera(path);
    }
    (open.path, open.camera) = (path, camera);
    if !is_dragged {
        let settings = settings.bypass_change_detection();
        is_news |= settings.lay_out(panels.layout(), panels.window);
    }
    if is_news && let Err(error) = settings.save() {
        // Saving is a convenience: a failure does not disturb the user.
        warn_once!("the settings cannot be written: {error}");
    }
}

/// Where the user has gone to look from; nothing while everything is seen as at first.
fn camera_pose(screen: &StageScreen) -> Option<CameraPose> {
    let there = CameraPose {
        // A followed node is elsewhere at another time.
        middle: screen.camera_pose.middle.filter(|_| screen.follows == Follow::Off),
        ..screen.camera_pose
    };
    (!screen.sees_all).then_some(there)
}

/// The same path, wherever the program is started from.
pub(in crate::session) fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
