//! Commands on labels.

use std::path::PathBuf;

use bevy::prelude::*;

use mutoscope_study::labels::Label;

/// A command on labels. A command that names no recording applies to the recording whose labels
/// were used last. If the user has selected a node since, it applies to the focused recording.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelCommand {
    /// Asks for the name of the range. If there is no range, the first command begins a label at
    /// the playhead. The second command ends this label and asks for its name.
    Mark,
    /// Does the same as [`Mark`](Self::Mark), but gives the label the last name instead of asking
    /// for a name.
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
        /// Is `true` if an existing file may be replaced without asking the user.
        replaces: bool,
    },
    /// Writes the labels to the table next to the recording.
    Save {
        /// Is `true` if a table that another program has changed may be replaced without asking the
        /// user.
        replaces: bool,
    },
}
