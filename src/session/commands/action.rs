//! A command as it is offered to the user, with its name, help and keys.

use bevy::input::keyboard::KeyCode;

use crate::session::{Command, Needs};

/// A command as it is offered to the user.
#[derive(Debug)]
pub struct Action {
    /// Its command.
    pub command: Command,
    /// Its name in menus and on the F1 sheet.
    pub name: &'static str,
    /// One more sentence, for the tooltip; may be empty.
    pub help: &'static str,
    /// The keys for it; the first is the one that is shown.
    pub keys: &'static [Shortcut],
    /// Its section in the menu and on the F1 sheet.
    pub section: Section,
    /// Its requirement.
    pub needs: Needs,
}

/// A key with its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// The only modifier that is held.
    pub modifier: Option<Modifier>,
    /// The key, by its label rather than its position.
    pub key: KeyCode,
}

/// A key that is held while another is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Ctrl, or Command on a Mac.
    Ctrl,
    /// Shift.
    Shift,
    /// Alt.
    Alt,
    /// Ctrl, or Command on a Mac, and Shift.
    CtrlShift,
}

/// A section of the menu and of the F1 sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Files.
    File,
    /// Playback.
    Playback,
    /// The range.
    Range,
    /// A second recording.
    Compare,
    /// Labels.
    Labels,
    /// A scene that is edited.
    Scene,
    /// The view.
    View,
    /// The timeline and its curves.
    Timeline,
    /// The window.
    Window,
}

impl Section {
    /// All sections, in order: long ones come early, so that their menus fit next to the list of menus.
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Playback,
        Self::View,
        Self::Timeline,
        Self::Range,
        Self::Compare,
        Self::Labels,
        Self::Scene,
        Self::Window,
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Playback => "Playback",
            Self::Range => "Range",
            Self::Compare => "Compare",
            Self::Labels => "Labels",
            Self::Scene => "Scene",
            Self::View => "View",
            Self::Timeline => "Timeline",
            Self::Window => "Window",
        }
    }
}

/// A key by itself.
pub(super) const fn key(key: KeyCode) -> Shortcut {
    Shortcut { modifier: None, key }
}

/// A key with Ctrl.
pub(super) const fn ctrl(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Ctrl), key }
}

/// A key with Ctrl and Shift.
pub(super) const fn ctrl_shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::CtrlShift), key }
}

/// A key with Shift.
pub(super) const fn shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Shift), key }
}

/// A key with Alt.
pub(super) const fn alt(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Alt), key }
}
