//! Commands about scenes.

use std::path::PathBuf;

use bevy::prelude::*;

use mutoscope_minecraft::scene::SceneEdit;

/// A command about scenes. Where no recording is named, the one that a node is selected of is meant,
/// else the reference.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneCommand {
    /// Edits the scene that this recording is. Edits of the same value are one step until
    /// [`Self::EndStep`].
    Edit(Entity, SceneEdit),
    /// Ends the step that edits of this recording belong to.
    EndStep(Entity),
    /// Asks for recordings and adds them.
    ChooseRecordings,
    /// Adds these recordings and scenes.
    AddRecordings(Vec<PathBuf>),
    /// Writes the scene as version 4.
    Save {
        /// The path.
        path: PathBuf,
        /// Whether a file that is there is replaced, rather than asked about.
        replaces: bool,
    },
    /// Withdraws the question whether a file is replaced.
    KeepFile,
}
