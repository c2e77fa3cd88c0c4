//! A command as the viewer offers it to the user, with its name, tooltip and keys.

use bevy::input::keyboard::KeyCode;

use super::{Command, Needs};

/// A command as the viewer offers it to the user.
#[derive(Debug)]
pub struct Action {
    /// The command.
    pub command: Command,
    /// The name in menus and on the F1 sheet.
    pub name: &'static str,
    /// The tooltip, a sentence of its own; may be empty.
    pub help: &'static str,
    /// Other search words for the command palette, in lower case: the names of the action in
    /// Blender, Maya, Unity and Rerun. May be empty.
    pub synonyms: &'static str,
    /// The keys that issue the command. Menus show the first one.
    pub keys: &'static [Shortcut],
    /// The section in the menu and on the F1 sheet.
    pub section: Section,
    /// The condition under which the action is available.
    pub needs: Needs,
}

/// A key and its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// The modifier that must be held. No other modifier may be held.
    pub modifier: Option<Modifier>,
    /// The key. It is identified by its label, so its position depends on the keyboard layout.
    pub key: KeyCode,
}

/// A key that is held while another key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Ctrl, or Command on a Mac.
    Ctrl,
    /// Shift.
    Shift,
    /// Alt.
    Alt,
    /// Ctrl and Shift, or Command and Shift on a Mac.
    CtrlShift,
}

/// A section of the menu and of the F1 sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
pub enum Section {
    /// Commands on files.
    File,
    /// Commands on playback.
    Playback,
    /// Commands on the range that is played.
    Range,
    /// Commands on a second recording.
    Compare,
    /// Commands on labels.
    Labels,
    /// Commands on an edited scene.
    Scene,
    /// Commands on the view.
    View,
    /// Commands on the timeline and its curves.
    Timeline,
    /// Commands on the window.
    Window,
}

impl Section {
    /// All sections in order. Long sections come early, so that their menus fit next to the list of
    /// menus.
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

    /// Returns the heading.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

pub(super) const fn key(key: KeyCode) -> Shortcut {
    Shortcut { modifier: None, key }
}

pub(super) const fn ctrl(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Ctrl), key }
}

pub(super) const fn ctrl_shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::CtrlShift), key }
}

pub(super) const fn shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Shift), key }
}

pub(super) const fn alt(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Alt), key }
}
