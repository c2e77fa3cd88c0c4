//! Converts key presses to commands.

use bevy_egui::{
    egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup},
    helpers::bevy_to_egui_physical_key,
};

use super::UiState;
use crate::session::{
    ACTIONS, Action, Command, LabelCommand, Modifier, Panel, PanelCommand, PlayheadCommand,
    Shortcut,
};
use mutoscope_core::playback::{Direction, TimeCommand};

#[derive(Clone, Debug, Default)]
pub(super) struct TypedAhead {
    events: Vec<Event>,
    frames_left: u8,
}

/// The number of frames that a text field may take to appear and get the keyboard focus.
const FRAMES_TO_FOCUS: u8 = 4;

/// Removes the key presses that [`ACTIONS`] binds from egui's input, and returns their commands.
///
/// No keys are removed while the user types. If a command opens a text field, the following keys
/// are held back until the field has the keyboard focus, and then given to the field. Modifiers
/// must match exactly, whereas egui's own shortcuts would accept `Shift+G` for `G`.
pub fn shortcut_commands(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    let mut commands = Vec::new();
    let is_typing = state.typing || ctx.text_edit_focused();
    let ahead = &mut state.typed_ahead;
    if ahead.frames_left > 0 && !is_typing {
        ahead.frames_left -= 1;
        ctx.input_mut(|input| {
            ahead.events.extend(input.events.extract_if(.., |event| is_keyboard_event(event)))
        });
        ctx.request_repaint();
        if ahead.frames_left > 0 {
            return commands;
        }
    }
    ahead.frames_left = 0;
    if !ahead.events.is_empty() {
        let typed = std::mem::take(&mut ahead.events);
        ctx.input_mut(|input| drop(input.events.splice(..0, typed)));
    }
    if is_typing {
        return commands;
    }
    // Space and Enter press the button that has the keyboard focus, so leave these keys to egui.
    let button_is_focused = ctx.memory(|memory| memory.focused().is_some());
    // Escape closes an open menu, so leave it to egui.
    let menu_is_open = Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        let mut kept = Vec::new();
        for event in input.events.drain(..) {
            if ahead.frames_left > 0 && is_keyboard_event(&event) {
                ahead.events.push(event);
                continue;
            }
            // While the right button is held, these keys fly the camera.
            if input.pointer.secondary_down() && is_flying_key(&event) {
                continue;
            }
            if let Some(direction) = arrow_direction(&event)
                && state.file_list.has_arrow_keys()
            {
                commands.extend(state.file_list.step(direction));
                continue;
            }
            match find_command(&event) {
                Some(_) if button_is_focused && is_button_key(&event) => kept.push(event),
                Some(_) if menu_is_open && is_escape(&event) => kept.push(event),
                Some(command) => {
                    if command.as_ref().is_some_and(opens_text_field) {
                        ahead.frames_left = FRAMES_TO_FOCUS;
                    }
                    commands.extend(command);
                }
                None => kept.push(event),
            }
        }
        input.events = kept;
    });
    commands
}

fn opens_text_field(command: &Command) -> bool {
    matches!(
        command,
        Command::Panel(PanelCommand::Toggle(Panel::PALETTE))
            | Command::Label(LabelCommand::Mark | LabelCommand::Rename)
    )
}

fn is_keyboard_event(event: &Event) -> bool {
    matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_))
}

pub(super) fn keyboard_shortcut(shortcut: &Shortcut) -> Option<KeyboardShortcut> {
    let modifiers = match shortcut.modifier {
        None => Modifiers::NONE,
        Some(Modifier::Ctrl) => Modifiers::COMMAND,
        Some(Modifier::Shift) => Modifiers::SHIFT,
        Some(Modifier::Alt) => Modifiers::ALT,
        Some(Modifier::CtrlShift) => Modifiers::COMMAND | Modifiers::SHIFT,
    };
    Some(KeyboardShortcut::new(modifiers, bevy_to_egui_physical_key(&shortcut.key)?))
}

fn is_button_key(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Space | Key::Enter, .. })
}

fn is_escape(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Escape, .. })
}

/// Returns the command of a key press. The outer `None` means that no action has this key. The
/// inner `None` means that the key repeats, but its command must not.
fn find_command(event: &Event) -> Option<Option<Command>> {
    let &Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return None };
    let is_pressed = |shortcut: &Shortcut| {
        keyboard_shortcut(shortcut).is_some_and(|shortcut| {
            shortcut.logical_key == key && modifiers.matches_exact(shortcut.modifiers)
        })
    };
    let has_shortcut = |action: &&Action| action.keys.iter().any(is_pressed);
    let command = &ACTIONS.iter().find(has_shortcut)?.command;
    Some((!repeat || is_repeatable(command)).then(|| command.clone()))
}

/// Returns the direction of the keys Up and Down without modifiers.
fn arrow_direction(event: &Event) -> Option<Direction> {
    match event {
        Event::Key { key: Key::ArrowUp, pressed: true, modifiers: Modifiers::NONE, .. } => {
            Some(Direction::Backward)
        }
        Event::Key { key: Key::ArrowDown, pressed: true, modifiers: Modifiers::NONE, .. } => {
            Some(Direction::Forward)
        }
        _ => None,
    }
}

fn is_flying_key(event: &Event) -> bool {
    use Key::{A, D, E, Q, S, W};
    matches!(
        event,
        Event::Key { key: W | A | S | D | Q | E, modifiers, .. } if !modifiers.command && !modifiers.alt
    )
}

