//! Saves the layout of the window and the cameras of recordings, and restores them in the next run.

use std::path::PathBuf;

use bevy::{app::AppExit, prelude::*};

use super::{OpenRecordings, Source};
use crate::session::view::{Panels, Settings, absolute_path};
use bevy_mutoscope::stage::{CameraPose, Follow, StageScreen};
use mutoscope_core::io::storage;

#[derive(Debug, Default)]
pub(in crate::session) struct OpenRecordingState {
    path: Option<PathBuf>,
    camera: Option<CameraPose>,
    saved_camera: Option<CameraPose>,
}

pub(in crate::session) fn restore_settings(settings: Res<Settings>, mut panels: ResMut<Panels>) {
    panels.restore(settings.layout());
    panels.window = settings.window();
}

pub(in crate::session) fn save_settings(
    mut settings: ResMut<Settings>,
    mut open: Local<OpenRecordingState>,
    mut exits: MessageReader<AppExit>,
    recordings: OpenRecordings,
    panels: Res<Panels>,
    screen: Res<StageScreen>,
    mouse: Option<Res<ButtonInput<MouseButton>>>,
) {
    let path = match recordings.reference_source() {
        Some(Source::File(path)) => Some(absolute_path(path)),
        _ => None,
    };
    let exits = exits.read().next().is_some();
    let is_another = path != open.path;
    let camera = chosen_camera(&screen);
    let is_dragged = mouse.is_some_and(|mouse| mouse.get_pressed().next().is_some());
    let is_settled = !is_dragged && open.camera == camera && open.saved_camera != camera;
    let mut has_changes = is_another || exits || is_settled;
    if has_changes && let Some(path) = &open.path {
        settings.set_camera(path, open.camera);
        open.saved_camera = open.camera;
    }
    if is_another
        && storage::PATHS_PERSIST
        && let Some(path) = &path
    {
        settings.add_recent(path.clone());
        open.saved_camera = settings.camera(path);
    }
    (open.path, open.camera) = (path, camera);
    if !is_dragged {
        let settings = settings.bypass_change_detection();
        has_changes |= settings.set_layout(panels.layout(), panels.window);
    }
    if has_changes && let Err(error) = settings.save() {
        // Only log the failure, because the user can go on without saved settings.
        warn_once!("the settings cannot be written: {error}");
    }
}

fn chosen_camera(screen: &StageScreen) -> Option<CameraPose> {
    let pose = CameraPose {
        // Do not store the target point while the camera follows a node, because the node is
        // elsewhere at another time.
        middle: screen.camera_pose.middle.filter(|_| screen.follow == Follow::Off),
        ..screen.camera_pose
    };
    (!screen.frames_all).then_some(pose)
}
