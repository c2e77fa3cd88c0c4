//! Requests of the session to the window.

use std::{fmt, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use crate::session::{
    Command, CompareCommand, FileCommand, FootageCommand, LabelCommand, SavedFootage, SceneCommand,
    SkeletonCommand, Source,
};
use mutoscope_core::measure::compare::CompareOptions;

/// A request that only a window, or the desktop around it, can carry out.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    /// Asks the user for files. The answer arrives as [`FilePurpose::commands`].
    ChooseFiles(FilePurpose),
    /// Switches full screen on or off.
    ToggleFullScreen,
    /// Saves an image of the window.
    SaveScreenshot,
    /// Closes the window.
    Close,
    /// Copies text to the clipboard.
    CopyText(String),
}

/// The purpose of chosen files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Recordings to open, possibly with a skeleton.
    Recordings,
    /// A skeleton for the open recording.
    Skeleton,
    /// A bone map that retargets the open recording to its skeleton.
    BoneMap,
    /// Recordings to compare with the open recording.
    Comparison,
    /// Recordings and scenes to add to the open scene.
    SceneElements,
    /// A reference video, images or sound.
    Footage,
    /// Labels to add to the recording.
    Labels,
}

impl FilePurpose {
    /// Returns the commands for the chosen files.
    pub fn commands(self, files: Vec<PathBuf>) -> Vec<Command> {
        if files.is_empty() {
            return Vec::new();
        }
        let compare = |path| {
            Command::Compare(CompareCommand::Add(Source::File(path), CompareOptions::default()))
        };
        match self {
            Self::Recordings => vec![Command::File(FileCommand::Open(files))],
            Self::Skeleton => {
                let attach = |file| Command::Skeleton(SkeletonCommand::Attach(file));
                files.into_iter().take(1).map(attach).collect()
            }
            Self::BoneMap => {
                let open = |file| Command::Skeleton(SkeletonCommand::OpenMap(file));
                files.into_iter().take(1).map(open).collect()
            }
            Self::Comparison => files.into_iter().map(compare).collect(),
            Self::SceneElements => vec![Command::Scene(SceneCommand::AddRecordings(files))],
            Self::Labels => {
                let import = |file| Command::Label(LabelCommand::Import(file));
                files.into_iter().take(1).map(import).collect()
            }
            Self::Footage => {
                let open =
                    |path| Command::Footage(FootageCommand::Open(SavedFootage::from_path(path)));
                files.into_iter().take(1).map(open).collect()
            }
        }
    }
}

/// Wakes the window from any thread, so that the window draws a frame immediately. Does nothing if
/// the window draws frames continuously.
#[derive(Resource, Clone, Default)]
pub struct Waker(Option<Arc<dyn Fn() + Send + Sync>>);

impl Waker {
    /// Returns a waker that calls `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(wake)))
    }

    /// Wakes the window.
    pub fn wake(&self) {
        if let Some(wake) = &self.0 {
            wake();
        }
    }
}

impl fmt::Debug for Waker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Waker").field(&self.0.is_some()).finish()
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
