//! Commands about labels, and about edits of any kind.

use std::path::PathBuf;

use bevy::prelude::*;

use mutoscope_study::labels::Label;

/// A command about labels. Where no recording is named, the one is meant whose label was used last, unless a node
/// was selected since: then that of the node, else the reference.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelCommand {
    /// Asks for the name of the range. Without a range, begins a label at the playhead, or ends the one that was
    /// begun and asks for its name.
    Mark,
    /// The same with the name that was given last, without asking.
    Repeat,
    /// Gives what is being named this name.
    Name(String),
    /// Names nothing.
    KeepUnnamed,
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
        /// The label as it is to be.
        to: Label,
    },
    /// Removes the selected label.
    Remove,
    /// Asks for a file and adds its labels.
    ChooseImport,
    /// Adds the labels of a file.
    Import(PathBuf),
    /// Writes the labels to a file, whose extension is its format.
    Export {
        /// The path.
        path: PathBuf,
        /// Whether a file that is there is replaced, rather than asked about.
        replaces: bool,
    },
    /// Writes the labels to the table beside the recording.
    Save {
        /// Whether a table is replaced that is not as it was when it was read, rather than asked about.
        replaces: bool,
    },
    /// Writes the report of all open recordings, as a page.
    Report {
        /// The path.
        path: PathBuf,
        /// Whether a file that is there is replaced, rather than asked about.
        replaces: bool,
    },
}

/// A command about edits, of labels or of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum EditCommand {
    /// Undoes the last edit.
    Undo,
    /// Makes the edit again that was undone last.
    Redo,
    /// Saves the labels, if any were edited, else asks where to save the scene.
    Save,
    /// Saves all labels, and does what was asked for, if no edits are unsaved then.
    SaveAndContinue,
    /// Discards unsaved edits, and does what was asked for.
    Discard,
    /// Keeps what is open, and withdraws what was asked for.
    KeepOpen,
    /// Replaces the file that was asked about.
    Replace,
    /// Keeps the file that was asked about.
    KeepFile,
}
