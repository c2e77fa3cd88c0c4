//! Asking for files.

use std::{path::PathBuf, time::Duration};

use bevy::{
    platform::time::Instant,
    prelude::*,
    tasks::{IoTaskPool, Task, futures::check_ready},
};

use super::{Command, Compare, Source};
use crate::{
    counterpart::Wish,
    formats::{FORMATS, SKELETON_FORMATS},
    ui::{CommandQueue, PathDialog, UiState},
};

/// Nobody cancels a dialog faster than this: one that is gone before was never there.
const FASTEST_CANCEL: Duration = Duration::from_millis(400);

/// The dialog that is open, if one is.
#[derive(Resource, Default)]
pub(super) struct OpenDialog(Option<Pending>);

struct Pending {
    asked_for: AskedFor,
    since: Instant,
    answer: Task<Option<Vec<PathBuf>>>,
}

/// What the user is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    /// Recordings, and maybe a skeleton for them.
    Recordings,
    /// A skeleton for what is open.
    Skeleton,
    /// A recording that is held against what is open.
    Counterpart,
}

impl AskedFor {
    /// What to do with the files that were chosen.
    pub fn command(self, mut files: Vec<PathBuf>) -> Option<Command> {
        match self {
            _ if files.is_empty() => None,
            Self::Recordings => Some(Command::OpenPaths(files)),
            Self::Skeleton => Some(Command::AttachSkeleton(files.swap_remove(0))),
            Self::Counterpart => {
                let source = Source::File(files.swap_remove(0));
                Some(Command::Compare(Compare::With(source, Wish::default())))
            }
        }
    }
}

impl OpenDialog {
    /// Opens a dialog, unless one is open.
    pub(super) fn ask(&mut self, asked_for: AskedFor) {
        if self.0.is_some() {
            return;
        }
        let recordings = FORMATS.iter().flat_map(|format| format.extensions);
        let skeletons = SKELETON_FORMATS.iter().flat_map(|row| row.extensions);
        let (title, filter, extensions): (_, _, Vec<&str>) = match asked_for {
            AskedFor::Recordings => {
                let both = recordings.chain(skeletons).copied().collect();
                ("Open a motion recording", "Motion recordings and skeletons", both)
            }
            AskedFor::Skeleton => ("Attach a skeleton", "Skeletons", skeletons.copied().collect()),
            AskedFor::Counterpart => (
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
            let files = match asked_for {
                AskedFor::Recordings => dialog.pick_files().await?,
                AskedFor::Skeleton | AskedFor::Counterpart => vec![dialog.pick_file().await?],
            };
            Some(files.iter().map(|file| file.path().to_owned()).collect())
        });
        self.0 = Some(Pending { asked_for, since: Instant::now(), answer });
    }

    /// Whether one is open.
    pub(super) fn is_open(&self) -> bool {
        self.0.is_some()
    }
}

/// Opens the files that were chosen. Where no native dialog is to be had, asks for a path in the
/// window instead.
pub(super) fn answer(
    mut dialog: ResMut<OpenDialog>,
    mut queue: ResMut<CommandQueue>,
    mut ui: ResMut<UiState>,
) {
    let Some(pending) = &mut dialog.0 else { return };
    let Some(chosen) = check_ready(&mut pending.answer) else { return };
    let was_shown = pending.since.elapsed() > FASTEST_CANCEL;
    let asked_for = pending.asked_for;
    dialog.0 = None;
    match chosen {
        Some(files) => queue.0.extend(asked_for.command(files)),
        None if was_shown => {}
        None => ui.path_dialog = Some(PathDialog { asked_for, text: String::new() }),
    }
}
