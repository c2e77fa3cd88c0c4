//! Shows file dialogs.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{platform::time::Instant, prelude::*};

use crate::session::{
    Command, CommandQueue, ExportCommand, FilePurpose, Job, Jobs, Panels, WindowRequest,
};
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
    purpose: DialogPurpose,
    since: Instant,
}

#[derive(Clone, Copy)]
enum DialogPurpose {
    Open(FilePurpose),
    /// Chooses the output file of an export.
    Export,
}

impl OpenDialog {
    fn open(&mut self, purpose: FilePurpose, jobs: &Jobs) {
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
        self.wait(DialogPurpose::Open(purpose), jobs, async move {
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

    fn choose_output(&mut self, suggested: &Path, jobs: &Jobs) {
        let name = suggested.file_name().unwrap_or_default().to_string_lossy();
        let mut dialog = rfd::AsyncFileDialog::new().set_title("Export to").set_file_name(name);
        if let Some(folder) = suggested.parent().and_then(|folder| folder.canonicalize().ok()) {
            dialog = dialog.set_directory(folder);
        }
        self.wait(DialogPurpose::Export, jobs, async move {
            Some(vec![dialog.save_file().await?.path().to_owned()])
        });
    }

    fn wait(
        &mut self,
        purpose: DialogPurpose,
        jobs: &Jobs,
        answer: impl Future<Output = Option<Vec<PathBuf>>> + Send + 'static,
    ) {
        if !self.0.is_running() {
            self.0.wait_for(jobs, DialogRequest { purpose, since: Instant::now() }, answer);
        }
    }
}

pub(super) fn choose_files(
    mut requests: MessageReader<WindowRequest>,
    mut dialog: ResMut<OpenDialog>,
    jobs: Res<Jobs>,
) {
    for request in requests.read() {
        match request {
            WindowRequest::ChooseFiles(purpose) => dialog.open(*purpose, &jobs),
            WindowRequest::ChooseOutput(suggested) => dialog.choose_output(suggested, &jobs),
            _ => {}
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
    match (purpose, chosen.unwrap_or_default()) {
        (DialogPurpose::Open(purpose), Some(files)) => queue.0.extend(purpose.commands(files)),
        (DialogPurpose::Open(purpose), None) if !was_shown => panels.path_dialog = Some(purpose),
        (DialogPurpose::Export, Some(files)) => {
            let command = |file| Command::Export(ExportCommand::UseOutput(file));
            queue.0.extend(files.into_iter().map(command));
        }
        // The export dialog has a field in which the user can type the path.
        (DialogPurpose::Export | DialogPurpose::Open(_), None) => {}
    }
}
