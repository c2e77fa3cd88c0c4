//! All commands of the session.

use std::path::PathBuf;

use bevy::prelude::*;

use super::Toggle;
use crate::session::{
    areas::AreaCommand,
    checks::CheckCommand,
    columns::ColumnsCommand,
    compare::CompareCommand,
    conventions::ConventionCommand,
    export::ExportCommand,
    files::{FileCommand, Source},
    footage::FootageCommand,
    labels::LabelCommand,
    playback::PlayheadCommand,
    report::ReportCommand,
    scenes::SceneCommand,
    skeleton::SkeletonCommand,
    view::{FilePurpose, PanelCommand, SavedFootage, TimelineCommand},
    viewport::{CameraCommand, ViewCommand},
};
use mutoscope_core::{measure::compare::CompareOptions, playback::TimeCommand};

/// The commands that wait to be applied, in order.
///
/// Panels, keys and the window add commands; the session applies them once a frame.
#[derive(Resource, Clone, Debug, Default)]
pub struct CommandQueue(pub Vec<Command>);

/// A command of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Controls the clock.
    Time(TimeCommand),
    /// Closes the panels that float over the viewport. If there are none, clears the selection.
    Cancel,
    /// Switches a setting on or off.
    Toggle(Toggle),
    /// Controls the comparison of recordings.
    Compare(CompareCommand),
    /// Edits or saves a scene.
    Scene(SceneCommand),
    /// Adds, changes or saves labels.
    Label(LabelCommand),
    /// Writes a report.
    Report(ReportCommand),
    /// Adds or changes areas of interest.
    Area(AreaCommand),
    /// Mutes checks, or saves which checks are muted.
    Check(CheckCommand),
    /// Undoes, redoes or saves edits.
    Edit(EditCommand),
    /// Closes the window.
    CloseWindow,
    /// Controls the reference footage.
    Footage(FootageCommand),
    /// Saves an image of the window in the current folder.
    Screenshot,
    /// Copies a link or a command that restores the current view to the clipboard.
    CopyView,
    /// Steps the playhead, or sets the in or out point at the playhead.
    Playhead(PlayheadCommand),
    /// Opens, reloads or closes files.
    File(FileCommand),
    /// Attaches or detaches a skeleton.
    Skeleton(SkeletonCommand),
    /// Changes the selection, or what the viewport shows.
    View(ViewCommand),
    /// Changes what the timeline shows. The timeline panel handles the command.
    Timeline(TimelineCommand),
    /// Sets the axes, the units or the interpolation of a format.
    Convention(ConventionCommand),
    /// Moves the camera.
    Camera(CameraCommand),
    /// Opens, closes or resizes panels.
    Panel(PanelCommand),
    /// Starts or cancels an export.
    Export(ExportCommand),
    /// Changes how the columns of a table are mapped.
    Columns(ColumnsCommand),
}

/// A command on all edits of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum EditCommand {
    /// Undoes the last edit.
    Undo,
    /// Redoes the last undone edit.
    Redo,
    /// Ends the current undo step, so that the next change of the same value is a step of its own.
    EndStep,
    /// Saves all edits next to their recordings. Asks where to save an edited scene.
    Save,
    /// Saves all edits except scenes. If no unsaved edits remain, applies the pending command.
    SaveAndContinue,
    /// Discards unsaved edits and applies the pending command.
    Discard,
    /// Keeps the recordings open and drops the pending command.
    KeepOpen,
    /// Replaces the file that the viewer asked about.
    Replace,
    /// Keeps the file that the viewer asked about.
    KeepFile,
}

impl FilePurpose {
    /// Returns the commands for the chosen files.
    pub fn commands(self, files: Vec<PathBuf>) -> Vec<Command> {
        let Some(first) = files.first().cloned() else { return Vec::new() };
        let compare = |path| {
            Command::Compare(CompareCommand::Add(Source::File(path), CompareOptions::default()))
        };
        match self {
            Self::Recordings => vec![Command::File(FileCommand::Open(files))],
            Self::Skeleton => vec![Command::Skeleton(SkeletonCommand::Attach(first))],
            Self::ExportSkeleton => vec![Command::Export(ExportCommand::UseSkeleton(first))],
            Self::BoneMap => vec![Command::Skeleton(SkeletonCommand::OpenMap(first))],
            Self::Comparison => files.into_iter().map(compare).collect(),
            Self::SceneElements => vec![Command::Scene(SceneCommand::AddRecordings(files))],
            Self::Labels => vec![Command::Label(LabelCommand::Import(first))],
            Self::Footage => {
                let saved = SavedFootage::from_path(first);
                vec![Command::Footage(FootageCommand::Open(saved))]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_files_become_commands_of_their_purpose() {
        let files = || vec![PathBuf::from("a.anim")];
        let commands = |purpose: FilePurpose| purpose.commands(files());
        assert_eq!(commands(FilePurpose::Recordings), [Command::File(FileCommand::Open(files()))]);
        let skeleton = Command::Skeleton(SkeletonCommand::Attach("a.anim".into()));
        assert_eq!(commands(FilePurpose::Skeleton), [skeleton]);
        let compare = |name: &str| {
            let source = Source::File(name.into());
            Command::Compare(CompareCommand::Add(source, CompareOptions::default()))
        };
        let two = vec!["a.anim".into(), "b.anim".into()];
        assert_eq!(FilePurpose::Comparison.commands(two), [compare("a.anim"), compare("b.anim")]);
        let added = Command::Scene(SceneCommand::AddRecordings(files()));
        assert_eq!(FilePurpose::SceneElements.commands(files()), [added]);
        assert_eq!(FilePurpose::Recordings.commands(Vec::new()), []);
    }
}
