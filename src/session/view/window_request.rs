//! Requests of the session to the window.

use std::{fmt, path::PathBuf, sync::Arc};

use bevy::prelude::*;

/// A request that only a window, or the desktop around it, can carry out.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum WindowRequest {
    /// Asks the user for files. The answer arrives as a command.
    ChooseFiles(FilePurpose),
    /// Asks the user for the output file of an export. The suggested path is given.
    ChooseOutput(PathBuf),
    /// Shows a folder in the file manager.
    OpenFolder(PathBuf),
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
    /// The skeleton that an export needs.
    ExportSkeleton,
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
