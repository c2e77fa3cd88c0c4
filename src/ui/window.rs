//! The whole window: which panel stands where.

use bevy::prelude::Resource;
use bevy_egui::egui;

use super::Model;
use crate::viewer::{Command, Toggle};

/// How the window is laid out: all that the panels remember from frame to frame.
#[derive(Resource, Clone, Debug, Default)]
pub struct UiState {
    /// Whether all panels are hidden and the picture fills the window.
    pub panels_hidden: bool,
    /// Whether the sheet of keys is open.
    pub help_open: bool,
    /// Whether the list of notices is open.
    pub notices_open: bool,
    /// What is typed into the dialog for a path, while it is open; for where the desktop's own
    /// file dialog is missing.
    pub path_dialog: Option<String>,
    /// Whether the user was typing when the last frame ended.
    pub(super) typing: bool,
}

/// Where the picture is, and who may listen to pointer and keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowLayout {
    /// The part of the window that no panel covers, in points.
    pub picture: egui::Rect,
    /// Whether the pointer belongs to a panel.
    pub pointer_taken: bool,
    /// Whether the keyboard belongs to a text field.
    pub keyboard_taken: bool,
}

impl UiState {
    /// Does what `command` asks for, if it is about the panels alone; tells whether it was.
    pub fn apply(&mut self, command: &Command) -> bool {
        match command {
            Command::Toggle(Toggle::Panels) => self.panels_hidden = !self.panels_hidden,
            Command::Toggle(Toggle::Help) => self.help_open = !self.help_open,
            Command::Toggle(Toggle::Notices) => self.notices_open = !self.notices_open,
            _ => return false,
        }
        true
    }
}

/// Lays out the whole window in `ui`, which covers it, and adds what the user wants to `commands`.
pub fn window_ui(
    ui: &mut egui::Ui,
    _model: &Model<'_>,
    state: &mut UiState,
    _commands: &mut Vec<Command>,
) -> WindowLayout {
    state.typing = ui.ctx().text_edit_focused();
    let picture = ui.available_rect_before_wrap();
    WindowLayout { picture, pointer_taken: false, keyboard_taken: state.typing }
}
