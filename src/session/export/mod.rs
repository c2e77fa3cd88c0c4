//! Exports recordings, and copies a link or a command that restores the view.
//!
//! | file | content |
//! |---|---|
//! | `job` | the request, the background job and its result |
//! | `page`, `video` | web pages and videos of all open recordings |
//! | `copied_view` | the command or the link that restores the view |

mod copied_view;
mod job;
mod page;
mod video;

use std::path::PathBuf;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    files::{Files, OpenRecordings, ReplaceQuestion, existing_files_question, folder_of},
    jobs::Jobs,
    schedule::ApplyStep,
    view::{FilePurpose, SavedFootage, WindowRequest},
};
pub use crate::capture::BurnIn;
use bevy_mutoscope::stage::{PlayerSkin, StageScreen, View};
pub(in crate::session) use copied_view::copy_view;
use job::ExportScene;
pub(in crate::session) use job::close_window_after_export;
pub use job::{ExportRequest, Exported, Exports};
pub use video::VideoCamera;

/// A command on exports.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCommand {
    /// Starts an export.
    Start(Box<ExportRequest>),
    /// Cancels the running export.
    Cancel,
    /// Asks the user for the skeleton that an export needs.
    ChooseSkeleton,
    /// Proposes this skeleton for exports that need one.
    UseSkeleton(PathBuf),
    /// Asks the user for the output file. The suggested path is given.
    ChooseOutput(PathBuf),
    /// Proposes this output file.
    UseOutput(PathBuf),
    /// Shows the folder of this file in the file manager.
    OpenFolder(PathBuf),
}

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<Exports>()
        // An app without a stage needs this resource too. If there is a stage, it adds the same
        // resource.
        .init_resource::<PlayerSkin>()
        .add_systems(Update, job::finish_export.in_set(ApplyStep::Follow));
}

/// The open recordings as the stage shows them.
#[derive(SystemParam)]
pub(in crate::session) struct ShownState<'w, 's> {
    open: OpenRecordings<'w, 's>,
    view: Res<'w, View>,
    screen: Res<'w, StageScreen>,
    player_skin: Res<'w, PlayerSkin>,
}

/// Starts or cancels an export. `footage` is the reference footage that is open. Returns a question
/// if the export would replace a file. The files of open and listed recordings are never replaced.
pub(in crate::session) fn apply(
    In((command, footage)): In<(ExportCommand, Option<SavedFootage>)>,
    shown: ShownState,
    files: Res<Files>,
    mut exports: ResMut<Exports>,
    mut window: MessageWriter<WindowRequest>,
    jobs: Res<Jobs>,
) -> Option<ReplaceQuestion<ExportCommand>> {
    let request = match command {
        ExportCommand::Start(request) => *request,
        ExportCommand::Cancel => {
            exports.cancel();
            return None;
        }
        ExportCommand::ChooseSkeleton => {
            window.write(WindowRequest::ChooseFiles(FilePurpose::ExportSkeleton));
            return None;
        }
        ExportCommand::UseSkeleton(path) => {
            exports.skeleton = Some(path);
            return None;
        }
        ExportCommand::ChooseOutput(suggested) => {
            window.write(WindowRequest::ChooseOutput(suggested));
            return None;
        }
        ExportCommand::UseOutput(path) => {
            exports.chosen_output = Some(path);
            return None;
        }
        ExportCommand::OpenFolder(file) => {
            window.write(WindowRequest::OpenFolder(folder_of(&file).to_owned()));
            return None;
        }
    };
    let mut inputs = shown.open.input_files(files.skeleton.as_ref());
    if let Some(footage) = &footage {
        inputs.add(&footage.path, "the reference video");
    }
    if let Some(skeleton) = &request.skeleton {
        inputs.add(skeleton, "the skeleton");
    }
    files.add_listed_to(&mut inputs);
    let ShownState { open, view, screen, player_skin } = &shown;
    let outputs = request.target.output_paths(&request.path);
    if let Err(why) = inputs.check_outputs(&outputs) {
        exports.reject(request.path, why.to_string());
        return None;
    }
    if !request.replaces
        && let Some(text) = existing_files_question(&outputs)
    {
        let request = ExportRequest { replaces: true, ..request };
        let command = ExportCommand::Start(Box::new(request));
        return Some(ReplaceQuestion { text, command });
    }
    if let Some(scene) = ExportScene::capture(open, view, screen, player_skin, footage) {
        exports.start(request, scene, &jobs);
    }
    None
}
