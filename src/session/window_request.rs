//! What the session asks of whatever has a window: it has none itself.

use std::{fmt, path::PathBuf, sync::Arc};

use bevy::prelude::*;

use super::{Command, Compare, Source};
use crate::counterpart::Wish;

/// Something that only a window, or the desktop around it, can do.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    /// Asks the user for files: the answer comes as [`FilePurpose::command`].
    ChooseFiles(FilePurpose),
    /// Fills the screen, or no more.
    ToggleFullScreen,
    /// Saves an image of the window.
    SaveScreenshot,
    /// Puts text on the clipboard.
    CopyText(String),
}

/// What files are chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Recordings to open, and maybe a skeleton for them.
    Recordings,
    /// A skeleton for what is open.
    Skeleton,
    /// A recording that is compared with what is open.
    Counterpart,
}

impl FilePurpose {
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
    fn chosen_files_become_the_command_they_were_asked_for() {
        let files = || vec![PathBuf::from("a.anim")];
        let command = |purpose: FilePurpose| purpose.command(files());
        assert_eq!(command(FilePurpose::Recordings), Some(Command::OpenPaths(files())));
        let skeleton = Command::AttachSkeleton("a.anim".into());
        assert_eq!(command(FilePurpose::Skeleton), Some(skeleton));
        let source = Source::File("a.anim".into());
        let other = Command::Compare(Compare::With(source, Wish::default()));
        assert_eq!(command(FilePurpose::Counterpart), Some(other));
        assert_eq!(FilePurpose::Recordings.command(Vec::new()), None);
    }
}
