//! Files that are dropped onto the window.
//!
//! On Wayland the window system layer reports no drops; there, opening by dialog, path or command
//! line remains.

use bevy::prelude::*;

use crate::{
    session::{Command, CommandQueue, FileCommand},
    ui::FileHover,
};

/// Opens dropped files: the first recording at once, the others wait behind `]`; a skeleton among
/// them is attached.
pub(super) fn take_dropped_files(
    mut messages: MessageReader<FileDragAndDrop>,
    mut hover: ResMut<FileHover>,
    mut queue: ResMut<CommandQueue>,
) {
    let mut dropped = Vec::new();
    for message in messages.read() {
        match message {
            FileDragAndDrop::HoveredFile { .. } => hover.0 = true,
            FileDragAndDrop::HoveredFileCanceled { .. } => hover.0 = false,
            FileDragAndDrop::DroppedFile { path_buf, .. } => dropped.push(path_buf.clone()),
        }
    }
    if !dropped.is_empty() {
        hover.0 = false;
        queue.0.push(Command::File(FileCommand::Open(dropped)));
    }
}
