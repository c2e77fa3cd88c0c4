//! Keys become commands.

use bevy_egui::{
    egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup},
    helpers::bevy_to_egui_physical_key,
};

use super::UiState;
use crate::{
    playback::TimeCommand,
    session::{ACTIONS, Action, Command, Modifier, Shortcut},
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
    // A menu that is open is closed with Escape.
    let menu_is_open = Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        input.events.retain(|event| match meaning(event) {
            Some(_) if button_is_focused && presses_a_button(event) => true,
            Some(_) if menu_is_open && is_escape(event) => true,
            Some(command) => {
                commands.extend(command);
                false
            }
            None => true,
        });
    });
    commands
}

/// A shortcut as egui knows it; nothing for a key that egui has no name for.
pub(super) fn keyboard_shortcut(shortcut: &Shortcut) -> Option<KeyboardShortcut> {
    let modifiers = match shortcut.modifier {
        None => Modifiers::NONE,
        Some(Modifier::Ctrl) => Modifiers::COMMAND,
        Some(Modifier::Shift) => Modifiers::SHIFT,
        Some(Modifier::Alt) => Modifiers::ALT,
    };
    Some(KeyboardShortcut::new(modifiers, bevy_to_egui_physical_key(&shortcut.key)?))
}

fn presses_a_button(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Space | Key::Enter, .. })
}

fn is_escape(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Escape, .. })
}

/// The meaning of a key press: `None` if the table does not have it, no command for the repetition
/// of a key that acts once.
fn meaning(event: &Event) -> Option<Option<Command>> {
    let &Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return None };
    let is_pressed = |shortcut: &Shortcut| {
        keyboard_shortcut(shortcut).is_some_and(|shortcut| {
            shortcut.logical_key == key && modifiers.matches_exact(shortcut.modifiers)
        })
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

#[cfg(test)]
mod tests {
    use bevy_egui::egui::RawInput;

    use super::*;

    /// What pressing these keys together gives, in an idle window.
    fn pressed(modifiers: Modifiers, key: Key, state: &UiState) -> Vec<Command> {
        let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = RawInput { events: vec![event], ..RawInput::default() };
        let mut commands = Vec::new();
        let output = Context::default().run_ui(input, |ui| {
            commands.extend(shortcut_commands(ui.ctx(), state));
        });
        output.drop_without_applying_deltas();
        commands
    }

    /// The modifiers as a keyboard reports them: Ctrl is also the command key.
    fn held(modifiers: Modifiers) -> Modifiers {
        Modifiers { ctrl: modifiers.ctrl || modifiers.command, ..modifiers }
    }

    #[test]
    fn every_shortcut_gives_exactly_its_command() {
        let keys =
            ACTIONS.iter().flat_map(|action| action.keys.iter().map(move |key| (action, key)));
        for (action, keys) in keys {
            let keys = keyboard_shortcut(keys).unwrap();
            let commands = pressed(held(keys.modifiers), keys.logical_key, &UiState::default());
            assert_eq!(commands, std::slice::from_ref(&action.command), "{keys:?}");
        }
    }

    #[test]
    fn shortcuts_require_exact_modifiers() {
        let all = [Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND, Modifiers::ALT];
        let known = |modifiers: Modifiers, key: Key| {
            let wanted = Some(KeyboardShortcut::new(modifiers, key));
            let is_wanted = |keys: &Shortcut| keyboard_shortcut(keys) == wanted;
            ACTIONS.iter().find(|action| action.keys.iter().any(is_wanted))
        };
        let keys = ACTIONS.iter().flat_map(|action| action.keys).filter_map(keyboard_shortcut);
        for key in keys.map(|keys| keys.logical_key) {
            for modifiers in all {
                let expected: Vec<_> = known(modifiers, key)
                    .map(|action| action.command.clone())
                    .into_iter()
                    .collect();
                let commands = pressed(held(modifiers), key, &UiState::default());
                assert_eq!(commands, expected, "{modifiers:?} {key:?}");
            }
        }
    }

    #[test]
    fn shortcuts_are_off_while_typing() {
        let mut state = UiState::default();
        state.typing = true;
        assert_eq!(pressed(Modifiers::NONE, Key::Space, &state), []);
    }
}
