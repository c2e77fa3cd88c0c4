//! Asking for files.

use std::{path::PathBuf, time::Duration};

use bevy::{platform::time::Instant, prelude::*};

use crate::session::{CommandQueue, FilePurpose, Job, Jobs, Panels, WindowRequest};
use mutoscope_core::formats::{self, skeleton_formats};
use mutoscope_study::labels::LabelFormat;

/// A dialog that closes faster than this was never shown.
const FASTEST_CANCEL: Duration = Duration::from_millis(400);

/// The usual extensions of videos, images and sound; ffmpeg reads more.
const FOOTAGE: &[&str] = &[
    "mp4", "mov", "m4v", "mkv", "webm", "avi", "mts", "ts", "mpg", "wmv", "gif", "png", "jpg",
    "jpeg", "tif", "tiff", "exr", "dpx", "webp", "wav", "mp3", "m4a", "flac", "ogg", "opus", "aif",
];

/// The dialog that is open, if one is.
#[derive(Resource, Default)]
pub(super) struct OpenDialog(Job<Asked, Option<Vec<PathBuf>>>);

/// The purpose of a dialog, and when it was opened.
struct Asked {
    purpose: FilePurpose,
    since: Instant,
}

impl OpenDialog {
    /// Opens a dialog, unless one is open.
    fn ask(&mut self, purpose: FilePurpose, jobs: &Jobs) {
        if self.0.is_running() {
            return;
        }
        let recordings = formats::all().flat_map(|format| format.extensions);
        let skeletons = skeleton_formats().flat_map(|row| row.extensions);
        let (title, filter, extensions): (_, _, Vec<&str>) = match purpose {
            FilePurpose::Recordings => {
                let both = recordings.chain(skeletons).copied().collect();
                ("Open recording", "Motion recordings and skeletons", both)
            }
            FilePurpose::Skeleton => ("Attach skeleton", "Skeletons", skeletons.copied().collect()),
            FilePurpose::BoneMap => ("Open map of bones", "Maps of bones", vec!["json"]),
            FilePurpose::Comparison => {
                ("Compare with recording", "Motion recordings", recordings.copied().collect())
            }
            FilePurpose::SceneElements => {
                ("Add recording", "Recordings and scenes", vec!["mcmocap_rec", "mcmocap_scene"])
            }
            FilePurpose::Labels => (
                "Import labels",
                "Labels of CSV, ELAN and Praat",
                LabelFormat::ALL.map(LabelFormat::extension).to_vec(),
            ),
            FilePurpose::Footage => {
                ("Add reference video", "Videos, images and sound", FOOTAGE.to_vec())
            }
        };
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter(filter, &extensions)
            .add_filter("All files", &["*"]);
        let asked = Asked { purpose, since: Instant::now() };
        self.0.wait_for(jobs, asked, async move {
            let files = match purpose {
                FilePurpose::Recordings | FilePurpose::Comparison | FilePurpose::SceneElements => {
                    dialog.pick_files().await?
                }
                FilePurpose::Skeleton
                | FilePurpose::BoneMap
                | FilePurpose::Footage
                | FilePurpose::Labels => {
                    vec![dialog.pick_file().await?]
                }
            };
            Some(files.iter().map(|file| file.path().to_owned()).collect())
        });
    }
}

/// Opens the dialogs that the session asks for.
pub(super) fn choose_files(
    mut requests: MessageReader<WindowRequest>,
    mut dialog: ResMut<OpenDialog>,
    jobs: Res<Jobs>,
) {
    for request in requests.read() {
        if let WindowRequest::ChooseFiles(purpose) = request {
            dialog.ask(*purpose, &jobs);
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
    let Some((Asked { purpose, since }, chosen)) = dialog.0.poll() else { return };
    let was_shown = since.elapsed() > FASTEST_CANCEL;
    // A dialog that crashed was not shown.
    match chosen.unwrap_or_default() {
        Some(files) => queue.0.extend(purpose.commands(files)),
        None if was_shown => {}
        None => panels.path_dialog = Some(purpose),
    }
}
