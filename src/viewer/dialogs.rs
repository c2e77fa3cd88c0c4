//! Asking for files.

use std::{path::PathBuf, time::Duration};

use bevy::{
    platform::time::Instant,
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};

use crate::{
    formats::FORMATS,
    rig::RigKind,
    session::{CommandQueue, FilePurpose, Panels, WindowRequest},
};

/// Nobody cancels a dialog faster than this: one that is gone before was never there.
const FASTEST_CANCEL: Duration = Duration::from_millis(400);

/// The dialog that is open, if one is.
#[derive(Resource, Default)]
pub(super) struct OpenDialog(Option<Pending>);

struct Pending {
    purpose: FilePurpose,
    since: Instant,
    answer: Task<Option<Vec<PathBuf>>>,
}

impl OpenDialog {
    /// Opens a dialog, unless one is open.
    fn ask(&mut self, purpose: FilePurpose) {
        if self.0.is_some() {
            return;
        }
        let recordings = FORMATS.iter().flat_map(|format| format.extensions);
        let skeletons = RigKind::ALL.iter().flat_map(|kind| kind.extensions());
        let (title, filter, extensions): (_, _, Vec<&str>) = match purpose {
            FilePurpose::Recordings => {
                let both = recordings.chain(skeletons).copied().collect();
                ("Open a motion recording", "Motion recordings and skeletons", both)
            }
            FilePurpose::Skeleton => {
                ("Attach a skeleton", "Skeletons", skeletons.copied().collect())
            }
            FilePurpose::Counterpart => (
                "Compare with another recording",
                "Motion recordings",
                recordings.copied().collect(),
            ),
        };
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter(filter, &extensions)
            .add_filter("All files", &["*"]);
        let answer = IoTaskPool::get().spawn(async move {
            let files = match purpose {
                FilePurpose::Recordings => dialog.pick_files().await?,
                FilePurpose::Skeleton | FilePurpose::Counterpart => vec![dialog.pick_file().await?],
            };
            Some(files.iter().map(|file| file.path().to_owned()).collect())
        });
        self.0 = Some(Pending { purpose, since: Instant::now(), answer });
    }

    /// Whether one is open.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// Opens the dialogs that the session asks for.
pub(super) fn choose_files(
    mut requests: MessageReader<WindowRequest>,
    mut dialog: ResMut<OpenDialog>,
) {
    for request in requests.read() {
        if let WindowRequest::ChooseFiles(purpose) = request {
            dialog.ask(*purpose);
        }
    }
}

/// Opens the files that were chosen. Where no native dialog is to be had, asks for a path in the
/// window instead.
pub(super) fn answer(
    mut dialog: ResMut<OpenDialog>,
    mut queue: ResMut<CommandQueue>,
    mut panels: ResMut<Panels>,
) {
    let Some(pending) = &mut dialog.0 else { return };
    let Some(chosen) = check_ready(&mut pending.answer) else { return };
    let was_shown = pending.since.elapsed() > FASTEST_CANCEL;
    let purpose = pending.purpose;
    dialog.0 = None;
    match chosen {
        Some(files) => queue.0.extend(purpose.command(files)),
        None if was_shown => {}
        None => panels.path_dialog = Some(purpose),
    }
}
