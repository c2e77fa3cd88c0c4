//! Shows file dialogs.

use std::{path::PathBuf, time::Duration};

use bevy::{platform::time::Instant, prelude::*};

use crate::session::{CommandQueue, FilePurpose, Job, Jobs, Panels, WindowRequest};
use mutoscope_study::labels::LabelFormat;

/// If a dialog closes in less than this time, it was never shown, because no user can cancel so
/// quickly.
const MIN_DIALOG_TIME: Duration = Duration::from_millis(400);

const FOOTAGE_EXTENSIONS: &[&str] = &[
    "mp4", "mov", "m4v", "mkv", "webm", "avi", "mts", "ts", "mpg", "wmv", "gif", "png", "jpg",
    "jpeg", "tif", "tiff", "exr", "dpx", "webp", "wav", "mp3", "m4a", "flac", "ogg", "opus", "aif",
];

#[derive(Resource, Default)]
pub(super) struct OpenDialog(Job<DialogRequest, Option<Vec<PathBuf>>>);

struct DialogRequest {
    purpose: FilePurpose,
    since: Instant,
}

impl OpenDialog {
    fn open(&mut self, purpose: FilePurpose, jobs: &Jobs) {
        if self.0.is_running() {
            return;
        }
        let recordings = crate::registry().formats().flat_map(|format| format.extensions);
        let skeletons = crate::registry().skeleton_formats().flat_map(|row| row.extensions);
        let (title, filter, extensions): (_, _, Vec<&str>) = match purpose {
            FilePurpose::Recordings => {
                let both = recordings.chain(skeletons).copied().collect();
                ("Open recording", "Motion recordings and skeletons", both)
            }
            FilePurpose::Skeleton => ("Attach skeleton", "Skeletons", skeletons.copied().collect()),
            FilePurpose::ExportSkeleton => {
                ("Skeleton of the export", "Skeletons", skeletons.copied().collect())
            }
            FilePurpose::BoneMap => ("Open bone map", "Bone maps", vec!["json"]),
            FilePurpose::Comparison => {
                ("Compare with recording", "Motion recordings", recordings.copied().collect())
            }
            FilePurpose::SceneElements => {
                ("Add recording", "Recordings and scenes", vec!["mcmocap_rec", "mcmocap_scene"])
            }
            FilePurpose::Labels => (
                "Import labels",
                "Labels (CSV, ELAN, Praat)",
                LabelFormat::ALL.map(LabelFormat::extension).to_vec(),
            ),
            FilePurpose::Footage => {
                ("Add reference video", "Videos, images and sound", FOOTAGE_EXTENSIONS.to_vec())
            }
        };
        let dialog = rfd::AsyncFileDialog::new()
            .set_title(title)
            .add_filter(filter, &extensions)
            .add_filter("All files", &["*"]);
        let request = DialogRequest { purpose, since: Instant::now() };
        self.0.wait_for(jobs, request, async move {
            let files = match purpose {
                FilePurpose::Recordings | FilePurpose::Comparison | FilePurpose::SceneElements => {
                    dialog.pick_files().await?
                }
                FilePurpose::Skeleton
                | FilePurpose::ExportSkeleton
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

pub(super) fn choose_files(
    mut requests: MessageReader<WindowRequest>,
    mut dialog: ResMut<OpenDialog>,
    jobs: Res<Jobs>,
) {
    for request in requests.read() {
        if let WindowRequest::ChooseFiles(purpose) = request {
            dialog.open(*purpose, &jobs);
        }
    }
}

pub(super) fn handle_dialog_result(
    mut dialog: ResMut<OpenDialog>,
    mut queue: ResMut<CommandQueue>,
    mut panels: ResMut<Panels>,
) {
    let Some((DialogRequest { purpose, since }, chosen)) = dialog.0.poll() else { return };
    let was_shown = since.elapsed() > MIN_DIALOG_TIME;
    // A crashed dialog returns `None` at once, like a dialog that could not be shown.
    match chosen.unwrap_or_default() {
        Some(files) => queue.0.extend(purpose.commands(files)),
        None if was_shown => {}
        None => panels.path_dialog = Some(purpose),
    }
}