fn is_repeatable(command: &Command) -> bool {
    matches!(
        command,
        Command::Time(
            TimeCommand::Step(_) | TimeCommand::Skip(_) | TimeCommand::Faster | TimeCommand::Slower
        ) | Command::Playhead(PlayheadCommand::StepKey(_))
            | Command::Playhead(PlayheadCommand::StepEvent(_))
    )
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::RawInput;

    use super::*;

    fn pressed(modifiers: Modifiers, key: Key, state: &mut UiState) -> Vec<Command> {
        let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = RawInput { events: vec![event], ..RawInput::default() };
        let mut commands = Vec::new();
        let output = Context::default().run_ui(input, |ui| {
            commands.extend(shortcut_commands(ui.ctx(), state));
        });
        output.drop_without_applying_deltas();
        commands
    }

    /// Returns the modifiers as a keyboard reports them: Ctrl is also egui's command key.
    fn as_reported(modifiers: Modifiers) -> Modifiers {
        Modifiers { ctrl: modifiers.ctrl || modifiers.command, ..modifiers }
    }

    #[test]
    fn every_shortcut_sends_only_its_command() {
        let keys =
            ACTIONS.iter().flat_map(|action| action.keys.iter().map(move |key| (action, key)));
        for (action, keys) in keys {
            let keys = keyboard_shortcut(keys).unwrap();
            let commands =
                pressed(as_reported(keys.modifiers), keys.logical_key, &mut UiState::default());
            assert_eq!(commands, std::slice::from_ref(&action.command), "{keys:?}");
        }
    }

    #[test]
    fn shortcuts_require_exact_modifiers() {
        let all = [Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND, Modifiers::ALT];
        let action_for = |modifiers: Modifiers, key: Key| {
            let shortcut = Some(KeyboardShortcut::new(modifiers, key));
            let is_shortcut = |keys: &Shortcut| keyboard_shortcut(keys) == shortcut;
            ACTIONS.iter().find(|action| action.keys.iter().any(is_shortcut))
        };
        let keys = ACTIONS.iter().flat_map(|action| action.keys).filter_map(keyboard_shortcut);
        for key in keys.map(|keys| keys.logical_key) {
            for modifiers in all {
                let expected: Vec<_> = action_for(modifiers, key)
                    .map(|action| action.command.clone())
                    .into_iter()
                    .collect();
                let commands = pressed(as_reported(modifiers), key, &mut UiState::default());
                assert_eq!(commands, expected, "{modifiers:?} {key:?}");
            }
        }
    }

    #[test]
    fn flying_keys_are_not_shortcuts_while_flying() {
        let key = |pressed| Event::Key {
            key: Key::W,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let button = |pressed| Event::PointerButton {
            pos: Default::default(),
            button: bevy_egui::egui::PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let ctx = Context::default();
        let frame = |events: Vec<Event>| {
            let input = RawInput { events, ..RawInput::default() };
            let mut commands = Vec::new();
            let output = ctx.run_ui(input, |ui| {
                commands.extend(shortcut_commands(ui.ctx(), &mut UiState::default()));
            });
            output.drop_without_applying_deltas();
            commands
        };
        let mark = Command::Label(LabelCommand::Mark);
        frame(vec![button(true)]);
        assert_eq!(frame(vec![key(true)]), []);
        frame(vec![key(false), button(false)]);
        assert_eq!(frame(vec![key(true)]), [mark]);
    }

    #[test]
    fn shortcuts_are_off_while_typing() {
        let mut state = UiState::default();
        state.typing = true;
        assert_eq!(pressed(Modifiers::NONE, Key::Space, &mut state), []);
    }

    #[test]
    fn text_typed_before_the_palette_has_focus_reaches_it() {
        let press = |key, modifiers| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        };
        let letter = |key, text: &str| [Event::Text(text.to_owned()), press(key, Modifiers::NONE)];
        let (ctx, mut state) = (Context::default(), UiState::default());
        let frame = |events: Vec<Event>, state: &mut UiState| {
            let (mut commands, mut left) = (Vec::new(), Vec::new());
            let output = ctx.run_ui(RawInput { events, ..RawInput::default() }, |ui| {
                commands = shortcut_commands(ui.ctx(), state);
                left = ui.input(|input| input.events.clone());
            });
            output.drop_without_applying_deltas();
            (commands, left)
        };
        let open = press(Key::P, as_reported(Modifiers::COMMAND));
        // The command and a letter arrive in one slow frame, and one more letter in the next.
        let all = [open].into_iter().chain(letter(Key::G, "g")).collect();
        let (commands, left) = frame(all, &mut state);
        assert_eq!(commands, [Command::Panel(PanelCommand::Toggle(Panel::PALETTE))]);
        assert_eq!(left, []);
        assert_eq!(frame(letter(Key::R, "r").into(), &mut state), (vec![], vec![]));
        // The field has the keyboard now, so it must get all letters in order.
        state.typing = true;
        let typed = [letter(Key::G, "g"), letter(Key::R, "r"), letter(Key::I, "i")].concat();
        assert_eq!(frame(letter(Key::I, "i").into(), &mut state), (vec![], typed));
        // If the field never appears, the shortcuts must work again after a few frames.
        let mut state = UiState::default();
        frame(vec![press(Key::P, as_reported(Modifiers::COMMAND))], &mut state);
        let mut commands = Vec::new();
        for _ in 0..=FRAMES_TO_FOCUS {
            // Use a command that repeats, because a key without release counts as as_reported.
            commands.extend(frame(vec![press(Key::ArrowRight, Modifiers::NONE)], &mut state).0);
        }
        assert_eq!(commands.len(), usize::from(FRAMES_TO_FOCUS) + 1);
    }
}
