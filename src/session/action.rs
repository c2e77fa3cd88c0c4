//! What the user is offered, in one table.
//!
//! Buttons, keys, menus, the list to find things in and the F1 sheet all take their commands, names,
//! help and keys from [`ACTIONS`], so they cannot contradict each other.

use bevy::input::keyboard::KeyCode;

use super::{Command, Compare, Toggle};
use crate::{
    playback::{Direction, SPEED_PRESETS, TimeCommand},
    stage::AxisView,
};

/// A command as it is offered to the user.
#[derive(Debug)]
pub struct Action {
    /// What it does.
    pub command: Command,
    /// Its name in menus and on the F1 sheet.
    pub name: &'static str,
    /// One more sentence, for the tooltip; may be empty.
    pub help: &'static str,
    /// The keys for it; the first is the one that is shown.
    pub keys: &'static [Shortcut],
    /// Where it stands in the menu and on the F1 sheet.
    pub section: Section,
}

/// A key, and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// What is held, and nothing else with it.
    pub modifier: Option<Modifier>,
    /// The key, by what is on it rather than by where it is.
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
    /// The view.
    View,
    /// The window.
    Window,
}

impl Section {
    /// All sections, in order.
    pub const ALL: [Self; 6] =
        [Self::File, Self::Playback, Self::Range, Self::Compare, Self::View, Self::Window];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Playback => "Playback",
            Self::Range => "Range",
            Self::Compare => "Compare",
            Self::View => "View",
            Self::Window => "Window",
        }
    }
}

/// How far Shift and an arrow key go, in seconds.
const SKIP_SECS: f64 = 1.0;

