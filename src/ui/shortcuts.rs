//! Keys become commands.

use bevy_egui::{
    egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Popup},
    helpers::bevy_to_egui_physical_key,
};

use super::UiState;
use crate::session::{
    ACTIONS, Action, Command, LabelCommand, Modifier, Panel, PanelCommand, PlayheadCommand,
    Shortcut,
};
use mutoscope_core::playback::TimeCommand;

/// Keys that were pressed since a text field was asked for, until it has the keyboard.
#[derive(Clone, Debug, Default)]
pub(super) struct TypedAhead {
    events: Vec<Event>,
    /// For how many more frames the field is waited for.
    frames: u8,
}

/// How many frames a text field may take to appear and to get the keyboard.
const FRAMES_TO_FOCUS: u8 = 4;

/// Takes the key presses that [`ACTIONS`] has a meaning for, and returns what they mean.
///
/// None are taken while the user types, nor between the key that opens a text field and that field:
/// these wait for it. Modifiers must match exactly: egui's own shortcuts would let `Shift+G` pass
/// for `G`.
pub fn shortcut_commands(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    let mut commands = Vec::new();
    let is_typing = state.typing || ctx.text_edit_focused();
    let ahead = &mut state.typed_ahead;
    if ahead.frames > 0 && !is_typing {
        ahead.frames -= 1;
        ctx.input_mut(|input| {
            ahead.events.extend(input.events.extract_if(.., |event| is_of_keyboard(event)))
        });
        ctx.request_repaint();
        if ahead.frames > 0 {
            return commands;
        }
    }
    ahead.frames = 0;
    if !ahead.events.is_empty() {
        let typed = std::mem::take(&mut ahead.events);
        ctx.input_mut(|input| drop(input.events.splice(..0, typed)));
    }
    if is_typing {
        return commands;
    }
    // A button that Tab has led to is pressed with Space or Enter.
    let button_is_focused = ctx.memory(|memory| memory.focused().is_some());
    // A menu that is open is closed with Escape.
    let menu_is_open = Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        let mut kept = Vec::new();
        for event in input.events.drain(..) {
            if ahead.frames > 0 && is_of_keyboard(&event) {
                ahead.events.push(event);
                continue;
            }
            // These keys fly, while the right button is held.
            if input.pointer.secondary_down() && flies(&event) {
                continue;
            }
            match meaning(&event) {
                Some(_) if button_is_focused && presses_a_button(&event) => kept.push(event),
                Some(_) if menu_is_open && is_escape(&event) => kept.push(event),
                Some(command) => {
                    if command.as_ref().is_some_and(opens_a_text_field) {
                        ahead.frames = FRAMES_TO_FOCUS;
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

/// Whether the keyboard belongs to a text field once this is done.
fn opens_a_text_field(command: &Command) -> bool {
    matches!(
        command,
        Command::Panel(PanelCommand::Toggle(Panel::PALETTE))
            | Command::Label(LabelCommand::Mark | LabelCommand::Rename)
    )
}

fn is_of_keyboard(event: &Event) -> bool {
    matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_))
}

/// A shortcut as egui knows it; nothing for a key that egui has no name for.
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

/// Whether a key moves a flying camera.
fn flies(event: &Event) -> bool {
    use Key::{A, D, E, Q, S, W};
    matches!(
        event,
        Event::Key { key: W | A | S | D | Q | E, modifiers, .. } if !modifiers.command && !modifiers.alt
    )
}

/// Whether holding the key down does it again and again.
fn acts_again(command: &Command) -> bool {
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

    /// The commands of pressing these keys together, in an idle window.
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
            let commands = pressed(held(keys.modifiers), keys.logical_key, &mut UiState::default());
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
                let commands = pressed(held(modifiers), key, &mut UiState::default());
                assert_eq!(commands, expected, "{modifiers:?} {key:?}");
            }
        }
    }

    #[test]
    fn keys_that_fly_are_no_shortcuts_meanwhile() {
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
        let open = press(Key::P, held(Modifiers::COMMAND));
        // All within one slow frame, and one more letter in the next.
        let all = [open].into_iter().chain(letter(Key::G, "g")).collect();
        let (commands, left) = frame(all, &mut state);
        assert_eq!(commands, [Command::Panel(PanelCommand::Toggle(Panel::PALETTE))]);
        assert_eq!(left, []);
        assert_eq!(frame(letter(Key::R, "r").into(), &mut state), (vec![], vec![]));
        // The field has the keyboard: it gets everything in order.
        state.typing = true;
        let typed = [letter(Key::G, "g"), letter(Key::R, "r"), letter(Key::I, "i")].concat();
        assert_eq!(frame(letter(Key::I, "i").into(), &mut state), (vec![], typed));
        // A field that never comes does not swallow keys for good.
        let mut state = UiState::default();
        frame(vec![press(Key::P, held(Modifiers::COMMAND))], &mut state);
        let mut given = Vec::new();
        for _ in 0..=FRAMES_TO_FOCUS {
            // A key that does its work again while it is held.
            given.extend(frame(vec![press(Key::ArrowRight, Modifiers::NONE)], &mut state).0);
        }
        assert_eq!(given.len(), usize::from(FRAMES_TO_FOCUS) + 1);
    }
}
