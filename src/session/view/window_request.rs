//! Requests of the session to the window.

use std::{fmt, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use crate::session::{
    Command, Compare, FileCommand, FootageCommand, LabelCommand, SavedFootage, SceneCommand,
    SkeletonCommand, Source,
};
use mutoscope_core::measure::compare::CompareOptions;

/// Something that only a window, or the desktop around it, can do.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    /// Asks the user for files: the answer comes as [`FilePurpose::commands`].
    ChooseFiles(FilePurpose),
    /// Turns full screen on or off.
    ToggleFullScreen,
    /// Saves an image of the window.
    SaveScreenshot,
    /// Closes the window.
    Close,
    /// Puts text on the clipboard.
    CopyText(String),
}

/// The purpose of chosen files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Recordings to open, and maybe a skeleton for them.
    Recordings,
    /// A skeleton for what is open.
    Skeleton,
    /// A map of bones, by which what is open is put on its skeleton.
    BoneMap,
    /// Recordings that are compared with what is open.
    Comparison,
    /// Recordings and scenes that are added to the open scene.
    SceneElements,
    /// A reference video, images or sound.
    Footage,
    /// Labels that are added to those of the recording.
    Labels,
}

impl FilePurpose {
    /// The commands for the chosen files.
    pub fn commands(self, files: Vec<PathBuf>) -> Vec<Command> {
        if files.is_empty() {
            return Vec::new();
        }
        let compare =
            |path| Command::Compare(Compare::With(Source::File(path), CompareOptions::default()));
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
                    |path| Command::Footage(FootageCommand::Open(SavedFootage::of_path(path)));
                files.into_iter().take(1).map(open).collect()
            }
        }
    }
}

/// Lets the next frame come at once, from any thread; does nothing where frames come by themselves.
#[derive(Resource, Clone, Default)]
pub struct Waker(Option<Arc<dyn Fn() + Send + Sync>>);

impl Waker {
    /// Wakes by calling `wake`.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(wake)))
    }

    /// Lets the next frame come at once.
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
        let with = |name: &str| {
            let source = Source::File(name.into());
            Command::Compare(Compare::With(source, CompareOptions::default()))
        };
        let two = vec!["a.anim".into(), "b.anim".into()];
        assert_eq!(FilePurpose::Comparison.commands(two), [with("a.anim"), with("b.anim")]);
        let added = Command::Scene(SceneCommand::AddRecordings(files()));
        assert_eq!(FilePurpose::SceneElements.commands(files()), [added]);
        assert_eq!(FilePurpose::Recordings.commands(Vec::new()), []);
    }
}