/// Every action, in the order of menus and of the F1 sheet.
pub static ACTIONS: &[Action] = &[
    action(Section::File, Command::Open, "Open…", "", &[ctrl(KeyCode::KeyO)]),
    action(Section::File, Command::Reload, "Read the file again", "", &[key(KeyCode::KeyR)]),
    action(
        Section::File,
        Command::StepFile(Direction::Backward),
        "Previous file",
        "Among the files that were opened together",
        &[key(KeyCode::BracketLeft)],
    ),
    action(
        Section::File,
        Command::StepFile(Direction::Forward),
        "Next file",
        "Among the files that were opened together",
        &[key(KeyCode::BracketRight)],
    ),
    action(
        Section::File,
        Command::AskForSkeleton,
        "Attach a skeleton…",
        "Shows the recording on the bones of another file: glTF or GLB, or CINF",
        &[],
    ),
    action(
        Section::File,
        Command::DetachSkeleton,
        "Detach the skeleton",
        "Shows the recording by itself again",
        &[],
    ),
    action(Section::File, Command::ShowGallery, "Samples", "", &[]),
    action(
        Section::File,
        Command::Screenshot,
        "Save a picture",
        "A PNG of the window, in the current folder",
        &[key(KeyCode::F12)],
    ),
    action(
        Section::File,
        Command::Toggle(Toggle::Export),
        "Export…",
        "As GLB, table, AnimJ, Maya's curves or BVH, or as a film",
        &[ctrl(KeyCode::KeyE)],
    ),
    action(
        Section::File,
        Command::CopyView,
        "Copy the view as a command",
        "File, time, range, selection and camera, to come back to or to pass on",
        &[shift(KeyCode::KeyV)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::TogglePlay),
        "Play or pause",
        "",
        &[key(KeyCode::Space)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Step(Direction::Backward)),
        "Previous sample",
        "The recording's own samples, not screen frames",
        &[key(KeyCode::ArrowLeft)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Step(Direction::Forward)),
        "Next sample",
        "The recording's own samples, not screen frames",
        &[key(KeyCode::ArrowRight)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Skip(-SKIP_SECS)),
        "Back one second",
        "",
        &[shift(KeyCode::ArrowLeft)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Skip(SKIP_SECS)),
        "On one second",
        "",
        &[shift(KeyCode::ArrowRight)],
    ),
    action(
        Section::Playback,
        Command::StepKey(Direction::Backward),
        "Previous key",
        "Of what is selected, else of anything",
        &[ctrl(KeyCode::ArrowLeft), key(KeyCode::ArrowUp)],
    ),
    action(
        Section::Playback,
        Command::StepKey(Direction::Forward),
        "Next key",
        "Of what is selected, else of anything",
        &[ctrl(KeyCode::ArrowRight), key(KeyCode::ArrowDown)],
    ),
    action(
        Section::Playback,
        Command::StepEvent(Direction::Backward),
        "Previous marker or finding",
        "",
        &[key(KeyCode::PageUp)],
    ),
    action(
        Section::Playback,
        Command::StepEvent(Direction::Forward),
        "Next marker or finding",
        "",
        &[key(KeyCode::PageDown)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::ToStart),
        "Go to the start",
        "",
        &[key(KeyCode::Home)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::ToEnd),
        "Go to the end",
        "",
        &[key(KeyCode::End)],
    ),
    action(Section::Playback, Command::EditTime, "Go to a time…", "", &[key(KeyCode::KeyG)]),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Slower),
        "Slower",
        "",
        &[key(KeyCode::KeyJ)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Faster),
        "Faster",
        "",
        &[key(KeyCode::KeyK)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[0])),
        "Play at a tenth of the speed",
        "",
        &[key(KeyCode::Digit1)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[1])),
        "Play at a quarter of the speed",
        "",
        &[key(KeyCode::Digit2)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[2])),
        "Play at half the speed",
        "",
        &[key(KeyCode::Digit3)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[3])),
        "Play at the recorded speed",
        "",
        &[key(KeyCode::Digit4)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[4])),
        "Play at twice the speed",
        "",
        &[key(KeyCode::Digit5)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[5])),
        "Play at four times the speed",
        "",
        &[key(KeyCode::Digit6)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[6])),
        "Play at eight times the speed",
        "",
        &[key(KeyCode::Digit7)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::CycleLooping),
        "Change looping",
        "Off, all, range, to and fro",
        &[key(KeyCode::KeyL)],
    ),
    action(Section::Range, Command::SetInHere, "Start the range here", "", &[key(KeyCode::KeyI)]),
    action(Section::Range, Command::SetOutHere, "End the range here", "", &[key(KeyCode::KeyO)]),
    action(
        Section::Range,
        Command::Time(TimeCommand::SetRange(None)),
        "Drop the range",
        "",
        &[alt(KeyCode::KeyI), alt(KeyCode::KeyO)],
    ),
    action(
        Section::View,
        Command::FrameSelected,
        "Frame the selection",
        "Or everything, if nothing is selected",
        &[key(KeyCode::KeyF)],
    ),
    action(Section::View, Command::FrameAll, "Frame everything", "", &[key(KeyCode::KeyA)]),
    action(
        Section::View,
        Command::Toggle(Toggle::HeadCamera),
        "Look through the recorded head",
        "",
        &[key(KeyCode::KeyC)],
    ),
    action(
        Section::View,
        Command::LookAlong(AxisView::Front),
        "View from the front",
        "",
        &[alt(KeyCode::Digit1)],
    ),
    action(
        Section::View,
        Command::LookAlong(AxisView::Right),
        "View from the right",
        "",
        &[alt(KeyCode::Digit3)],
    ),
    action(
        Section::View,
        Command::LookAlong(AxisView::Top),
        "View from above",
        "",
        &[alt(KeyCode::Digit7)],
    ),
    action(Section::View, Command::Toggle(Toggle::Labels), "Names", "", &[key(KeyCode::KeyN)]),
    action(Section::View, Command::Toggle(Toggle::Axes), "Axes", "", &[key(KeyCode::KeyX)]),
    action(Section::View, Command::Toggle(Toggle::Bones), "Bones", "", &[key(KeyCode::KeyB)]),
    action(
        Section::View,
        Command::Toggle(Toggle::Model),
        "Model",
        "The attached model's meshes, or its skeleton",
        &[key(KeyCode::KeyM)],
    ),
    action(Section::View, Command::Toggle(Toggle::Grid), "Grid", "", &[shift(KeyCode::KeyG)]),
    action(
        Section::View,
        Command::Toggle(Toggle::RestPose),
        "Rest pose",
        "The skeleton as it is while nothing moves it, in outline",
        &[shift(KeyCode::KeyB)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::InPlace),
        "In place",
        "Keeps what walks over the same spot of the grid",
        &[key(KeyCode::KeyP)],
    ),
    action(
        Section::View,
        Command::CycleFollow,
        "Go along, or turn along",
        "The camera goes with what is selected, else with what walks; then it turns with that too; then it stays",
        &[key(KeyCode::KeyT)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Trails),
        "Trails",
        "Where joints were and will be, coloured by speed: of pinned joints, else of the selected one",
        &[key(KeyCode::KeyY)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Ghosts),
        "Ghosts",
        "Poses of other times around now, fainter the farther they are",
        &[shift(KeyCode::KeyY)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::FadeUntracked),
        "Faded hands while untracked",
        "Where an untracked hand would be: the recording does not know",
        &[key(KeyCode::KeyU)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Skeleton),
        "Skeleton",
        "Which nodes of the recording and of the attached skeleton are the same",
        &[],
    ),
    action(
        Section::View,
        Command::ZoomToRange,
        "Zoom to the range",
        "The timeline shows the range, or everything if there is none",
        &[key(KeyCode::KeyZ)],
    ),
    action(
        Section::View,
        Command::ZoomToAll,
        "Show the whole length",
        "On the timeline; a double click on it does the same",
        &[shift(KeyCode::KeyZ)],
    ),
    action(Section::View, Command::UnfoldRows, "Unfold all rows", "Of the timeline", &[]),
    action(Section::View, Command::FoldRows, "Fold all rows", "Of the timeline", &[]),
    action(
        Section::View,
        Command::Toggle(Toggle::Folds),
        "Fold empty stretches",
        "Long times without a key take hardly any room",
        &[alt(KeyCode::KeyE)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Snapping),
        "Snap to what is near",
        "What is dragged on the timeline goes to keys, markers and round times, unless Ctrl or Alt is held",
        &[alt(KeyCode::KeyS)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Curves),
        "Curves",
        "What is selected as curves, in place of lanes and keys",
        &[shift(KeyCode::KeyC)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Bytes),
        "Bytes of the file",
        "Where the selected key stands in it; a click there selects a key",
        &[ctrl(KeyCode::KeyB)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::MovedCurves),
        "Velocity and acceleration",
        "Of what is selected, as curves: in the world, worked out from where it is just before and after",
        &[key(KeyCode::KeyV)],
    ),
    action(
        Section::View,
        Command::FitCurves,
        "Fit the curves",
        "To the values within the time that is shown; a double click shows everything",
        &[shift(KeyCode::KeyF)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::NormalisedCurves),
        "Normalise the curves",
        "Each from its own least value to its greatest",
        &[],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Frames),
        "Count time in frames",
        "Where the file states a rate; else in seconds",
        &[ctrl(KeyCode::KeyT)],
    ),
    action(
        Section::View,
        Command::Cancel,
        "Deselect",
        "Closes what floats over the viewport first",
        &[key(KeyCode::Escape)],
    ),
    action(
        Section::Compare,
        Command::Compare(Compare::Choose),
        "Compare with another recording…",
        "It plays on the same clock; the timeline shows how far the two are apart",
        &[ctrl(KeyCode::KeyD)],
    ),
    action(
        Section::Compare,
        Command::Compare(Compare::Align(None)),
        "Align by motion",
        "Lays the second recording where the joints move alike, by how fast they are",
        &[shift(KeyCode::KeyA)],
    ),
    action(
        Section::Compare,
        Command::Compare(Compare::PlaceNext),
        "Show the second elsewhere",
        "Where it was recorded, on the spot of the first, beside that",
        &[key(KeyCode::KeyS)],
    ),
    action(
        Section::Compare,
        Command::Compare(Compare::Stop),
        "Compare no more",
        "Takes the second recording away",
        &[shift(KeyCode::KeyD)],
    ),
    action(
        Section::Window,
        Command::Toggle(Toggle::Panels),
        "Hide or show all panels",
        "",
        &[key(KeyCode::KeyH)],
    ),
    action(
        Section::Window,
        Command::Toggle(Toggle::FullScreen),
        "Full screen",
        "",
        &[key(KeyCode::F11)],
    ),
    action(
        Section::Window,
        Command::Toggle(Toggle::Findings),
        "Findings",
        "What is odd about the file, and what in its motion is worth a look",
        &[key(KeyCode::KeyE)],
    ),
    action(
        Section::Window,
        Command::Toggle(Toggle::Chooser),
        "Find a command, file or node…",
        "By a few letters of any of its words",
        &[ctrl(KeyCode::KeyP), ctrl(KeyCode::KeyK)],
    ),
    action(Section::Window, Command::Toggle(Toggle::LightTheme), "Light theme", "", &[]),
    action(Section::Window, Command::Toggle(Toggle::Help), "Keys", "", &[key(KeyCode::F1)]),
];

impl Action {
    /// The action for `command`, if the table has one.
    pub fn of(command: &Command) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.command == *command)
    }
}

const fn action(
    section: Section,
    command: Command,
    name: &'static str,
    help: &'static str,
    keys: &'static [Shortcut],
) -> Action {
    Action { command, name, help, keys, section }
}

const fn key(key: KeyCode) -> Shortcut {
    Shortcut { modifier: None, key }
}

const fn ctrl(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Ctrl), key }
}

const fn shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Shift), key }
}

const fn alt(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Alt), key }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_key_has_two_meanings() {
        let mut meanings = HashMap::new();
        for action in ACTIONS {
            for shortcut in action.keys {
                let before = meanings.insert(shortcut, action.name);
                assert_eq!(before, None, "{shortcut:?} is also for {}", action.name);
            }
        }
    }

    #[test]
    fn no_command_stands_in_the_table_twice() {
        for (index, action) in ACTIONS.iter().enumerate() {
            let again = ACTIONS[index + 1..].iter().find(|other| other.command == action.command);
            assert!(again.is_none(), "{}", action.name);
        }
    }
}
