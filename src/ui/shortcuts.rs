//! Keys become commands.

use bevy_egui::egui::{Context, Event, Key, KeyboardShortcut};

use super::UiState;
use crate::{
    playback::TimeCommand,
    viewer::{ACTIONS, Action, Command},
};

/// Takes the key presses that [`ACTIONS`] has a meaning for, and returns what they mean.
///
/// None are taken while the user types. Modifiers must match exactly: egui's own shortcuts would
/// let `Shift+G` pass for `G`.
pub fn shortcut_commands(ctx: &Context, state: &UiState) -> Vec<Command> {
    let mut commands = Vec::new();
    if state.typing || ctx.text_edit_focused() {
        return commands;
    }
    // A button that Tab has led to is pressed with Space or Enter.
    let button_is_focused = ctx.memory(|memory| memory.focused().is_some());
    ctx.input_mut(|input| {
        input.events.retain(|event| match meaning(event) {
            Some(_) if button_is_focused && presses_a_button(event) => true,
            Some(command) => {
                commands.extend(command);
                false
            }
            None => true,
        });
    });
    commands
}

fn presses_a_button(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Space | Key::Enter, .. })
}

/// What pressing a key means: nothing if the table does not know it, no command for the repetition
/// of a key that acts once.
fn meaning(event: &Event) -> Option<Option<Command>> {
    let &Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return None };
    let is_pressed = |shortcut: &KeyboardShortcut| {
        shortcut.logical_key == key && modifiers.matches_exact(shortcut.modifiers)
    };
    let is_meant = |action: &&Action| action.keys.iter().any(is_pressed);
    let command = &ACTIONS.iter().find(is_meant)?.command;
    Some((!repeat || acts_again(command)).then(|| command.clone()))
}

/// Whether holding the key down does it again and again.
fn acts_again(command: &Command) -> bool {
    matches!(
        command,
        Command::Time(
            TimeCommand::Step(_) | TimeCommand::Skip(_) | TimeCommand::Faster | TimeCommand::Slower
        ) | Command::StepKey(_)
            | Command::StepEvent(_)
    )
}
