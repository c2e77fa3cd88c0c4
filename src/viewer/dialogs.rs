//! Asking for a file.

use std::{path::PathBuf, time::Duration};

use bevy::{
    platform::time::Instant,
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};

use super::Command;
use crate::{
    formats::FORMATS,
    ui::{CommandQueue, UiState},
};

/// Nobody cancels a dialog faster than this: one that is gone before was never there.
const FASTEST_CANCEL: Duration = Duration::from_millis(400);

/// The dialog that is open, if one is.
#[derive(Resource, Default)]
pub(super) struct OpenDialog(Option<Pending>);

struct Pending {
    since: Instant,
    answer: Task<Option<PathBuf>>,
}

impl OpenDialog {
    /// Opens a dialog, unless one is open.
    pub(super) fn ask(&mut self) {
        if self.0.is_some() {
            return;
        }
        let extensions: Vec<_> = FORMATS.iter().flat_map(|format| format.extensions).collect();
        let dialog = rfd::AsyncFileDialog::new()
            .set_title("Open a motion recording")
            .add_filter("Motion recordings", &extensions)
            .add_filter("All files", &["*"]);
        let answer = IoTaskPool::get()
            .spawn(async move { dialog.pick_file().await.map(|file| file.path().to_owned()) });
        self.0 = Some(Pending { since: Instant::now(), answer });
    }

    /// Whether one is open.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// Opens the file that was chosen. Where no native dialog is to be had, asks for a path in the
/// window instead.
pub(super) fn answer(
    mut dialog: ResMut<OpenDialog>,
    mut queue: ResMut<CommandQueue>,
    mut ui: ResMut<UiState>,
) {
    let Some(pending) = &mut dialog.0 else { return };
    let Some(chosen) = check_ready(&mut pending.answer) else { return };
    let was_shown = pending.since.elapsed() > FASTEST_CANCEL;
    dialog.0 = None;
    match chosen {
        Some(path) => queue.0.push(Command::OpenPath(path)),
        None if was_shown => {}
        None => ui.path_dialog = Some(String::new()),
    }
}
