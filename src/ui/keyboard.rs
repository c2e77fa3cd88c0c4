//! Keyboard input for egui, with the modifiers that were held at each key press.
//!
//! bevy_egui gives every key of a frame the modifiers that are held at the end of the frame. If a
//! frame takes long, the user can press and release `Ctrl+E` within it, and bevy_egui reports `E`.
//! This module passes on the keys one by one instead, and turns off the system of bevy_egui.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardFocusLost, KeyboardInput},
    },
    prelude::*,
};
use bevy_egui::{
    EguiGlobalSettings, PrimaryEguiContext,
    egui::{self, Event},
    helpers::{bevy_to_egui_key, bevy_to_egui_physical_key},
    input::{EguiInputEvent, ModifierKeysState},
};

/// Turns off the keyboard system of bevy_egui, which [`send_key_events`] replaces.
pub(super) fn disable_default_input(settings: &mut EguiGlobalSettings) {
    settings.input_system_settings.run_write_keyboard_input_messages_system = false;
}

pub(super) fn send_key_events(
    mut keys: MessageReader<KeyboardInput>,
    mut focus_lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<ModifierKeysState>,
    panels: Query<Entity, With<PrimaryEguiContext>>,
    mut clipboard: Clipboard,
    mut events: MessageWriter<EguiInputEvent>,
) {
    if focus_lost.read().count() > 0 {
        *held = ModifierKeysState::default();
    }
    let Ok(context) = panels.single() else { return };
    for input in keys.read() {
        update_held(&mut held, input);
        for event in key_events(input, &held, || clipboard.text()) {
            events.write(EguiInputEvent { context, event });
        }
    }
}

fn update_held(held: &mut ModifierKeysState, input: &KeyboardInput) {
    let is_pressed = input.state.is_pressed();
    match input.logical_key {
        Key::Shift => held.shift = is_pressed,
        Key::Control => held.ctrl = is_pressed,
        Key::Alt => held.alt = is_pressed,
        Key::Super | Key::Meta => held.win = is_pressed,
        _ => {}
    }
}

fn key_events(
    input: &KeyboardInput,
    held: &ModifierKeysState,
    clipboard: impl FnOnce() -> Option<String>,
) -> Vec<Event> {
    let (modifiers, is_pressed) = (held.to_egui_modifiers(), input.state == ButtonState::Pressed);
    let text = match &input.logical_key {
        Key::Character(text) if !text.contains(char::is_control) => Some(text.to_string()),
        Key::Space => Some(" ".to_owned()),
        _ => None,
    };
    let text = text.filter(|_| is_pressed && held.text_input_is_allowed()).map(Event::Text);
    let physical_key = bevy_to_egui_physical_key(&input.key_code);
    // On a keyboard without Latin letters, fall back to the physical key, so that shortcuts are in
    // the same places.
    let key = bevy_to_egui_key(&input.logical_key).or(physical_key);
    let pressed = key.map(|key| Event::Key {
        key,
        physical_key,
        pressed: is_pressed,
        // egui detects repeated keys itself.
        repeat: false,
        modifiers,
    });
    // A browser sends its own events for copy, cut and paste.
    let is_command = is_pressed && modifiers.command && !cfg!(target_arch = "wasm32");
    let of_clipboard = key.filter(|_| is_command).and_then(|key| match key {
        egui::Key::C => Some(Event::Copy),
        egui::Key::X => Some(Event::Cut),
        egui::Key::V => clipboard().map(Event::Text),
        _ => None,
    });
    [text, pressed, of_clipboard].into_iter().flatten().collect()
}

/// The system clipboard. Empty in a browser, which pastes by its own event.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct Clipboard<'w> {
    #[cfg(not(target_arch = "wasm32"))]
    clipboard: Option<ResMut<'w, bevy_egui::EguiClipboard>>,
    #[cfg(target_arch = "wasm32")]
    marker: std::marker::PhantomData<&'w ()>,
}

impl Clipboard<'_> {
    #[cfg(not(target_arch = "wasm32"))]
    fn text(&mut self) -> Option<String> {
        self.clipboard.as_mut()?.get_text()
    }

    #[cfg(target_arch = "wasm32")]
    fn text(&mut self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::KeyCode;
    use bevy_egui::egui::Modifiers;

    use super::*;

    fn input(key_code: KeyCode, logical_key: Key, state: ButtonState) -> KeyboardInput {
        let window = Entity::PLACEHOLDER;
        KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window }
    }

    fn send_keys(inputs: Vec<KeyboardInput>) -> Vec<Event> {
        let mut app = App::new();
        app.add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .add_message::<EguiInputEvent>()
            .add_systems(Update, send_key_events);
        app.world_mut().spawn(PrimaryEguiContext);
        for input in inputs {
            app.world_mut().write_message(input);
        }
        app.update();
        let mut messages = app.world_mut().resource_mut::<Messages<EguiInputEvent>>();
        messages.drain().map(|message| message.event).collect()
    }

    fn key(key: egui::Key, pressed: bool, modifiers: Modifiers) -> Event {
        Event::Key { key, physical_key: Some(key), pressed, repeat: false, modifiers }
    }

    #[test]
    fn chord_within_one_frame_keeps_its_modifier() {
        use ButtonState::{Pressed, Released};
        let letter_e = || Key::Character("e".into());
        let events = send_keys(vec![
            input(KeyCode::ControlLeft, Key::Control, Pressed),
            input(KeyCode::KeyE, letter_e(), Pressed),
            input(KeyCode::KeyE, letter_e(), Released),
            input(KeyCode::ControlLeft, Key::Control, Released),
            input(KeyCode::KeyE, letter_e(), Pressed),
        ]);
        let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
        let expected = [
            key(egui::Key::E, true, ctrl),
            key(egui::Key::E, false, ctrl),
            Event::Text("e".to_owned()),
            key(egui::Key::E, true, Modifiers::NONE),
        ];
        let letter_events: Vec<_> = events.into_iter().filter(is_not_a_modifier).collect();
        assert_eq!(letter_events, expected);
    }

    fn is_not_a_modifier(event: &Event) -> bool {
        !matches!(event, Event::Key { key, .. } if key.name().contains("Control"))
    }

    #[test]
    fn ctrl_c_copies_and_types_nothing() {
        let pressed = |code, key| input(code, key, ButtonState::Pressed);
        let events = send_keys(vec![
            pressed(KeyCode::ControlLeft, Key::Control),
            pressed(KeyCode::KeyC, Key::Character("c".into())),
        ]);
        assert!(events.contains(&Event::Copy), "{events:?}");
        assert!(!events.iter().any(|event| matches!(event, Event::Text(_))), "{events:?}");
    }
}
