//! Opens files that are dropped onto the window.
//!
//! On Wayland, winit reports no drops. Users there can open files with the dialog, a path or the
//! command line.

use bevy::prelude::*;

use crate::{
    session::{Command, CommandQueue, FileCommand},
    ui::FileHover,
};

pub(super) fn open_dropped_files(
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
