//! Exports and view commands, which are made of all open recordings.

use bevy::prelude::*;

use super::{
    ExportOrder, Exports, Files, Jobs, SavedView, WindowRequest, exporting::Scene,
    open::OpenRecordings,
};
use crate::stage::{PlayerSkin, StageScreen, View};

/// Requests, until all commands of the frame are applied.
#[derive(Resource, Debug, Default)]
pub(super) struct Snapshots {
    /// What is to be written.
    pub(super) export: Option<ExportOrder>,
    /// Whether the command that shows what is seen now is to be copied.
    pub(super) copy_view: bool,
}

/// Carries out the requests.
pub(super) fn take(
    mut wanted: ResMut<Snapshots>,
    open: OpenRecordings,
    (view, screen, player_skin): (Res<View>, Res<StageScreen>, Res<PlayerSkin>),
    (mut exports, jobs): (ResMut<Exports>, Res<Jobs>),
    mut files: ResMut<Files>,
    mut window: MessageWriter<WindowRequest>,
) {
    let wanted = std::mem::take(wanted.bypass_change_detection());
    if let Some(order) = wanted.export
        && let Some(scene) = Scene::of(&open, &view, &screen, &player_skin)
    {
        exports.start(order, scene, &jobs);
    }
    if wanted.copy_view {
        match SavedView::of(&open, &view, &screen).command_line(&files) {
            Some(line) => {
                files.say(format!("Copied: {line}"));
                window.write(WindowRequest::CopyText(line));
            }
            None => files.say("No command was copied: examples are not files".to_owned()),
        }
    }
}
