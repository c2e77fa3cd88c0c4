//! Commands on scenes.

use std::path::PathBuf;

use bevy::prelude::*;

use mutoscope_minecraft::scene::SceneEdit;

/// A command on scenes. Commands without a recording apply to the focused recording.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneCommand {
    /// Edits the scene of this recording. Consecutive edits of the same value are one undo step,
    /// because a drag changes the value many times.
    Edit(Entity, SceneEdit),
    /// Asks the user for recordings and adds them.
    ChooseRecordings,
    /// Adds these recordings and scenes.
    AddRecordings(Vec<PathBuf>),
    /// Writes the scene as version 4.
    Save {
        /// The path.
        path: PathBuf,
        /// Is `true` if an existing file may be replaced without asking the user.
        replaces: bool,
    },
    /// Dismisses the question about replacing a file.
    KeepFile,
}
