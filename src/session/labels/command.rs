//! Commands on labels, and on edits of labels and scenes.

use std::path::PathBuf;

use bevy::prelude::*;

use mutoscope_study::labels::Label;

/// A command on labels. Commands without a recording apply to the recording whose label was used
/// last. If a node was selected since, they apply to the focused recording.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelCommand {
    /// Asks for the name of the range. Without a range, begins a label at the playhead, or ends the
    /// label that was begun and asks for its name.
    Mark,
    /// Does the same as [`Mark`](Self::Mark), but uses the last name without asking.
    Repeat,
    /// Names the range or label for which a name was asked.
    Name(String),
    /// Cancels the naming.
    CancelNaming,
    /// Asks for another name of the selected label.
    Rename,
    /// Selects a label and plays its range.
    Play {
        /// The recording.
        recording: Entity,
        /// The index of the label.
        label: usize,
    },
    /// Changes a label.
    Change {
        /// The recording.
        recording: Entity,
        /// The index of the label.
        label: usize,
        /// The new label.
        to: Label,
    },
    /// Removes the selected label.
    Remove,
    /// Asks the user for a file and adds its labels.
    ChooseImport,
    /// Adds the labels of a file.
    Import(PathBuf),
    /// Writes the labels to a file in the format of its extension.
    Export {
        /// The path.
        path: PathBuf,
        /// Is `true` if an existing file is replaced without a question.
        replaces: bool,
    },
    /// Writes the labels to the table next to the recording.
    Save {
        /// Is `true` if a table that another program has changed is replaced without a question.
        replaces: bool,
    },
    /// Writes a report of all open recordings, as a web page.
    Report {
        /// The path.
        path: PathBuf,
        /// Is `true` if an existing file is replaced without a question.
        replaces: bool,
    },
}

/// A command on edits of labels or scenes.
#[derive(Clone, Debug, PartialEq)]
pub enum EditCommand {
    /// Undoes the last edit.
    Undo,
    /// Redoes the last undone edit.
    Redo,
    /// Saves the labels if they were edited, or else asks where to save the scene.
    Save,
    /// Saves all labels. The pending command is applied if no unsaved edits remain.
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
